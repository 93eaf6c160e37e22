/* plan_identifiers.h: recognises identifiers of securities or filings, for which there is no list of companies. */
#ifndef BID_PLAN_IDENTIFIERS_H
#define BID_PLAN_IDENTIFIERS_H

#include "base/buf.h"

/* The kind of an identifier, with or without the kind's name before it ("ISIN US0378331005"): "an ISIN", "a CUSIP",
 * "an LEI" (whose check digits must be right; ISO 6166, ANSI X9.6, ISO 17442), "a FIGI", "an accession number"; NULL
 * where the text is none. */
const char *plan_identifier_kind(struct slice text);

#endif

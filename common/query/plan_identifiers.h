/* plan_identifiers.h: numbers that name a security or a filing, which no list of companies holds. */
#ifndef BID_PLAN_IDENTIFIERS_H
#define BID_PLAN_IDENTIFIERS_H

#include "base/buf.h"

/* What a text is, alone or behind its kind's name ("ISIN US0378331005"): "an ISIN", "a CUSIP", "an LEI" (their check
 * digits have to be right; ISO 6166, ANSI X9.6, ISO 17442), "a FIGI", "an accession number"; NULL where it is none. */
const char *plan_identifier_kind(struct slice text);

#endif

/* fact_load.h: facts of a company or of FRED's series, from bid-fetch or from a file. */
#ifndef BID_FACT_LOAD_H
#define BID_FACT_LOAD_H

#include "facts/fact.h"

/* All facts of a company by ticker, name or CIK.  0, or an exit status with why (empty where bid-fetch has said
 * it). */
int fact_load_company(struct fact_company *c, const char *entity, struct error_text *why);

/* A file ("-" is stdin): an answer of companyfacts, payload records that hold one, or an inline XBRL document. */
int fact_load_file(struct fact_company *c, const char *path, struct error_text *why);

/* Adds a series of FRED to c; since and period may be NULL. */
int fact_load_fred(struct fact_company *c, const char *series, const char *since, const char *period,
                   struct error_text *why);

/* The raw content of the first payload among records, decoded; its metadata, source and so on are noted in c.
 * 0, or -1 where there is none. */
int fact_load_payload(struct fact_company *c, struct slice records, struct buf *content);

#endif

/* company_list.h: the SEC's list of companies in its most recently fetched version. */
#ifndef BID_COMPANY_LIST_H
#define BID_COMPANY_LIST_H

#include "base/buf.h"

/* Reads company_tickers.json from the cache where it has a version that the SEC confirmed after `date` (YYYY-MM-DD,
 * or "").  0, or -1 where it has none; fetches nothing. */
int company_list_cached(const char *date, struct buf *out);

/* Whether the SEC confirmed the list in the cache within the last day. */
int company_list_is_fresh(void);

/* Has bid-fetch bring the list in the cache up to date, within the SEC's budget; what goes wrong is not reported. */
void company_list_fetch(void);

/* What a helper does for it in a sandbox (helper.h). */
void company_list_run(int in, int out, int err);

/* The folder of the cache, to be read in a sandbox. */
int company_list_folder(struct buf *out);

#endif

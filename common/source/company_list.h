/* company_list.h: the SEC's list of companies in its most recently fetched version. */
#ifndef BID_COMPANY_LIST_H
#define BID_COMPANY_LIST_H

#include "base/buf.h"

/* Reads company_tickers.json from the cache where it has a version that the SEC confirmed after `date` (YYYY-MM-DD,
 * or "").  0, or -1 where it has none; fetches nothing. */
int company_list_cached(const char *date, struct buf *out);

#endif

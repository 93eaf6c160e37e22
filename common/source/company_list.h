/* company_list.h: the SEC's list of companies as it was fetched last. */
#ifndef BID_COMPANY_LIST_H
#define BID_COMPANY_LIST_H

#include "base/buf.h"

/* Reads company_tickers.json out of the cache where one is there that the SEC confirmed after `date` (YYYY-MM-DD, or "").
 * 0, or -1 where there is none; nothing is fetched. */
int company_list_cached(const char *date, struct buf *out);

#endif

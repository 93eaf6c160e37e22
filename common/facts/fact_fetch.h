/* fact_fetch.h: fetches facts by running bid-fetch as a child; this program itself makes no network requests. */
#ifndef BID_FACT_FETCH_H
#define BID_FACT_FETCH_H

#include "base/diag.h"
#include "base/helper.h"

/* Runs `bid-fetch --quiet ARGUMENTS` (ended by NULL) and appends its records to out, one per line.  It reports errors
 * on stderr itself, unless `silent`.  Returns its exit status, or -1 with why where it could not be run. */
int fact_fetch(const char *const *arguments, int silent, struct buf *out, struct error_text *why);

/* Runs bid-fetch for it, for a helper of a program that is held by then; with the sources that this program uses alone. */
helper_run fact_fetch_run;

/* Lets it fetch files, too ("file", PATH); before the helper is started. */
void fact_fetch_files(void);

#endif

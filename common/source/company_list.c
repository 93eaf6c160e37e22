/* company_list.c: the SEC's list of companies, as the cache has it. */
#include "source/company_list.h"

#include "base/clock.h"
#include "base/helper.h"
#include "base/paths.h"
#include "net/cache.h"

#include <limits.h>
#include <unistd.h>

/* The cache key's text as fetch.c builds it (URL, Accept, user agent, truncation), so that this need not link the
 * transfers. */
#define TICKERS_REQUEST "https://www.sec.gov/files/company_tickers.json\n\n\n0"

#define DAY 86400.0
#define FETCH_SECONDS 20.0 /* and no longer: a refusal waits for it */
#define SAID_MAX ((size_t)1 << 20)

int company_list_folder(struct buf *out) {
  return paths_cache(out);
}

/* Appends the list to out, where it isn't NULL, if the SEC confirmed it after that time.  0, or -1. */
static int list_checked_after(double time, struct buf *out) {
  struct cache_entry entry;
  struct cache cache = {0};
  struct buf folder;
  char key[DIGEST_HEX];
  int result = -1;
  buf_init(&folder, 8192);
  cache_key(slice_str(TICKERS_REQUEST), key);
  if (paths_cache(&folder) == 0) {
    cache.folder = folder.data;
    if (cache_find(&cache, key, &entry) && entry.checked > time)
      result = out ? cache_read(&cache, &entry, out) : 0;
  }
  buf_release(&folder);
  return result;
}

int company_list_cached(const char *date, struct buf *out) {
  int64_t day;
  return list_checked_after(clock_parse(date, &day) == 0 ? (double)day : -1, out);
}

int company_list_is_fresh(void) {
  return list_checked_after((double)clock_now() - DAY, NULL) == 0;
}

void company_list_run(int in, int out, int err) {
  static char quiet[] = "--quiet", source[] = "sec-company", option[] = "-e", ticker[] = "AAPL";
  char path[PATH_MAX],
      *argv[] = {path, quiet, source, option, ticker, NULL}; /* any ticker is looked up in the list */
  helper_take(in, out, err);
  helper_path("bid-fetch", path);
  execvp(path, argv);
  _exit(127);
}

void company_list_fetch(void) {
  struct buf said, errors;
  buf_init(&said, SAID_MAX);
  buf_init(&errors, SAID_MAX);
  struct helper_task t = {.run = company_list_run,
                          .text = &said,
                          .errors = &errors,
                          .deadline = clock_monotonic() + FETCH_SECONDS};
  helper_task_do(&t);
  buf_release(&said);
  buf_release(&errors);
}

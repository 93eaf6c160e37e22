/* company_list.c: the SEC's list of companies, as the cache has it. */
#include "source/company_list.h"

#include "base/clock.h"
#include "base/paths.h"
#include "net/cache.h"

/* The cache key's text as fetch.c builds it (URL, Accept, user agent, truncation), so that this need not link the
 * transfers. */
#define TICKERS_REQUEST "https://www.sec.gov/files/company_tickers.json\n\n\n0"

int company_list_cached(const char *date, struct buf *out) {
  struct cache_entry entry;
  struct cache cache = {0};
  struct buf folder;
  char key[DIGEST_HEX];
  int64_t day;
  int result = -1;
  buf_init(&folder, 8192);
  cache_key(slice_str(TICKERS_REQUEST), key);
  if (paths_cache(&folder) == 0) {
    cache.folder = folder.data;
    if (cache_find(&cache, key, &entry) && (clock_parse(date, &day) != 0 || entry.checked > (double)day))
      result = cache_read(&cache, &entry, out);
  }
  buf_release(&folder);
  return result;
}

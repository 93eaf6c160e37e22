#include "search/search_pages.h"

#include "record/json.h"

void search_pages_add(struct buf *out, const char *before, struct slice chunk, const char *behind) {
  long long page = json_to_int(json_get(chunk, "page"), 0);
  long long first = json_to_int(json_get(chunk, "firstPage"), 0),
            last = json_to_int(json_get(chunk, "lastPage"), 0);
  if (page <= 0)
    return;
  if (last > first)
    buf_printf(out, "%spages %lld\xe2\x80\x93%lld%s", before, first, last, behind);
  else
    buf_printf(out, "%spage %lld%s", before, page, behind);
}

#include "search/search_blame.h"

enum blame_filter {
  BLAME_NONE,
  BLAME_COLLECTION,
  BLAME_COMPANY,
  BLAME_FORM,
  BLAME_ITEM,
  BLAME_SINCE,
  BLAME_UNTIL,
  BLAME_AS_OF,
  BLAME_ALL
};

/* The request with only one filter, and the filter's name.  0 where it was not given. */
static int blame_alone(const struct search_request *r, enum blame_filter f, struct search_request *alone,
                       struct buf *name) {
  static const struct search_list none;
  const struct search_list *list = f == BLAME_COLLECTION ? &r->collections
                                   : f == BLAME_COMPANY  ? &r->companies
                                   : f == BLAME_FORM     ? &r->forms
                                   : f == BLAME_ITEM     ? &r->items
                                                         : &none;
  const char *when = f == BLAME_SINCE   ? r->since
                     : f == BLAME_UNTIL ? r->until
                     : f == BLAME_AS_OF ? r->as_of
                                        : NULL;
  static const char *const options[] = {"", "-c", "-e", "-f", "--item", "--since", "--until", "--as-of"};
  *alone = *r;
  alone->collections = f == BLAME_COLLECTION ? r->collections : none;
  alone->companies = f == BLAME_COMPANY ? r->companies : none;
  alone->forms = f == BLAME_FORM ? r->forms : none;
  alone->items = f == BLAME_ITEM ? r->items : none;
  alone->since = f == BLAME_SINCE ? r->since : NULL;
  alone->until = f == BLAME_UNTIL ? r->until : NULL;
  alone->as_of = f == BLAME_AS_OF ? r->as_of : NULL;
  alone->mode = RANK_TEXT;
  alone->routing = alone->threshold = 0;
  alone->embedding = alone->embedding_model = slice_of(NULL, 0);
  buf_clear(name);
  for (size_t i = 0; i < list->count; i++)
    buf_printf(name, "%s%s %s", i ? " " : "", options[f], list->items[i]);
  if (when)
    buf_printf(name, "%s %s", options[f], when);
  return f == BLAME_NONE || list->count > 0 || when != NULL;
}

static uint64_t blame_left(struct searcher *s, const struct search_request *alone) {
  const struct search_answer *a;
  struct search_fault f;
  return searcher_run(s, alone, &a, &f) == 0 ? a->result.searched : 0;
}

void search_blame(struct searcher *s, const struct search_request *r, int where, struct buf *out) {
  struct search_request alone;
  struct buf name, each;
  uint64_t left = 1;
  int f;
  buf_init(&name, 4096);
  buf_init(&each, 4096);
  for (f = BLAME_NONE; f < BLAME_ALL && left > 0; f++) {
    if (!blame_alone(r, (enum blame_filter)f, &alone, &name))
      continue;
    left = blame_left(s, &alone);
    if (f != BLAME_NONE && left > 0)
      buf_printf(&each, "%s%s alone leaves %llu", each.len ? ", " : "", name.data, (unsigned long long)left);
  }
  if (left == 0 && f == BLAME_NONE + 1)
    buf_add_str(out, where ? "--where leaves no document" : "there is no passage to search");
  else if (left == 0)
    buf_printf(out, "no passage passes %s", name.data);
  else
    buf_printf(out, "no passage passes all filters: %s%s", each.len ? each.data : "none of them",
               where ? ", with --where" : "");
  buf_release(&name);
  buf_release(&each);
}

/* search_filter.c: the documents and passages in which a request is searched. */
#include "search/search_internal.h"
#include "base/clock.h"
#include "base/day.h"
#include "period/period_option.h"
#include "base/near_name.h"
#include "compare/filing_news.h"
#include "query/query.h"
#include "record/error.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define DAY 86400

/* Lists the collections, at most a dozen. */
static void list_collections(const struct search *s, struct buf *out) {
  const struct store_collection *list;
  size_t n = store_collections(s->snap, &list);
  for (size_t i = 0; i < n && i < 12; i++)
    buf_printf(out, "%s%s", i ? ", " : "", list[i].name);
  if (n > 12)
    buf_printf(out, " and %zu more", n - 12);
}

/* The collection or, with "of company", the ticker or name closest to a name: puts "; the nearest is X" into room, or
 * nothing. */
static void nearest_stored(const struct search *s, const char *what, const char *name, char room[128]) {
  const struct store_collection *collections;
  const struct store_company *companies;
  size_t n = strcmp(what, "matches") == 0 ? store_collections(s->snap, &collections) : 0;
  size_t m = strcmp(what, "of company") == 0 ? store_companies(s->snap, &companies) : 0;
  struct near_name near;
  near_name_init(&near, name);
  for (size_t i = 0; i < n; i++)
    near_name_try(&near, collections[i].name);
  for (size_t i = 1; i < m; i++) {
    near_name_try(&near, companies[i].ticker);
    near_name_try(&near, companies[i].name);
  }
  room[0] = '\0';
  if (near.best)
    snprintf(room, 128, "; the nearest is %.80s", near.best);
}

static int no_collection(struct searcher *s, struct search_fault *f, const char *what, const char *name) {
  const struct store_collection *stored;
  struct buf list;
  char nearest[128];
  if (store_collections(s->shared->snap, &stored) == 0) {
    search_fault_set(f, ERROR_NO_COLLECTION, error_exit_status(ERROR_NO_COLLECTION),
                     "there is no collection yet: " SEARCH_HOW_TO_INDEX);
    return -1;
  }
  nearest_stored(s->shared, what, name, nearest);
  buf_init(&list, 380);
  list_collections(s->shared, &list);
  search_fault_set(f, ERROR_NO_COLLECTION, error_exit_status(ERROR_NO_COLLECTION),
                   "no collection %s %s%s; there are: %s%s", what, name, nearest,
                   list.data ? list.data : "many",
                   strcmp(what, "matches") == 0 ? "" : "; " SEARCH_HOW_TO_INDEX);
  buf_release(&list);
  return -1;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Ids, ascending. */
static int filter_collections(struct searcher *s, struct asked *a, const struct search_request *r,
                              struct search_fault *fault_out) {
  const struct store_collection *list;
  struct store_filter *f = &a->options.filter;
  size_t n = store_collections(s->shared->snap, &list), count = 0;
  if (n == 0)
    return no_collection(s, fault_out, "in", store_path(s->shared->stores[0]));
  a->collections = xreallocarray(a->collections, n * r->collections.count + 1, sizeof *a->collections);
  for (size_t g = 0; g < r->collections.count; g++) {
    size_t before = count;
    for (size_t i = 0; i < n; i++)
      if (fnmatch(r->collections.items[g], list[i].name, 0) == 0)
        a->collections[count++] = list[i].id;
    if (count == before)
      return no_collection(s, fault_out, "matches", r->collections.items[g]);
  }
  qsort(a->collections, count, sizeof *a->collections, by_number);
  f->collections = a->collections;
  f->collection_count = count;
  return 0;
}

int search_filter_has(const struct store_filter *f, uint32_t collection) {
  return f->collection_count == 0 ||
         bsearch(&collection, f->collections, f->collection_count, sizeof *f->collections, by_number) != NULL;
}

int search_is_long(const struct search_request *r) {
  return r->plan.len == 0 && (r->companies.count > PLAN_COMPANIES || r->forms.count > PLAN_FORMS);
}

/* A list of companies too long for a plan, used unchanged. */
static int filter_companies(struct searcher *s, struct asked *a, const struct search_request *r,
                            struct search_fault *fault_out) {
  size_t count = 0, all = s->shared->known.company_count;
  for (size_t i = 0; i < r->companies.count; i++) {
    a->companies = xreallocarray(a->companies, count + all + 1, sizeof *a->companies);
    size_t n = query_find_companies(&s->shared->known, r->companies.items[i], a->companies + count, all);
    if (n == 0)
      return no_collection(s, fault_out, "of company", r->companies.items[i]);
    count += n;
  }
  a->options.filter.companies = a->companies;
  a->options.filter.company_count = count;
  return 0;
}

static int filter_forms(struct searcher *s, struct asked *a, const struct search_request *r,
                        struct search_fault *fault_out) {
  size_t count = 0, all = s->shared->known.form_count;
  for (size_t i = 0; i < r->forms.count; i++) {
    a->forms = xreallocarray(a->forms, count + all + 1, sizeof *a->forms);
    count += query_find_forms(&s->shared->known, r->forms.items[i], a->forms + count, all);
  }
  if (r->forms.count > 0 && count == 0)
    return no_collection(s, fault_out, "of form", r->forms.items[0]);
  a->options.filter.forms = a->forms;
  a->options.filter.form_count = count;
  return 0;
}

/* "1a" and "Item 1A" mean "1A"; an item without passages excludes everything. */
static void filter_items(struct searcher *s, struct asked *a, const struct search_request *r) {
  const char *const *list;
  size_t n = store_items(s->shared->snap, &list), count = 0;
  a->items = xreallocarray(a->items, n * r->items.count + 1, sizeof *a->items);
  for (size_t i = 0; i < r->items.count; i++) {
    const char *item = r->items.items[i];
    if (strncasecmp(item, "item ", 5) == 0)
      item += 5;
    for (size_t k = 1; k < n; k++)
      if (strcasecmp(list[k], item) == 0)
        a->items[count++] = (uint16_t)k;
  }
  if (r->items.count > 0 && count == 0)
    a->items[count++] = UINT16_MAX;
  a->options.filter.items = a->items;
  a->options.filter.item_count = count;
}

static int read_day(const char *text, enum period_end end, int32_t *day, const char *option,
                    struct search_fault *f) {
  char date[PERIOD_WHEN];
  if (period_when(text, end, date) != 0) {
    search_fault_set(f, ERROR_INVALID_REQUEST, 64,
                     "--%s: '%s' is no date (2024-05-31), no month or year (2024-05) and no span (6months)",
                     option, text);
    return -1;
  }
  *day = day_parse(slice_str(date));
  return 0;
}

static int filter_dates(const struct search_request *r, struct store_filter *f, struct search_fault *e) {
  f->since = f->until = 0;
  if (r->since != NULL || r->until != NULL)
    f->since = INT32_MIN + 1, f->until = INT32_MAX;
  if (r->since != NULL && read_day(r->since, PERIOD_FIRST, &f->since, "since", e) != 0)
    return -1;
  if (r->until != NULL && read_day(r->until, PERIOD_LAST, &f->until, "until", e) != 0)
    return -1;
  if (r->since != NULL && r->until != NULL && f->since > f->until) {
    search_fault_set(e, ERROR_INVALID_REQUEST, 64, "--since %s is after --until %s: no day is within",
                     r->since, r->until);
    return -1;
  }
  if (r->as_of == NULL)
    return 0;
  char day[PERIOD_WHEN];
  if (period_when(r->as_of, PERIOD_LAST, day) != 0 || clock_parse(day, &f->as_of) != 0) {
    search_fault_set(e, ERROR_INVALID_REQUEST, 64,
                     "--as-of: '%s' is no date (2024-05-31, 2024-05-31T21:30:00Z), month or year", r->as_of);
    return -1;
  }
  if (strlen(day) == 10) /* a date includes the whole day */
    f->as_of += DAY - 1;
  return 0;
}

struct names_look {
  const struct store_segment *seg;
  const struct store_doc *doc;
  int words, absent;
};

static void look_for_word(void *arg, const struct term *t) {
  struct names_look *look = arg;
  int here;
  look->words++;
  look->absent |= store_postings_count(look->seg, t->hash, look->doc->first,
                                       look->doc->first + look->doc->rows, look->doc->first, &here) == 0;
}

/* Whether passages of the document contain all words. */
static int document_holds(const struct searcher *s, const struct store_segment *seg,
                          const struct store_doc *d, struct slice words) {
  struct names_look look = {seg, d, 0, 0};
  terms_scan(s->terms, words, 0, look_for_word, &look);
  return look.words > 0 && !look.absent;
}

#define TICKER_LEAST 3 /* letters: shorter tickers have too many other meanings */

/* Whether the document names a company of the plan: by its name as in the question, without the legal form, or by a
 * ticker that is not an ordinary word. */
static int document_names(const struct searcher *s, const struct store_segment *seg,
                          const struct store_doc *d) {
  const struct plan *plan = &s->asked.plan;
  for (size_t i = 0; i < plan->company_count; i++) {
    const struct plan_company *c = &plan->companies[i];
    struct query_core core;
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)c->name.len, c->name.len ? c->name.data : "");
    query_core_of(name, &core);
    const struct slice *last = core.count ? &core.word[core.count - 1] : NULL;
    if (last && document_holds(s, seg, d, slice_of(name, (size_t)(last->data + last->len - name))))
      return 1;
    if (c->how != PLAN_GIVEN && c->how != PLAN_CIK && document_holds(s, seg, d, c->matched))
      return 1;
    if (c->ticker.len >= TICKER_LEAST && !query_is_ordinary(terms_stem(s->terms, c->ticker)) &&
        document_holds(s, seg, d, c->ticker))
      return 1;
  }
  return 0;
}

/* Applies --where and the plan. */
static int keep_document(void *arg, const struct store_segment *seg, uint32_t doc) {
  const struct searcher *s = arg;
  const struct search *shared = s->shared;
  if (shared->kept != NULL && !shared->kept[shared->kept_base[(size_t)(seg - shared->segs)] + doc])
    return 0;
  if (s->asked.ownerless_only || (s->asked.ownerless_too && seg->doc[doc].company == 0))
    return seg->doc[doc].company == 0 && document_names(s, seg, &seg->doc[doc]);
  return s->asked.scope.plan == NULL || search_scope_fits(&s->asked.scope, seg, doc);
}

/* Reports the first lines, and the number of others. */
void search_lines_fault(struct search_fault *f, const struct buf *lines, const char *more) {
  enum { SHOWN = 3 };
  struct buf text;
  size_t count = 0;
  buf_init(&text, lines->len + 64);
  for (size_t at = 0, len; at < lines->len; at += len + 1, count++) {
    len = (size_t)((char *)memchr(lines->data + at, '\n', lines->len - at) - (lines->data + at));
    if (count < SHOWN)
      buf_printf(&text, "%s%.*s", count ? "; " : "", (int)len, lines->data + at);
  }
  if (count > SHOWN)
    buf_printf(&text, "; and %zu more such", count - SHOWN);
  search_fault_set(f, ERROR_NO_CONTENT, error_exit_status(ERROR_NO_CONTENT), "%s%s",
                   text.len ? text.data : "", more);
  buf_release(&text);
}

int search_has_ownerless(const struct search *s) {
  for (size_t i = 0; i < s->seg_count; i++)
    for (uint32_t d = 0; d < s->segs[i].docs; d++)
      if (s->segs[i].doc[d].company == 0)
        return 1;
  return 0;
}

/* The command that reads what the plan asks for.  A company files one of the forms for years, so all are named. */
static void how_to_read(const struct plan *plan, struct buf *out) {
  static const char *const yearly[] = {"10-K", "20-F", "40-F"};
  const struct plan_company *c = &plan->companies[0];
  struct slice who = c->ticker.len ? c->ticker : slice_str(c->cik);
  buf_printf(out, "; read some first, for example with bid-ingest -e %.*s", (int)who.len, who.data);
  for (size_t i = 0; i < plan->form_count; i++)
    buf_printf(out, " -f %.*s", (int)plan->forms[i].len, plan->forms[i].data);
  for (size_t i = 0; plan->form_count == 0 && i < sizeof yearly / sizeof *yearly; i++)
    buf_printf(out, " -f %s", yearly[i]);
}

/* Lets documents without a company pass too: a user's own notes on the companies that a question names.  Not where a
 * company was given by an option, or a form is named, which notes don't have. */
static void add_ownerless(struct searcher *s, struct asked *a, const struct search_request *r) {
  struct store_filter *f = &a->options.filter;
  a->ownerless_too = r->companies.count == 0 && !a->plan.forms_named && !a->plan.amendments &&
                     search_has_ownerless(s->shared);
  if (!a->ownerless_too)
    return;
  a->companies = xreallocarray(a->companies, f->company_count + 1, sizeof *a->companies);
  memcpy(a->companies, f->companies, f->company_count * sizeof *a->companies);
  a->companies[f->company_count++] = 0;
  f->companies = a->companies;
}

/* Restricts to documents of the plan's companies, forms and windows; -1 where there are none.  A document of an
 * unknown company may belong to any: the ranker checks whether it contains the name. */
int search_filter_plan(struct searcher *s, struct asked *a, const struct search_request *r,
                       struct search_fault *fault_out) {
  struct store_filter *f = &a->options.filter;
  struct search_scope *scope = &a->scope;
  search_scope_make(scope, &a->plan, &s->shared->known, s->shared->snap, r->filings, r->filing_count);
  buf_clear(&a->missing);
  search_missing(scope, &a->missing);
  if (a->doubt.text[0])
    buf_printf(&a->missing, "%s\n", a->doubt.text);
  if (scope->documents == 0 && !a->ownerless_only && !a->unsure && search_has_ownerless(s->shared)) {
    a->ownerless_only = 1;
    return 0;
  }
  f->companies = scope->companies;
  f->company_count = scope->company_count;
  if (scope->documents == 0) {
    struct buf how;
    buf_init(&how, 1024);
    how_to_read(&a->plan, &how);
    search_lines_fault(fault_out, &a->missing, how.data);
    buf_release(&how);
    return -1;
  }
  scope->reach = scope->fitting ? SCOPE_FITTING : scope->telling ? SCOPE_TELLING : SCOPE_RECALLING;
  add_ownerless(s, a, r);
  if (a->ownerless_too || scope->reach != SCOPE_RECALLING || scope->recalling > 0)
    return 0;
  search_lines_fault(fault_out, &a->missing, "");
  return -1;
}

static const uint64_t *news_rows(void *arg, const struct store_segment *seg, uint32_t doc) {
  return filing_news_rows(((const struct searcher *)arg)->news, seg, doc);
}

/* Restricts to the newest filings that pass, and to their passages that the previous filings lack. */
static int filter_news(struct searcher *s, struct asked *a, struct search_fault *fault_out) {
  struct store_filter *f = &a->options.filter;
  if (s->news == NULL)
    s->news = filing_news_new(s->shared->snap);
  f->rows = NULL;
  enum store_status status = filing_news_compare(s->news, f, &a->missing, &fault_out->e);
  f->rows = news_rows;
  if (status == STORE_ABSENT) {
    struct error_text why = fault_out->e;
    if (a->missing.len)
      search_lines_fault(fault_out, &a->missing, "; bid-ingest -n 2 reads the two newest");
    else
      search_fault_set(fault_out, ERROR_NO_CONTENT, error_exit_status(ERROR_NO_CONTENT), "%s", why.text);
  } else if (status) {
    fault_out->category = store_category(status);
    fault_out->status = store_exit_status(status);
  }
  return status ? -1 : 0;
}

int search_filter_make(struct searcher *s, struct asked *a, const struct search_request *r,
                       struct search_fault *e) {
  struct store_filter *f = &a->options.filter;
  if (filter_collections(s, a, r, e) != 0)
    return -1;
  int by_plan = a->plan.company_count > 0 && !a->unsure;
  if (search_is_long(r) && filter_companies(s, a, r, e) != 0)
    return -1;
  if (by_plan ? search_filter_plan(s, a, r, e) != 0 : filter_forms(s, a, r, e) != 0)
    return -1;
  filter_items(s, a, r);
  f->arg = s;
  if (s->shared->kept != NULL || a->scope.plan != NULL)
    f->keep = keep_document;
  if (filter_dates(r, f, e) != 0)
    return -1;
  return r->news ? filter_news(s, a, e) : 0;
}

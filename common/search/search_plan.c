/* search_plan.c: what a pipeline has to know of an answer. */
#include "query/company_names.h"
#include "search/search.h"

#include <stdlib.h>

/* A field without tabs, newlines and other controls; "-" where it is empty. */
static void search_plan_add_field(struct buf *out, const char *text) {
  if (!text || !*text)
    text = "-";
  for (; *text; text++)
    buf_add_char(out, (unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text);
  buf_add_char(out, '\t');
}

static void search_plan_add_list(struct buf *out, const char *const *items, size_t count) {
  struct buf list;
  buf_init(&list, 4096);
  for (size_t i = 0; i < count; i++)
    buf_printf(&list, "%s%s", i ? "," : "", items[i]);
  search_plan_add_field(out, list.data);
  buf_release(&list);
}

/* The company that was asked for, else the one that the question names; NULL: none that is known. */
static const char *company_of(const struct search *shared, const struct search_request *r,
                              const struct query *q) {
  if (r->companies.count)
    return r->companies.items[0];
  if (shared && q->company_count) {
    const struct store_company *list;
    size_t n = store_companies(search_snapshot(shared), &list);
    const struct store_company *c = q->companies[0] < n ? &list[q->companies[0]] : NULL;
    if (c)
      return *c->ticker ? c->ticker : *c->cik ? c->cik : c->name;
  }
  return NULL;
}

/* Who may be meant, as EDGAR could know: the question's first name without its possessive, else a word that looks
 * like a ticker. */
static void add_guess(struct buf *out, const struct query *q) {
  struct query_name name;
  struct buf text;
  if (query_find_names(q, &name, 1) == 0) {
    search_plan_add_field(out, q->ticker_count ? q->tickers[0] : NULL);
    return;
  }
  const struct query_token *first = &q->tokens[name.first], *last = first + name.count - 1;
  struct slice words = query_bare(slice_of(q->text.data + first->start, last->end - first->start));
  buf_init(&text, QUERY_BYTES + 1);
  buf_add_slice(&text, words);
  search_plan_add_field(out, text.data);
  buf_release(&text);
}

void search_add_plan(const struct search *shared, const struct search_request *r,
                     const struct search_answer *a, const struct search_fault *f, struct slice job,
                     struct buf *out) {
  struct query *own = NULL;
  const struct query *q = a ? a->query : NULL;
  if (!q) { /* the search failed: the question's own words still count */
    struct terms *terms = terms_new();
    own = xcalloc(1, sizeof *own);
    query_init(own);
    query_parse(own, r->query, terms, NULL);
    terms_free(terms);
    q = own;
  }
  buf_printf(out, "%d\t", f ? f->status : a && a->result.count ? 0 : 1);
  const char *company = company_of(shared, r, q);
  if (company)
    search_plan_add_field(out, company);
  else
    add_guess(out, q);
  search_plan_add_field(out, company ? "known" : "guessed");
  search_plan_add_list(out, q->form_names, q->form_name_count);
  search_plan_add_list(out, r->forms.items, r->forms.count);
  buf_add_slice(out, job.len ? job : slice_str("-"));
  buf_add_char(out, '\n');
  if (own)
    query_release(own);
  free(own);
}

/* search_page.c: answers as a page to hand on (page/html_page.h): each passage with its place in the filing. */
#include "page/html_page.h"
#include "record/json.h"
#include "search/search.h"
#include "search/search_marks.h"

#include <stdio.h>

enum { AROUND = 8 }; /* passages of the item that are shown on each side */

/* Whether the passage of a row is of the same item as `item` (raw JSON); loads it into t. */
static int place_is_in(struct searcher *s, const struct rank_place *at, uint32_t row, struct slice item,
                       struct store_text *t) {
  struct error_text e;
  const struct store_snapshot *snap = search_snapshot(searcher_shared(s));
  return store_get_text(snap, at->seg, row, t, &e) == STORE_OK && slice_eq(json_get(t->chunk, "item"), item);
}

/* The rows [*from, *to) around the hit that are of its item. */
static void place_range(struct searcher *s, const struct rank_place *at, struct slice item, uint32_t *from,
                        uint32_t *to) {
  const struct store_doc *d = &at->seg->doc[at->doc];
  struct store_text t;
  store_text_init(&t);
  *from = at->row;
  *to = at->row + 1;
  while (*from > d->first && at->row - *from < AROUND && place_is_in(s, at, *from - 1, item, &t))
    --*from;
  while (*to < d->first + d->rows && *to - at->row <= AROUND && place_is_in(s, at, *to, item, &t))
    ++*to;
  store_text_release(&t);
}

static void place_text(struct searcher *s, const struct rank_place *at, uint32_t row, struct buf *out) {
  struct error_text e;
  struct store_text t;
  store_text_init(&t);
  if (store_get_text(search_snapshot(searcher_shared(s)), at->seg, row, &t, &e) == STORE_OK)
    html_page_passage(out, t.text, NULL);
  store_text_release(&t);
}

/* The item opened around the passage. */
static void search_page_place(struct searcher *s, const struct rank_place *at, const struct search_marks *m,
                              struct buf *out) {
  const struct search_passage *p = searcher_passage(s);
  struct slice item = json_get(p->text.chunk, "item");
  struct buf scratch;
  uint32_t from, to;
  buf_init(&scratch, 1 << 16);
  place_range(s, at, item, &from, &to);
  buf_add_str(out, "<details><summary>Its place in the filing");
  if (item.len) {
    buf_add_str(out, ": item ");
    html_page_text(out, json_text(item, &scratch));
  }
  buf_add_str(out, "</summary>\n<div class=\"place\">\n");
  for (uint32_t row = from; row < to; row++) {
    if (row != at->row) {
      place_text(s, at, row, out);
      continue;
    }
    buf_add_str(out, "<section class=\"here\" aria-label=\"The passage that was found\">\n");
    html_page_passage(out, p->text.text, &m->marks);
    buf_add_str(out, "</section>\n");
  }
  buf_add_str(out, "</div></details>\n");
  buf_release(&scratch);
}

static void search_page_source(struct searcher *s, const struct rank_hit *h, struct buf *out) {
  const struct search_passage *p = searcher_passage(s);
  long long page = json_to_int(json_get(p->text.chunk, "page"), 0);
  struct buf scratch;
  buf_init(&scratch, 1 << 20);
  struct slice url = json_text(json_get(buf_slice(&p->document), "sourceUrl"), &scratch);
  buf_add_str(out, "<p class=\"soft\">Source: ");
  html_page_link(out, url, url);
  if (page > 0)
    buf_printf(out, ", page %lld", page);
  buf_printf(out, "; score %.3f", (double)h->score);
  if (h->folded_count > 0)
    buf_printf(out, "; %zu more like it", h->folded_count);
  buf_add_str(out, "</p>\n");
  buf_release(&scratch);
}

static int search_page_hit(struct searcher *s, const struct search_answer *a, size_t i, struct buf *out,
                           struct error_text *e) {
  const struct rank_hit *h = &a->result.hits[i];
  const struct search_passage *p = searcher_passage(s);
  struct search_marks m;
  if (searcher_load(s, &h->at, searcher_passage(s), e) != 0)
    return -1;
  struct slice context = p->text.context;
  if (context.len == 0)
    context = slice_str(search_collection_name(searcher_shared(s), h->at.seg->doc[h->at.doc].collection));
  buf_printf(out, "<article aria-labelledby=\"hit%zu\">\n<h2 id=\"hit%zu\">%zu. ", i + 1, i + 1, i + 1);
  html_page_text(out, context);
  buf_add_str(out, "</h2>\n");
  search_page_source(s, h, out);
  search_marks_find(&m, s, a->query, p->text.text);
  buf_add_str(out, "<div class=\"passage\">\n");
  html_page_passage(out, p->text.text, &m.marks);
  buf_add_str(out, "</div>\n");
  search_page_place(s, &h->at, &m, out);
  buf_add_str(out, "</article>\n");
  search_marks_release(&m);
  return 0;
}

/* The filings that EDGAR has, each with its link. */
static void search_page_edgar(const struct search_answer *a, const struct edgar *g, struct buf *out) {
  struct json_cursor c = {0};
  struct slice filing;
  struct buf json, text;
  buf_init(&json, 1 << 22);
  buf_init(&text, 1 << 16);
  edgar_add(g, a ? a->plan : NULL, &json);
  struct slice filings = json_get(buf_slice(&json), "filings");
  buf_add_str(out, "<article aria-labelledby=\"edgar\">\n<h2 id=\"edgar\">EDGAR has</h2>\n<ul>\n");
  while (json_kind(filings) == '[' && json_next_element(filings, &c, &filing)) {
    static const char *const members[] = {"filingDate", "form"};
    buf_add_str(out, "<li>");
    for (size_t i = 0; i < 2; i++) {
      html_page_text(out, json_text(json_get(filing, members[i]), &text));
      buf_add_char(out, ' ');
    }
    struct slice href = json_text(json_get(filing, "href"), &text);
    html_page_link(out, href, href);
    buf_add_str(out, json_kind(json_get(filing, "ingested")) == 't' ? " (in the store)</li>\n" : "</li>\n");
  }
  buf_add_str(out, "</ul>\n</article>\n");
  buf_release(&json);
  buf_release(&text);
}

static void search_page_errors(struct slice errors, struct buf *out) {
  struct json_cursor c = {0};
  struct slice one;
  struct buf text;
  size_t count = 0;
  buf_init(&text, 1 << 20);
  while (json_next_element(errors, &c, &one)) {
    if (count++ == 0)
      buf_add_str(out,
                  "<article aria-labelledby=\"errors\">\n<h2 id=\"errors\">What went wrong</h2>\n<ul>\n");
    buf_add_str(out, "<li>");
    html_page_text(out, json_text(json_get(one, "stage"), &text));
    buf_add_str(out, ": ");
    html_page_text(out, json_text(json_get(one, "message"), &text));
    buf_add_str(out, "</li>\n");
  }
  if (count > 0)
    buf_add_str(out, "</ul>\n</article>\n");
  buf_release(&text);
}

int search_add_page(struct searcher *s, struct slice query, const struct search_answer *a,
                    const struct search_fault *f, const struct search_output *o, struct buf *out,
                    struct error_text *e) {
  char lead[120] = "";
  struct buf errors;
  int status = 0;
  size_t count = a && !f ? a->result.count : 0;
  if (a && !f)
    snprintf(lead, sizeof lead, "%zu of %llu passages", count, (unsigned long long)a->result.searched);
  html_page_open(out, query, slice_str(lead));
  if (count == 0)
    buf_add_str(out, "<p>Nothing relevant was found.</p>\n");
  for (size_t i = 0; i < count && status == 0; i++)
    status = search_page_hit(s, a, i, out, e);
  if (o->edgar)
    search_page_edgar(a, o->edgar, out);
  buf_init(&errors, 1 << 22);
  search_add_errors(a, f, o, &errors);
  search_page_errors(buf_slice(&errors), out);
  buf_release(&errors);
  html_page_close(out);
  return status;
}

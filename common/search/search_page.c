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

int search_add_page(struct searcher *s, const struct search_answer *a, struct buf *out,
                    struct error_text *e) {
  char lead[120];
  int status = 0;
  snprintf(lead, sizeof lead, "%zu of %llu passages", a->result.count,
           (unsigned long long)a->result.searched);
  html_page_open(out, buf_slice(&a->query->text), slice_str(lead));
  if (a->result.count == 0)
    buf_add_str(out, "<p>Nothing relevant was found.</p>\n");
  for (size_t i = 0; i < a->result.count && status == 0; i++)
    status = search_page_hit(s, a, i, out, e);
  html_page_close(out);
  return status;
}

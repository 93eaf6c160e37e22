/* passage_place.c: shows a passage among its neighbours in the filing, as part of an HTML page. */
#include "verify/passage_place.h"

#include "page/html_page.h"
#include "record/json.h"

enum { PLACE_AROUND = 8 }; /* passages of the item shown on each side */

struct passage_place {
  const struct store_snapshot *snap;
  const struct store_segment *seg;
  uint32_t row;
  struct slice item; /* raw JSON */
};

/* Whether the passage of a row is in the same item; loads it into t. */
static int place_is_in(const struct passage_place *p, uint32_t row, struct store_text *t) {
  struct error_text e;
  return store_get_text(p->snap, p->seg, row, t, &e) == STORE_OK &&
         slice_eq(json_get(t->chunk, "item"), p->item);
}

/* The rows [*from, *to) around the passage that are in its item. */
static void place_range(const struct passage_place *p, uint32_t *from, uint32_t *to) {
  const struct store_doc *d = &p->seg->doc[store_doc_of_row(p->seg, p->row)];
  struct store_text t;
  store_text_init(&t);
  *from = p->row;
  *to = p->row + 1;
  while (*from > d->first && p->row - *from < PLACE_AROUND && place_is_in(p, *from - 1, &t))
    --*from;
  while (*to < d->first + d->rows && *to - p->row <= PLACE_AROUND && place_is_in(p, *to, &t))
    ++*to;
  store_text_release(&t);
}

static void place_text(const struct passage_place *p, uint32_t row, struct buf *out) {
  struct error_text e;
  struct store_text t;
  store_text_init(&t);
  if (store_get_text(p->snap, p->seg, row, &t, &e) == STORE_OK)
    html_page_passage(out, (struct page_passage){.text = t.text}, NULL);
  store_text_release(&t);
}

void passage_place_add(struct buf *out, const struct store_snapshot *snap, const struct store_segment *seg,
                       uint32_t row, const struct store_text *text, const struct page_marks *marks) {
  const struct passage_place p = {snap, seg, row, json_get(text->chunk, "item")};
  struct buf scratch;
  uint32_t from, to;
  buf_init(&scratch, 1 << 16);
  place_range(&p, &from, &to);
  buf_add_str(out, "<details><summary>Its place in the filing");
  if (p.item.len) {
    buf_add_str(out, ": item ");
    html_page_text(out, json_text(p.item, &scratch));
  }
  buf_add_str(out, "</summary>\n<div class=\"place\">\n");
  for (uint32_t r = from; r < to; r++) {
    if (r != row) {
      place_text(&p, r, out);
      continue;
    }
    buf_add_str(out, "<section class=\"here\" aria-label=\"The passage that was found\">\n");
    html_page_passage(out, (struct page_passage){text->text, text->context}, marks);
    buf_add_str(out, "</section>\n");
  }
  buf_add_str(out, "</div></details>\n");
  buf_release(&scratch);
}

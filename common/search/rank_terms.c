/* rank_terms.c: passages as sequences of terms. */
#include "search/rank_internal.h"

#include "record/json.h"

#include <stdlib.h>
#include <string.h>

struct rank_opener {
  struct terms *terms;
  struct store_text text;
  struct rank_words *last; /* being built: at most RANK_READ_TERMS of context and of text, and one more */
};

struct rank_opener *rank_opener_new(struct terms *terms) {
  struct rank_opener *o = xcalloc(1, sizeof *o);
  o->terms = terms;
  o->last = xmalloc(sizeof *o->last + (2 * RANK_READ_TERMS + 1) * sizeof *o->last->term);
  store_text_init(&o->text);
  return o;
}

void rank_opener_free(struct rank_opener *o) {
  if (o == NULL)
    return;
  store_text_release(&o->text);
  free(o->last);
  free(o);
}

static uint32_t rank_terms_page_of(struct slice chunk) {
  struct slice page = json_get(chunk, "page");
  uint32_t n = 0;
  for (size_t i = 0; i < page.len && page.data[i] >= '0' && page.data[i] <= '9' && n < 1000000; i++)
    n = 10 * n + (uint32_t)(page.data[i] - '0');
  return n;
}

/* Fills o->last. */
static void take_apart(struct rank_opener *o, uint32_t row) {
  struct rank_words *w = o->last;
  size_t numbers;
  w->row = row;
  w->page = rank_terms_page_of(o->text.chunk);
  w->context = (uint32_t)terms_hashes(o->terms, o->text.context, w->term, RANK_READ_TERMS, &numbers);
  w->count = (uint32_t)terms_hashes(o->terms, o->text.text, w->term + w->context, RANK_READ_TERMS, &numbers);
  w->numbers = w->count ? (float)numbers / (float)w->count : 0;
}

const struct store_text *rank_opener_text(const struct rank_opener *o) {
  return &o->text;
}

const struct store_text *rank_opener_read(struct rank_opener *o, const struct store_snapshot *snap,
                                          const struct rank_place *at, struct error_text *e) {
  return store_get_text(snap, at->seg, at->row, &o->text, e) == STORE_OK ? &o->text : NULL;
}

const struct rank_words *rank_words_get(struct rank_opener *o, const struct store_snapshot *snap,
                                        const struct rank_place *at, uint32_t row, struct error_text *e) {
  if (rank_opener_read(o, snap, at, e) == NULL)
    return NULL;
  take_apart(o, row);
  return o->last;
}

#include "search/search_subject.h"

#include "base/buf.h"

#include <stdlib.h>

#define LEAST 4   /* passages of the document that hold the word, */
#define SHARE 4   /* and at least one of so many of its passages */
#define OTHERS 10 /* at most one of so many passages with the word is another company's */
#define COMMON 5  /* a word of more than one of so many passages of the store is no subject */

struct subject_count {
  uint64_t *of; /* [companies] passages with the word */
  size_t companies, throughout;
  uint64_t all;
  int text_alone; /* not the line above the passage, which names its company */
};

static void subject_take_hash(void *arg, const struct term *t) {
  *(uint64_t *)arg = t->hash;
}

/* Notes the company of a document that speaks of the word throughout. */
static void subject_end_document(struct subject_count *c, const struct store_doc *d, uint32_t count) {
  if (count >= LEAST && count * SHARE >= d->rows)
    c->throughout = d->company;
}

static void subject_count_segment(struct subject_count *c, const struct store_segment *seg, uint64_t term) {
  uint32_t rows[STORE_BLOCK], d = 0, in_document = 0;
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  struct store_postings p;
  if (store_df(seg, term) == 0)
    return;
  for (int more = store_postings_open(&p, seg, term); more; more = store_postings_next(&p)) {
    store_postings_decode(&p, rows, text, context);
    for (uint32_t i = 0; i < p.count; i++) {
      uint32_t doc = store_doc_of_row(seg, rows[i]);
      int removed = seg->live_bits != NULL && !(seg->live_bits[rows[i] / 64] >> (rows[i] % 64) & 1);
      if (removed || (c->text_alone && text[i] == 0))
        continue;
      if (doc != d)
        subject_end_document(c, &seg->doc[d], in_document), in_document = 0;
      d = doc;
      in_document++;
      c->all++;
      if (seg->doc[d].company < c->companies)
        c->of[seg->doc[d].company]++;
    }
  }
  subject_end_document(c, &seg->doc[d], in_document);
}

/* Counts the passages of each company with the word; -1 where they are too few, or too many. */
static int subject_count(struct subject_count *c, const struct store_segment *segs, size_t seg_count,
                         struct terms *terms, struct slice word, uint64_t least, int common) {
  uint64_t term = 0, rows = 0, total = 0;
  terms_scan(terms, word, 0, subject_take_hash, &term);
  for (size_t s = 0; s < seg_count; s++) {
    rows += segs[s].live_rows;
    total += term ? store_df(&segs[s], term) : 0;
    for (uint32_t d = 0; d < segs[s].docs; d++)
      c->companies = segs[s].doc[d].company >= c->companies ? segs[s].doc[d].company + 1 : c->companies;
  }
  if (total < least || (!common && total * COMMON > rows))
    return -1;
  c->of = xcalloc(c->companies + 1, sizeof *c->of);
  for (size_t s = 0; s < seg_count; s++)
    subject_count_segment(c, &segs[s], term);
  return 0;
}

size_t search_subject_of(const struct store_segment *segs, size_t seg_count, struct terms *terms,
                         struct slice word, int name) {
  struct subject_count c = {.text_alone = 1};
  if (subject_count(&c, segs, seg_count, terms, word, LEAST, name) != 0)
    return 0;
  size_t found = c.throughout > 0 && (c.all - c.of[c.throughout]) * OTHERS <= c.all ? c.throughout : 0;
  free(c.of);
  return found;
}

int search_subject_alone(const struct store_segment *segs, size_t seg_count, struct terms *terms,
                         struct slice word, size_t company) {
  struct subject_count c = {0};
  if (subject_count(&c, segs, seg_count, terms, word, 1, 0) != 0)
    return 0;
  int alone = company < c.companies && (c.all - c.of[company]) * OTHERS <= c.all;
  free(c.of);
  return alone;
}

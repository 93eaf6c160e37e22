/* search_passage.c: what a display shows of a passage beside its text: where the question's words stand, and its pages. */
#include "search/search_passage.h"

#include "record/json.h"
#include "text/terms.h"

#include <stdlib.h>

/* ---- the question's words ---- */

#define LEAST_WEIGHT 0.3F /* of a highlighted word; fillers such as "tell" and "much" have less */

static void search_marks_term(void *arg, const struct term *t) {
  struct search_marks *m = arg;
  for (size_t i = 0; i < m->q->term_count; i++) {
    if (m->q->terms[i].weight < LEAST_WEIGHT || !slice_eq(m->q->terms[i].text, t->text))
      continue;
    if (m->count == m->cap) {
      m->cap = m->cap ? 2 * m->cap : 64;
      m->span = xreallocarray(m->span, m->cap, sizeof *m->span);
      m->own = xreallocarray(m->own, m->cap, 1);
    }
    m->own[m->count] = m->q->terms[i].kind != QUERY_EXPANSION;
    m->span[m->count][0] = t->start;
    m->span[m->count++][1] = t->end;
    return;
  }
}

void search_marks_find(struct search_marks *m, struct searcher *s, const struct query *q, struct slice text) {
  *m = (struct search_marks){.q = q};
  terms_scan(searcher_terms(s), text, 0, search_marks_term, m);
  m->marks = (struct page_marks){text.data, (const size_t(*)[2])m->span, m->count, m->own};
}

void search_marks_release(struct search_marks *m) {
  free(m->span);
  free(m->own);
}

/* ---- pages ---- */

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

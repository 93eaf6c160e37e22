#include "search/search_marks.h"

#include "text/terms.h"

#include <stdlib.h>

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

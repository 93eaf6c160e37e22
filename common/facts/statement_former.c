#include "facts/statement.h"

#include <stdint.h>

/* A prefix of the taxonomy may be left out. */
static int former_is_concept(struct slice name, const struct statement_line *l) {
  const char *colon = name.len ? memchr(name.data, ':', name.len) : NULL;
  size_t n = colon ? (size_t)(colon - name.data) : 0;
  if (!colon)
    return slice_eq(name, l->own.concept);
  return slice_eq(slice_of(name.data, n), l->own.taxonomy) &&
         slice_eq(slice_of(colon + 1, name.len - n - 1), l->own.concept);
}

static int former_is_taken(const struct statement *s, struct slice name) {
  for (size_t i = 0; i < s->count; i++)
    if (!s->lines[i].heading && former_is_concept(name, &s->lines[i]))
      return 1;
  return 0;
}

/* The first day that the filing itself prints: of the opening balances, or of the other lines. */
static int32_t former_until(const struct statement *s, int opening) {
  int32_t first = INT32_MAX;
  for (size_t i = 0; i < s->count; i++)
    for (size_t k = 0; k < s->lines[i].own.count && (s->lines[i].shift != 0) == opening; k++)
      if (s->lines[i].own.facts[k].end < first)
        first = s->lines[i].own.facts[k].end;
  return first;
}

/* Two concepts to which one filing gives different values for one span aren't the same line. */
static int former_differs(const struct fact_series *a, const struct fact_series *b) {
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < b->count; k++) {
      const struct fact *x = &a->facts[i], *y = &b->facts[k];
      if (x->end == y->end && x->months == y->months && slice_eq(x->accession, y->accession) &&
          decimal_compare(x->number, y->number) != 0)
        return 1;
    }
  return 0;
}

/* Whether a concept stood beside the line's own, or beside a broader one of its word, with other values: that of a note,
 * or of a part. */
static int former_is_other(const struct statement_line *l, const struct statement_request *ask,
                           const struct concept_word *word, struct slice concept,
                           const struct fact_series *then) {
  const struct fact_series *with = fact_company_find(ask->company, l->own.concept, l->own.unit);
  struct slice list = word ? word->alternatives : slice_of(NULL, 0), one;
  if (with && former_differs(with, then))
    return 1;
  while (concept_list_next(&list, ',', &one) && !slice_eq(one, concept)) {
    with = fact_company_find(ask->company, one, l->own.unit);
    if (with && with != then && former_differs(with, then))
      return 1;
  }
  return 0;
}

static void former_add(const struct statement *s, struct statement_line *l,
                       const struct statement_request *ask, const struct concept_word *word,
                       struct slice concept) {
  const struct fact_series *then = fact_company_find(ask->company, concept, l->own.unit);
  struct fact_rows rows, *into = &l->column.measure.rows;
  int32_t until = former_until(s, l->shift != 0);
  if (!then || former_is_taken(s, concept) || former_is_other(l, ask, word, concept, then))
    return;
  fact_rows_of(&rows, ask->company, then, &ask->choice);
  for (size_t i = 0; i < rows.count; i++)
    if (rows.rows[i].end < until && !fact_rows_find(into, fact_row_key(&rows.rows[i])))
      fact_rows_add(into, &rows.rows[i]);
  fact_rows_release(&rows);
}

/* The first word with a line's concept. */
static const struct concept_word *former_word(const struct concept_table *t, const struct statement_line *l) {
  for (size_t i = 0; i < t->word_count; i++) {
    struct slice list = t->words[i].alternatives, one;
    while (concept_list_next(&list, ',', &one))
      if (former_is_concept(one, l))
        return &t->words[i];
  }
  return NULL;
}

/* Of several lines with concepts of one word the broadest has the other concepts: the first in the word's list. */
static void former_by_word(const struct statement *s, struct statement_line *l,
                           const struct statement_request *ask, const struct concept_word *word) {
  struct slice list = word ? word->alternatives : slice_of(NULL, 0), one;
  while (concept_list_next(&list, ',', &one) && !former_is_concept(one, l))
    if (former_is_taken(s, one))
      return;
  list = word ? word->alternatives : list;
  while (concept_list_next(&list, ',', &one))
    if (one.data[0] != '=')
      former_add(s, l, ask, word, one);
}

static void former_by_succession(const struct statement *s, struct statement_line *l,
                                 const struct statement_request *ask, const struct concept_word *word) {
  for (size_t i = 0; i < ask->table->succession_count; i++) {
    struct slice list = ask->table->successions[i].successors, one;
    while (concept_list_next(&list, ',', &one))
      if (former_is_concept(one, l))
        former_add(s, l, ask, word, ask->table->successions[i].concept);
  }
}

void statement_add_former(struct statement *s, const struct statement_request *ask) {
  for (size_t i = 0; i < s->count; i++) {
    struct statement_line *l = &s->lines[i];
    if (l->heading || memchr(l->own.concept.data, '[', l->own.concept.len))
      continue;
    const struct concept_word *word = former_word(ask->table, l);
    former_by_word(s, l, ask, word);
    former_by_succession(s, l, ask, word);
  }
}

int statement_is_former(const struct statement_line *l, const struct fact_row *row) {
  return row->series && l->own.concept.len && !slice_eq(row->series->concept, l->own.concept);
}

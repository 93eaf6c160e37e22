#include "verify/claim_rows.h"

#include "verify/claim_binding.h"

#include <math.h>

#define ROW_FEW_DIGITS 100 /* smaller numbers are of anything */
#define ROW_DIGITS 10      /* a smaller number may stand in any row */
#define ROW_SAME_SAYING                                                                                      \
  0.5 /* share of the words beside two figures of a text, to say the same of two things */

/* Whether a number is told apart by its size or its decimals from those that stand anywhere. */
static int row_is_telling(const struct stated_number *n) {
  return n->currency || n->percent || fabs(n->value / n->last) >= ROW_DIGITS;
}

/* Whether two figures of one row belong together: of a table, or of lists of one length at one place. */
static int row_is_paired(const struct evidence_item *a, const struct evidence_item *b) {
  return a->row == b->row && a != b &&
         (a->list < 2 || a->list != b->list || a->place_in_list == b->place_in_list);
}

int claim_has_company(const struct claim_view *v, const struct evidence_item *found) {
  const char *how;
  for (size_t k = 0; k < v->s->stated.number_count; k++) {
    const struct stated_number *n = &v->s->stated.numbers[k];
    for (size_t i = 0; n != v->n && row_is_telling(n) && i < v->e->count; i++)
      if (row_is_paired(&v->e->items[i], found) && claim_matches(n, &v->e->items[i], &how))
        return 1;
  }
  return 0;
}

static int row_is_stated(const struct claim_view *v, const struct evidence_item *item) {
  const char *how;
  for (size_t k = 0; k < v->s->stated.number_count; k++)
    if (claim_matches(&v->s->stated.numbers[k], item, &how))
      return 1;
  return 0;
}

/* Whether a figure may stand for another one in its own row: of the same column, or told in the same words. */
static int row_is_counterpart(const struct evidence_item *item, const struct evidence_item *found) {
  size_t common;
  if (item->in_table != found->in_table || item->mark != found->mark || item->percent != found->percent ||
      item->currency != found->currency || item->kind != found->kind)
    return 0;
  if (item->row == found->row)
    return item->list > 1 && item->list == found->list && item->first_of_list == found->first_of_list;
  return item->in_table ? item->column == found->column
                        : evidence_overlap(&item->local, &found->local, &common) >= ROW_SAME_SAYING;
}

/* The figure that goes with `other`, as found would. */
static const struct evidence_item *row_partner(const struct claim_view *v, const struct evidence_item *other,
                                               const struct evidence_item *found) {
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    if (item != found && row_is_paired(item, other) && row_is_counterpart(item, found) &&
        !row_is_stated(v, item))
      return item;
  }
  return NULL;
}

const struct evidence_item *claim_of_company(const struct claim_view *v, const struct evidence_item *found) {
  const struct evidence_item *partner = NULL;
  const char *how;
  if (claim_has_company(v, found))
    return NULL;
  for (size_t k = 0; k < v->s->stated.number_count; k++) {
    const struct stated_number *n = &v->s->stated.numbers[k];
    for (size_t i = 0; n != v->n && row_is_telling(n) && i < v->e->count; i++) {
      const struct evidence_item *other = &v->e->items[i];
      if (other->mark && claim_cites(v->s, other) && claim_matches(n, other, &how) &&
          (partner = row_partner(v, other, found)) != NULL &&
          claim_line_words(v, found) <= claim_line_words(v, partner))
        return partner;
    }
  }
  return NULL;
}

/* Whether another number of the sentence stands in the figure's row or its label: "an index level of 70 leaves $700". */
static int claim_is_row_stated(const struct claim_view *v, const struct evidence_item *found) {
  const char *how;
  for (size_t i = 0; found->in_table && i < v->e->count; i++)
    for (size_t k = 0; slice_eq(v->e->items[i].label, found->label) && k < v->s->stated.number_count; k++)
      if (&v->s->stated.numbers[k] != v->n && claim_matches(&v->s->stated.numbers[k], &v->e->items[i], &how))
        return 1;
  return 0;
}

int claim_is_unbound(const struct claim_view *v, const struct evidence_item *found) {
  size_t common, beside;
  evidence_overlap(&found->words, &v->s->words, &common);
  evidence_overlap(&found->place, &v->s->words, &beside);
  return found->mark && !found->field && v->n->percent && fabs(v->n->value / v->n->last) < ROW_FEW_DIGITS &&
         common == 0 && (beside == 0 || !found->in_table) &&
         !(found->concept && claim_has_concept(v->s, found->concept)) && !claim_is_row_stated(v, found);
}

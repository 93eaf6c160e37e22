#include "verify/claim_swaps.h"

#include "verify/claim_binding.h"

#include <math.h>
#include <string.h>

#define SWAP_CLOSER 0.3 /* how much closer both must be bound the other way round */

/* Whether a number states a figure of the sentence's passages. */
static int swap_states(const struct claim_view *v, const struct stated_number *n,
                       const struct evidence_item *item) {
  const char *how;
  return claim_cites(v->s, item) && claim_matches(n, item, &how);
}

int claim_is_stated_too(const struct claim_view *v, const struct evidence_item *item) {
  for (size_t i = 0; i < v->s->stated.number_count; i++)
    if (&v->s->stated.numbers[i] != v->n && swap_states(v, &v->s->stated.numbers[i], item))
      return 1;
  return 0;
}

/* Whether two figures of a sentence could stand for each other: the numbers of a list are told apart by their order. */
static int swap_is_beside(const struct evidence_item *a, const struct evidence_item *b) {
  return a->row == b->row && !a->currency == !b->currency &&
         (a->list < 2 || b->list < 2 || a->first_of_list != b->first_of_list);
}

/* Whether two figures could stand for each other: of one passage, kind and period, both in a table or both in a sentence. */
static int swap_is_peer(const struct evidence_item *a, const struct evidence_item *b) {
  double ratio = b->value != 0 ? fabs(a->value / b->value) : 0;
  return a != b && ratio < CLAIM_SAME_KIND && ratio > 1 / CLAIM_SAME_KIND && a->mark == b->mark &&
         a->in_table == b->in_table && a->kind == b->kind && a->percent == b->percent &&
         a->counts == b->counts && a->value != b->value && a->year == b->year && a->months == b->months &&
         (a->in_table || swap_is_beside(a, b));
}

/* How much closer the clauses of two numbers, which state a and b, are bound the other way round. */
static double swap_gain(const struct claim_view *v, const struct claim_view *other,
                        const struct evidence_item *a, const struct evidence_item *b) {
  return claim_binding(v, b) + claim_binding(other, a) - claim_binding(v, a) - claim_binding(other, b);
}

int claim_is_unit(struct slice text, size_t at) {
  return at >= 4 && slice_at_nocase(text, at - 4, "per ");
}

/* "From 5% to 9%": two numbers that only a word joins are in the order of the sentence that has the figures. */
static int swap_is_ordered(const struct claim_view *v, const struct stated_number *other,
                           const struct evidence_item *found, const struct evidence_item *item) {
  static const char *const joints[] = {" to ", " and ", " or ", "-", "\xE2\x80\x93", NULL};
  const struct stated_number *first = other < v->n ? other : v->n;
  int before = (other < v->n) == (item->printed.data < found->printed.data);
  if (found->in_table || (v->n > other ? v->n - other : other - v->n) != 1 || !before)
    return 0;
  for (int k = 0; joints[k]; k++)
    if (first->end + strlen(joints[k]) == first[1].start &&
        slice_at_nocase(v->s->text, first->end, joints[k]))
      return 1;
  return 0;
}

const struct evidence_item *claim_swapped(const struct claim_view *view, const struct evidence_item *found) {
  struct claim_view mine = *view, *v = &mine;
  mine.year = mine.day = 0; /* a figure of another period is contradicted by that */
  for (size_t k = 0; k < v->s->stated.number_count; k++) {
    struct claim_view other = *v;
    const struct evidence_item *best = NULL;
    double least = INFINITY, gain;
    other.n = &v->s->stated.numbers[k];
    if (other.n == v->n || claim_is_unit(v->s->text, other.n->start))
      continue;
    claim_take_clause(&other);
    for (size_t i = 0; i < v->e->count; i++)
      if (swap_is_peer(found, &v->e->items[i]) && swap_states(v, other.n, &v->e->items[i]) &&
          !swap_states(v, v->n, &v->e->items[i]) && !swap_is_ordered(v, other.n, found, &v->e->items[i]) &&
          (gain = swap_gain(v, &other, found, &v->e->items[i])) < least) {
        least = gain;
        best = &v->e->items[i];
      }
    if (best && least > SWAP_CLOSER)
      return best;
  }
  return NULL;
}

#include "verify/claim_moves.h"

#include "verify/periods.h"
#include "tables/changes.h"

#include <string.h>

/* The direction in which the sentence says that something came to the number, "grew to $5"; 0 for none. */
static int move_to(const struct claim_view *v, const struct stated_number *n) {
  if (n->start < 3 || !slice_at_nocase(v->s->text, n->start - 3, "to "))
    return 0;
  return period_direction(v->s->text, n->start - 3, n->end);
}

static void move_contradict(struct claim *claim, const struct evidence_item *item, const char *how) {
  claim->verdict = CLAIM_CONTRADICTED;
  claim->item = item;
  claim->how = how;
}

/* Whether two figures are of one line of a table at two dates, the first one's later. */
static int move_is_later(const struct evidence_item *a, const struct evidence_item *b) {
  return a->in_table && a->row == b->row && a->year > b->year && b->year && a->months == b->months;
}

/* "X from Y": Y is what was before. */
static void move_from(struct claim *x, const struct claim *y, const struct claim_view *v) {
  const struct stated_number *b = v->n, *a = b - 1;
  int to = a->start >= 3 && slice_at_nocase(v->s->text, a->start - 3, "to ");
  if (a->percent && !to) /* "grew 9% after 11%" */
    return;
  if (move_is_later(y->item, x->item)) {
    move_contradict(x, x->item, "other year");
    return;
  }
  int direction = period_direction(v->s->text, a->start - (to ? 3 : 0), a->end);
  if ((direction > 0 && a->value < b->value) || (direction < 0 && a->value > b->value))
    move_contradict(x, x->item, "other sign");
}

/* The line's figure so many years later; NULL where it has none. */
static const struct evidence_item *move_beside(const struct claim_view *v, const struct evidence_item *item,
                                               int years) {
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *b = &v->e->items[i];
    if (b->row == item->row && b->mark == item->mark && b->year == item->year + years &&
        b->months == item->months && b->percent == item->percent && b->direction == item->direction &&
        b->quarter == item->quarter && (!b->day || !item->day || b->day == item->day || b->months))
      return b;
  }
  return NULL;
}

/* "Grew to $6.6 billion". */
static void move_alone(struct claim *x, const struct claim_view *v, const struct stated_number *n) {
  const struct evidence_item *is = x->item, *was, *next;
  int direction = move_to(v, n);
  static const char *const better[] = {CHANGES_BETTER, NULL};
  if (!direction || claim_has_word(v->s->text, better) || !is->in_table || !is->year || is->direction ||
      is->value <= 0 || strcmp(x->how, "computed") == 0)
    return;
  was = move_beside(v, is, -1);
  if (!was && !v->s->stated.year_count && !v->told_year && (next = move_beside(v, is, 1)) != NULL) {
    move_contradict(x, next,
                    "other year"); /* without a year the newest one is meant, and this has none before it */
    return;
  }
  if (was && was->value > 0 && (direction > 0 ? is->value < was->value : is->value > was->value))
    move_contradict(x, was, "other sign");
}

void claim_moves_check(struct claim *claim, const struct claim_view *v, size_t k) {
  const struct stated_number *b = v->n, *a = k && (size_t)(b - v->s->stated.numbers) == k ? b - 1 : NULL;
  if (claim->verdict != CLAIM_FOUND)
    return;
  if (!a || claim[-1].verdict != CLAIM_FOUND || a->percent != b->percent || a->change) {
    move_alone(claim, v, b);
  } else if (period_is_before(v->s->text, b->start, b->end)) {
    move_from(&claim[-1], claim, v);
  } else if (a->start >= 5 && slice_at_nocase(v->s->text, a->start - 5, "from ") && b->start == a->end + 4 &&
             slice_at_nocase(v->s->text, a->end, " to ")) {
    int direction = period_direction(v->s->text, a->start - strlen("from "), a->end);
    if (move_is_later(claim[-1].item, claim->item))
      move_contradict(&claim[-1], claim[-1].item, "other year");
    else if ((direction > 0 && b->value < a->value) || (direction < 0 && b->value > a->value))
      move_contradict(claim, claim[-1].item, "other sign");
  } else {
    move_alone(claim, v, b);
  }
}

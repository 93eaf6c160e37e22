#include "verify/claim_computed.h"

#include "verify/claim_formula.h"
#include "verify/claim_operands.h"
#include "verify/claim_pairs.h"
#include "verify/claim_products.h"
#include "verify/claim_sums.h"
#include "verify/periods.h"

#include <ctype.h>

/* Whether the sentence states an item's value besides the number: "from $3.9 billion to $10.1 billion". */
static int claim_is_stated(const struct claim_view *v, const struct evidence_item *item) {
  const char *how;
  for (size_t i = 0; i < v->s->stated.number_count; i++)
    if (&v->s->stated.numbers[i] != v->n && claim_matches(&v->s->stated.numbers[i], item, &how))
      return 1;
  return 0;
}

static int claim_is_of_pair(const struct claim_view *v, const struct evidence_item *a,
                            const struct evidence_item *b) {
  int known_a = claim_is_named(v, a), known_b = claim_is_named(v, b);
  int named = (known_a && known_b) ||
              (a->in_table && claim_is_one_line(a, b) && (claim_is_stated(v, a) || claim_is_stated(v, b))) ||
              (!a->in_table && a->row == b->row && claim_is_stated(v, a) && claim_is_stated(v, b));
  if (named && claim_is_change(v, a, b))
    return claim_took_two(v, "change", a, b);
  if (known_a && claim_is_change_of_row(v, a, b))
    return claim_took_two(v, "change", a, b);
  if ((named || (a->row == b->row && claim_is_meant(v, a))) && claim_is_difference(v, a, b))
    return claim_took_two(v, "difference", a, b);
  int share = named || (claim_is_meant(v, a) && known_b) || (known_a && claim_is_part_of_total(v, a, b));
  if ((share && claim_is_part(v, a, b)) || ((known_a || claim_is_total(a)) && claim_is_part_of_row(v, a, b)))
    return claim_took_two(v, "share", a, b);
  return claim_is_of_two(v, a, b);
}

/* "Three" of a text, without a unit, is no operand. */
static int claim_is_operand(const struct evidence_item *item) {
  return item->in_table || item->percent || item->currency || !item->printed.len ||
         !isalpha((unsigned char)item->printed.data[0]);
}

/* Whether a figure is of the year of which the sentence speaks; where it names none of the one that the answer named last,
 * or of the newest one of its line. */
static int claim_is_of_told_year(const struct claim_view *v, const struct evidence_item *item) {
  int newest = v->told_year;
  if (v->year || v->s->stated.year_count || !item->in_table || !item->year)
    return 1;
  for (size_t i = 0; !v->told_year && i < v->e->count; i++)
    if (v->e->items[i].row == item->row && v->e->items[i].months == item->months &&
        v->e->items[i].year > newest)
      newest = v->e->items[i].year;
  return item->year == newest ||
         (item->year == newest - 1 && period_is_before(v->s->text, v->n->start, v->n->end));
}

const struct evidence_item *claim_computed(const struct claim_view *v) {
  int sums = claim_has_sum(v);
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *a = &v->e->items[i];
    if (!claim_cites(v->s, a) || !claim_fits_time(v, a) || !claim_is_operand(a) ||
        (!a->mark && claim_other_currency(v->n, a)) || !claim_is_of_told_year(v, a))
      continue;
    if (a->in_table && !v->n->percent && claim_is_named(v, a) && claim_is_over_time(v, a))
      return a;
    if (a->in_table && claim_same_year(a, v->year) &&
        ((sums && !a->direction && a->percent == v->n->percent &&
          ((claim_is_meant(v, a) && claim_is_sum(v, a)) ||
           (claim_is_named(v, a) && claim_is_sum_of_row(v, a)))) ||
         claim_is_ratio(v, a)))
      return a;
    if (a->in_table && !v->n->percent && claim_same_year(a, v->year) && claim_is_named(v, a) &&
        claim_is_sum_of_namesakes(v, a))
      return a;
    if (claim_is_product(v, a) || claim_is_each(v, a) || claim_is_rest(v, a))
      return a;
    if (!a->in_table && sums && a->percent == v->n->percent && claim_is_sum_of_told(v, a))
      return a;
    for (size_t k = 0; k < v->e->count && a->percent == v->n->points; k++) {
      const struct evidence_item *b = &v->e->items[k];
      if (a != b && claim_is_operand(b) && b->percent == a->percent && b->value != 0 &&
          claim_cites(v->s, b) && claim_is_of_pair(v, a, b))
        return a;
    }
  }
  return NULL;
}

#include "verify/claim_products.h"

#include "tables/changes.h"
#include "verify/claim_operands.h"

#include <math.h>

/* Whether the number may be a product with a rate: money where it is a price, else of its figure's own kind. */
static int product_fits(const struct claim_view *v, const struct evidence_item *of,
                        const struct evidence_item *rate) {
  if (rate->percent)
    return !rate->direction && !of->in_table && !v->n->currency == !of->currency;
  return rate->kind == KIND_EACH && rate->currency && !of->currency && v->n->currency;
}

int claim_is_product(const struct claim_view *v, const struct evidence_item *of) {
  if (v->n->percent || v->direction || of->percent || of->kind == KIND_EACH ||
      !(v->n->hedged || v->n->scaled) || !claim_is_meant(v, of))
    return 0;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *rate = &v->e->items[i];
    double times = claim_value(rate) / (rate->percent ? 100 : 1);
    if (rate != of && rate->row == of->row && product_fits(v, of, rate) && claim_same_year(rate, v->year) &&
        claim_is(v, claim_value(of) * times))
      return claim_took_two(v, "product", of, rate);
  }
  return 0;
}

int claim_is_each(const struct claim_view *v, const struct evidence_item *amount) {
  static const char *const each[] = {"each", "apiece", "per ", "average", NULL};
  if (!v->n->currency || v->n->percent || !amount->in_table || amount->counts || amount->percent ||
      !claim_has_word(v->s->text, each) || !claim_is_named(v, amount))
    return 0;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *count = &v->e->items[i];
    if (count->row == amount->row && (count->counts || count->shares) && count->value != 0 &&
        claim_same_year(count, v->year) && claim_is(v, claim_value(amount) / claim_value(count)))
      return claim_took_two(v, "quotient", amount, count);
  }
  return 0;
}

int claim_is_rest(const struct claim_view *v, const struct evidence_item *part) {
  static const char *const rest[] = {CHANGES_REST, NULL};
  return v->n->percent && !v->n->points && !v->direction && part->percent && !part->direction &&
         claim_same_year(part, v->year) && claim_has_word(v->s->text, rest) && claim_is_named(v, part) &&
         claim_is(v, 100 - fabs(part->value)) && claim_took(v, "rest", &part, 1);
}

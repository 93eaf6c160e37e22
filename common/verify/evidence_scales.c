#include "verify/evidence_scales.h"

#include "verify/evidence_heads.h"

#include <math.h>

#define SCALE_LEAST 1e3 /* a table of smaller numbers may count anything */
#define SCALE_ROUND 100 /* amounts that are all multiples of it are rounded dollars */

static int scale_is_amount(const struct evidence_item *item) {
  return item->in_table && item->caption == 1 && !item->percent && !item->shares && item->kind != KIND_EACH &&
         !evidence_of_each(item->label) && !evidence_of_each(item->head);
}

void evidence_scales_find(struct evidence *e, size_t first) {
  double most = 0;
  int money = 0, odd = 0, cents = 0;
  for (size_t i = first; i < e->count; i++) {
    const struct evidence_item *item = &e->items[i];
    if (item->in_table && item->caption != 1)
      return;
    if (!scale_is_amount(item))
      continue;
    most = fmax(most, fabs(item->value));
    money |= item->currency;
    odd |= fmod(fabs(item->value), SCALE_ROUND) != 0 && fabs(item->value) >= SCALE_LEAST;
    cents |= item->last < 0.1;
  }
  if (!money || !odd || cents || most < SCALE_LEAST || most >= EVIDENCE_SCALE_MOST)
    return;
  for (size_t i = first; i < e->count; i++)
    e->items[i].any_scale |= scale_is_amount(&e->items[i]);
}

/* An amount of money of a sentence, which is not of each share. */
static int scale_is_told(const struct evidence_item *item) {
  return !item->in_table && item->currency && !item->percent && item->kind != KIND_EACH;
}

void evidence_scales_of_notes(struct evidence *e, size_t first, struct slice context) {
  int odd = 0;
  if (!slice_holds_nocase(context, "financial statements"))
    return;
  for (size_t i = first; i < e->count; i++) {
    const struct evidence_item *item = &e->items[i];
    if (!scale_is_told(item) || item->last < 1) /* a price */
      continue;
    if (item->last > 1 || fabs(item->value) >= EVIDENCE_SCALE_MOST)
      return;
    odd |= fmod(fabs(item->value), SCALE_ROUND) != 0;
  }
  for (size_t i = first; i < e->count && odd; i++)
    e->items[i].any_scale |= scale_is_told(&e->items[i]) && e->items[i].last >= 1;
}

#include "verify/evidence_kinds.h"

#include "tables/changes.h"

static int kind_is_each(struct slice behind) {
  static const char *const words[] = {CHANGES_EACH, NULL};
  for (int k = 0; words[k]; k++)
    if (slice_begins_nocase(behind, words[k]))
      return 1;
  return 0;
}

static int kind_is_each_label(struct slice label) {
  static const char *const words[] = {" per share", "per-share", "earnings per ", " per ", " / lb", NULL};
  for (int k = 0; words[k]; k++)
    if (slice_holds_nocase(label, words[k]))
      return 1;
  return 0;
}

enum evidence_kind evidence_kind_of(const struct evidence_item *item) {
  static const char *const growth[] = {"growth", "change", "increase", "decrease", NULL};
  int changes = item->direction != 0;
  for (int k = 0; item->in_table && growth[k]; k++)
    changes |= slice_holds_nocase(item->head, growth[k]) || slice_holds_nocase(item->under, growth[k]);
  if (item->points)
    return KIND_POINTS;
  if (item->percent)
    return changes ? KIND_GROWTH : KIND_PERCENT;
  if (item->shares)
    return KIND_COUNT;
  if (item->in_table ? kind_is_each_label(item->label) || kind_is_each_label(item->head)
                     : item->currency && kind_is_each(item->behind))
    return KIND_EACH;
  return item->direction ? KIND_CHANGE : KIND_AMOUNT;
}

enum evidence_kind evidence_kind_told(const struct stated_number *n, struct slice text, int direction) {
  struct slice behind = slice_of(text.data + n->end, text.len - n->end);
  if (n->points)
    return KIND_POINTS;
  if (n->percent)
    return direction && !slice_begins_nocase(behind, " of ") ? KIND_GROWTH : KIND_PERCENT;
  if (n->shares)
    return KIND_COUNT;
  return n->currency && kind_is_each(behind) ? KIND_EACH : direction ? KIND_CHANGE : KIND_AMOUNT;
}

int evidence_kind_rivals(enum evidence_kind told, enum evidence_kind item) {
  /* A bare number may count shares, or be an amount per share, "EPS was $2.35"; a change may be a line, "added $5". */
  int wide = told == KIND_AMOUNT || told == KIND_COUNT || told == KIND_CHANGE;
  return told == item || (wide && item <= KIND_CHANGE);
}

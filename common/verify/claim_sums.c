#include "verify/claim_sums.h"

#include "tables/changes.h"
#include "verify/claim_binding.h"
#include "verify/claim_operands.h"
#include "verify/claim_pairs.h"

enum { CLAIM_ADDENDS = EVIDENCE_OPERANDS };

int claim_has_sum(const struct claim_view *v) {
  static const char *const sums[] = {CHANGES_SUM, NULL};
  return claim_has_word(v->s->text, sums);
}

/* Whether at least two of the figures add up to the number. */
static int claim_adds_up(const struct claim_view *v, const struct evidence_item *const *list, size_t count) {
  static const char *const means[] = {"averag", "mean ", NULL};
  int mean = claim_has_word(v->s->text, means);
  for (unsigned set = 1; set < 1u << count; set++) {
    const struct evidence_item *taken[CLAIM_ADDENDS];
    double sum = 0;
    size_t terms = 0;
    for (size_t i = 0; i < count; i++)
      if (set >> i & 1) {
        sum += claim_value(list[i]);
        taken[terms++] = list[i];
      }
    if (terms > 1 && claim_is_amount(v, list[0], mean ? sum / (double)terms : sum))
      return claim_took(v, mean ? "average" : "sum", taken, terms);
  }
  return 0;
}

/* The sum of amounts that the cited sentences tell in words of this one. */
int claim_is_sum_of_told(const struct claim_view *v, const struct evidence_item *first) {
  const struct evidence_item *list[CLAIM_ADDENDS] = {first};
  size_t count = 1;
  for (const struct evidence_item *item = first + 1;
       item < v->e->items + v->e->count && count < CLAIM_ADDENDS; item++)
    if (!item->in_table && item->percent == first->percent && item->currency == first->currency &&
        item->shares == first->shares && claim_cites(v->s, item) && claim_is_told(v, item))
      list[count++] = item;
  return claim_is_told(v, first) && count > 1 && claim_adds_up(v, list, count);
}

/* The sum of columns of a row: "closing payment and contingent payment included". */
int claim_is_sum_of_row(const struct claim_view *v, const struct evidence_item *first) {
  const struct evidence_item *list[CLAIM_ADDENDS] = {first};
  size_t count = 1;
  for (const struct evidence_item *item = first + 1;
       item < v->e->items + v->e->count && item->row == first->row && count < CLAIM_ADDENDS; item++)
    if (item->percent == first->percent && item->year == first->year && item->months == first->months &&
        item->currency == first->currency && item->column != first->column)
      list[count++] = item;
  return count > 1 && claim_adds_up(v, list, count);
}

/* The sum of lines in one column to which the sentence may refer. */
int claim_is_sum(const struct claim_view *v, const struct evidence_item *first) {
  const struct evidence_item *list[CLAIM_ADDENDS] = {first};
  size_t count = 1;
  for (const struct evidence_item *item = first + 1;
       item < v->e->items + v->e->count && count < CLAIM_ADDENDS; item++)
    if (item->percent == first->percent && item->column == first->column && !item->direction &&
        claim_is_beside(v, first, item) && claim_cites(v->s, item) && claim_is_meant(v, item))
      list[count++] = item;
  return count > 1 && claim_adds_up(v, list, count);
}

/* Whether the clause names another line of a figure's column: "Mac and iPad together" is of one year. */
static int sum_names_another(const struct claim_view *v, const struct evidence_item *first) {
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    if (item->in_table && item->mark == first->mark && item->row != first->row &&
        item->column == first->column && item->percent == first->percent &&
        claim_distinct_words(v, item, first) > 0 && claim_is_named(v, item))
      return 1;
  }
  return 0;
}

/* Lines of one name in a column, "Term debt" of the current liabilities and of the others: their total. */
int claim_is_sum_of_namesakes(const struct claim_view *v, const struct evidence_item *first) {
  const struct evidence_item *list[CLAIM_ADDENDS] = {first};
  size_t count = 1;
  double sum = claim_value(first);
  for (const struct evidence_item *item = first + 1;
       item < v->e->items + v->e->count && count < CLAIM_ADDENDS; item++)
    if (item->in_table && slice_eq(item->label, first->label) && item->percent == first->percent &&
        item->column == first->column && item->row != first->row && item->mark == first->mark) {
      sum += claim_value(item);
      list[count++] = item;
    }
  return count > 1 && first->label.len && slice_holds_nocase(v->s->text, "total") &&
         claim_is_amount(v, first, sum) && claim_took(v, "sum", list, count);
}

/* "Over the three years": the sum, or the average, of a line over all dates to which the sentence may refer. */
int claim_is_over_time(const struct claim_view *v, const struct evidence_item *first) {
  static const char *const words[] = {"over",     "averag",   "two years",  "three years",
                                      "together", "combined", "altogether", NULL};
  const struct evidence_item *list[CLAIM_ADDENDS] = {first};
  size_t count = 1;
  for (const struct evidence_item *item = first + 1;
       item < v->e->items + v->e->count && count < CLAIM_ADDENDS; item++)
    if (item->row == first->row && item->year && item->year != first->year &&
        item->percent == first->percent && item->months == first->months)
      list[count++] = item;
  return count > 1 && first->year && claim_has_word(v->s->text, words) && !sum_names_another(v, first) &&
         claim_adds_up(v, list, count);
}

/* "Together", "on average": the sum or the quotient of two amounts in a sentence. */
int claim_is_of_two(const struct claim_view *v, const struct evidence_item *a,
                    const struct evidence_item *b) {
  static const char *const means[] = {"average", "per ", "each", NULL};
  double x = claim_value(a), y = claim_value(b);
  if (a->row != b->row || a->in_table ||
      (v->s->stated.year_count < 2 && (!claim_same_year(a, v->year) || !claim_same_year(b, v->year))))
    return 0;
  if (v->n->percent)
    return !v->direction && claim_is_share(v) && claim_is_told(v, a) && claim_is_told(v, b) &&
           claim_is(v, 100 * x / y) && claim_took_two(v, "share", a, b);
  if (claim_has_sum(v) && claim_is(v, x + y))
    return claim_took_two(v, "sum", a, b);
  return claim_has_word(v->s->text, means) && claim_is(v, x / y) && claim_took_two(v, "quotient", a, b);
}

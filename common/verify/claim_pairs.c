#include "verify/claim_pairs.h"

#include "base/clock.h"
#include "tables/changes.h"
#include "verify/claim_lines.h"
#include "verify/claim_operands.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static int claim_names_year(const struct claim_sentence *s, int year) {
  for (size_t i = 0; i < s->stated.year_count; i++)
    if (s->stated.years[i].year == year)
      return 1;
  return 0;
}

/* The next word of a label that is no month's name; empty at its end. */
static struct slice claim_label_word(struct slice label, size_t *at) {
  for (size_t i = *at, from; i < label.len; i++) {
    for (from = i; i < label.len && isalpha((unsigned char)label.data[i]); i++)
      ;
    *at = i;
    if (i > from && clock_month(label.data + from, i - from) <= 0)
      return slice_of(label.data + from, i - from);
  }
  *at = label.len;
  return slice_of(NULL, 0);
}

/* "Goodwill - January 1, 2023" and "Goodwill - December 31, 2024". */
static int claim_is_same_but_date(struct slice a, struct slice b) {
  size_t at_a = 0, at_b = 0;
  for (;;) {
    struct slice x = claim_label_word(a, &at_a), y = claim_label_word(b, &at_b);
    if (!x.len || !y.len)
      return x.len == y.len && at_a > 0;
    if (!slice_eq(x, y))
      return 0;
  }
}

/* Whether two figures are of one line: of a row, or of rows of one name, each of a year, in one column. */
int claim_is_one_line(const struct evidence_item *a, const struct evidence_item *b) {
  return a->row == b->row || (a->whole && b->whole && a->concept == b->concept) ||
         (a->in_table && a->mark == b->mark && a->column == b->column && a->label.len &&
          claim_is_same_but_date(a->label, b->label) && slice_eq(a->under, b->under));
}

/* Whether a's date is after b's: dates of one year are told apart by their days. */
static int claim_is_after(const struct evidence_item *a, const struct evidence_item *b) {
  return a->year > b->year || (a->year == b->year && !a->months && b->day && a->day > b->day);
}

/* Whether a and b are one figure at two dates, b's earlier; for items of a text, which have no order, any dates. */
static int claim_is_later(const struct claim_view *v, const struct evidence_item *a,
                          const struct evidence_item *b) {
  if (a->in_table != b->in_table || a->months != b->months || !claim_same_months(a, v->months))
    return 0;
  if (!a->in_table)
    return a->row == b->row;
  if (!a->mark && (a->row != b->row || a->quarter != b->quarter || !claim_fits_time(v, a) ||
                   (b->year != a->year - 1 && !claim_names_year(v->s, b->year))))
    return 0;
  return claim_is_one_line(a, b) && claim_is_after(a, b) &&
         (!v->year || a->year == v->year || !v->s->stated.year_count || claim_names_year(v->s, a->year) ||
          v->s->stated.year_count > 1 || b->year == v->year);
}

/* A change, in percent or as an amount; for two losses or payments also a change of their size. */
int claim_is_change(const struct claim_view *v, const struct evidence_item *a,
                    const struct evidence_item *b) {
  static const char *const either[] = {CHANGES_EITHER, NULL};
  int any = claim_has_word(v->s->text, either);
  if (v->n->percent && !v->n->times && !v->direction && claim_is_share(v))
    return 0;
  if (!claim_is_later(v, a, b) || (!v->n->percent && !v->direction && !any) || a->value == b->value)
    return 0;
  double is = claim_value(a), was = claim_value(b);
  double change = !v->n->percent || v->n->points ? is - was
                  : v->n->times                  ? 100 * is / was
                                                 : 100 * (is / was - 1);
  int turned = is < 0 && was < 0 && (!v->n->percent || v->n->points) && v->direction;
  return (!v->direction || any || turned || (change > 0) == (v->direction > 0)) &&
         claim_is_amount(v, a, change);
}

int claim_is_change_of_row(const struct claim_view *v, const struct evidence_item *a,
                           const struct evidence_item *b) {
  static const char *const bases[] = {"over ", "above ", "below ", "than ", NULL};
  size_t told;
  if (!v->n->percent || v->n->points || v->n->times || !v->direction || !a->in_table || a->row != b->row ||
      a->column == b->column || a->year != b->year || a->months != b->months || a->counts != b->counts ||
      a->direction || b->direction)
    return 0;
  double change = 100 * (claim_value(a) / claim_value(b) - 1);
  claim_own_words(v, &b->place, &a->place, &told);
  struct slice behind = slice_of(v->s->text.data + v->n->end, v->s->text.len - v->n->end);
  return told && claim_has_word(behind, bases) && (change > 0) == (v->direction > 0) && claim_is(v, change);
}

/* ---- two lines ---- */

/* Whether two lines are in one column, or in columns of one date. */
int claim_is_beside(const struct claim_view *v, const struct evidence_item *a,
                    const struct evidence_item *b) {
  return a->in_table && b->in_table && a->row != b->row && a->year == b->year && a->months == b->months &&
         a->quarter == b->quarter && slice_eq(a->cik, b->cik) && (a->column == b->column || a->year) &&
         claim_same_year(a, v->year) && claim_same_months(a, v->months);
}

int claim_is_part(const struct claim_view *v, const struct evidence_item *a, const struct evidence_item *b) {
  size_t common;
  evidence_overlap(&a->words, &b->words, &common);
  int same = common == a->words.count && common == b->words.count; /* the same line in another table */
  return v->n->percent && (!v->direction || claim_is_share(v)) && !same && claim_is_beside(v, a, b) &&
         claim_is(v, 100 * claim_value(a) / claim_value(b));
}

static const char *const claim_shares[] = {"of ", "share", "made up", "account", "portion", NULL};

/* The share of a named part in a total that need not be named: "AWS made up 16.9% of net sales". */
int claim_is_part_of_total(const struct claim_view *v, const struct evidence_item *a,
                           const struct evidence_item *b) {
  return a->column == b->column && (claim_is_total(b) || a->whole_row == b->row) && !claim_is_total(a) &&
         claim_has_word(v->s->text, claim_shares);
}

/* Two columns of a row, both named by the sentence: "59% of the securities are non-current". */
int claim_is_part_of_row(const struct claim_view *v, const struct evidence_item *a,
                         const struct evidence_item *b) {
  size_t common;
  return v->n->percent && !v->direction && a->in_table && a->row == b->row && a->column != b->column &&
         a->year == b->year && a->months == b->months && fabs(a->value) < fabs(b->value) &&
         evidence_overlap(&a->place, &v->s->words, &common) >= CLAIM_SAME_LABEL &&
         claim_has_word(v->s->text, claim_shares) && claim_is(v, 100 * claim_value(a) / claim_value(b));
}

/* "Exceeded", "less": the difference of two lines that the sentence names. */
int claim_is_difference(const struct claim_view *v, const struct evidence_item *a,
                        const struct evidence_item *b) {
  static const char *const words[] = {CHANGES_DIFFERENCE, NULL};
  size_t in_a, in_b;
  claim_own_words(v, &a->place, &b->place, &in_a);
  claim_own_words(v, &b->place, &a->place, &in_b);
  int columns =
      a->in_table && a->row == b->row && a->year == b->year && a->months == b->months && in_a && in_b;
  return (!v->n->percent || v->n->points) && (columns || claim_is_beside(v, a, b)) &&
         claim_has_word(v->s->text, words) &&
         claim_is_amount(v, a, fabs(claim_value(a)) - fabs(claim_value(b)));
}

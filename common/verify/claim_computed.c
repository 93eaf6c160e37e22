/* claim_computed.c: numbers that an answer computed from figures of what it cites.
 *
 * A sentence may say a change, a share, a difference, a sum, an average, a product or a ratio that no passage prints: "rose 6 %" of
 * two revenues.  Each relation below looks for figures (operands) whose lines the sentence names and whose relation gives the number
 * within its rounding.  The operands are kept, so that the verdict can name them. */
#include "verify/claim_computed.h"
#include "base/day.h"
#include "facts/measure.h"
#include "tables/changes.h"
#include "verify/claim_binding.h"
#include "verify/claim_lines.h"
#include "verify/claim_view.h"
#include "verify/periods.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#define CLAIM_WEAK 0.3 /* share of a line's words that a sum or share must name */

/* A figure's value with the factor of its caption. */
static double claim_value(const struct evidence_item *item) {
  return item->value * item->caption;
}

/* Notes what the number was computed from; returns 1. */
static int claim_computed_from(const struct claim_view *v, const char *relation,
                               const struct evidence_item *const *list, size_t count) {
  struct claim_computation *c = v->computation;
  c->relation = relation;
  c->count = count;
  for (size_t i = 0; i < count; i++)
    c->operands[i] = list[i];
  return 1;
}

static int claim_computed_from_two(const struct claim_view *v, const char *relation,
                                   const struct evidence_item *a, const struct evidence_item *b) {
  const struct evidence_item *list[] = {a, b};
  return claim_computed_from(v, relation, list, 2);
}

/* Whether the number is a value; an amount computed from figures that may be in thousands or millions. */
static int claim_is(const struct claim_view *v, double value) {
  return claim_near(v->n->value, v->n->last, value);
}

/* An amount computed from figures that may be in thousands or millions. */
static int claim_is_amount(const struct claim_view *v, const struct evidence_item *of, double value) {
  int any = of->any_scale && v->n->scaled && !v->n->percent;
  int bare = of->caption > 1 && !of->captioned && !v->n->scaled && !v->n->currency && !v->n->percent;
  if (bare && claim_is(v, value / of->caption)) /* a count, "policies in force", below "in thousands" */
    return 1;
  return claim_is(v, value) || (any && (claim_is(v, 1e3 * value) || claim_is(v, 1e6 * value)));
}

/* Whether no line is named by more, or rarer, words of the sentence. */
static int claim_is_best_named(const struct claim_view *v, const struct evidence_item *item) {
  double own = claim_line_words(v, item);
  return own > 0 && own >= v->most_line_words * 0.99;
}

/* The total of a column: "Total", "Consolidated". */
static int claim_is_total(const struct evidence_item *item) {
  static const char *const totals[] = {"total", "consolidated", "all ", NULL};
  for (int k = 0; totals[k]; k++)
    if (item->label.len >= strlen(totals[k]) &&
        strncasecmp(item->label.data, totals[k], strlen(totals[k])) == 0)
      return 1;
  return 0;
}

/* Whether the sentence has all words of another line beside this one, and these are more: "audit fees" is not "Total fees". */
static int claim_is_overshadowed(const struct claim_view *v, const struct evidence_item *item) {
  int told = claim_is_total(item) && slice_holds_nocase(v->s->text, "total");
  for (size_t i = 0; item->in_table && !told && i < v->e->count; i++) {
    const struct evidence_item *other = &v->e->items[i];
    size_t common;
    int part = other->whole_row == item->row && other->row != item->row;
    if (!other->in_table || other->row == item->row || other->mark != item->mark ||
        other->column != item->column || (!part && other->core <= item->core) ||
        claim_named(v, other) < CLAIM_SURE_LABEL)
      continue;
    evidence_overlap(&item->words, &other->words, &common);
    if (part ? common < other->words.count
             : common == item->words.count) /* "Equipment" is in "Property and equipment" */
      return 1;
  }
  return 0;
}

/* Whether the sentence names a figure's line; whether it may refer to it, by one of the line's rare words or by a known
 * synonym. */
static int claim_is_named(const struct claim_view *v, const struct evidence_item *item) {
  size_t common;
  if (claim_is_overshadowed(v, item))
    return 0;
  if (!item->in_table && (evidence_overlap(&item->words, &v->s->words, &common), common > 1))
    return 1;
  return v->about[item - v->e->items] >= CLAIM_SAME_LABEL ||
         (item->in_table && (claim_named(v, item) >= CLAIM_SAME_LABEL || claim_is_best_named(v, item)));
}

/* Whether the sentence may refer to a line: by one of the line's rare words, or by a known synonym. */
static int claim_is_meant(const struct claim_view *v, const struct evidence_item *item) {
  return claim_is_named(v, item) || claim_named(v, item) >= CLAIM_WEAK ||
         (item->concept && claim_has_concept(v->s, item->concept));
}

/* "70% of": a share, whatever the other words. */
static int claim_is_share(const struct claim_view *v) {
  size_t end = v->n->end;
  return end + 4 <= v->s->text.len && memcmp(v->s->text.data + end, " of ", 4) == 0;
}

/* Whether the sentence has one of a number's own words, or one of those before the first number of its sentence. */
static int claim_is_told(const struct claim_view *v, const struct evidence_item *item) {
  size_t common;
  evidence_overlap(&item->local, &v->s->words, &common);
  return common > 0;
}

/* ---- numbers computed from two figures: of one line at two dates, or of two lines ---- */

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
    if (i > from && day_month_named(label.data + from, i - from) <= 0)
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
static int claim_is_one_line(const struct evidence_item *a, const struct evidence_item *b) {
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
static int claim_is_change(const struct claim_view *v, const struct evidence_item *a,
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

/* "Gained 178% over cost": what one column of a row is more than another one, which the sentence names. */
static int claim_is_change_of_row(const struct claim_view *v, const struct evidence_item *a,
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
static int claim_is_beside(const struct claim_view *v, const struct evidence_item *a,
                           const struct evidence_item *b) {
  return a->in_table && b->in_table && a->row != b->row && a->year == b->year && a->months == b->months &&
         a->quarter == b->quarter && slice_eq(a->cik, b->cik) && (a->column == b->column || a->year) &&
         claim_same_year(a, v->year) && claim_same_months(a, v->months);
}

/* Whether the number is a's share in b, or their difference; claim_is_part_of_total(): whether b is a total that need
 * not be named. */
static int claim_is_part(const struct claim_view *v, const struct evidence_item *a,
                         const struct evidence_item *b) {
  size_t common;
  evidence_overlap(&a->words, &b->words, &common);
  int same = common == a->words.count && common == b->words.count; /* the same line in another table */
  return v->n->percent && (!v->direction || claim_is_share(v)) && !same && claim_is_beside(v, a, b) &&
         claim_is(v, 100 * claim_value(a) / claim_value(b));
}

static const char *const claim_shares[] = {"of ", "share", "made up", "account", "portion", NULL};

/* The share of a named part in a total that need not be named: "AWS made up 16.9% of net sales". */
static int claim_is_part_of_total(const struct claim_view *v, const struct evidence_item *a,
                                  const struct evidence_item *b) {
  return a->column == b->column && (claim_is_total(b) || a->whole_row == b->row) && !claim_is_total(a) &&
         claim_has_word(v->s->text, claim_shares);
}

/* Two columns of a row, both named by the sentence: "59% of the securities are non-current". */
static int claim_is_part_of_row(const struct claim_view *v, const struct evidence_item *a,
                                const struct evidence_item *b) {
  size_t common;
  return v->n->percent && !v->direction && a->in_table && a->row == b->row && a->column != b->column &&
         a->year == b->year && a->months == b->months && fabs(a->value) < fabs(b->value) &&
         evidence_overlap(&a->place, &v->s->words, &common) >= CLAIM_SAME_LABEL &&
         claim_has_word(v->s->text, claim_shares) && claim_is(v, 100 * claim_value(a) / claim_value(b));
}

/* "Exceeded", "less": the difference of two lines that the sentence names. */
static int claim_is_difference(const struct claim_view *v, const struct evidence_item *a,
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

/* ---- sums and averages of figures ---- */

enum { CLAIM_ADDENDS = EVIDENCE_OPERANDS };

/* Whether the sentence asks for a sum. */
static int claim_has_sum(const struct claim_view *v) {
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
      return claim_computed_from(v, mean ? "average" : "sum", taken, terms);
  }
  return 0;
}

/* Whether the number is the sum of amounts that the cited sentences state in words of this one, from `first` on. */
static int claim_is_sum_of_stated(const struct claim_view *v, const struct evidence_item *first) {
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
static int claim_is_sum_of_row(const struct claim_view *v, const struct evidence_item *first) {
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
static int claim_is_sum(const struct claim_view *v, const struct evidence_item *first) {
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
static int claim_is_sum_of_namesakes(const struct claim_view *v, const struct evidence_item *first) {
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
         claim_is_amount(v, first, sum) && claim_computed_from(v, "sum", list, count);
}

/* "Over the three years": the sum, or the average, of a line over all dates to which the sentence may refer. */
static int claim_is_over_time(const struct claim_view *v, const struct evidence_item *first) {
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
static int claim_is_of_two(const struct claim_view *v, const struct evidence_item *a,
                           const struct evidence_item *b) {
  static const char *const means[] = {"average", "per ", "each", NULL};
  double x = claim_value(a), y = claim_value(b);
  if (a->row != b->row || a->in_table ||
      (v->s->stated.year_count < 2 && (!claim_same_year(a, v->year) || !claim_same_year(b, v->year))))
    return 0;
  if (v->n->percent)
    return !v->direction && claim_is_share(v) && claim_is_told(v, a) && claim_is_told(v, b) &&
           claim_is(v, 100 * x / y) && claim_computed_from_two(v, "share", a, b);
  if (claim_has_sum(v) && claim_is(v, x + y))
    return claim_computed_from_two(v, "sum", a, b);
  return claim_has_word(v->s->text, means) && claim_is(v, x / y) &&
         claim_computed_from_two(v, "quotient", a, b);
}

/* ---- numbers computed from a figure and a rate ----
 *
 * A count times a price, a part in percent of a whole, what a part leaves
 * of it. */

/* Whether the number may be a product with a rate: money where it is a price, else of its figure's own kind. */
static int product_fits(const struct claim_view *v, const struct evidence_item *of,
                        const struct evidence_item *rate) {
  if (rate->percent)
    return !rate->direction && !of->in_table && !v->n->currency == !of->currency;
  return rate->kind == KIND_EACH && rate->currency && !of->currency && v->n->currency;
}

/* Whether the number is the product of a count, which the sentence may refer to, and of what its row or sentence gives for each; or
 * of an amount and a per cent of it: "77% of 217,000 people". */
static int claim_is_product(const struct claim_view *v, const struct evidence_item *of) {
  if (v->n->percent || v->direction || of->percent || of->kind == KIND_EACH ||
      !(v->n->hedged || v->n->scaled) || !claim_is_meant(v, of))
    return 0;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *rate = &v->e->items[i];
    double times = claim_value(rate) / (rate->percent ? 100 : 1);
    if (rate != of && rate->row == of->row && product_fits(v, of, rate) && claim_same_year(rate, v->year) &&
        claim_is(v, claim_value(of) * times))
      return claim_computed_from_two(v, "product", of, rate);
  }
  return 0;
}

/* Whether the number is what each of a row's things is worth: "some $93,300 each", of 11,509 units and $1,074 million. */
static int claim_is_each(const struct claim_view *v, const struct evidence_item *amount) {
  static const char *const each[] = {"each", "apiece", "per ", "average", NULL};
  if (!v->n->currency || v->n->percent || !amount->in_table || amount->counts || amount->percent ||
      !claim_has_word(v->s->text, each) || !claim_is_named(v, amount))
    return 0;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *count = &v->e->items[i];
    if (count->row == amount->row && (count->counts || count->shares) && count->value != 0 &&
        claim_same_year(count, v->year) && claim_is(v, claim_value(amount) / claim_value(count)))
      return claim_computed_from_two(v, "quotient", amount, count);
  }
  return 0;
}

/* "31% work outside the US", where 69% work in the US. */
static int claim_is_rest(const struct claim_view *v, const struct evidence_item *part) {
  static const char *const rest[] = {CHANGES_REST, NULL};
  return v->n->percent && !v->n->points && !v->direction && part->percent && !part->direction &&
         claim_same_year(part, v->year) && claim_has_word(v->s->text, rest) && claim_is_named(v, part) &&
         claim_is(v, 100 - fabs(part->value)) && claim_computed_from(v, "rest", &part, 1);
}

/* ---- ratios by a formula of data/concepts.tsv ---- */

enum { CLAIM_DEPTH = 4 };

/* The figure for a word of the table in the column of an item: the line with that name, or the line below a heading
 * with that name that the sentence names; NULL where there is none. */
static const struct evidence_item *claim_line_of(const struct claim_view *v, const struct concept_word *word,
                                                 const struct evidence_item *at) {
  const struct evidence_item *whole = NULL;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    if (!item->in_table || item->percent || item->year != at->year || item->months != at->months ||
        item->mark != at->mark || !claim_cites(v->s, item))
      continue;
    struct slice under = item->under;
    under.len -= under.len && under.data[under.len - 1] == ':';
    if (claim_named(v, item) >= CLAIM_SURE_LABEL && evidence_whole_label(v->e->table, under) == word)
      return item;
    whole = !whole && item->whole && item->concept == word ? item : whole;
  }
  return whole;
}

/* A word's value in the column of an item, computed by its formula where no line has it; NAN for none. */
static double claim_formula(const struct claim_view *v, struct slice asked, const struct evidence_item *at,
                            int depth) {
  const struct concept_word *word = concept_word_find(v->e->table, asked);
  const struct evidence_item *line = word && depth ? claim_line_of(v, word, at) : NULL;
  if (line) {
    if (v->computation->count < EVIDENCE_OPERANDS)
      v->computation->operands[v->computation->count++] = line;
    return claim_value(line);
  }
  struct slice list = word ? word->alternatives : slice_of(NULL, 0), one, left, right;
  while (depth < CLAIM_DEPTH && concept_list_next(&list, ',', &one)) {
    char sign = one.data[0] == '=' ? measure_split(one, &left, &right) : 0;
    if (!sign || left.len < 2)
      continue;
    double a = claim_formula(v, slice_of(left.data + 2, left.len - 2), at, depth + 1);
    double b = claim_formula(v, right, at, depth + 1);
    return sign == '+' ? a + b : sign == '-' ? a - fabs(b) : sign == '*' ? a * b : a / b;
  }
  return NAN;
}

/* Whether a ratio named in the sentence has the number as its value in the column of an item: "gross margin" 73.9%. */
static int claim_is_ratio(const struct claim_view *v, const struct evidence_item *at) {
  for (size_t i = 0; i < v->s->concept_count; i++) {
    const struct concept_word *word = v->s->concepts[i];
    *v->computation = (struct claim_computation){.relation = "ratio"};
    if (word->alternatives.len && word->alternatives.data[0] == '=' &&
        claim_is(v, (v->n->percent ? 100 : 1) * claim_formula(v, word->label, at, 0)))
      return 1;
  }
  return 0;
}

/* ---- the relations in turn ---- */

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
    return claim_computed_from_two(v, "change", a, b);
  if (known_a && claim_is_change_of_row(v, a, b))
    return claim_computed_from_two(v, "change", a, b);
  if ((named || (a->row == b->row && claim_is_meant(v, a))) && claim_is_difference(v, a, b))
    return claim_computed_from_two(v, "difference", a, b);
  int share = named || (claim_is_meant(v, a) && known_b) || (known_a && claim_is_part_of_total(v, a, b));
  if ((share && claim_is_part(v, a, b)) || ((known_a || claim_is_total(a)) && claim_is_part_of_row(v, a, b)))
    return claim_computed_from_two(v, "share", a, b);
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
    if (!a->in_table && sums && a->percent == v->n->percent && claim_is_sum_of_stated(v, a))
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

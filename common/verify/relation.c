/* relation.c: numbers that an answer computed: changes, shares, differences, sums, averages, products, ratios.
 *
 * A relation is a row of a table: how its two figures stand to each other (one line at two dates, two lines of a date, two columns of
 * a row, one sentence), what the claim must say, which figures it must name, and what they give.  Sums and averages take sets of
 * figures, ratios the formulas of data/concepts.tsv.  The figures are kept, so that the verdict can name them. */
#include "facts/measure.h"
#include "tables/changes.h"
#include "verify/match.h"
#include "verify/periods.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define NAMED_WELL 0.6   /* share of a line's words in the sentence, to name it */
#define NAMED_WEAKLY 0.3 /* to mean it, beside others */
#define NAMED_BEST 0.99  /* of the weight of the words by which the best line is named */

#define LIKELY_DIGITS 10 /* a smaller number may be computed from anything */

enum { RELATION_SET = EVIDENCE_OPERANDS, FORMULA_DEPTH = 4 };

static double relation_value(const struct evidence_item *item) {
  return item->value * item->scale.caption;
}

/* Whether the number is a value, which may be in the thousands or millions of a table that tells no scale. */
static int relation_is(const struct claim_view *v, const struct evidence_item *of, double value) {
  const struct stated_number *n = v->n;
  int any = of->scale.any && n->scaled && !n->percent;
  int bare = of->scale.caption > 1 && !of->scale.captioned && !n->scaled && !n->currency && !n->percent;
  return match_near(n, value) ||
         (bare && match_near(n, value / of->scale.caption)) || /* a count below "in thousands" */
         (any && (match_near(n, 1e3 * value) || match_near(n, 1e6 * value)));
}

/* ---- which figures the sentence names ---- */

enum named { NAMED_NOT, NAMED_MAYBE, NAMED_SURELY };

static int relation_is_total(const struct evidence_item *item) {
  static const char *const totals[] = {"total", "consolidated", "all ", NULL};
  for (int k = 0; totals[k]; k++)
    if (slice_begins_nocase(item->label, totals[k]))
      return 1;
  return 0;
}

/* How the sentence names a figure's line: by most of its words or a synonym; by rare words of it; or by none. */
static enum named relation_named(const struct claim_view *v, const struct evidence_item *item) {
  size_t common;
  double words = claim_line_words(v, item), named = item->in_table ? claim_named(v->s, item) : 0;
  int sure = claim_about(v->s, item) >= NAMED_WELL || named >= NAMED_WELL ||
             (item->in_table && words > 0 && words >= v->most_line_words * NAMED_BEST);
  if (!item->in_table)
    sure |= (evidence_overlap(&item->words, &v->s->words, &common), common > 1);
  if (sure)
    return NAMED_SURELY;
  if (!item->in_table)
    return evidence_overlap(&item->prose.local, &v->s->words, &common), common ? NAMED_MAYBE : NAMED_NOT;
  return named >= NAMED_WEAKLY || claim_has_concept(v->s, item->concept) ? NAMED_MAYBE : NAMED_NOT;
}

/* ---- how two figures stand to each other ---- */

enum joined {
  JOINED_LATER = 1,  /* a later, b earlier, of one line; or both in one sentence */
  JOINED_COLUMN = 2, /* two lines of one date, or two sentences of a passage */
  JOINED_ROW = 4,    /* two columns of a row, of one date */
  JOINED_TEXT = 8    /* two figures of one sentence */
};

static int relation_names_year(const struct claim_view *v, int year) {
  for (size_t i = 0; i < v->s->stated.year_count; i++)
    if (v->s->stated.years[i].year == year)
      return 1;
  return 0;
}

/* Whether two figures are of one line, of a row or of a synonym or of two tables in a column. */
static int joined_is_line(const struct evidence_item *a, const struct evidence_item *b) {
  return a->row == b->row || (a->whole && b->whole && a->concept == b->concept) ||
         (a->mark == b->mark && a->cell.column == b->cell.column && a->label.len &&
          slice_eq(a->label, b->label) && slice_eq(a->cell.under, b->cell.under));
}

static int joined_is_of_span(const struct claim_view *v, const struct evidence_item *a) {
  return !v->months || !a->when.months || a->when.months == v->months;
}

static int joined_is_later(const struct claim_view *v, const struct evidence_item *a,
                           const struct evidence_item *b) {
  int after = a->when.year > b->when.year ||
              (a->when.year == b->when.year && !a->when.months && b->when.day && a->when.day > b->when.day);
  if (!joined_is_line(a, b) || !after || a->when.months != b->when.months ||
      a->when.quarter != b->when.quarter || !joined_is_of_span(v, a))
    return 0;
  if (!a->mark &&
      (a->row != b->row || (b->when.year != a->when.year - 1 && !relation_names_year(v, b->when.year))))
    return 0;
  return !v->year || a->when.year == v->year || b->when.year == v->year || v->s->stated.year_count != 1 ||
         relation_names_year(v, a->when.year);
}

/* Whether two figures are of one date, which is the told one. */
static int joined_is_date(const struct claim_view *v, const struct evidence_item *a,
                          const struct evidence_item *b) {
  return a->when.year == b->when.year && a->when.months == b->when.months &&
         a->when.quarter == b->when.quarter && (!v->year || !a->when.year || a->when.year == v->year) &&
         joined_is_of_span(v, a);
}

static unsigned relation_joined(const struct claim_view *v, const struct evidence_item *a,
                                const struct evidence_item *b) {
  int date = joined_is_date(v, a, b);
  if (a->in_table != b->in_table)
    return 0;
  if (!a->in_table)
    return a->row == b->row ? JOINED_TEXT | (a->when.months == b->when.months ? JOINED_LATER : 0)
           : a->mark == b->mark && date && a->currency == b->currency && (a->currency || a->shares)
               ? JOINED_COLUMN
               : 0;
  return (joined_is_later(v, a, b) ? JOINED_LATER : 0) |
         (date && a->row == b->row && a->cell.column != b->cell.column ? JOINED_ROW : 0) |
         (date && a->row != b->row && slice_eq(a->cik, b->cik) &&
                  (a->cell.column == b->cell.column || a->when.year)
              ? JOINED_COLUMN
              : 0);
}

/* ---- the table of relations ---- */

enum unit { UNIT_PERCENT, UNIT_TIMES, UNIT_POINTS, UNIT_AMOUNT };

static enum unit relation_unit(const struct stated_number *n) {
  return n->points ? UNIT_POINTS : n->times ? UNIT_TIMES : n->percent ? UNIT_PERCENT : UNIT_AMOUNT;
}

static double of_change(double a, double b) {
  return 100 * (a / b - 1);
}
static double of_ratio(double a, double b) {
  return 100 * a / b;
}
static double of_difference(double a, double b) {
  return a - b;
}
static double of_sizes(double a, double b) {
  return fabs(a) - fabs(b);
}
static double of_sum(double a, double b) {
  return a + b;
}
static double of_quotient(double a, double b) {
  return a / b;
}
static double of_product(double a, double b) {
  return a * b;
}

/* What a claim must say besides. */
enum says {
  SAYS_MOVED = 1,      /* that something rose or fell, in the direction of the two figures */
  SAYS_NO_MOVE = 2,    /* no rise or fall, or "5% of" */
  SAYS_SHARE = 4,      /* "of", "made up" */
  SAYS_DIFFERENCE = 8, /* "exceeded", "less" */
  SAYS_SUM = 16,
  SAYS_EACH = 32, /* "each", "on average" */
  SAYS_ABOUT = 64 /* a rounded number */
};

/* Which figures it must name. */
enum names {
  NAMES_BOTH,   /* both lines, or of one line one figure by its value */
  NAMES_FIRST,  /* a's line surely */
  NAMES_PART,   /* a's line, of which b is the total; or a's maybe, and b's surely */
  NAMES_COLUMN, /* a's line or a total, and the words of a's column */
  NAMES_EITHER, /* words of both columns, or both lines */
  NAMES_TOLD,   /* words beside both figures of a sentence */
  NAMES_NONE
};

struct relation {
  const char *name;
  unsigned units, joined, says; /* units: bits of enum unit */
  enum names names;
  double (*value)(double, double);
};

static const struct relation relations[] = {
    {"change", 1u << UNIT_PERCENT, JOINED_LATER, SAYS_MOVED, NAMES_BOTH, of_change},
    {"change", 1u << UNIT_TIMES, JOINED_LATER, 0, NAMES_BOTH, of_ratio},
    {"change", 1u << UNIT_AMOUNT | 1u << UNIT_POINTS, JOINED_LATER, SAYS_MOVED, NAMES_BOTH, of_difference},
    {"difference", 1u << UNIT_AMOUNT | 1u << UNIT_POINTS, JOINED_COLUMN | JOINED_ROW, SAYS_DIFFERENCE,
     NAMES_EITHER, of_sizes},
    {"share", 1u << UNIT_PERCENT | 1u << UNIT_TIMES, JOINED_COLUMN, SAYS_NO_MOVE, NAMES_PART, of_ratio},
    {"share", 1u << UNIT_PERCENT, JOINED_ROW, SAYS_NO_MOVE | SAYS_SHARE, NAMES_COLUMN, of_ratio},
    {"share", 1u << UNIT_PERCENT, JOINED_TEXT, SAYS_NO_MOVE | SAYS_SHARE, NAMES_TOLD, of_ratio},
    {"sum", 1u << UNIT_AMOUNT, JOINED_TEXT, SAYS_SUM, NAMES_TOLD, of_sum},
    {"quotient", 1u << UNIT_AMOUNT, JOINED_TEXT, SAYS_EACH, NAMES_NONE, of_quotient},
    {"quotient", 1u << UNIT_AMOUNT, JOINED_ROW, SAYS_EACH, NAMES_FIRST, of_quotient},
    {"product", 1u << UNIT_AMOUNT, JOINED_TEXT | JOINED_ROW, SAYS_ABOUT, NAMES_FIRST, of_product},
};

/* Whether the sentence tells of a change as the figures have it. */
static int says_moved(const struct claim_view *v, const struct evidence_item *a,
                      const struct evidence_item *b, double value) {
  static const char *const either[] = {CHANGES_EITHER, NULL};
  int any = claim_has_word(v->s->text, either),
      losses = a->value < 0 && b->value < 0 && relation_unit(v->n) != UNIT_PERCENT;
  if (!v->direction)
    return value != 0 && any && !slice_at_nocase(v->s->text, v->n->end, " of ");
  return value != 0 && (any || losses || (value > 0) == (v->direction > 0));
}

static int relation_says(const struct claim_view *v, const struct relation *r, const struct evidence_item *a,
                         const struct evidence_item *b, double value) {
  static const char *const differ[] = {CHANGES_DIFFERENCE, NULL};
  static const char *const shares[] = {"of ", "share", "made up", "account", "portion", NULL};
  static const char *const sums[] = {CHANGES_SUM, NULL};
  static const char *const each[] = {"each", "apiece", "per ", "average", NULL};
  struct slice t = v->s->text;
  int of = slice_at_nocase(t, v->n->end, " of ");
  return !((r->says & SAYS_MOVED) && !says_moved(v, a, b, value)) &&
         !((r->says & SAYS_NO_MOVE) && v->direction && !of) &&
         !((r->says & SAYS_SHARE) && !claim_has_word(t, shares)) &&
         !((r->says & SAYS_DIFFERENCE) && !claim_has_word(t, differ)) &&
         !((r->says & SAYS_SUM) && !claim_has_word(t, sums)) &&
         !((r->says & SAYS_EACH) && !claim_has_word(t, each)) &&
         !((r->says & SAYS_ABOUT) && !v->n->hedged && !v->n->scaled);
}

/* Whether a is named as a part of b: not where both are one line, in two tables. */
static int names_part(const struct evidence_item *a, enum named x, const struct evidence_item *b,
                      enum named y) {
  size_t common;
  evidence_overlap(&a->words, &b->words, &common);
  if (common == a->words.count && common == b->words.count)
    return 0;
  return (x && y == NAMED_SURELY) || (x == NAMED_SURELY && a->cell.column == b->cell.column &&
                                      !relation_is_total(a) && relation_is_total(b));
}

static int relation_names(const struct claim_view *v, const struct relation *r, const struct evidence_item *a,
                          const struct evidence_item *b) {
  enum named x = relation_named(v, a), y = relation_named(v, b);
  struct evidence_words of_a = evidence_words_without(&a->place, &b->place),
                        of_b = evidence_words_without(&b->place, &a->place);
  size_t in_a, in_b;
  evidence_overlap(&of_a, &v->s->words, &in_a);
  evidence_overlap(&of_b, &v->s->words, &in_b);
  int both = x == NAMED_SURELY && y == NAMED_SURELY;
  switch (r->names) {
  case NAMES_BOTH:
    return both || (a->in_table ? match_is_stated_too(v, a) || match_is_stated_too(v, b)
                                : match_is_stated_too(v, a) && match_is_stated_too(v, b));
  case NAMES_FIRST:
    return x == NAMED_SURELY;
  case NAMES_PART:
    return names_part(a, x, b, y);
  case NAMES_COLUMN:
    return (x == NAMED_SURELY || relation_is_total(a)) && fabs(a->value) < fabs(b->value) &&
           evidence_overlap(&a->place, &v->s->words, &in_a) >= NAMED_WELL;
  case NAMES_EITHER:
    return a->row == b->row ? x && in_a && in_b : both;
  case NAMES_TOLD:
    return x && y;
  default:
    return 1;
  }
}

/* Whether the kinds of two figures fit a relation: a product takes a count and a price or a part in per cent, a quotient in a row an
 * amount and a count, all others two figures of one kind. */
static int relation_fits(const struct claim_view *v, const struct relation *r, const struct evidence_item *a,
                         const struct evidence_item *b) {
  if (r->value == of_product)
    return !a->percent && a->kind != KIND_EACH && !v->direction &&
           (b->percent ? !b->direction && !a->in_table && !v->n->currency == !a->currency
                       : b->kind == KIND_EACH && b->currency && !a->currency && v->n->currency);
  if (r->value == of_quotient && a->in_table)
    return v->n->currency && !a->percent && !b->percent && !b->currency;
  return a->percent == b->percent && a->percent == (relation_unit(v->n) == UNIT_POINTS) &&
         (r->value == of_quotient || a->shares == b->shares);
}

/* Whether a value that fits is hardly a coincidence: both figures are named, or one and it has many digits; and nothing moves otherwise
 * than the sentence says. */
static int relation_is_likely(const struct claim_view *v, const struct relation *r,
                              const struct evidence_item *a, const struct evidence_item *b, double value) {
  enum named x = relation_named(v, a), y = relation_named(v, b);
  if (v->direction && (r->says & SAYS_NO_MOVE || (r->says & SAYS_MOVED && (value > 0) != (v->direction > 0))))
    return 0;
  return (x == NAMED_SURELY && y == NAMED_SURELY) || (fabs(v->n->value / v->n->last) >= LIKELY_DIGITS &&
                                                      (x == NAMED_SURELY || y == NAMED_SURELY || (x && y)));
}

static int relation_of_pair(const struct claim_view *v, const struct evidence_item *a,
                            const struct evidence_item *b, struct claim_computation *c,
                            struct claim_computation *likely) {
  unsigned joined = b->value != 0 ? relation_joined(v, a, b) : 0;
  for (size_t k = 0; joined && k < sizeof relations / sizeof *relations; k++) {
    const struct relation *r = &relations[k];
    double rate = r->value == of_product && b->percent ? 0.01 : 1;
    double value = r->value(relation_value(a), relation_value(b) * rate);
    if (!(joined & r->joined) || !(r->units >> relation_unit(v->n) & 1) || !relation_is(v, a, value) ||
        !relation_fits(v, r, a, b))
      continue;
    if (relation_says(v, r, a, b, value) && relation_names(v, r, a, b)) {
      *c = (struct claim_computation){{a, b}, 2, r->name};
      return 1;
    }
    if (!likely->count && relation_is_likely(v, r, a, b, value))
      *likely = (struct claim_computation){{a, b}, 2, r->name};
  }
  return 0;
}

/* ---- sums and averages of more figures ---- */

/* How a further figure is taken into a set that begins with `first`. */
enum gather_kind {
  GATHER_COLUMN, /* lines of one column that the sentence may mean */
  GATHER_ROW,    /* columns of a row, of one date */
  GATHER_DATES,  /* all dates of a line, "over the three years" */
  GATHER_TEXT,   /* figures of texts that are told in words of this sentence */
  GATHERINGS
};

static int gathers(const struct claim_view *v, enum gather_kind how, const struct evidence_item *first,
                   const struct evidence_item *item) {
  int date = item->when.year == first->when.year && item->when.months == first->when.months,
      row = item->row == first->row;
  if (item->percent != first->percent || item->in_table != first->in_table || item->direction ||
      !v->s->cited[item - v->s->e->items])
    return 0;
  switch (how) {
  case GATHER_COLUMN:
    return !row && item->cell.column == first->cell.column &&
           (relation_joined(v, first, item) & JOINED_COLUMN) && relation_named(v, item) &&
           !relation_is_total(item);
  case GATHER_ROW:
    return row && date && item->currency == first->currency && item->cell.column != first->cell.column;
  case GATHER_DATES:
    return row && item->when.year && item->when.year != first->when.year &&
           item->when.months == first->when.months;
  default:
    return item->currency == first->currency && item->shares == first->shares && relation_named(v, item);
  }
}

/* Whether a sum is asked for, and a set of a kind may begin with a figure. */
static int gathers_from(const struct claim_view *v, enum gather_kind how, const struct evidence_item *first) {
  static const char *const sums[] = {CHANGES_SUM, NULL};
  static const char *const over[] = {"over", "averag", "two years", "three years", NULL};
  int told = !v->year || !first->when.year || first->when.year == v->year,
      sum = claim_has_word(v->s->text, sums);
  enum named named = relation_named(v, first);
  if (first->in_table == (how == GATHER_TEXT) || first->percent != v->n->percent || !named ||
      first->direction)
    return 0;
  switch (how) {
  case GATHER_DATES:
    return !v->n->percent && first->when.year && named == NAMED_SURELY && claim_has_word(v->s->text, over);
  case GATHER_ROW:
    return sum && told && named == NAMED_SURELY;
  case GATHER_COLUMN:
    return sum && told && !relation_is_total(first);
  default:
    return sum;
  }
}

/* Whether some of the figures, at least two, add up to the number, or have it as their average. */
static int relation_adds_up(const struct claim_view *v, const struct evidence_item *const *list, size_t count,
                            struct claim_computation *c) {
  static const char *const means[] = {"averag", "mean ", NULL};
  int mean = claim_has_word(v->s->text, means);
  for (unsigned set = 1; set < 1u << count; set++) {
    double sum = 0;
    *c = (struct claim_computation){.relation = mean ? "average" : "sum"};
    for (size_t i = 0; i < count; i++)
      if (set >> i & 1) {
        sum += relation_value(list[i]);
        c->operands[c->count++] = list[i];
      }
    if (c->count > 1 && relation_is(v, list[0], mean ? sum / (double)c->count : sum))
      return 1;
  }
  return 0;
}

static int relation_of_set(const struct claim_view *v, const struct evidence_item *first,
                           struct claim_computation *c) {
  const struct evidence_item *end = v->s->e->items + v->s->e->count;
  for (enum gather_kind how = 0; how < GATHERINGS; how++) {
    const struct evidence_item *list[RELATION_SET] = {first};
    size_t count = 1;
    if (!gathers_from(v, how, first))
      continue;
    for (const struct evidence_item *item = first + 1; item < end && count < RELATION_SET; item++)
      if (gathers(v, how, first, item))
        list[count++] = item;
    if (count > 1 && relation_adds_up(v, list, count, c))
      return 1;
  }
  return 0;
}

/* ---- one figure: what a part leaves, ratios by a formula ---- */

/* The figure for a word of the table in the column of an item: the line with that name, or the line below a heading
 * with that name that the sentence names; NULL where there is none. */
static const struct evidence_item *formula_line(const struct claim_view *v, const struct concept_word *word,
                                                const struct evidence_item *at) {
  const struct evidence *e = v->s->e;
  const struct evidence_item *whole = NULL;
  for (size_t i = 0; i < e->count; i++) {
    const struct evidence_item *item = &e->items[i];
    if (!item->in_table || item->percent || item->when.year != at->when.year ||
        item->when.months != at->when.months || item->mark != at->mark || !v->s->cited[i])
      continue;
    struct slice under = item->cell.under;
    under.len -= under.len && under.data[under.len - 1] == ':';
    if (claim_named(v->s, item) >= NAMED_BEST && evidence_whole_label(e->table, under) == word)
      return item;
    whole = !whole && item->whole && item->concept == word ? item : whole;
  }
  return whole;
}

/* A word's value in the column of an item, computed by its formula where no line has it; NAN for none. */
static double formula_value(const struct claim_view *v, struct slice asked, const struct evidence_item *at,
                            int depth, struct claim_computation *c) {
  const struct concept_word *word = concept_word_find(v->s->e->table, asked);
  const struct evidence_item *line = word && depth ? formula_line(v, word, at) : NULL;
  if (line) {
    if (c->count < EVIDENCE_OPERANDS)
      c->operands[c->count++] = line;
    return relation_value(line);
  }
  struct slice list = word ? word->alternatives : slice_of(NULL, 0), one, left, right;
  while (depth < FORMULA_DEPTH && concept_list_next(&list, ',', &one)) {
    char sign = one.data[0] == '=' ? concept_formula_split(one, &left, &right) : 0;
    if (!sign || left.len < 2)
      continue;
    double a = formula_value(v, slice_of(left.data + 2, left.len - 2), at, depth + 1, c);
    double b = formula_value(v, right, at, depth + 1, c);
    return sign == '+' ? a + b : sign == '-' ? a - fabs(b) : sign == '*' ? a * b : a / b;
  }
  return NAN;
}

/* "Gross margin" of 73.9% by its formula, "31% work outside the US" where 69% work in it. */
static int relation_of_one(const struct claim_view *v, const struct evidence_item *a,
                           struct claim_computation *c) {
  static const char *const rest[] = {CHANGES_REST, NULL};
  if ((v->year && a->when.year && a->when.year != v->year))
    return 0;
  for (size_t i = 0; a->in_table && i < v->s->concept_count; i++) {
    const struct concept_word *word = v->s->concepts[i].word;
    *c = (struct claim_computation){.relation = "ratio"};
    if (word->alternatives.len && word->alternatives.data[0] == '=' &&
        match_near(v->n, (v->n->percent ? 100 : 1) * formula_value(v, word->label, a, 0, c)))
      return 1;
  }
  *c = (struct claim_computation){{a}, 1, "rest"};
  return relation_unit(v->n) == UNIT_PERCENT && !v->direction && a->percent && !a->direction &&
         claim_has_word(v->s->text, rest) && relation_is(v, a, 100 - fabs(a->value)) &&
         relation_named(v, a) == NAMED_SURELY;
}

/* ---- other numbers of the sentence ---- */

/* A number's exact value where its figure's scale is known, else as it is stated. */
static double stated_value(const struct stated_number *n, const struct evidence_item *item) {
  double exact = relation_value(item);
  return match_near(n, exact) ? fabs(exact) : fabs(n->value);
}

static int stated_is(const struct claim_view *v, double value, int sign) {
  return match_near(v->n, value) && (!v->direction || !sign || v->direction == sign);
}

/* How a number is computed from two others, of which either may be in per cent; NULL where it isn't. */
static const char *stated_relation(const struct claim_view *v, const struct stated_number *x, double a,
                                   const struct stated_number *y, double b) {
  enum unit unit = relation_unit(v->n);
  int percent = x->percent + y->percent;
  double change = b > 0 ? of_change(a, b) : 0;
  if (unit != UNIT_AMOUNT)
    return percent || b <= 0 || unit == UNIT_POINTS    ? NULL
           : stated_is(v, of_ratio(a, b), 0)           ? "share"
           : stated_is(v, change, change > 0 ? 1 : -1) ? "change"
                                                       : NULL;
  if (percent == 1 && y->percent)
    return stated_is(v, a * b / 100, 0)                           ? "product"
           : b > 0 && stated_is(v, 100 * a / b, 0)                ? "quotient"
           : stated_is(v, a / (1 + b / 100), 0) && !v->n->percent ? "change"
                                                                  : NULL;
  if (percent)
    return NULL;
  if (!x->currency == !y->currency)
    return stated_is(v, a + b, 0) ? "sum" : stated_is(v, a - b, 0) ? "difference" : NULL;
  return stated_is(v, a * b, 0) ? "product" : b > 0 && stated_is(v, a / b, 0) ? "quotient" : NULL;
}

int relation_of_stated(const struct claim_view *v, const struct stated_number *const *numbers,
                       const struct evidence_item *const *items, size_t count, struct claim_computation *c) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count; k++) {
      const char *how = k == i ? NULL
                               : stated_relation(v, numbers[i], stated_value(numbers[i], items[i]),
                                                 numbers[k], stated_value(numbers[k], items[k]));
      *c = (struct claim_computation){{items[i], items[k]}, 2, how};
      if (how)
        return 1;
    }
  return 0;
}

/* ---- all figures in turn ---- */

/* Whether a figure may be one of those: of the year told, or else of the newest one of its line; no word like "three". */
static int relation_is_operand(const struct claim_view *v, const struct evidence_item *item) {
  const struct evidence *e = v->s->e;
  if (!item->in_table && !item->percent && !item->currency && item->printed.len &&
      isalpha((unsigned char)item->printed.data[0]))
    return 0;
  int newest = v->s->told_year;
  if (v->year || v->s->stated.year_count || !item->in_table || !item->when.year)
    return 1;
  for (size_t i = 0; !v->s->told_year && i < e->count; i++)
    if (e->items[i].row == item->row && e->items[i].when.months == item->when.months &&
        e->items[i].when.year > newest)
      newest = e->items[i].when.year;
  return item->when.year == newest ||
         (item->when.year == newest - 1 && period_is_before(v->s->text, v->n->start, v->n->end));
}

/* Whether a fact is of another currency, or of a span that the sentence doesn't mean. */
static int relation_is_other_fact(const struct claim_view *v, const struct evidence_item *item) {
  return !item->mark &&
         (match_other_currency(v->n, item) ||
          (v->months ? item->when.months && item->when.months != v->months : item->when.months == 3));
}

enum relation_found relation_find(const struct claim_view *v, struct claim_computation *c) {
  const struct evidence *e = v->s->e;
  struct claim_computation likely = {.count = 0};
  for (size_t i = 0; i < e->count; i++) {
    const struct evidence_item *a = &e->items[i];
    if (!v->s->cited[i] || relation_is_other_fact(v, a) || !relation_is_operand(v, a))
      continue;
    if (relation_of_one(v, a, c) || relation_of_set(v, a, c))
      return RELATION_FOUND;
    for (size_t k = 0; k < e->count; k++)
      if (k != i && v->s->cited[k] && !relation_is_other_fact(v, &e->items[k]) &&
          relation_of_pair(v, a, &e->items[k], c, &likely))
        return RELATION_FOUND;
  }
  *c = likely;
  return likely.count ? RELATION_LIKELY : RELATION_NONE;
}

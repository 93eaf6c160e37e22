#include "verify/claims.h"

#include "verify/periods.h"
#include "tables/changes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

enum { CLAIM_MARKS = 32, CLAIM_CONCEPTS = 16 };
#define CLAIM_SAME_LABEL 0.6   /* share of a label's words in the sentence, to be about the same */
#define CLAIM_SURE_LABEL 0.99  /* to be exactly about it */
#define CLAIM_SAME_KIND 2000.0 /* maximum ratio of two values of one kind, allowing for a wrong scale */

struct claim_sentence {
  struct slice text;
  struct stated stated;
  struct evidence_words words;
  int marks[CLAIM_MARKS];
  const struct concept_word *concepts[CLAIM_CONCEPTS]; /* that it names */
  size_t mark_count, concept_count;
  const struct owners *owners;
  struct owner_names names;
};

static int claim_cites(const struct claim_sentence *s, const struct evidence_item *item) {
  if (!s->mark_count || item->mark == 0)
    return 1;
  for (size_t i = 0; i < s->mark_count; i++)
    if (s->marks[i] == item->mark)
      return 1;
  return 0;
}

/* ---- values ---- */

static int claim_near(double stated, double last, double value) {
  return fabs(fabs(stated) - fabs(value)) <= last * 0.5 + 1e-9 * fabs(value);
}

/* Whether a table's caption may not apply to one of its numbers: per-share amounts, counts. */
static int claim_may_stand_alone(const struct stated_number *n, const struct evidence_item *item) {
  int whole = fabs(item->value - round(item->value)) < 1e-9;
  return !n->scaled && (!n->currency || !whole || fabs(item->value) < 100);
}

/* Whether an item has the number; *how tells in which form. */
static int claim_matches(const struct stated_number *n, const struct evidence_item *item, const char **how) {
  static const double scales[] = {1, 1e3, 1e6};
  int currency = item->currency ? item->currency : item->money;
  if (n->percent != item->percent || (n->currency && currency && n->currency != currency) ||
      (n->shares && item->currency) || (n->currency && item->shares))
    return 0;
  for (size_t i = 0; i < 3; i++) {
    double scale = item->any_scale ? scales[i] : item->caption;
    if ((!item->any_scale && i) || (i && n->percent))
      break;
    if (claim_near(n->value, n->last, item->value * scale)) {
      double exact = fabs(fabs(n->value) - fabs(item->value * scale));
      *how = exact > 1e-9 * fabs(n->value) ? "rounded" : scale != 1 || n->scaled ? "scaled" : "same";
      return 1;
    }
  }
  if (item->caption == 1 || !claim_may_stand_alone(n, item) || !claim_near(n->value, n->last, item->value))
    return 0;
  *how = "same";
  return 1;
}

/* ---- what a sentence is about ---- */

static int claim_has_word(struct slice text, const char *const *words) {
  for (size_t i = 0; i < text.len; i++)
    for (size_t k = 0; words[k] && (!i || !isalpha((unsigned char)text.data[i - 1])); k++)
      if (slice_at_nocase(text, i, words[k]))
        return 1;
  return 0;
}

/* "From $3.9 billion to $10.1 billion between 2022 and 2024": the year for either end; 0 where not stated. */
static int claim_year_of_ends(const struct claim_sentence *s, const struct stated_number *n) {
  const struct stated *t = &s->stated;
  int first = t->year_count == 2 ? t->years[0].year : 0, last = first ? t->years[1].year : 0;
  if (!first || first == last)
    return 0;
  for (size_t i = 0; i + 1 < t->number_count; i++) {
    const struct stated_number *a = &t->numbers[i], *b = a + 1;
    if (a->start < 5 || memcmp(s->text.data + a->start - 5, "from ", 5) != 0 || b->start != a->end + 4 ||
        memcmp(s->text.data + a->end, " to ", 4) != 0)
      continue;
    if (n == a)
      return first < last ? first : last;
    if (n == b)
      return first < last ? last : first;
  }
  return 0;
}

/* The year for a number of the sentence; the previous one where the words say so without naming a year. */
static int claim_year(const struct claim_sentence *s, const struct stated_number *n) {
  int year = claim_year_of_ends(s, n);
  if (year)
    return year;
  year = stated_year_of(&s->stated, s->text, n);
  return year && s->stated.year_count == 1 && period_is_before(s->text, n->start, n->end) ? year - 1 : year;
}

/* Finds the concepts of the table named in the sentence. */
static void claim_find_concepts(struct claim_sentence *s, const struct concept_table *table) {
  for (size_t i = 0; table && i < s->text.len; i++) {
    size_t taken = 0;
    if (i && isalnum((unsigned char)s->text.data[i - 1]))
      continue;
    const struct concept_word *w =
        concept_word_at(table, slice_of(s->text.data + i, s->text.len - i), &taken);
    if (w && s->concept_count < CLAIM_CONCEPTS)
      s->concepts[s->concept_count++] = w;
    i += taken ? taken - 1 : 0;
  }
}

static int claim_has_concept(const struct claim_sentence *s, const struct concept_word *concept) {
  for (size_t i = 0; i < s->concept_count; i++)
    if (s->concepts[i] == concept)
      return 1;
  return 0;
}

/* How much of an item's label the sentence contains: 1 for all words, or where both denote the same word of the
 * table. */
static double claim_about(const struct claim_sentence *s, const struct evidence_item *item) {
  size_t common;
  double overlap = evidence_overlap(&item->words, &s->words, &common);
  if (item->in_table && item->words.count)
    overlap = (double)common / (double)item->words.count;
  if (!item->in_table && common < 2)
    overlap = 0;
  if (item->in_table && item->whole && claim_has_concept(s, item->concept))
    return 1;
  return overlap;
}

static int claim_same_year(const struct evidence_item *item, int year) {
  return !year || !item->year || item->year == year;
}

/* ---- verdicts ---- */

struct claim_view {
  const struct evidence *e;
  const struct claim_sentence *s;
  const struct stated_number *n;
  double *about; /* per item */
  int year;
  int months;
  int direction; /* of an increase or decrease */
};

static int claim_same_months(const struct evidence_item *item, int months) {
  return !months || !item->months || item->months == months;
}

/* Whether the sentence names a company and the item belongs to another. */
static int claim_is_foreign(const struct claim_view *v, const struct evidence_item *item) {
  return owner_names_another(&v->s->names, v->s->owners, item->mark, item->cik);
}

/* The best item with the number: in the right year, with the right label. */
static const struct evidence_item *claim_find(const struct claim_view *v, const char **how) {
  const struct evidence_item *best = NULL;
  double best_score = -1;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    const char *this_how;
    if (!claim_cites(v->s, item) || !claim_matches(v->n, item, &this_how))
      continue;
    double score = v->about[i] + (v->year && item->year == v->year ? 1
                                  : claim_same_year(item, v->year) ? 0.5
                                                                   : 0);
    score += !claim_same_months(item, v->months) ? -0.5 : item->months && v->months ? 0.5 : 0;
    score -= v->direction && item->direction && item->direction != v->direction ? 0.25 : 0;
    score -= claim_is_foreign(v, item) ? 1 : 0;
    if (score > best_score) {
      best_score = score;
      best = item;
      *how = this_how;
    }
  }
  return best;
}

/* An item with another value for what the sentence is about; at_least: required similarity. */
static const struct evidence_item *claim_rival(const struct claim_view *v, double at_least) {
  const struct evidence_item *best = NULL;
  double most = at_least;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    const char *how;
    if (v->about[i] < most || item->percent != v->n->percent || !claim_cites(v->s, item) ||
        claim_matches(v->n, item, &how) || !claim_same_year(item, v->year) ||
        !claim_same_months(item, v->months))
      continue;
    if (!best || v->about[i] > most) {
      best = item;
      most = v->about[i];
    }
  }
  return best;
}

/* Whether the sentence contains all words of a label that another label only shares in part: then it is about this
 * one. */
static int claim_is_closer(const struct claim_view *v, const struct evidence_item *item,
                           const struct evidence_item *than) {
  size_t own = 0, shared = 0, lost = 0;
  for (size_t i = 0; i < v->s->words.count; i++) {
    unsigned word = v->s->words.hash[i];
    int in_item = evidence_has_word(&item->words, word), in_than = evidence_has_word(&than->words, word);
    own += (size_t)(in_item && !in_than);
    shared += (size_t)(in_item && in_than);
    lost += (size_t)(in_than && !in_item);
  }
  return own > 0 && lost == 0 && (shared > 0 || v->about[than - v->e->items] < CLAIM_SAME_LABEL / 2);
}

/* Whether a line's value could be meant by the number: of its kind, size, year and period, but different. */
static int claim_could_be(const struct claim_view *v, const struct evidence_item *item,
                          const struct evidence_item *found) {
  const char *how;
  double ratio = fabs(item->value) > 0 ? fabs(v->n->value / (item->value * item->caption)) : 0;
  return item->in_table && item->percent == v->n->percent && item->row != found->row && item->words.count &&
         ratio < CLAIM_SAME_KIND && ratio > 1 / CLAIM_SAME_KIND && claim_cites(v->s, item) &&
         claim_same_year(item, v->year) && claim_same_months(item, v->months) &&
         !claim_matches(v->n, item, &how);
}

/* Whether a line's words are a subset of another's whose further words ("non" in "Non-GAAP net income") the sentence
 * lacks. */
static int claim_is_barer(const struct claim_view *v, const struct evidence_item *item,
                          const struct evidence_item *than) {
  size_t common, of_item;
  evidence_overlap(&item->words, &than->words, &common);
  evidence_overlap(&item->words, &v->s->words, &of_item);
  if (common < item->words.count || item->words.count >= than->words.count ||
      (double)of_item < CLAIM_SAME_LABEL * (double)item->words.count)
    return 0;
  for (size_t i = 0; i < than->words.count; i++)
    if (!evidence_has_word(&item->words, than->words.hash[i]) &&
        evidence_has_word(&v->s->words, than->words.hash[i]))
      return 0;
  return 1;
}

/* Number of table lines that contain a word. */
static size_t claim_lines_with(const struct evidence *e, unsigned hash) {
  size_t count = 0, row = 0;
  for (size_t i = 0; i < e->count; i++)
    if (e->items[i].in_table && e->items[i].row != row && evidence_has_word(&e->items[i].words, hash)) {
      row = e->items[i].row;
      count++;
    }
  return count;
}

/* The weighted share of a line's words in the sentence; a word weighs less the more lines contain it: "Europe" is
 * almost all of "Europe net sales". */
static double claim_named(const struct claim_view *v, const struct evidence_item *item) {
  double all = 0, named = 0;
  for (size_t i = 0; i < item->words.count; i++) {
    size_t lines = claim_lines_with(v->e, item->words.hash[i]);
    double weight = 1 / (double)(lines ? lines : 1);
    all += weight;
    named += evidence_has_word(&v->s->words, item->words.hash[i]) ? weight : 0;
  }
  return all > 0 ? named / all : 0;
}

/* Whether the sentence names a line by a synonym, not by its own words. */
static int claim_by_concept(const struct claim_view *v, const struct evidence_item *item) {
  size_t common;
  return v->about[item - v->e->items] >= CLAIM_SURE_LABEL &&
         (evidence_overlap(&item->words, &v->s->words, &common), common < item->words.count);
}

/* Whether the sentence names figures and the line is a different one: net income, where the line is operating income. */
static int claim_other_concept(const struct claim_view *v, const struct evidence_item *found) {
  return found->concept && v->s->concept_count && !claim_has_concept(v->s, found->concept) &&
         v->about[found - v->e->items] < CLAIM_SAME_LABEL;
}

/* Whether the sentence has the opposite of a word of the line: "end of year" for "beginning of year". */
static int claim_is_opposite(struct slice sentence, struct slice label) {
  static const char *const pairs[][2][4] = {
      {{"beginning", "opening"}, {"at the end", "end of", "ending", "closing"}},
      {{"basic"}, {"diluted"}},
      {{"short-term"}, {"long-term"}},
      {{"payable"}, {"receivable"}},
      {{"non-current", "noncurrent"}, {" current"}},
      {{"unrealized"}, {" realized"}},
      {{"domestic"}, {"foreign"}}};
  for (size_t i = 0; i < 2 * (sizeof pairs / sizeof *pairs); i++) {
    const char *const *a = pairs[i / 2][i % 2], *const *b = pairs[i / 2][1 - i % 2];
    if (claim_has_word(sentence, a) && !claim_has_word(sentence, b) && claim_has_word(label, b) &&
        !claim_has_word(label, a))
      return 1;
  }
  return 0;
}

/* In "Southeast (2)%, Southwest 1% and West (33)%": the number whose words are in the sentence, where none of the
 * found one's are. */
static const struct evidence_item *claim_of_neighbour(const struct claim_view *v,
                                                      const struct evidence_item *found) {
  size_t own, common;
  evidence_overlap(&found->local, &v->s->words, &own);
  for (size_t i = 0; found->local.count && !own && i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    if (item->row == found->row && item != found && item->percent == found->percent &&
        (evidence_overlap(&item->local, &v->s->words, &common), common > 0) &&
        (evidence_overlap(&item->local, &found->local, &common), common == 0))
      return item;
  }
  return NULL;
}

/* A line that the sentence names more completely than the line with the number, and that has a value of the same
 * kind. */
static const struct evidence_item *claim_other_line(const struct claim_view *v,
                                                    const struct evidence_item *found) {
  int nameless = v->about[found - v->e->items] == 0, by_concept = claim_by_concept(v, found);
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    if (!claim_could_be(v, item, found))
      continue;
    if (claim_is_barer(v, item, found) ||
        (!by_concept && v->about[i] >= CLAIM_SURE_LABEL && claim_is_closer(v, item, found)) ||
        (nameless && v->about[i] > 0 && claim_named(v, item) >= CLAIM_SAME_LABEL))
      return item;
  }
  return NULL;
}

/* The same line in the year and duration that the sentence names. */
static const struct evidence_item *claim_same_row(const struct claim_view *v,
                                                  const struct evidence_item *found) {
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    if (item->row == found->row && item != found && (!v->year || item->year == v->year) &&
        claim_same_months(item, v->months) && item->percent == found->percent)
      return item;
  }
  return NULL;
}

/* ---- signs ---- */

/* A cash inflow where the line is an outflow, or the reverse. */
static int claim_other_way(struct slice sentence, const struct evidence_item *found) {
  static const char *const in[] = {"provided", "generated", NULL}, *const out[] = {"used", "consumed", NULL};
  int line_in = claim_has_word(found->label, in), line_out = claim_has_word(found->label, out);
  int told_in = claim_has_word(sentence, in), told_out = claim_has_word(sentence, out);
  if (line_in == line_out || told_in == told_out)
    return 0;
  return told_in != (line_in && found->value > 0);
}

/* A loss that the sentence calls a profit. */
static int claim_is_no_profit(struct slice sentence, const struct evidence_item *found) {
  static const char *const loss[] = {"loss", "lost", NULL};
  static const char *const profit[] = {"profit", "earned", "gain", "income", "earnings", NULL};
  return claim_has_word(found->label, loss) && !claim_has_word(found->label, profit) &&
         !claim_has_word(sentence, loss) && claim_has_word(sentence, profit);
}

/* "Other expense" for "Other income (expense)". */
static int claim_is_bare_expense(const struct claim_view *v) {
  static const char *const expense[] = {"expense", NULL}, *const income[] = {"income", "gain", NULL};
  return claim_has_word(v->s->text, expense) && !claim_has_word(v->s->text, income);
}

/* For a line of either sign, "Operating (loss) profit" or "Income tax expense (benefit)": the sentence names the
 * other sign, or calls an increase a decrease. */
static int claim_other_sign(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const poles[] = {"(loss", "(benefit", "(deficit", "(used", "loss)", NULL};
  static const char *const negative[] = {CHANGES_NEGATIVE, NULL};
  static const char *const expense[] = {"(expense", NULL};
  static const char *const cost[] = {"net cost", "net expense", "negative", "minus",
                                     "cost ",    "loss",        "lost",     NULL};
  if (v->direction && (found->direction || (found->percent && found->value < 0)))
    return v->direction != (found->direction ? found->direction : -1);
  if (!found->in_table || found->percent)
    return 0;
  if (claim_has_word(found->label, expense) && !claim_has_word(v->s->text, expense))
    return (v->n->value < 0 || claim_has_word(v->s->text, cost) || claim_is_bare_expense(v)) !=
           (found->value < 0);
  if (!claim_has_word(found->label, poles))
    return claim_other_way(v->s->text, found) || claim_is_no_profit(v->s->text, found);
  int told = v->n->value < 0 || claim_has_word(v->s->text, negative);
  return told != (found->value < 0);
}

/* ---- computed numbers ---- */

static int claim_has_year(const struct claim_sentence *s, int year) {
  for (size_t i = 0; i < s->stated.year_count; i++)
    if (s->stated.years[i].year == year)
      return 1;
  return s->stated.year_count == 0;
}

/* Whether a and b are one figure at two dates, b's earlier; for items of a text, which have no order, any dates. */
static int claim_is_later(const struct claim_view *v, const struct evidence_item *a,
                          const struct evidence_item *b) {
  if (a->in_table != b->in_table || a->months != b->months || !claim_same_months(a, v->months))
    return 0;
  if (!a->in_table)
    return a->row == b->row && (a->year != b->year || !a->year);
  return (a->row == b->row || (a->concept && a->concept == b->concept)) && a->year > b->year &&
         (!v->year || a->year == v->year || claim_has_year(v->s, a->year) || v->s->stated.year_count > 1 ||
          b->year == v->year);
}

/* A change, in percent or as an amount. */
static int claim_is_change(const struct claim_view *v, const struct evidence_item *a,
                           const struct evidence_item *b) {
  if (!claim_is_later(v, a, b) || (!v->n->percent && !v->direction) || a->value == b->value)
    return 0;
  double is = a->value * a->caption, was = b->value * b->caption;
  double change = !v->n->percent || v->n->points ? is - was
                  : v->n->times                  ? 100 * is / was
                                                 : 100 * (is / was - 1);
  return (!v->direction || (change > 0) == (v->direction > 0)) && claim_near(v->n->value, v->n->last, change);
}

/* "70% of": a share, whatever the other words. */
static int claim_is_share(const struct claim_view *v) {
  size_t end = v->n->end;
  return end + 4 <= v->s->text.len && memcmp(v->s->text.data + end, " of ", 4) == 0;
}

/* The same line in another table. */
static int claim_is_same_line(const struct evidence_item *a, const struct evidence_item *b) {
  size_t common;
  evidence_overlap(&a->words, &b->words, &common);
  return common == a->words.count && common == b->words.count;
}

static int claim_is_part(const struct claim_view *v, const struct evidence_item *a,
                         const struct evidence_item *b) {
  return v->n->percent && (!v->direction || claim_is_share(v)) && a->in_table && b->in_table &&
         a->row != b->row && !claim_is_same_line(a, b) && a->year == b->year && a->months == b->months &&
         (!v->year || a->year == v->year) && claim_same_months(a, v->months) &&
         claim_near(v->n->value, v->n->last, 100 * a->value * a->caption / (b->value * b->caption));
}

/* "Together", "plus": the sum of two lines that the sentence names. */
static int claim_is_sum(const struct claim_view *v, const struct evidence_item *a,
                        const struct evidence_item *b) {
  static const char *const sums[] = {"together", "combined", "altogether", "in total",
                                     "plus ",    "sum of",   NULL};
  return !v->n->percent && a->in_table && b->in_table && a->row != b->row && a->year == b->year &&
         a->months == b->months && claim_same_year(a, v->year) && claim_same_months(a, v->months) &&
         claim_has_word(v->s->text, sums) &&
         claim_near(v->n->value, v->n->last, a->value * a->caption + b->value * b->caption);
}

/* "Together", "on average": the sum or the quotient of two amounts in a sentence. */
static int claim_is_of_two(const struct claim_view *v, const struct evidence_item *a,
                           const struct evidence_item *b) {
  static const char *const sums[] = {"together", "combined", "altogether", "in total", NULL};
  static const char *const means[] = {"average", "per ", "each", NULL};
  double x = a->value * a->caption, y = b->value * b->caption;
  if (v->n->percent || a->row != b->row || a->in_table)
    return 0;
  return (claim_has_word(v->s->text, sums) && claim_near(v->n->value, v->n->last, x + y)) ||
         (claim_has_word(v->s->text, means) && claim_near(v->n->value, v->n->last, x / y));
}

/* The parts of a ratio named in the sentence, "gross margin" = gross profit / revenue. */
static int claim_formula(const struct claim_view *v, const struct concept_word *part[2]) {
  for (size_t i = 0; i < v->s->concept_count; i++) {
    struct slice formula = v->s->concepts[i]->alternatives, one;
    if (formula.len < 2 || formula.data[0] != '=')
      continue;
    formula = slice_of(formula.data + 1, formula.len - 1);
    for (int k = 0; k < 2; k++)
      part[k] = concept_list_next(&formula, '/', &one) ? concept_word_find(v->e->table, one) : NULL;
    if (part[0] && part[1] && !formula.len)
      return 1;
  }
  return 0;
}

/* Whether the sentence states an item's value besides the number: "from $3.9 billion to $10.1 billion". */
static int claim_is_stated(const struct claim_view *v, const struct evidence_item *item) {
  const char *how;
  for (size_t i = 0; i < v->s->stated.number_count; i++)
    if (&v->s->stated.numbers[i] != v->n && claim_matches(&v->s->stated.numbers[i], item, &how))
      return 1;
  return 0;
}

/* A change between two dates, or a share of another figure, for lines that the sentence names. */
static const struct evidence_item *claim_computed(const struct claim_view *v) {
  const struct concept_word *part[2];
  int formula = v->n->percent && claim_formula(v, part);
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *a = &v->e->items[i];
    int of_formula = formula && a->concept == part[0];
    if (a->percent != v->n->points || !claim_cites(v->s, a))
      continue;
    for (size_t k = 0; k < v->e->count; k++) {
      const struct evidence_item *b = &v->e->items[k];
      int named = v->about[i] >= CLAIM_SAME_LABEL && v->about[k] >= CLAIM_SAME_LABEL;
      named |= a->row == b->row && a->in_table && claim_is_stated(v, a) && claim_is_stated(v, b);
      if (a == b || b->percent != a->percent || b->value == 0)
        continue;
      if ((named && (claim_is_change(v, a, b) || claim_is_sum(v, a, b))) ||
          ((named || (of_formula && b->concept == part[1])) && claim_is_part(v, a, b)) ||
          claim_is_of_two(v, a, b))
        return a;
    }
  }
  return NULL;
}

static void claim_set(struct claim *c, enum claim_verdict verdict, const struct evidence_item *item,
                      const char *how) {
  c->verdict = verdict;
  c->item = item;
  c->how = how;
}

static int claim_other_year(const struct claim_view *v, const struct evidence_item *found) {
  return found->year && v->year && found->year != v->year;
}

/* Where a text has the number without a year: its number for the year that the sentence names. */
static const struct evidence_item *claim_of_year(const struct claim_view *v,
                                                 const struct evidence_item *found) {
  return !found->in_table && !found->year && v->year ? claim_same_row(v, found) : NULL;
}

/* Whether the sentence has a proper name that occurs in none of the cited passages. */
static int claim_has_stranger(const struct claim_sentence *s) {
  for (size_t i = 0; i < s->mark_count; i++)
    if (!owner_stranger(s->owners, s->marks[i], s->text).len)
      return 0;
  return s->mark_count > 0;
}

/* The item that shows that the number belongs to another line than the sentence's; NULL where it doesn't. */
static const struct evidence_item *claim_true_line(const struct claim_view *v,
                                                   const struct evidence_item *found) {
  const struct evidence_item *rival =
      found->in_table ? claim_other_line(v, found) : claim_of_neighbour(v, found);
  if (found->mark && claim_has_stranger(v->s))
    return found;
  if (!rival && found->in_table &&
      (claim_other_concept(v, found) || claim_is_opposite(v->s->text, found->label)))
    rival = found;
  return rival && !claim_computed(v) ? rival : NULL;
}

static void claim_judge(struct claim *c, const struct claim_view *v) {
  const char *how = "same";
  const struct evidence_item *found = claim_find(v, &how), *rival;
  if (found) {
    if (claim_is_foreign(v, found)) {
      claim_set(c, CLAIM_CONTRADICTED, found, "other company");
    } else if (claim_other_year(v, found) && (rival = claim_same_row(v, found)) != NULL) {
      claim_set(c, CLAIM_CONTRADICTED, rival, "other year");
    } else if (!claim_same_months(found, v->months)) {
      rival = claim_same_row(v, found);
      claim_set(c, CLAIM_CONTRADICTED, rival ? rival : found, "other period");
    } else if (claim_other_year(v, found)) {
      claim_set(c, CLAIM_CONTRADICTED, found, "other year");
    } else if ((rival = claim_of_year(v, found)) != NULL) {
      claim_set(c, CLAIM_CONTRADICTED, rival, "other year");
    } else if (claim_other_sign(v, found)) {
      claim_set(c, CLAIM_CONTRADICTED, found, "other sign");
    } else if ((rival = claim_true_line(v, found)) != NULL) {
      claim_set(c, CLAIM_CONTRADICTED, rival, "other line");
    } else {
      claim_set(c, CLAIM_FOUND, found, how);
    }
    return;
  }
  if ((found = claim_computed(v)) != NULL)
    claim_set(c, CLAIM_FOUND, found, "computed");
  else if ((rival = claim_rival(v, CLAIM_SAME_LABEL)) != NULL)
    claim_set(c, CLAIM_CONTRADICTED, rival, "other value");
  else
    claim_set(c, CLAIM_UNSUPPORTED, NULL, NULL);
}

static void claims_add(struct claims *c, const struct claim *claim) {
  if ((c->count & (c->count - 1)) == 0)
    c->claims = xreallocarray(c->claims, c->count ? 2 * c->count : 1, sizeof *c->claims);
  c->claims[c->count++] = *claim;
}

static void claims_sentence(struct claims *c, const struct evidence *e, const struct owners *owners,
                            struct slice answer, size_t from, size_t to) {
  struct claim_sentence s = {.text = slice_of(answer.data + from, to - from), .owners = owners};
  double *about = xcalloc(e->count + 1, sizeof *about);
  stated_read(&s.stated, s.text, 0);
  evidence_words_of(&s.words, s.text);
  if (s.stated.number_count)
    claim_find_concepts(&s, e->table);
  if (s.stated.number_count)
    owner_names_read(&s.names, owners,
                     s.stated.mark_count ? slice_of(s.text.data, s.stated.marks[0].start) : s.text);
  for (size_t i = 0; i < s.stated.mark_count && s.mark_count < CLAIM_MARKS; i++)
    s.marks[s.mark_count++] = s.stated.marks[i].mark;
  for (size_t i = 0; s.stated.number_count && i < e->count; i++)
    about[i] = claim_about(&s, &e->items[i]);
  for (size_t i = 0; i < s.stated.number_count; i++) {
    const struct stated_number *n = &s.stated.numbers[i];
    struct claim_view view = {e,
                              &s,
                              n,
                              about,
                              claim_year(&s, n),
                              period_months_near(s.text, n->start),
                              n->change ? n->change : period_direction(s.text, n->start, n->end)};
    struct claim claim = {.number = s.stated.numbers[i]};
    claim_judge(&claim, &view);
    claim.number.start += from;
    claim.number.end += from;
    claims_add(c, &claim);
  }
  if (s.stated.number_count)
    owner_names_release(&s.names);
  stated_release(&s.stated);
  free(about);
}

/* A sentence ends with punctuation and a blank before a capital, a digit or a bracket; a mark [1] after its full stop
 * belongs to it. */
static size_t claims_sentence_end(struct slice answer, size_t from) {
  for (size_t i = from; i < answer.len; i++) {
    if (answer.data[i] == '\n' && i > from)
      return i + 1;
    if (!strchr(".!?", answer.data[i]) || !answer.data[i] || i + 1 >= answer.len || answer.data[i + 1] != ' ')
      continue;
    size_t at = i + 1;
    while (at < answer.len && answer.data[at] == ' ')
      at++;
    while (at < answer.len && answer.data[at] == '[') {
      const char *end = memchr(answer.data + at, ']', answer.len - at);
      at = end ? (size_t)(end - answer.data) + 1 : answer.len;
      while (at < answer.len && answer.data[at] == ' ')
        at++;
    }
    if (at >= answer.len || isupper((unsigned char)answer.data[at]) ||
        isdigit((unsigned char)answer.data[at]) || answer.data[at] == '$')
      return at;
  }
  return answer.len;
}

void claims_check(struct claims *c, const struct evidence *e, const struct owners *owners,
                  struct slice answer) {
  *c = (struct claims){NULL, 0};
  for (size_t from = 0, to; from < answer.len; from = to) {
    to = claims_sentence_end(answer, from);
    claims_sentence(c, e, owners, answer, from, to);
  }
}

/* claim_lines.c: which line of a table, or which figure of prose, a number of an answer is about.
 *
 * Rows are joined by their labels; numbers of one sentence that would fit each other's lines are judged together. */
#include "verify/claim_lines.h"
#include "tables/changes.h"
#include "verify/claim_binding.h"
#include "verify/claim_subject.h"
#include "verify/evidence.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define ROW_FEW_DIGITS 100 /* smaller numbers are of anything */
#define ROW_DIGITS 10      /* a smaller number may stand in any row */
#define ROW_SAME_SAYING                                                                                      \
  0.5 /* share of the words beside two figures of a text, to say the same of two things */

/* Whether a number is told apart by its size or its decimals from those that stand anywhere. */
static int row_is_telling(const struct stated_number *n) {
  return n->currency || n->percent || fabs(n->value / n->last) >= ROW_DIGITS;
}

/* Whether two figures of one row belong together: of a table, or of lists of one length at one place. */
static int row_is_paired(const struct evidence_item *a, const struct evidence_item *b) {
  return a->row == b->row && a != b &&
         (a->list < 2 || a->list != b->list || a->place_in_list == b->place_in_list);
}

int claim_has_companion(const struct claim_view *v, const struct evidence_item *found) {
  const char *how;
  for (size_t k = 0; k < v->s->stated.number_count; k++) {
    const struct stated_number *n = &v->s->stated.numbers[k];
    for (size_t i = 0; n != v->n && row_is_telling(n) && i < v->e->count; i++)
      if (row_is_paired(&v->e->items[i], found) && claim_matches(n, &v->e->items[i], &how))
        return 1;
  }
  return 0;
}

static int row_is_stated(const struct claim_view *v, const struct evidence_item *item) {
  const char *how;
  for (size_t k = 0; k < v->s->stated.number_count; k++)
    if (claim_matches(&v->s->stated.numbers[k], item, &how))
      return 1;
  return 0;
}

/* Whether a figure may stand for another one in its own row: of the same column, or told in the same words. */
static int row_is_counterpart(const struct evidence_item *item, const struct evidence_item *found) {
  size_t common;
  if (item->in_table != found->in_table || item->mark != found->mark || item->percent != found->percent ||
      item->currency != found->currency || item->kind != found->kind)
    return 0;
  if (item->row == found->row)
    return item->list > 1 && item->list == found->list && item->first_of_list == found->first_of_list;
  return item->in_table ? item->column == found->column
                        : evidence_overlap(&item->local, &found->local, &common) >= ROW_SAME_SAYING;
}

/* The figure that goes with `other`, as found would. */
static const struct evidence_item *row_partner(const struct claim_view *v, const struct evidence_item *other,
                                               const struct evidence_item *found) {
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    if (item != found && row_is_paired(item, other) && row_is_counterpart(item, found) &&
        !row_is_stated(v, item))
      return item;
  }
  return NULL;
}

const struct evidence_item *claim_of_companion(const struct claim_view *v,
                                               const struct evidence_item *found) {
  const struct evidence_item *partner = NULL;
  const char *how;
  if (claim_has_companion(v, found))
    return NULL;
  for (size_t k = 0; k < v->s->stated.number_count; k++) {
    const struct stated_number *n = &v->s->stated.numbers[k];
    for (size_t i = 0; n != v->n && row_is_telling(n) && i < v->e->count; i++) {
      const struct evidence_item *other = &v->e->items[i];
      if (other->mark && claim_cites(v->s, other) && claim_matches(n, other, &how) &&
          (partner = row_partner(v, other, found)) != NULL &&
          claim_line_words(v, found) <= claim_line_words(v, partner))
        return partner;
    }
  }
  return NULL;
}

/* Whether another number of the sentence stands in the figure's row or its label: "an index level of 70 leaves $700". */
static int claim_is_row_stated(const struct claim_view *v, const struct evidence_item *found) {
  const char *how;
  for (size_t i = 0; found->in_table && i < v->e->count; i++)
    for (size_t k = 0; slice_eq(v->e->items[i].label, found->label) && k < v->s->stated.number_count; k++)
      if (&v->s->stated.numbers[k] != v->n && claim_matches(&v->s->stated.numbers[k], &v->e->items[i], &how))
        return 1;
  return 0;
}

int claim_is_unbound(const struct claim_view *v, const struct evidence_item *found) {
  size_t common, beside;
  evidence_overlap(&found->words, &v->s->words, &common);
  evidence_overlap(&found->place, &v->s->words, &beside);
  return found->mark && !found->field && v->n->percent && fabs(v->n->value / v->n->last) < ROW_FEW_DIGITS &&
         common == 0 && (beside == 0 || !found->in_table) &&
         !(found->concept && claim_has_concept(v->s, found->concept)) && !claim_is_row_stated(v, found);
}

/* ---- numbers that would fit each other's lines ---- */

#define SWAP_CLOSER 0.3 /* how much closer both must be bound the other way round */

/* Whether a number states a figure of the sentence's passages. */
static int swap_states(const struct claim_view *v, const struct stated_number *n,
                       const struct evidence_item *item) {
  const char *how;
  return claim_cites(v->s, item) && claim_matches(n, item, &how);
}

int claim_is_stated_too(const struct claim_view *v, const struct evidence_item *item) {
  for (size_t i = 0; i < v->s->stated.number_count; i++)
    if (&v->s->stated.numbers[i] != v->n && swap_states(v, &v->s->stated.numbers[i], item))
      return 1;
  return 0;
}

/* Whether two figures of a sentence could stand for each other: the numbers of a list are told apart by their order. */
static int swap_is_beside(const struct evidence_item *a, const struct evidence_item *b) {
  return a->row == b->row && !a->currency == !b->currency &&
         (a->list < 2 || b->list < 2 || a->first_of_list != b->first_of_list);
}

/* Whether two figures could stand for each other: of one passage, kind and period, both in a table or both in a sentence. */
static int swap_is_peer(const struct evidence_item *a, const struct evidence_item *b) {
  double ratio = b->value != 0 ? fabs(a->value / b->value) : 0;
  return a != b && ratio < CLAIM_SAME_KIND && ratio > 1 / CLAIM_SAME_KIND && a->mark == b->mark &&
         a->in_table == b->in_table && a->kind == b->kind && a->percent == b->percent &&
         a->counts == b->counts && a->value != b->value && a->year == b->year && a->months == b->months &&
         (a->in_table || swap_is_beside(a, b));
}

/* How much closer the clauses of two numbers, which state a and b, are bound the other way round. */
static double swap_gain(const struct claim_view *v, const struct claim_view *other,
                        const struct evidence_item *a, const struct evidence_item *b) {
  return claim_binding(v, b) + claim_binding(other, a) - claim_binding(v, a) - claim_binding(other, b);
}

int claim_is_unit(struct slice text, size_t at) {
  return at >= 4 && slice_at_nocase(text, at - 4, "per ");
}

/* "From 5% to 9%": two numbers that only a word joins are in the order of the sentence that has the figures. */
static int swap_is_ordered(const struct claim_view *v, const struct stated_number *other,
                           const struct evidence_item *found, const struct evidence_item *item) {
  static const char *const joints[] = {" to ", " and ", " or ", "-", "\xE2\x80\x93", NULL};
  const struct stated_number *first = other < v->n ? other : v->n;
  int before = (other < v->n) == (item->printed.data < found->printed.data);
  if (found->in_table || (v->n > other ? v->n - other : other - v->n) != 1 || !before)
    return 0;
  for (int k = 0; joints[k]; k++)
    if (first->end + strlen(joints[k]) == first[1].start &&
        slice_at_nocase(v->s->text, first->end, joints[k]))
      return 1;
  return 0;
}

const struct evidence_item *claim_swapped(const struct claim_view *view, const struct evidence_item *found) {
  struct claim_view mine = *view, *v = &mine;
  mine.year = mine.day = 0; /* a figure of another period is contradicted by that */
  for (size_t k = 0; k < v->s->stated.number_count; k++) {
    struct claim_view other = *v;
    const struct evidence_item *best = NULL;
    double least = INFINITY, gain;
    other.n = &v->s->stated.numbers[k];
    if (other.n == v->n || claim_is_unit(v->s->text, other.n->start))
      continue;
    claim_take_clause(&other);
    for (size_t i = 0; i < v->e->count; i++)
      if (swap_is_peer(found, &v->e->items[i]) && swap_states(v, other.n, &v->e->items[i]) &&
          !swap_states(v, v->n, &v->e->items[i]) && !swap_is_ordered(v, other.n, found, &v->e->items[i]) &&
          (gain = swap_gain(v, &other, found, &v->e->items[i])) < least) {
        least = gain;
        best = &v->e->items[i];
      }
    if (best && least > SWAP_CLOSER)
      return best;
  }
  return NULL;
}

/* ---- lines ---- */

#define CLAIM_MOST 0.5          /* share of the words of a line, to name it */
#define CLAIM_CLOSER 0.8        /* how much closer another figure must be bound */
#define CLAIM_CLOSER_NAMED 0.25 /* a line that the clause names wholly */
#define CLAIM_CLOSER_TOLD 2.0   /* where the clause has words of the figure's own that the other lacks */
#define CLAIM_TOLD 1.5          /* the weight of these, in another sentence; in the same one: */
#define CLAIM_TOLD_BESIDE 0.7
#define CLAIM_CLOSER_NAMESAKE 0.1 /* a line of the same name */

/* Whether an item is of the sentence's passages, year and period. */
static int claim_fits(const struct claim_view *v, const struct evidence_item *item) {
  return claim_cites(v->s, item) && claim_fits_time(v, item) && claim_same_year(item, v->year) &&
         claim_same_months(item, v->months);
}

/* Whether a number of a text is the claim's kind of statement: not a threshold ("10% or more"), a change where the claim
 * has a level, or what was before. */
static int claim_could_tell(const struct claim_view *v, const struct evidence_item *item) {
  size_t n = item->front.len;
  int before = n >= 5 && slice_at_nocase(item->front, n - 5, "from ");
  size_t end = (size_t)(item->printed.data + item->printed.len - item->label.data);
  return !before && !slice_at_nocase(item->label, end, " or ") && (!item->direction || v->direction) &&
         (v->kind != KIND_CHANGE || item->kind == KIND_CHANGE);
}

/* Whether another figure could be meant by the number: of its kind, size, year and period, but different. */
static int claim_could_be(const struct claim_view *v, const struct evidence_item *item,
                          const struct evidence_item *found) {
  const char *how;
  double scale = item->any_scale && v->n->scaled && fabs(found->value) > 0
                     ? fabs(v->n->value / found->value)
                     : item->caption; /* as for the number */
  double ratio = fabs(item->value) > 0 ? fabs(v->n->value / (item->value * scale)) : 0;
  return item != found && item->in_table == found->in_table &&
         (!item->in_table || (item->counts == found->counts && item->shares == found->shares)) &&
         !claim_is_other_money(v->n, item) &&
         (item->kind == found->kind || evidence_kind_rivals(v->kind, item->kind)) &&
         ratio < CLAIM_SAME_KIND && ratio > 1 / CLAIM_SAME_KIND && claim_fits(v, item) &&
         (item->in_table || claim_could_tell(v, item)) && !claim_is_stated_too(v, item) &&
         (item->mark || !claim_has_other_noun(v, item)) && !claim_matches(v->n, item, &how);
}

double claim_named(const struct claim_view *v, const struct evidence_item *item) {
  double all = 0, named = 0;
  for (size_t i = 0; i < (item->core ? item->core : item->words.count); i++) {
    size_t lines = evidence_lines_with(&v->e->lines, item->words.hash[i]);
    double weight = 1 / (double)(lines ? lines : 1);
    all += weight;
    named += evidence_has_word(&v->s->words, item->words.hash[i]) ? weight : 0;
  }
  return all > 0 ? named / all : 0;
}

size_t claim_own_words(const struct claim_view *v, const struct evidence_words *a,
                       const struct evidence_words *b, size_t *told) {
  size_t count = 0;
  *told = 0;
  for (size_t i = 0; i < a->count; i++)
    if (!evidence_has_word(b, a->hash[i])) {
      count++;
      *told += (size_t)evidence_has_word(&v->s->words, a->hash[i]);
    }
  return count;
}

/* How closely the number is bound to the evidence: to the best of the items that have it. */
static double claim_own_binding(const struct claim_view *v, const struct evidence_item *found) {
  const char *how;
  double most = claim_binding(v, found);
  for (size_t i = 0; i < v->e->count; i++)
    if (claim_fits(v, &v->e->items[i]) && claim_matches(v->n, &v->e->items[i], &how))
      most = fmax(most, claim_binding(v, &v->e->items[i]));
  return most;
}

/* Whether the clause tells the column of one figure of a row, "Class C", and nothing that only the other's has. */
static int claim_is_column_named(const struct claim_view *v, const struct evidence_item *rival,
                                 const struct evidence_item *found) {
  size_t told, other, words = claim_own_words(v, &rival->place, &found->place, &told);
  claim_own_words(v, &found->place, &rival->place, &other);
  return rival->in_table && rival->row == found->row && rival->year == found->year && told && told == words &&
         !other;
}

/* Whether two lines have one name below different headings: "Product" of revenue and of its cost. */
static int claim_is_namesake(const struct evidence_item *a, const struct evidence_item *b) {
  return a->in_table && a->column == b->column && a->row != b->row && a->words.count &&
         slice_eq(a->label, b->label) && (!slice_eq(a->under, b->under) || !slice_eq(a->group, b->group));
}

/* Whether the clause has the whole name of a line of a table, and no word of the figure's own line. */
static int claim_is_named_alone(const struct claim_view *v, const struct evidence_item *rival,
                                const struct evidence_item *found) {
  for (size_t i = 0; i < rival->core; i++)
    if (!evidence_has_word(&v->own, rival->words.hash[i]))
      return 0;
  return !v->bare && rival->core > 0 && found->in_table && claim_line_words(v, found) <= 0;
}

/* Whether the clause has words of the figure's own: of two figures of texts, each told by some words of the clause, the one that has
 * the number is not given up for a little. */
static int claim_is_told_apart(const struct claim_view *v, const struct evidence_item *found,
                               const struct evidence_item *rival) {
  return !rival->in_table &&
         claim_distinct_words(v, found, rival) >= (rival->row == found->row ? CLAIM_TOLD_BESIDE : CLAIM_TOLD);
}

const struct evidence_item *claim_other_line(const struct claim_view *v, const struct evidence_item *found) {
  const struct evidence_item *best = NULL;
  size_t start = v->n->start;
  if (claim_is_unit(v->s->text, start))
    return NULL;
  if (v->bare && start >= 3 && slice_at_nocase(v->s->text, start - 3, "of ") &&
      claim_line_words(v, found) > 0)
    return NULL; /* "$1 million of $2 million": which line the second is of isn't told */
  double own = claim_own_binding(v, found), most = own;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    double bound = claim_could_be(v, item, found) ? claim_binding(v, item) : -INFINITY;
    double closer = claim_is_namesake(item, found) || claim_is_column_named(v, item, found)
                        ? CLAIM_CLOSER_NAMESAKE
                    : claim_is_named_alone(v, item, found) ? CLAIM_CLOSER_NAMED
                    : claim_is_told_apart(v, found, item)  ? CLAIM_CLOSER_TOLD
                                                           : CLAIM_CLOSER;
    if (bound > own + closer && bound > most) {
      most = bound;
      best = item;
    }
  }
  return best;
}

/* Whether the clause has the opposite of a word of the line: "end of year" for "beginning of year". */
static int claim_is_opposite(struct slice clause, struct slice label) {
  static const struct {
    const char *words;
    int group, side;
  } pairs[] = {CHANGES_OPPOSITE};
  size_t count = sizeof pairs / sizeof *pairs;
  for (size_t i = 0, k; i < count; i = k) {
    int told = 0, is = 0;
    for (k = i; k < count && pairs[k].group == pairs[i].group; k++) {
      const char *const words[] = {pairs[k].words, NULL};
      told |= claim_has_word(clause, words) << pairs[k].side;
      is |= claim_has_word(label, words) << pairs[k].side;
    }
    if (told && is && (told & is) == 0)
      return 1;
  }
  return 0;
}

/* The unit of length, time or weight at the start of a text, as group and number; 0 for none. */
static int claim_unit_at(struct slice t, size_t i) {
  static const char *const units[][8] = {
      {CHANGES_LENGTH_UNIT, NULL}, {CHANGES_TIME_UNIT, NULL}, {CHANGES_WEIGHT_UNIT, NULL}};
  for (int group = 0; group < 3; group++)
    for (int k = 0; units[group][k]; k++)
      if (slice_at_nocase(t, i, units[group][k]))
        return 8 * (group + 1) + k;
  return 0;
}

/* "9,689 miles" for "Train length (feet)". */
static int claim_is_other_unit(const struct claim_view *v, const struct evidence_item *found) {
  size_t at = v->n->end + 1;
  int told = at < v->s->text.len ? claim_unit_at(v->s->text, at) : 0, other = 0;
  for (size_t i = 0; told && i < found->label.len; i++) {
    int unit = claim_unit_at(found->label, i);
    if (unit == told)
      return 0;
    other |= unit && unit / 8 == told / 8;
  }
  return other;
}

/* Whether the sentence names a figure, "net income", with a word that the line lacks; "cash" is no other name for a line
 * of cash provided. */
static int claim_names_other(const struct claim_view *v, const struct evidence_item *found) {
  for (size_t i = 0; i < v->s->concept_count; i++) {
    struct evidence_words words;
    evidence_words_of(v->e, &words, v->s->concept_text[i]);
    for (size_t k = 0; k < words.count; k++)
      if (!evidence_has_word(&found->words, words.hash[k]))
        return 1;
  }
  return 0;
}

int claim_is_other_name(const struct claim_view *v, const struct evidence_item *found) {
  if (!found->in_table)
    return claim_is_opposite(v->s->text, found->behind) && !claim_is_opposite(v->s->text, found->front);
  int ratio = found->concept && !found->percent && slice_holds_nocase(found->concept->alternatives, "/");
  const struct concept_word *head =
      evidence_concept(v->e, found->head); /* "Retained earnings" over "Equity, January 1" */
  return ((found->concept && !ratio && !(head && claim_has_concept(v->s, head)) &&
           claim_names_other(v, found) && !claim_has_concept(v->s, found->concept) &&
           v->about[found - v->e->items] < CLAIM_SAME_LABEL &&
           (found->whole || claim_named(v, found) < CLAIM_MOST)) ||
          claim_is_opposite(v->s->text, found->label) || claim_is_opposite(v->s->text, found->head) ||
          claim_is_other_unit(v, found));
}

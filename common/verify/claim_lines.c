#include "verify/claim_lines.h"
#include "tables/changes.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define CLAIM_MOST 0.5 /* share of the words that distinguish two figures, to name one of them */

/* Whether a sentence contains all words of a label that another label only shares in part: then it is about this one. */
static int claim_is_closer(const struct claim_view *v, const struct evidence_item *item,
                           const struct evidence_item *than) {
  size_t own = 0, shared = 0, lost = 0;
  for (size_t i = 0; i < v->s->words.count; i++) {
    uint64_t word = v->s->words.hash[i];
    int in_item = evidence_has_word(&item->words, word), in_than = evidence_has_word(&than->words, word);
    own += (size_t)(in_item && !in_than);
    shared += (size_t)(in_item && in_than);
    lost += (size_t)(in_than && !in_item);
  }
  return own > 0 && lost == 0 && (shared > 0 || v->about[than - v->e->items] < CLAIM_SAME_LABEL / 2);
}

/* Whether another figure could be meant by the number: of its kind, size, year and period, but different. */
static int claim_could_be(const struct claim_view *v, const struct evidence_item *item,
                          const struct evidence_item *found) {
  const char *how;
  double scale = item->any_scale && v->n->scaled ? v->n->last : item->caption; /* that of the number */
  double ratio = fabs(item->value) > 0 ? fabs(v->n->value / (item->value * scale)) : 0;
  int worse = (v->year && found->year == v->year && item->year != v->year) ||
              (v->direction && found->direction && !item->direction);
  return !worse && item != found && item->in_table == found->in_table && item->percent == v->n->percent &&
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

double claim_named(const struct claim_view *v, const struct evidence_item *item) {
  double all = 0, named = 0;
  for (size_t i = 0; i < item->words.count; i++) {
    size_t lines = evidence_lines_with(v->e, item->words.hash[i]);
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

/* Whether the sentence has most of the words that only the first list has, and none of those that only the second
 * has. */
static int claim_prefers(const struct claim_view *v, const struct evidence_words *a,
                         const struct evidence_words *b, double most) {
  size_t told_a, told_b, own = claim_own_words(v, a, b, &told_a);
  claim_own_words(v, b, a, &told_b);
  return told_a > 0 && told_b == 0 && (double)told_a >= most * (double)own;
}

static int claim_same_words(const struct evidence_words *a, const struct evidence_words *b) {
  size_t common;
  evidence_overlap(a, b, &common);
  return common == a->count && common == b->count;
}

/* Whether the sentence names a line by a synonym, not by its own words. */
static int claim_by_concept(const struct claim_view *v, const struct evidence_item *item) {
  size_t common;
  return v->about[item - v->e->items] >= CLAIM_SURE_LABEL &&
         (evidence_overlap(&item->words, &v->s->words, &common), common < item->words.count);
}

static void claim_words_join(struct evidence_words *w, const struct evidence_words *with) {
  for (size_t i = 0; i < with->count && w->count < EVIDENCE_WORDS; i++)
    if (!evidence_has_word(w, with->hash[i]))
      w->hash[w->count++] = with->hash[i];
}

/* Whether the sentence has most of the words that distinguish a figure's column from the found one's, at least one of
 * which no other column of the row and date has, and none of the found one's. */
static int claim_is_better_column(const struct claim_view *v, const struct evidence_item *item,
                                  const struct evidence_item *found) {
  struct evidence_words shared = found->place;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *other = &v->e->items[i];
    if (other->row == item->row && other->column != item->column && other->percent == item->percent &&
        other->year == item->year)
      claim_words_join(&shared, &other->place);
  }
  size_t told;
  claim_own_words(v, &item->place, &shared, &told);
  return told > 0 && claim_prefers(v, &item->place, &found->place, CLAIM_MOST);
}

/* For two similar lines, "Manifest service index" and "Intermodal service index": whether the sentence has most of
 * the words that only the first has, and none of those that only the second has. */
static int claim_is_sister(const struct claim_view *v, const struct evidence_item *item,
                           const struct evidence_item *found) {
  size_t told, common;
  return claim_own_words(v, &found->words, &item->words, &told) > 0 &&
         (evidence_overlap(&item->words, &found->words, &common), common > 0) &&
         claim_prefers(v, &item->words, &found->words, CLAIM_MOST);
}

/* Whether the sentence names the first of two figures of a table more completely. */
static int claim_is_better_cell(const struct claim_view *v, const struct evidence_item *item,
                                const struct evidence_item *found) {
  double about = v->about[item - v->e->items];
  int nameless = v->about[found - v->e->items] == 0;
  if (item->row == found->row)
    return claim_is_better_column(v, item, found);
  if (claim_same_words(&item->words, &found->words)) /* below another heading */
    return item->column == found->column && claim_prefers(v, &item->place, &found->place, CLAIM_MOST);
  return item->words.count &&
         (claim_is_barer(v, item, found) ||
          (!claim_by_concept(v, found) && ((about >= CLAIM_SURE_LABEL && claim_is_closer(v, item, found)) ||
                                           claim_is_sister(v, item, found))) ||
          (nameless && about > 0 && claim_named(v, item) >= CLAIM_MOST));
}

/* The words of a sentence that also apply to one of its numbers: those before it, except another number's own. */
static void claim_shared_words(const struct claim_view *v, struct evidence_words *w,
                               const struct evidence_item *found, const struct evidence_item *item) {
  size_t end = (size_t)(found->printed.data - found->label.data);
  if (item->parted && item->printed.data < found->printed.data)
    end = (size_t)(item->front.data - found->label.data);
  evidence_words_of(v->e, w, slice_of(found->label.data, end));
  claim_words_join(w, &found->local);
}

/* Counts the words in the sentence that belong to this number but not to the other; a month counts twice, since it is
 * another date. */
static size_t claim_told_words(const struct claim_view *v, const struct evidence_words *words,
                               const struct evidence_words *known) {
  static const char months[] =
      "January February March April June July August September October November December";
  struct evidence_words of_year, other = *known;
  size_t told, days;
  claim_own_words(v, words, known, &told);
  evidence_words_of(v->e, &of_year, slice_str(months));
  claim_words_join(&other, &of_year);
  claim_own_words(v, words, &other, &days);
  return told + (told - days);
}

/* Whether the words around the first of two numbers in a text are the sentence's: within one sentence those on each
 * side; for two sentences, one more than of the second's. */
static int claim_is_better_place(const struct claim_view *v, const struct evidence_item *item,
                                 const struct evidence_item *found) {
  size_t told, lost, own;
  struct evidence_words known;
  if (item->mark != found->mark || item->currency != found->currency || item->shares != found->shares)
    return 0;
  if (item->row == found->row) {
    claim_shared_words(v, &known, found, item);
    claim_own_words(v, &item->local, &known, &told);
    return told > claim_told_words(v, &found->local, &found->place) &&
           claim_prefers(v, &item->local, &found->local, 0);
  }
  known = found->words;
  claim_words_join(&known, &found->place);
  told = claim_told_words(v, &item->words, &known);
  known = item->words;
  claim_words_join(&known, &found->place);
  claim_own_words(v, &found->words, &known, &lost);
  claim_own_words(v, &found->words, &found->place, &own);
  return lost == 0 && told > (size_t)(own > 0);
}

const struct evidence_item *claim_other_line(const struct claim_view *v, const struct evidence_item *found) {
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    if (claim_could_be(v, item, found) &&
        (found->in_table ? claim_is_better_cell(v, item, found) : claim_is_better_place(v, item, found)))
      return item;
  }
  return NULL;
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

int claim_is_other_name(const struct claim_view *v, const struct evidence_item *found) {
  if (!found->in_table)
    return claim_is_opposite(v->s->text, found->behind) && !claim_is_opposite(v->s->text, found->front);
  return ((found->concept && v->s->concept_count && !claim_has_concept(v->s, found->concept) &&
           v->about[found - v->e->items] < CLAIM_SAME_LABEL &&
           (found->whole || claim_named(v, found) < CLAIM_MOST)) ||
          claim_is_opposite(v->s->text, found->label) || claim_is_other_unit(v, found));
}

/* claim_binding.c: measures by shared words how closely a clause belongs to a figure. */
#include "verify/claim_binding.h"

#include "tables/changes.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- clauses ---- */

/* The length of what parts two clauses at i, and how strongly: 0 for nothing. */
static size_t clause_part_at(struct slice t, size_t i, int *strength) {
  static const struct {
    const char *words;
    int strength;
  } parts[] = {CHANGES_PART};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if (slice_at_nocase(t, i, parts[k].words)) {
      *strength = parts[k].strength;
      return strlen(parts[k].words);
    }
  return 0;
}

static int clause_is_known(const struct evidence *e, struct slice text) {
  struct evidence_words w;
  evidence_words_of(e, &w, text);
  for (size_t i = 0; i < w.count; i++)
    if (evidence_lines_with(&e->all, w.hash[i]))
      return 1;
  return 0;
}

/* Where the clause of the number that begins at `next` begins, behind the number that ends at `last`: at the first of
 * the strongest parts behind which words of the evidence stand, or at the first part. */
static size_t clause_begin(const struct claim_view *v, size_t last, size_t next) {
  struct slice t = v->s->text;
  size_t first = next, best = next;
  int most = 0, strength = 0;
  for (size_t i = last; i < next; i++) {
    size_t n = clause_part_at(t, i, &strength);
    if (!n || i + n > next)
      continue;
    first = first == next ? i : first;
    if (strength > most && clause_is_known(v->e, slice_of(t.data + i + n, next - i - n))) {
      best = i;
      most = strength;
    }
  }
  return best != next ? best : first;
}

/* A word weighs more the fewer lines and sentences have it. */
static double bind_weight(const struct claim_view *v, uint64_t word) {
  size_t with = evidence_lines_with(&v->e->all, word);
  return log(1 + (double)v->e->all.lines / (double)(with ? with : 1));
}

static double bind_phrase(const struct claim_view *v, struct slice phrase) {
  struct evidence_words words;
  double sum = 0;
  evidence_words_of(v->e, &words, phrase);
  for (size_t i = 0; i < words.count; i++)
    sum += bind_weight(v, words.hash[i]);
  return sum;
}

/* "Software grew faster than infrastructure, 9.6% against 13.6%": the first number's clause is what stands before "than", the
 * second one's what stands behind it.  Leaves *clause where there is no such pair. */
static void clause_of_pair(const struct claim_view *v, struct slice *clause) {
  static const char *const joints[] = {" against ", " versus ", " to ", " vs. ", NULL};
  static const char than[] = " than ";
  const struct stated *s = &v->s->stated;
  struct slice t = v->s->text;
  size_t joined = 0, at;
  if (s->number_count != 2)
    return;
  for (int k = 0; joints[k]; k++)
    joined |= s->numbers[0].end + strlen(joints[k]) == s->numbers[1].start &&
              slice_at_nocase(t, s->numbers[0].end, joints[k]);
  const char *found = joined ? memmem(t.data, s->numbers[0].start, than, sizeof than - 1) : NULL;
  at = found ? (size_t)(found - t.data) : 0;
  if (found && v->n == s->numbers)
    *clause = slice_of(t.data, at);
  else if (found)
    *clause = slice_of(t.data + at, s->numbers[0].start - at);
}

void claim_take_clause(struct claim_view *v) {
  const struct stated *s = &v->s->stated;
  size_t k = (size_t)(v->n - s->numbers), from = 0, to = v->s->text.len;
  if (k)
    from = clause_begin(v, s->numbers[k - 1].end, v->n->start);
  if (k + 1 < s->number_count)
    to = clause_begin(v, v->n->end, s->numbers[k + 1].start);
  struct slice clause = slice_of(v->s->text.data + from, to > from ? to - from : 0);
  clause_of_pair(v, &clause);
  v->bare = !clause_is_known(v->e, clause) && s->number_count > 1;
  if (!clause_is_known(v->e, clause))
    clause = v->s->text;
  evidence_words_of(v->e, &v->own, clause);
  v->own_concept_count = 0;
  v->most_line_words = 0;
  for (size_t i = 0; i < v->e->count; i++)
    if (v->e->items[i].in_table && claim_cites(v->s, &v->e->items[i]))
      v->most_line_words = fmax(v->most_line_words, claim_line_words(v, &v->e->items[i]));
  for (size_t i = 0; v->e->table && i < clause.len; i++) {
    size_t taken = 0;
    if (i && isalnum((unsigned char)clause.data[i - 1]))
      continue;
    const struct concept_word *w =
        concept_word_at(v->e->table, slice_of(clause.data + i, clause.len - i), &taken);
    if (w && v->own_concept_count < CLAIM_CONCEPTS) {
      v->own_concept_weights[v->own_concept_count] = bind_phrase(v, slice_of(clause.data + i, taken));
      v->own_concepts[v->own_concept_count++] = w;
    }
    i += taken ? taken - 1 : 0;
  }
}

/* ---- binding ---- */

/* The weights of what agrees, set by hand. */
static const double BIND_OWN = 1, /* a word of the clause in the label, or beside the number */
    BIND_OTHER = 0.5,             /* a word of the rest of the sentence there */
    BIND_LOST = 0.4,              /* a word there that the sentence lacks; all of them count up to ... */
    BIND_LOST_MOST = 4,           /* ... this times it */
    BIND_PLACE = 0.5,             /* a word in the column's head, or the heading above */
    BIND_TITLE = 0.5,             /* a word of the title, for a total without words of its own */
    BIND_ABOVE_LOST = 0.1, BIND_PLACE_LOST = 0.075,
                    BIND_REST = 0.4, /* a word in the rest of an item's sentence */
    BIND_YEAR = 0.6, BIND_DAY = 1, BIND_TOTAL = 0.7, BIND_CHANGE = 0.7;

/* What a claim says of a list of words: those that it has count for it, those that it lacks against it. */
static double bind_words(const struct claim_view *v, const struct evidence_words *w, double own, double other,
                         double lost) {
  double sum = 0, missed = 0;
  for (size_t i = 0; i < w->count; i++) {
    double weight = bind_weight(v, w->hash[i]);
    int is_own = evidence_has_word(&v->own, w->hash[i]);
    int is_told = is_own || evidence_has_word(&v->s->words, w->hash[i]);
    sum += is_told ? weight * (is_own ? own : other) : 0;
    missed += is_told ? 0 : weight;
  }
  return sum - lost * missed / (1 + missed / BIND_LOST_MOST);
}

double claim_line_words(const struct claim_view *v, const struct evidence_item *item) {
  double sum = 0;
  for (size_t i = 0; i < item->words.count; i++)
    sum += evidence_has_word(&v->own, item->words.hash[i]) ? bind_weight(v, item->words.hash[i]) : 0;
  return sum;
}

double claim_distinct_words(const struct claim_view *v, const struct evidence_item *item,
                            const struct evidence_item *other) {
  const struct evidence_words *own = item->in_table ? &item->words : &item->local,
                              *its = other->in_table ? &other->words : &other->local;
  double sum = 0;
  for (size_t i = 0; i < own->count; i++)
    if (evidence_has_word(&v->own, own->hash[i]) && !evidence_has_word(its, own->hash[i]) &&
        !evidence_has_word(&other->place, own->hash[i]))
      sum += bind_weight(v, own->hash[i]);
  return sum;
}

/* Whether the clause has half of the words of another line of the column: then it isn't about the total. */
static int bind_names_part(const struct claim_view *v, const struct evidence_item *total) {
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    size_t told = 0;
    if (!item->in_table || item->mark != total->mark || item->column != total->column || item->titled)
      continue;
    for (size_t k = 0; k < item->core; k++)
      told += (size_t)evidence_has_word(&v->own, item->words.hash[k]);
    if (told && 2 * told >= item->core)
      return 1;
  }
  return 0;
}

/* A total without words of its own is bound by the title's. */
static double bind_titled(const struct claim_view *v, const struct evidence_item *item) {
  int total = slice_holds_nocase(v->s->text, "total");
  return (total ? BIND_TOTAL : 0) +
         (!total && bind_names_part(v, item) ? 0 : bind_words(v, &item->words, BIND_TITLE, BIND_TITLE, 0));
}

/* A line whose label is a synonym of what the clause names is bound as if it had the clause's words, and no closer: a
 * synonym of rare words is not nearer than the line that has the clause's own. */
static double bind_label(const struct claim_view *v, const struct evidence_item *item) {
  struct evidence_words core = item->words, rest;
  if (item->titled)
    return bind_titled(v, item);
  core.count = item->core && item->core < core.count ? item->core : core.count;
  rest = evidence_words_without(&item->words, &core);
  double all = 0, most = 0,
         words = bind_words(v, &core, BIND_OWN, BIND_OTHER, BIND_LOST) +
                 bind_words(v, &rest, BIND_OWN, BIND_OTHER, BIND_PLACE_LOST);
  for (size_t i = 0; item->concept && item->whole && i < v->own_concept_count; i++)
    if (v->own_concepts[i] == item->concept)
      most = fmax(most, v->own_concept_weights[i]);
  for (size_t i = 0; most > 0 && i < item->words.count; i++)
    all += BIND_OWN * bind_weight(v, item->words.hash[i]);
  return most > 0 ? fmax(fmin(all, most), words) : words;
}

/* Whether the sentence has all words of a line's label, and it has any. */
static int bind_has_label(const struct claim_view *v, const struct evidence_item *item) {
  for (size_t i = 0; i < item->words.count; i++)
    if (!evidence_has_word(&v->s->words, item->words.hash[i]))
      return 0;
  return item->words.count > 0;
}

/* "Foreign income before taxes": a line that is named is bound to the words of its total too. */
static double bind_total(const struct claim_view *v, const struct evidence_item *item) {
  struct evidence_words of;
  evidence_words_of(v->e, &of, item->of);
  of = evidence_words_without(&of, &item->words);
  of = evidence_words_without(&of, &item->place);
  return bind_has_label(v, item) ? bind_words(v, &of, BIND_OWN, BIND_OTHER, 0) : 0;
}

static double bind_cell(const struct claim_view *v, const struct evidence_item *item) {
  struct evidence_words above, place = evidence_words_without(&item->place, &item->words);
  place = evidence_words_without(&place, &v->s->named);
  evidence_words_of(v->e, &above, item->under);
  above = evidence_words_without(&above, &item->words);
  int named = item->words.count == 0 || item->titled || claim_line_words(v, item) > 0;
  int total = slice_holds_nocase(item->head, "total") && slice_holds_nocase(v->s->text, "total");
  return bind_label(v, item) + bind_total(v, item) +
         bind_words(v, &above, named ? BIND_OWN - BIND_PLACE : 0, 0, BIND_ABOVE_LOST) +
         bind_words(v, &place, BIND_PLACE, BIND_PLACE, BIND_PLACE_LOST) + (total ? BIND_TOTAL : 0);
}

static double bind_prose(const struct claim_view *v, const struct evidence_item *item) {
  struct evidence_words rest = evidence_words_without(&item->words, &item->local);
  return bind_words(v, &item->local, BIND_OWN, BIND_OTHER, BIND_LOST) +
         bind_words(v, &rest, BIND_REST, BIND_REST / 2, 0) - bind_words(v, &item->others, BIND_OWN, 0, 0);
}

double claim_binding(const struct claim_view *v, const struct evidence_item *item) {
  double sum = item->in_table ? bind_cell(v, item) : bind_prose(v, item);
  sum += v->direction && v->n->percent && (item->direction || item->kind == KIND_GROWTH) ? BIND_CHANGE : 0;
  sum += v->year && (item->year == v->year || item->row_year == v->year) ? BIND_YEAR : 0;
  return sum + (v->day && item->day ? (v->day == item->day ? BIND_DAY : -BIND_DAY) : 0);
}

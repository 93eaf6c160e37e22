/* claim.c: reads a sentence of an answer and each of its numbers as a claim.
 *
 * The sentence gives its companies, concepts and marks, and whether a passage has it word by word.  Each number gets the clause around
 * it, its period, and whether it is told as a rise or a fall. */
#include "verify/match.h"
#include "base/day.h"
#include "tables/changes.h"
#include "verify/periods.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CLAIM_LINES                                                                                          \
  6 /* as if so many lines more had none of the words: a short table says little of their rarity */
#define CLAIM_YEAR_BEHIND 16 /* bytes between a number and its year: " in fiscal year " */

enum { QUOTE_WORDS = 5 }; /* fewer may be a label */

/* ---- words ---- */

/* Whether a word stands at i; a blank at its end also stands for the text's end and for punctuation. */
static int claim_word_is_at(struct slice text, size_t i, const char *word) {
  size_t n = strlen(word), end = n && word[n - 1] == ' ' ? n - 1 : n;
  return i + end <= text.len && strncasecmp(text.data + i, word, end) == 0 &&
         (end == n || i + end == text.len || !isalnum((unsigned char)text.data[i + end]));
}

int claim_has_word(struct slice text, const char *const *words) {
  for (size_t i = 0; i < text.len; i++) {
    int begins = !i || !isalpha((unsigned char)text.data[i - 1]);
    for (size_t k = 0; words[k] && (begins || text.data[i] == ' '); k++) {
      int blank = words[k][0] == ' '; /* not after "non-" */
      const char *word = words[k] + (i == 0 && blank);
      if ((blank || begins) && tolower((unsigned char)text.data[i]) == tolower((unsigned char)*word) &&
          claim_word_is_at(text, i, word))
        return 1;
    }
  }
  return 0;
}

int claim_has_concept(const struct claim_sentence *s, const struct concept_word *word) {
  for (size_t i = 0; word && i < s->concept_count; i++)
    if (s->concepts[i].word == word)
      return 1;
  return 0;
}

double claim_weight(const struct claim_view *v, uint64_t word) {
  const struct evidence_lines *all = &v->s->e->all;
  size_t with = evidence_lines_with(all, word);
  return log(1 + ((double)all->lines + CLAIM_LINES) / (double)(with ? with : 1));
}

double claim_line_words(const struct claim_view *v, const struct evidence_item *item) {
  double sum = 0;
  for (size_t i = 0; i < item->words.count; i++)
    sum += evidence_has_word(&v->own, item->words.hash[i]) ? claim_weight(v, item->words.hash[i]) : 0;
  return sum;
}

double claim_about(const struct claim_sentence *s, const struct evidence_item *item) {
  size_t common, core = 0;
  double overlap = evidence_overlap(&item->words, &s->words, &common);
  if (item->in_table && item->whole && claim_has_concept(s, item->concept))
    return 1;
  if (!item->in_table)
    return common < 2 ? 0 : overlap;
  for (size_t i = 0; i < item->cell.core; i++)
    core += (size_t)evidence_has_word(&s->words, item->words.hash[i]);
  return item->cell.core     ? (double)core / (double)item->cell.core
         : item->words.count ? (double)common / (double)item->words.count
                             : overlap;
}

double claim_named(const struct claim_sentence *s, const struct evidence_item *item) {
  double all = 0, named = 0;
  for (size_t i = 0; i < (item->cell.core ? item->cell.core : item->words.count); i++) {
    size_t lines = evidence_lines_with(&s->e->lines, item->words.hash[i]);
    double weight = 1 / (double)(lines ? lines : 1);
    all += weight;
    named += evidence_has_word(&s->words, item->words.hash[i]) ? weight : 0;
  }
  return all > 0 ? named / all : 0;
}

/* ---- literal quotes ---- */

static size_t quote_blanks(struct slice t, size_t i) {
  while (i < t.len && isspace((unsigned char)t.data[i]))
    i++;
  return i;
}

/* Whether a quote stands at byte i of a text, apart from case and the width of blanks. */
static int quote_is_at(struct slice t, size_t i, struct slice quote) {
  size_t k = 0;
  while (k < quote.len && i < t.len) {
    size_t behind = quote_blanks(quote, k), next = quote_blanks(t, i);
    if ((behind > k) != (next > i) ||
        tolower((unsigned char)quote.data[behind]) != tolower((unsigned char)t.data[next]))
      return 0;
    k = behind + 1;
    i = next + 1;
  }
  return k >= quote.len && (i >= t.len || !isalnum((unsigned char)t.data[i]));
}

static int quote_is_in(struct slice t, struct slice quote) {
  for (size_t i = 0; i + quote.len / 2 < t.len; i++)
    if ((!i || !isalnum((unsigned char)t.data[i - 1])) && quote_is_at(t, i, quote))
      return 1;
  return 0;
}

int claim_cites_mark(const struct claim_sentence *s, int mark) {
  for (size_t i = 0; i < s->mark_count; i++)
    if (s->marks[i] == mark)
      return 1;
  return !s->mark_count;
}

/* The mark of a cited passage that has the sentence, up to its marks and its last punctuation, word by word; 0 where none has it, or
 * where it has few words. */
static int claim_quoted(const struct claim_sentence *s) {
  struct slice t = s->text;
  size_t words = 0;
  t.len = s->stated.mark_count ? s->stated.marks[0].start : t.len;
  while (t.len && (isspace((unsigned char)t.data[t.len - 1]) || strchr(".;:!?\"", t.data[t.len - 1])))
    t.len--;
  size_t from = quote_blanks(t, 0);
  struct slice quote = slice_of(t.data + from, t.len - from);
  for (size_t i = 0; i < quote.len; i++)
    words += quote.data[i] == ' ';
  for (size_t i = 0; words >= QUOTE_WORDS && i < s->owners->count; i++)
    if (claim_cites_mark(s, s->owners->list[i].mark) && quote_is_in(s->owners->list[i].text, quote))
      return s->owners->list[i].mark;
  return 0;
}

/* ---- concepts ---- */

/* Whether a word of the sentence names a company by its own name or ticker, not by a product's. */
static int claim_is_company(struct slice word, const struct plan_company *c) {
  if (!c->matched.len || word.data < c->matched.data || word.data >= c->matched.data + c->matched.len)
    return 0;
  if (word.len && slice_eq(word, c->ticker))
    return 1;
  for (size_t i = 0; i + word.len <= c->name.len; i++)
    if (strncasecmp(c->name.data + i, word.data, word.len) == 0)
      return 1;
  return 0;
}

/* Words that don't restrict a figure to a part of the company: "total", "annual", a month, the company's name. */
static int claim_is_neutral(const struct claim_sentence *s, struct slice word) {
  static const char *const words[] = {CHANGES_WHOLE, NULL};
  const struct plan *plan = &s->names.plan;
  int verb = word.len > 4 && memcmp(word.data + word.len - 2, "ed", 2) == 0;
  if (word.len == 0 || verb || isdigit((unsigned char)word.data[word.len - 1]) ||
      slice_among_nocase(word, words) || day_month_named(word.data, word.len) > 0)
    return 1;
  for (size_t i = 0; i < plan->company_count; i++)
    if (claim_is_company(word, &plan->companies[i]))
      return 1;
  for (size_t i = 0; i < plan->other_count; i++)
    if (claim_is_company(word, &plan->others[i]))
      return 1;
  return !s->owners->planner && word.data == s->text.data && isupper((unsigned char)word.data[0]);
}

static size_t claim_word_end(struct slice t, size_t i) {
  while (i < t.len && isalnum((unsigned char)t.data[i]))
    i++;
  return i;
}

/* Whether a figure that bytes [from, to) name is the whole company's: neither "iPhone revenue" nor "revenue in China". */
static int claim_is_plain(const struct claim_sentence *s, size_t from, size_t to) {
  static const char *const behind[] = {"in", "from", "of", "for", "at", "within", NULL};
  static const char *const articles[] = {"the", "its", "a", "this", "that", "all", NULL};
  struct slice t = s->text;
  size_t end = from, at = to;
  while (end > 0 && (t.data[end - 1] == ' ' || t.data[end - 1] == '-'))
    end--;
  size_t start = end;
  while (start > 0 && isalnum((unsigned char)t.data[start - 1]))
    start--;
  if (!claim_is_neutral(s, slice_of(t.data + start, end - start)))
    return 0;
  for (int k = 0; at < t.len && t.data[at] == ' '; k++) { /* "in the fiscal year", "of $5" */
    size_t word = at + 1;
    at = claim_word_end(t, word);
    struct slice next = slice_of(t.data + word, at - word);
    if (k == 0 && !slice_among_nocase(next, behind))
      return 1;
    if (k > 0 && !slice_among_nocase(next, articles))
      return claim_is_neutral(s, next);
  }
  return 1;
}

static void claim_add_concept(struct claim_sentence *s, const struct concept_word *w, size_t from,
                              size_t to) {
  if (w && s->concept_count < CLAIM_CONCEPTS)
    s->concepts[s->concept_count++] =
        (struct claim_concept){w, slice_of(s->text.data + from, to - from), claim_is_plain(s, from, to)};
}

/* The length of the first of the words that stands at i; 0 for none. */
static size_t claim_any_at(struct slice t, size_t i, const char *const *words) {
  for (; *words; words++)
    if (slice_at_nocase(t, i, *words))
      return strlen(*words);
  return 0;
}

/* "Lost $5 million in 2025", "earned $7.46 a share": net income, or that of each share; not "lost $5 million on swaps". */
static void claim_find_result(struct claim_sentence *s, const struct stated_number *n) {
  static const char *const verbs[] = {CHANGES_RESULT, NULL};
  static const char *const each[] = {CHANGES_EACH, NULL};
  static const char *const part[] = {CHANGES_RESULT_PART, NULL};
  struct slice t = s->text;
  for (size_t i = 0; n->currency && !n->percent && verbs[i]; i++) {
    size_t len = strlen(verbs[i]) + 1, from = n->start > len ? n->start - len : 0;
    if (n->start < len || t.data[n->start - 1] != ' ' || (from && isalpha((unsigned char)t.data[from - 1])) ||
        !slice_at_nocase(t, from, verbs[i]))
      continue;
    size_t per = claim_any_at(t, n->end, each), to = n->end + per;
    if (!claim_any_at(t, to, part) && claim_is_plain(s, from, to)) /* not "the swaps lost $5 million" */
      claim_add_concept(
          s, concept_word_find(s->e->table, slice_str(per ? "earnings per share" : "net income")), from, to);
    return;
  }
}

static void claim_find_concepts(struct claim_sentence *s) {
  for (size_t i = 0; s->e->table && i < s->text.len; i++) {
    size_t taken = 0;
    if (i && isalnum((unsigned char)s->text.data[i - 1]))
      continue;
    const struct concept_word *w =
        concept_word_at(s->e->table, slice_of(s->text.data + i, s->text.len - i), &taken);
    claim_add_concept(s, w, i, i + taken);
    i += taken ? taken - 1 : 0;
  }
  for (size_t i = 0; s->e->table && i < s->stated.number_count; i++)
    claim_find_result(s, &s->stated.numbers[i]);
}

/* ---- sentences ---- */

/* Whether the sentence may be about an item: a passage's where it cites it; a fact where it names its line plainly. */
static int claim_cites(const struct claim_sentence *s, const struct evidence_item *item) {
  size_t common;
  if (item->mark)
    return claim_cites_mark(s, item->mark);
  for (size_t i = 0; item->concept && i < s->concept_count; i++)
    if (s->concepts[i].word == item->concept && s->concepts[i].plain)
      return 1;
  return !item->concept && item->words.count &&
         (evidence_overlap(&item->words, &s->words, &common), common == item->words.count);
}

void claim_sentence_read(struct claim_sentence *s) {
  const struct evidence *e = s->e;
  numbers_read(&s->stated, s->text, 0);
  periods_read(&s->periods, s->text, &s->stated);
  if (!s->stated.number_count && !s->stated.mark_count)
    return;
  evidence_words_of(e, &s->words, s->text);
  s->listed = evidence_lists_read(&s->stated, &s->periods);
  for (size_t i = 0; i < s->stated.mark_count && s->mark_count < CLAIM_MARKS; i++)
    s->marks[s->mark_count++] = s->stated.marks[i].mark;
  owner_names_read(&s->names, s->owners,
                   s->mark_count ? slice_of(s->text.data, s->stated.marks[0].start) : s->text);
  claim_find_concepts(s);
  s->quoted = claim_quoted(s);
  s->cited = xcalloc(e->count + 1, 1);
  s->foreign = xcalloc(e->count + 1, 1);
  for (size_t i = 0; i < e->count; i++) {
    const struct evidence_item *item = &e->items[i];
    int same = i && item->mark == item[-1].mark && slice_eq(item->cik, item[-1].cik);
    s->cited[i] = (unsigned char)claim_cites(s, item);
    s->foreign[i] = same ? s->foreign[i - 1]
                         : (unsigned char)owner_names_another(&s->names, s->owners, item->mark, item->cik);
  }
}

void claim_sentence_release(struct claim_sentence *s) {
  if (s->cited)
    owner_names_release(&s->names);
  numbers_release(&s->stated);
  free(s->listed);
  free(s->cited);
  free(s->foreign);
}

/* ---- clauses ---- */

static int clause_is_known(const struct evidence *e, struct slice text) {
  struct evidence_words w;
  evidence_words_of(e, &w, text);
  for (size_t i = 0; i < w.count; i++)
    if (evidence_lines_with(&e->all, w.hash[i]))
      return 1;
  return 0;
}

/* Where the clause of the number that begins at `next` begins, behind the number that ends at `last`. */
static size_t clause_begin(const struct claim_view *v, size_t last, size_t next) {
  static const char *const parts[] = {CHANGES_PART, NULL};
  struct slice t = slice_of(v->s->text.data, next);
  for (size_t i = last; i < next; i++)
    if (claim_any_at(t, i, parts) || slice_at_nocase(t, i, "; "))
      return i;
  return next;
}

/* Finds the clause of the number and its words. */
static void claim_take_clause(struct claim_view *v) {
  const struct evidence *e = v->s->e;
  const struct stated *s = &v->s->stated;
  size_t k = (size_t)(v->n - s->numbers), from = 0, to = v->s->text.len;
  if (k)
    from = clause_begin(v, s->numbers[k - 1].end, v->n->start);
  if (k + 1 < s->number_count)
    to = clause_begin(v, v->n->end, s->numbers[k + 1].start);
  v->clause = slice_of(v->s->text.data + from, to > from ? to - from : 0);
  int known = clause_is_known(e, v->clause);
  v->bare = !known && s->number_count > 1;
  v->clause = known ? v->clause : v->s->text;
  evidence_words_of(e, &v->own, v->clause);
  for (size_t i = 0; i < e->count; i++)
    if (e->items[i].in_table && v->s->cited[i])
      v->most_line_words = fmax(v->most_line_words, claim_line_words(v, &e->items[i]));
}

/* ---- years ---- */

/* "$96 billion in fiscal 2024": the year stands right behind the number; in "from 99.0% to 99.7% in 2009" behind another one. */
static int claim_has_own_year(const struct claim_sentence *s, const struct stated_number *n) {
  const struct stated_number *next = n + 1 < s->stated.numbers + s->stated.number_count ? n + 1 : NULL;
  for (size_t i = 0; i < s->stated.year_count; i++) {
    size_t start = s->stated.years[i].start;
    if (start > n->end && start - n->end <= CLAIM_YEAR_BEHIND && (!next || start < next->start) &&
        !memchr(s->text.data + n->end, ',', start - n->end))
      return 1;
  }
  return 0;
}

/* "Falls due after 2030" is not in 2030. */
static int claim_is_after_year(const struct claim_sentence *s, int year) {
  static const char *const words[] = {"after ", "beyond ", "later than ", NULL};
  for (size_t i = 0; i < s->stated.year_count; i++)
    for (int k = 0; s->stated.years[i].year == year && words[k]; k++)
      if (s->stated.years[i].start >= strlen(words[k]) &&
          slice_at_nocase(s->text, s->stated.years[i].start - strlen(words[k]), words[k]))
        return 1;
  return 0;
}

/* The year for a number of the sentence; the previous one where the words say so without naming a year. */
static int claim_year(const struct claim_sentence *s, const struct stated_number *n, int direction,
                      int *guessed) {
  int year = evidence_year_of(&s->stated, s->text, n, direction);
  if (claim_is_after_year(s, year))
    return year + 1;
  int before = year && s->stated.year_count == 1 && period_is_before(s->text, n->start, n->end);
  *guessed = before ? 1 + claim_has_own_year(s, n) : 0;
  return year - before;
}

void claim_read(struct claim_view *v) {
  const struct claim_sentence *s = v->s;
  const struct stated_number *n = v->n;
  const struct period_told *own = &s->listed[n - s->stated.numbers].of;
  v->direction = n->change ? n->change : period_direction(s->text, n->start, n->end);
  v->year = own->year ? own->year : claim_year(s, n, v->direction, &v->guessed);
  v->months = own->months;
  v->day = own->day;
  v->quarter = own->quarter;
  v->kind = evidence_kind_told(n, s->text, v->direction);
  claim_take_clause(v);
}

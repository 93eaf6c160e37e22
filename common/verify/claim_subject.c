/* claim_subject.c: finds what a sentence is about: the year of a number, the lines that it names. */
#include "verify/claim_subject.h"

#include "base/day.h"
#include "verify/evidence_prose.h"
#include "verify/periods.h"
#include "tables/changes.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define CLAIM_YEAR_BEHIND 16 /* bytes between a number and its year: " in fiscal year " */

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

int claim_year(const struct claim_sentence *s, const struct stated_number *n) {
  int year = claim_year_of_ends(s, n);
  if (year)
    return year;
  year = evidence_year_of(&s->stated, s->text, n,
                          n->change ? n->change : period_direction(s->text, n->start, n->end));
  if (claim_is_after_year(s, year))
    return 0;
  return year && s->stated.year_count == 1 && !claim_has_own_year(s, n) &&
                 period_is_before(s->text, n->start, n->end)
             ? year - 1
             : year;
}

/* "From a net loss of $5 to a net profit of $6 in 2026": the first is a level from which the next one came. */
static int claim_is_start(const struct claim_sentence *s, const struct stated_number *n) {
  static const char from[] = "from ", to[] = " to ";
  const struct stated_number *first = s->stated.numbers, *next = n + 1;
  size_t least = n > first ? n[-1].end : 0, at = n->start;
  if (next >= first + s->stated.number_count || next->start <= n->end)
    return 0;
  if (!memmem(s->text.data + n->end, next->start - n->end, to, sizeof to - 1))
    return 0;
  while (at > least && !strchr(",;", s->text.data[at - 1]) && !slice_at_nocase(s->text, at, from))
    at--;
  return slice_at_nocase(s->text, at, from) && !period_is_range(s->text, at);
}

int claim_year_before(const struct claim_view *v, const struct evidence_item *last) {
  const struct claim_sentence *s = v->s;
  const struct stated *t = &s->stated;
  int start = claim_is_start(s, v->n), is_before = period_is_before(s->text, v->n->start, v->n->end);
  if (v->n->percent || t->year_count > 1 || (!start && !is_before))
    return 0;
  if (t->year_count)
    return start && t->years[0].start < v->n[1].end && t->years[0].start > v->n->end ? 0
                                                                                     : t->years[0].year - 1;
  return is_before && last ? last->year - 1 : 0;
}

static int claim_is_one_of(struct slice word, const char *const *words) {
  for (; *words; words++)
    if (word.len == strlen(*words) && strncasecmp(word.data, *words, word.len) == 0)
      return 1;
  return 0;
}

/* Whether a word of the sentence names a company by its own name or ticker, not by a product's. */
static int claim_is_company(struct slice word, const struct plan_company *c) {
  struct slice name = c->name;
  if (!c->matched.len || word.data < c->matched.data || word.data >= c->matched.data + c->matched.len)
    return 0;
  if (word.len == c->ticker.len && word.len && strncasecmp(word.data, c->ticker.data, word.len) == 0)
    return 1;
  for (size_t i = 0; i + word.len <= name.len; i++)
    if (strncasecmp(name.data + i, word.data, word.len) == 0)
      return 1;
  return 0;
}

/* Whether a word belongs to a company's name; if no companies are known, whether it is the capitalised first
 * word of the sentence. */
static int claim_is_of_company(const struct claim_sentence *s, struct slice word) {
  const struct plan *plan = &s->names.plan;
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

/* Words that don't restrict a figure to a part of the company. */
static int claim_is_neutral(const struct claim_sentence *s, struct slice word) {
  static const char *const words[] = {CHANGES_WHOLE, NULL};
  int verb = word.len > 4 && memcmp(word.data + word.len - 2, "ed", 2) == 0;
  return word.len == 0 || verb || isdigit((unsigned char)word.data[word.len - 1]) ||
         claim_is_one_of(word, words) || day_month_named(word.data, word.len) > 0 ||
         claim_is_of_company(s, word);
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
    if (k == 0 && !claim_is_one_of(next, behind))
      return 1;
    if (k > 0 && !claim_is_one_of(next, articles))
      return claim_is_neutral(s, next);
  }
  return 1;
}

static void claim_add_concept(struct claim_sentence *s, const struct concept_word *w, size_t from,
                              size_t to) {
  if (!w || s->concept_count >= CLAIM_CONCEPTS)
    return;
  s->plain[s->concept_count] = claim_is_plain(s, from, to);
  s->concept_text[s->concept_count] = slice_of(s->text.data + from, to - from);
  s->concepts[s->concept_count++] = w;
}

/* "Lost $5 million in 2025", "earned $7.46 a share": net income, or that of each share; not "lost $5 million on swaps". */
static void claim_find_result(struct claim_sentence *s, const struct concept_table *table,
                              const struct stated_number *n) {
  static const char *const verbs[] = {CHANGES_RESULT, NULL};
  static const char *const each[] = {CHANGES_EACH, NULL};
  static const char *const part[] = {CHANGES_RESULT_PART, NULL};
  struct slice t = s->text;
  size_t end = n->start;
  const char *named = "net income";
  for (size_t from = 0, i = 0; n->currency && !n->percent && verbs[i]; i++) {
    if (end < strlen(verbs[i]) + 1 || t.data[end - 1] != ' ')
      continue;
    from = end - 1 - strlen(verbs[i]);
    if ((from && isalpha((unsigned char)t.data[from - 1])) || !slice_at_nocase(t, from, verbs[i]))
      continue;
    size_t to = n->end;
    for (int k = 0; each[k]; k++)
      if (slice_at_nocase(t, n->end, each[k])) {
        named = "earnings per share";
        to = n->end + strlen(each[k]);
        break;
      }
    for (int k = 0; part[k]; k++)
      if (slice_at_nocase(t, to, part[k]))
        return;
    claim_add_concept(s, concept_word_find(table, slice_of(named, strlen(named))), from, to);
    return;
  }
}

void claim_find_concepts(struct claim_sentence *s, const struct concept_table *table) {
  for (size_t i = 0; table && i < s->text.len; i++) {
    size_t taken = 0;
    if (i && isalnum((unsigned char)s->text.data[i - 1]))
      continue;
    const struct concept_word *w =
        concept_word_at(table, slice_of(s->text.data + i, s->text.len - i), &taken);
    claim_add_concept(s, w, i, i + taken);
    i += taken ? taken - 1 : 0;
  }
  for (size_t i = 0; table && i < s->stated.number_count; i++)
    claim_find_result(s, table, &s->stated.numbers[i]);
}

double claim_about(const struct claim_sentence *s, const struct evidence_item *item) {
  size_t common;
  double overlap = evidence_overlap(&item->words, &s->words, &common);
  if (item->in_table && item->words.count) {
    size_t core = 0;
    for (size_t i = 0; i < item->core; i++)
      core += (size_t)evidence_has_word(&s->words, item->words.hash[i]);
    overlap = item->core ? (double)core / (double)item->core : (double)common / (double)item->words.count;
  }
  if (!item->in_table && common < 2)
    overlap = 0;
  if (item->in_table && item->whole && claim_has_concept(s, item->concept))
    return 1;
  return overlap;
}

/* "$90.7 billion of term debt": the number's own noun; empty where none follows. */
static struct slice claim_noun(const struct claim_view *v) {
  static const char *const ends[] = {CHANGES_NOUN_END, NULL};
  struct slice t = v->s->text;
  size_t from = v->n->end + 4, end = from;
  if (!slice_at_nocase(t, v->n->end, " of ") || from >= t.len || !isalpha((unsigned char)t.data[from]))
    return slice_of(t.data, 0);
  for (int found = 0; end < t.len && !strchr(",.;:()[0123456789", t.data[end]); end++) {
    for (int k = 0; ends[k] && !found; k++)
      found = slice_at_nocase(t, end, ends[k]);
    if (found)
      break;
  }
  return slice_of(t.data + from, end - from);
}

/* "Bought back $90 billion of stock": the line's name stands right before the number, whatever its noun. */
static int claim_is_right_behind(const struct claim_view *v, const struct evidence_item *item) {
  enum { CLAIM_RIGHT_BEHIND = 12 }; /* " nearly " */
  for (size_t i = 0; item->concept && i < v->s->concept_count; i++) {
    struct slice name = v->s->concept_text[i];
    size_t end = (size_t)(name.data + name.len - v->s->text.data);
    if (v->s->concepts[i] != item->concept || end > v->n->start || v->n->start - end > CLAIM_RIGHT_BEHIND)
      continue;
    struct slice between = slice_of(v->s->text.data + end, v->n->start - end);
    if (!slice_holds_nocase(between, " and ") && !slice_holds_nocase(between, ","))
      return 1;
  }
  return 0;
}

/* Whether the number's own noun is another than a line's: it has none of its words, and isn't a name of its figure. */
int claim_has_other_noun(const struct claim_view *v, const struct evidence_item *item) {
  struct slice noun = claim_noun(v);
  struct evidence_words words;
  size_t common;
  evidence_words_of(v->e, &words, noun);
  for (size_t i = 0; item->concept && i < noun.len; i++) {
    size_t taken = 0;
    if ((!i || !isalnum((unsigned char)noun.data[i - 1])) &&
        concept_word_at(v->e->table, slice_of(noun.data + i, noun.len - i), &taken) == item->concept)
      return 0;
  }
  evidence_overlap(&words, &item->words, &common);
  return item->in_table && words.count > 0 && common == 0 && !claim_is_right_behind(v, item);
}

/* evidence_words.c: reduces labels and sentences to stems, and weighs a stem by its rarity. */
#include "verify/evidence_words.h"

#include "tables/changes.h"
#include "tables/stop_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static int evidence_is_stop(const char *word, size_t n) {
  static const char *const words[] = {STOP_WORDS_EVIDENCE, NULL};
  return slice_among_nocase(slice_of(word, n), words);
}

/* "Female" for "women": a word, or the one for which it stands. */
static struct slice evidence_alias(struct slice word) {
  static const struct { const char *word, *other; } aliases[] = {CHANGES_ALIAS};
  for (size_t k = 0; k < sizeof aliases / sizeof *aliases; k++)
    if (slice_is(word, aliases[k].word))
      return slice_str(aliases[k].other);
  return word;
}

/* The letters of a word at i, in lower case, with the digits of "R6"; returns its end. */
static size_t evidence_letters_at(struct slice t, size_t i, char word[TERMS_MAX], size_t *n) {
  for (; i < t.len && isalpha((unsigned char)t.data[i]); i++)
    if (*n < TERMS_MAX)
      word[(*n)++] = (char)tolower((unsigned char)t.data[i]);
  if (*n == 3 && memcmp(word, "non", 3) == 0 && i + 1 < t.len &&
      t.data[i] == '-') /* "Non-GAAP" is one word */
    for (i++; i < t.len && isalpha((unsigned char)t.data[i]); i++)
      if (*n < TERMS_MAX)
        word[(*n)++] = (char)tolower((unsigned char)t.data[i]);
  for (; *n && *n < 4 && i < t.len && isdigit((unsigned char)t.data[i]); i++)
    word[(*n)++] = t.data[i];
  return i;
}

/* Adds the words for which an abbreviation at i stands, "United States" for "US"; returns its length, or 0. */
static size_t evidence_expand_at(const struct evidence *e, struct evidence_words *w, struct slice t,
                                 size_t i) {
  static const struct { const char *word, *other; } places[] = {CHANGES_EXPANSION};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
    size_t end = i + strlen(places[k].word);
    if (end > t.len || memcmp(t.data + i, places[k].word, end - i) != 0 ||
        (i && isalnum((unsigned char)t.data[i - 1])) ||
        (end < t.len && (isalnum((unsigned char)t.data[end]) || t.data[end] == '$')))
      continue;
    evidence_words_add(e, w, slice_str(places[k].other));
    return end - i;
  }
  return 0;
}

/* ---- abbreviations ---- */

enum { SHORT_LEAST = 2 };

struct slice evidence_initials(struct slice text, struct slice word) {
  for (size_t i = 0; i < text.len; i++) {
    size_t at = i, k = 0, end = i;
    int begins = !i || !isalnum((unsigned char)text.data[i - 1]);
    if (!begins || tolower((unsigned char)text.data[i]) != tolower((unsigned char)word.data[0]) ||
        (word.len == SHORT_LEAST && !isupper((unsigned char)text.data[i]))) /* "in the" is no IT */
      continue;
    for (; k < word.len && at < text.len &&
           tolower((unsigned char)text.data[at]) == tolower((unsigned char)word.data[k]);
         k++) {
      for (end = at; end < text.len && isalpha((unsigned char)text.data[end]);)
        end++;
      if (end < at + 3 || evidence_is_stop(text.data + at, end - at))
        break;
      at = end + 1;
      if (k + 1 < word.len && (end >= text.len || !strchr(" -", text.data[end])))
        break;
    }
    if (k == word.len)
      return slice_of(text.data + i, end - i);
  }
  return slice_of(text.data, 0);
}

void evidence_words_add(const struct evidence *e, struct evidence_words *w, struct slice text) {
  for (size_t i = 0; i < text.len && w->count < EVIDENCE_WORDS;) {
    char word[TERMS_MAX];
    size_t non = slice_at_nocase(text, i, "non-") ? strlen("non-") : 0;
    size_t short_form = evidence_expand_at(e, w, text, i + non);
    if (short_form && non) { /* "non-U.S." */
      evidence_words_add(e, w, slice_str("outside"));
      short_form += non;
    }
    if (short_form) {
      i += short_form;
      continue;
    }
    size_t n = 0, end = evidence_letters_at(text, i, word, &n);
    i = end > i ? end : i + 1;
    if (n == 0 || evidence_is_stop(word, n))
      continue;
    uint64_t hash = terms_hash(terms_stem(e->terms, evidence_alias(slice_of(word, n))));
    if (!evidence_has_word(w, hash))
      w->hash[w->count++] = hash;
  }
}

void evidence_words_of(const struct evidence *e, struct evidence_words *w, struct slice text) {
  w->count = 0;
  evidence_words_add(e, w, text);
}

int evidence_has_word(const struct evidence_words *w, uint64_t hash) {
  for (size_t i = 0; i < w->count; i++)
    if (w->hash[i] == hash)
      return 1;
  return 0;
}

struct evidence_words evidence_words_without(const struct evidence_words *w,
                                             const struct evidence_words *other) {
  struct evidence_words rest = {.count = 0};
  for (size_t i = 0; i < w->count; i++)
    if (!evidence_has_word(other, w->hash[i]))
      rest.hash[rest.count++] = w->hash[i];
  return rest;
}

double evidence_overlap(const struct evidence_words *a, const struct evidence_words *b, size_t *common) {
  size_t shorter = a->count < b->count ? a->count : b->count;
  *common = 0;
  for (size_t i = 0; i < a->count; i++)
    *common += (size_t)evidence_has_word(b, a->hash[i]);
  return shorter ? (double)*common / (double)shorter : 0;
}

/* Removes notes: "Agency revenues" from "Agency revenues (note 1)", "Services" from "Services (1)(b)" and "Services*". */
struct slice evidence_without_note(struct slice label) {
  for (size_t i = 1; i + 5 <= label.len; i++)
    if (strncasecmp(label.data + i, "(note", 5) == 0)
      label.len = i;
  for (size_t len = label.len; len > 0; label.len = len) {
    size_t mark = len;
    while (mark > 0 && len - mark < 3 && label.data[mark - 1] != '(')
      mark--;
    if (label.data[len - 1] == ' ' || label.data[len - 1] == '*')
      len--;
    else if (label.data[len - 1] == ')' && len - mark >= 2 && mark > 1 && label.data[mark - 1] == '(')
      len = mark - 1;
    else
      break;
  }
  return label;
}

struct slice evidence_core(struct slice label) {
  static const char *const behind[] = {CHANGES_QUALIFIES, NULL};
  for (size_t i = 2; i + 2 < label.len; i++) {
    int bracket = label.data[i] == '(' && label.data[i - 1] == ' ';
    for (int k = 0; behind[k] && !bracket; k++)
      bracket = label.data[i] == ',' && slice_at_nocase(label, i + 2, behind[k]);
    if (bracket)
      return slice_of(label.data, i);
  }
  return label;
}

const struct concept_word *evidence_whole_label(const struct concept_table *t, struct slice label) {
  static const char total[] = "Total ";
  size_t n = sizeof total - 1;
  if (label.len > n && strncasecmp(label.data, total, n) == 0)
    label = slice_of(label.data + n, label.len - n);
  return t ? concept_word_find(t, evidence_without_note(label)) : NULL;
}

/* The longest word of the table in a label. */
const struct concept_word *evidence_concept(const struct evidence *e, struct slice label) {
  const struct concept_word *best = NULL;
  size_t longest = 0;
  for (size_t i = 0; e->table && i < label.len; i++) {
    size_t taken = 0;
    if (i && isalnum((unsigned char)label.data[i - 1]))
      continue;
    if (i >= 7 && strncasecmp(label.data + i - 7, "before ", 7) == 0) /* "income before taxes" is not taxes */
      continue;
    const struct concept_word *w = concept_word_at(e->table, slice_of(label.data + i, label.len - i), &taken);
    if (w && taken > longest) {
      best = w;
      longest = taken;
    }
  }
  return best;
}

/* ---- lines of tables by their words ---- */

static struct evidence_line *evidence_line_slot(const struct evidence_lines *l, uint64_t hash) {
  size_t i = (size_t)hash & (l->size - 1);
  while (l->slots[i].count && l->slots[i].hash != hash)
    i = (i + 1) & (l->size - 1);
  return &l->slots[i];
}

static void evidence_lines_grow(struct evidence_lines *l) {
  struct evidence_lines more = {.size = l->size ? 2 * l->size : 256, .used = l->used};
  more.slots = xcalloc(more.size, sizeof *more.slots);
  for (size_t i = 0; i < l->size; i++)
    if (l->slots[i].count)
      *evidence_line_slot(&more, l->slots[i].hash) = l->slots[i];
  free(l->slots);
  *l = more;
}

void evidence_count_line(struct evidence_lines *l, const struct evidence_words *words) {
  for (size_t i = 0; i < words->count; i++) {
    if (2 * (l->used + 1) > l->size)
      evidence_lines_grow(l);
    struct evidence_line *slot = evidence_line_slot(l, words->hash[i]);
    l->used += slot->count == 0;
    slot->hash = words->hash[i];
    slot->count++;
  }
  l->lines++;
}

size_t evidence_lines_with(const struct evidence_lines *l, uint64_t hash) {
  return l->size ? evidence_line_slot(l, hash)->count : 0;
}

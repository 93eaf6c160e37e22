/* fact_asked.c: finds the figures in a question, and makes formulas of those that it relates to each other. */
#include "facts/fact_asked.h"

#include "base/diag.h"
#include "facts/fact_window.h"
#include "tables/figure_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { ASKED_TEXT_MAX = 65536 };

static int asked_begins_with(struct slice text, const char *word) {
  size_t n = strlen(word);
  return text.len > n && text.data[0] == ' ' && strncasecmp(text.data + 1, word, n) == 0;
}

/* Whether `word` is the last word of a text that ends in a blank. */
static int asked_ends_in(struct slice text, const char *word) {
  size_t n = strlen(word);
  return text.len > n && text.data[text.len - 1] == ' ' &&
         strncasecmp(text.data + text.len - 1 - n, word, n) == 0 &&
         (text.len == n + 1 || !isalnum((unsigned char)text.data[text.len - n - 2]) ||
          !isalnum((unsigned char)*word));
}

static void asked_add_word(struct fact_asked *f, struct slice asked, size_t from, size_t to) {
  for (size_t i = 0; i < f->word_count; i++)
    if (slice_is(asked, f->words[i].asked))
      return;
  if (f->word_count < FACT_ASKED_WORDS)
    f->words[f->word_count++] =
        (struct fact_asked_word){xstrndup(asked.data, asked.len), from, to, slice_of(NULL, 0), 0};
}

/* Adds a formula of words, which is of the same part of the company. */
static void asked_add_formula(struct fact_asked *f, const char *format, const char *a, const char *b,
                              struct slice part) {
  size_t had = f->word_count;
  struct buf text;
  buf_init(&text, ASKED_TEXT_MAX);
  buf_printf(&text, format, a, b);
  asked_add_word(f, buf_slice(&text), 0, 0);
  if (f->word_count > had)
    f->words[had].part = part;
  buf_release(&text);
}

/* "How many shares does it have outstanding": the two words of the figure are separated. */
static void asked_find_shares(struct fact_asked *f, struct slice query) {
  const struct concept_word *w = concept_word_find(f->table, slice_str("shares outstanding"));
  size_t from = fact_window_word_at(query, "how many shares"), to = fact_window_word_at(query, "outstanding");
  if (!f->word_count && w && from < query.len && to < query.len)
    asked_add_word(f, w->label, from,
                   to > from ? to + strlen("outstanding") : from + strlen("how many shares"));
}

/* "How much did Apple earn": the verb says the figure, where the question names nothing else. */
static void asked_find_verb(struct fact_asked *f, struct slice query) {
  static const struct { const char *word, *label, *by_share; } verbs[] = {FIGURE_WORDS_VERB};
  static const char *const asks[] = {"how much", "did", "does", NULL}, *const shares[] = {FIGURE_WORDS_SHARE,
                                                                                          NULL};
  struct slice other = fact_phrases_unknown(&f->phrases);
  int asked = fact_window_has_any(query, asks), by_share = fact_window_has_any(query, shares);
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs && asked && !f->word_count && !f->rejected_count; i++)
    if (fact_window_word_at(query, verbs[i].word) < query.len &&
        (!other.len || by_share || slice_is_nocase(other, verbs[i].word)))
      asked_add_word(f, slice_str(by_share ? verbs[i].by_share : verbs[i].label), 0, 0);
}

/* Where "share of", "% of its", "portion of Apple's" begins that ends before byte `end`; `end` where there is none. */
static size_t asked_part_at(struct slice query, size_t end) {
  static const char *const parts[] = {FIGURE_WORDS_PART}, *const fillers[] = {FIGURE_WORDS_FILLER};
  struct slice text = slice_of(query.data, end);
  if (asked_ends_in(text, "'s")) {
    text.len -= 3;
    while (text.len && text.data[text.len - 1] != ' ')
      text.len--;
  }
  for (size_t i = 0; i < sizeof fillers / sizeof *fillers;)
    if (asked_ends_in(text, fillers[i])) {
      text.len -= strlen(fillers[i]) + 1;
      i = 0;
    } else {
      i++;
    }
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (asked_ends_in(text, parts[i]))
      return text.len - strlen(parts[i]) - 1;
  return end;
}

static void asked_note_rejected(struct fact_asked *f, struct slice phrase) {
  if (f->rejected_count < FACT_ASKED_WORDS)
    f->rejected[f->rejected_count++] = phrase;
}

/* "Share of revenue of its largest customer": the whole is no answer for a share of an unknown figure. */
static void asked_drop_lone_whole(struct fact_asked *f, struct slice query) {
  size_t from = f->word_count == 1 && f->words[0].to ? asked_part_at(query, f->words[0].from) : query.len;
  if (from == query.len || from == f->words[0].from)
    return;
  asked_note_rejected(f, slice_of(query.data + from, f->words[0].to - from));
  free(f->words[--f->word_count].asked);
}

/* Adds formulas for related figures: "R&D as a share of revenue", "free cash flow per share", "revenue growth". Their parts
 * are kept too. */
static void asked_combine_words(struct fact_asked *f, struct slice query) {
  static const char *const grows[] = {FIGURE_WORDS_GROWTH, NULL}, *const shares[] = {FIGURE_WORDS_SHARE};
  size_t count = f->word_count;
  int grown = fact_window_has_any(query, grows);
  for (size_t i = 0; i < count; i++) {
    const struct fact_asked_word *w = &f->words[i];
    struct slice behind = slice_of(query.data + w->to, query.len - w->to);
    if (count > 1 && asked_part_at(query, w->from) < w->from)
      asked_add_formula(f, "%s / %s", f->words[i > 0 ? i - 1 : 1].asked, w->asked, w->part);
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
      if (asked_begins_with(behind, shares[k]))
        asked_add_formula(f, "%s / %s", w->asked, "Diluted shares", w->part);
    if (grown)
      asked_add_formula(f, "%s%s", w->asked, " growth", w->part);
  }
}

/* "How much income tax did Apple pay": the amount paid is another figure than the expense. */
static const struct concept_word *asked_paid(const struct fact_asked *f, struct slice asked) {
  const struct concept_word *w;
  char *paid = xformat("%.*s paid", (int)asked.len, asked.data);
  w = f->phrases.paid ? concept_word_find(f->table, slice_str(paid)) : NULL;
  free(paid);
  return w;
}

static void asked_add_maybe(struct fact_asked *f, struct slice label, size_t from, size_t to,
                            struct slice phrase) {
  if (f->maybe_count < FACT_ASKED_WORDS)
    f->maybe[f->maybe_count++] =
        (struct fact_asked_word){xstrndup(label.data, label.len), from, to, phrase, 0};
}

/* Takes the figure's words [from, to) unless the phrase around them means another thing. */
static void asked_take_word(struct fact_asked *f, const struct concept_word *w, size_t from, size_t to) {
  const struct concept_word *paid = asked_paid(f, slice_of(f->phrases.query.data + from, to - from));
  struct fact_phrase phrase = fact_phrase_at(&f->phrases, from, to, w);
  size_t had = f->word_count;
  if (phrase.kind == FACT_PHRASE_OTHER) {
    asked_note_rejected(f, phrase.text);
    asked_add_maybe(f, paid ? paid->label : w->label, from, to, phrase.text);
    return;
  }
  asked_add_word(f, paid ? paid->label : w->label, from, to);
  if (f->word_count > had && phrase.kind == FACT_PHRASE_PART)
    f->words[had].part = phrase.text;
}

/* Finds the words of the table in a question, without duplicates, preferring longer ones to those inside them. */
static void asked_find_words(struct fact_asked *f, struct slice query) {
  for (size_t i = 0; i < query.len && f->word_count < FACT_ASKED_WORDS;) {
    size_t taken = 0;
    int begins = i == 0 || !isalnum((unsigned char)query.data[i - 1]);
    const struct concept_word *w = begins ? fact_phrases_word_at(&f->phrases, i, &taken) : NULL;
    if (w)
      asked_take_word(f, w, i, i + taken);
    i += w ? taken : 1;
  }
  asked_drop_lone_whole(f, query);
  asked_combine_words(f, query);
  asked_find_shares(f, query);
  asked_find_verb(f, query);
}

/* The currency that the question asks for, or empty. */
static struct slice asked_currency(struct slice query) {
  static const struct { const char *name, *code; } known[] = {FIGURE_WORDS_CURRENCY};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (fact_window_word_at(query, known[i].name) < query.len)
      return slice_str(known[i].code);
  return slice_of(NULL, 0);
}

int fact_asked_alone(const struct fact_asked *f) {
  size_t from = SIZE_MAX, to = 0;
  for (size_t i = 0; i < f->word_count; i++)
    if (f->words[i].to) {
      struct slice part = f->words[i].part;
      size_t first = part.len ? (size_t)(part.data - f->phrases.query.data) : f->words[i].from;
      size_t end = part.len ? first + part.len : f->words[i].to;
      from = first < from ? first : from;
      to = end > to ? end : to;
    }
  return to && !f->rejected_count && fact_phrases_bare(&f->phrases, from, to);
}

void fact_asked_read(struct fact_asked *f, const struct concept_table *table, struct slice query,
                     struct slice plan, struct slice brands) {
  memset(f, 0, sizeof *f);
  f->table = table;
  fact_phrases_read(&f->phrases, table, query, plan, brands);
  asked_find_words(f, query);
  f->unit = asked_currency(query);
}

void fact_asked_release(struct fact_asked *f) {
  while (f->word_count)
    free(f->words[--f->word_count].asked);
  while (f->maybe_count)
    free(f->maybe[--f->maybe_count].asked);
}

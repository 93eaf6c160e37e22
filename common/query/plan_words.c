#include "query/plan_words.h"

#include "tables/legal_forms.h"

#include <stdlib.h>
#include <string.h>

#define KIND_SLOTS 4096u /* for a few hundred to two thousand words */

static const char *const legal_forms[] = {LEGAL_FORMS_NAME};
const char *const plan_legal_forms[] = {LEGAL_FORMS_SIGN, NULL};

struct kind_slot {
  struct slice word;
  unsigned kinds;
};

struct plan_words {
  struct slice lines; /* words.tsv, ascending by word */
  struct kind_slot slots[KIND_SLOTS];
};

static const struct {
  const char *name;
  unsigned kind;
} kind_names[] = {{"generic", KIND_GENERIC},   {"figure", KIND_FIGURE},   {"topic", KIND_TOPIC},
                  {"document", KIND_DOCUMENT}, {"table", KIND_TABLE},     {"tell", KIND_TELL},
                  {"compare", KIND_COMPARE},   {"list", KIND_LIST},       {"abbreviation", KIND_ABBREVIATION},
                  {"function", KIND_FUNCTION}, {"holding", KIND_HOLDING}, {"counter", KIND_COUNTER},
                  {"market", KIND_MARKET}};

static size_t kind_slot_of(const struct plan_words *w, struct slice word) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < word.len; i++)
    h = (h ^ (unsigned char)word.data[i]) * 16777619u;
  size_t at = (h ^ h >> 15) % KIND_SLOTS;
  while (w->slots[at].word.data && !slice_eq(w->slots[at].word, word))
    at = (at + 1) % KIND_SLOTS;
  return at;
}

static int add_kind(struct plan_words *w, struct slice word, unsigned kind, size_t *count) {
  struct kind_slot *slot = &w->slots[kind_slot_of(w, word)];
  if (slot->word.data == NULL && ++*count > KIND_SLOTS * 3 / 4)
    return -1;
  slot->word = word;
  slot->kinds |= kind;
  return 0;
}

static unsigned kind_named(struct slice name) {
  for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
    if (slice_is(name, kind_names[i].name))
      return kind_names[i].kind;
  return 0;
}

static struct slice take_until(struct slice *rest, char stop) {
  const char *at = rest->len ? memchr(rest->data, stop, rest->len) : NULL;
  size_t n = at ? (size_t)(at - rest->data) : rest->len, skip = at ? n + 1 : n;
  struct slice part = slice_of(rest->data, n);
  *rest = slice_of(rest->data + skip, rest->len - skip);
  return part;
}

/* "KIND<tab>word word word": a line. */
static int add_kind_line(struct plan_words *w, struct slice line, size_t *count) {
  struct slice name = take_until(&line, '\t');
  unsigned kind = kind_named(name);
  if (kind == 0)
    return -1;
  while (line.len > 0) {
    struct slice word = take_until(&line, ' ');
    if (word.len > 0 && add_kind(w, word, kind, count) != 0)
      return -1;
  }
  return 0;
}

struct plan_words *plan_words_new(struct slice words, struct slice company_words, struct error_text *why) {
  struct plan_words *w = xcalloc(1, sizeof *w);
  size_t number = 0, count = 0;
  w->lines = words;
  for (size_t i = 0; i < sizeof legal_forms / sizeof *legal_forms; i++)
    add_kind(w, slice_str(legal_forms[i]), KIND_LEGAL, &count);
  while (company_words.len > 0) {
    struct slice line = take_until(&company_words, '\n');
    number++;
    if (line.len > 0 && line.data[0] != '#' && add_kind_line(w, line, &count) != 0) {
      error_set(why, "company_words.tsv:%zu: no kind and words, or too many words", number);
      plan_words_free(w);
      return NULL;
    }
  }
  return w;
}

void plan_words_free(struct plan_words *w) {
  free(w);
}

/* Compares a line of words.tsv with a word; header lines sort first ('#' is below all letters). */
static int compare_line(const char *line, const char *end, const char *word) {
  while (line < end && *word && *line == *word) {
    line++;
    word++;
  }
  unsigned char a = line < end && *line != '\t' && *line != '\n' ? (unsigned char)*line : 0;
  return a - (unsigned char)*word;
}

/* The number after the next tab. */
static uint8_t column(const char **at, const char *end) {
  unsigned value = 0;
  while (*at < end && **at != '\t' && **at != '\n')
    ++*at;
  if (*at < end && **at == '\t')
    for (++*at; *at < end && **at >= '0' && **at <= '9'; ++*at)
      value = value * 10 + (unsigned)(**at - '0');
  return (uint8_t)(value < 255 ? value : 255);
}

struct plan_word plan_words_of(const struct plan_words *w, const char *word) {
  struct plan_word found = {.kinds = (uint16_t)plan_words_kinds(w, word)};
  size_t low = 0, high = w->lines.len;
  const char *text = w->lines.data, *end = text + w->lines.len;
  while (low < high) {
    size_t middle = low + (high - low) / 2, line = middle;
    while (line > low && text[line - 1] != '\n')
      line--;
    int order = compare_line(text + line, end, word);
    if (order == 0) {
      const char *at = text + line;
      found.ordinary = column(&at, end);
      found.name = column(&at, end);
      found.capital = column(&at, end);
      found.given = column(&at, end);
      found.family = column(&at, end);
      found.place = column(&at, end);
      found.small = column(&at, end);
      found.leaning = column(&at, end);
      break;
    }
    if (order > 0) {
      high = line;
    } else {
      const char *next = memchr(text + middle, '\n', w->lines.len - middle);
      low = next ? (size_t)(next - text) + 1 : w->lines.len;
    }
  }
  return found;
}

unsigned plan_words_kinds(const struct plan_words *w, const char *word) {
  const struct kind_slot *slot = &w->slots[kind_slot_of(w, slice_str(word))];
  return slot->kinds;
}

/* plan_words.c: what is known of words: how ordinary they are, what companies do, which words go with
 * a meaning of a name.  All are tables of data/, mapped and searched in place. */
#include "query/plan_words.h"
#include "tables/legal_forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

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

/* ---- trades ---- */

#define TRADES 64
#define TRADE_SLOTS 16384u /* of some thousand words and companies */
#define FEW_TRADES 3       /* a word of more tells less, */
#define MANY_TRADES 7      /* and of more than these little */

/* A word or a CIK, as it stands in the file, and the trades of each kind of line that has it. */
struct trade_slot {
  struct slice key;
  uint64_t words, names, companies;
};

struct plan_trades {
  struct trade_slot slots[TRADE_SLOTS];
  struct slice names[TRADES];
  size_t count, used;
};

static const struct trade_slot *trade_find(const struct plan_trades *t, struct slice key) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < key.len; i++)
    h = (h ^ (unsigned char)key.data[i]) * 16777619u;
  size_t at = (h ^ h >> 15) % TRADE_SLOTS;
  while (t->slots[at].key.data && !slice_eq(t->slots[at].key, key))
    at = (at + 1) % TRADE_SLOTS;
  return &t->slots[at];
}

/* Up to the separator, which is removed too. */
static struct slice trade_field(struct slice *rest, char stop) {
  const char *at = rest->len ? memchr(rest->data, stop, rest->len) : NULL;
  size_t n = at ? (size_t)(at - rest->data) : rest->len, skip = at ? n + 1 : n;
  struct slice field = slice_of(rest->data, n);
  *rest = slice_of(rest->data + skip, rest->len - skip);
  return field;
}

/* The trade's bit; 0 where there are too many. */
static uint64_t trade_bit(struct plan_trades *t, struct slice name) {
  size_t i = 0;
  while (i < t->count && !slice_eq(t->names[i], name))
    i++;
  if (i == TRADES)
    return 0;
  if (i == t->count)
    t->names[t->count++] = name;
  return (uint64_t)1 << i;
}

/* "trade<tab>words<tab>word word": a line.  0, or -1 where it is none. */
static int add_trade_line(struct plan_trades *t, struct slice line) {
  uint64_t bit = trade_bit(t, trade_field(&line, '\t'));
  struct slice what = trade_field(&line, '\t');
  int words = slice_is(what, "words"), names = slice_is(what, "names"),
      companies = slice_is(what, "companies");
  if (bit == 0 || words + names + companies == 0)
    return -1;
  while (line.len > 0) {
    struct slice key = trade_field(&line, ' ');
    if (key.len == 0)
      continue;
    struct trade_slot *slot = &t->slots[trade_find(t, key) - t->slots];
    if (slot->key.data == NULL && ++t->used > TRADE_SLOTS / 4 * 3)
      return -1;
    slot->key = key;
    slot->words |= words ? bit : 0;
    slot->names |= names ? bit : 0;
    slot->companies |= companies ? bit : 0;
  }
  return 0;
}

struct plan_trades *plan_trades_new(struct slice tsv, struct error_text *why) {
  struct plan_trades *t = xcalloc(1, sizeof *t);
  for (size_t number = 1; tsv.len > 0; number++) {
    struct slice line = trade_field(&tsv, '\n');
    if (line.len > 0 && line.data[0] != '#' && add_trade_line(t, line) != 0) {
      error_set(why, "trades.tsv:%zu: no trade, what and words, or too many", number);
      plan_trades_free(t);
      return NULL;
    }
  }
  return t;
}

void plan_trades_free(struct plan_trades *t) {
  free(t);
}

uint64_t plan_trades_of_word(const struct plan_trades *t, const char *fold) {
  struct slice key = slice_str(fold);
  uint64_t found = trade_find(t, key)->words;
  for (int s = 0; s < 2 && !found && key.len > 3 && key.data[key.len - 1] == (s ? 'e' : 's'); s++) {
    key.len--; /* "mowers"; "churches" */
    found = trade_find(t, key)->words;
  }
  return found;
}

uint64_t plan_trades_of_company(const struct plan_trades *t, uint32_t cik, struct slice name) {
  char digits[12];
  uint64_t found = 0;
  snprintf(digits, sizeof digits, "%u", cik);
  const struct trade_slot *slot = trade_find(t, slice_str(digits));
  if (slot->companies || name.len == 0)
    return slot->companies;
  struct plan_text *words = xmalloc(sizeof *words);
  plan_text_read(words, name);
  for (size_t i = 0; i < words->count; i++)
    found |= trade_find(t, slice_str(words->token[i].fold))->names;
  free(words);
  return found;
}

uint64_t plan_trades_outside(const struct plan_trades *t) {
  for (size_t i = 0; i < t->count; i++)
    if (slice_is(t->names[i], "outside"))
      return (uint64_t)1 << i;
  return 0;
}

float plan_trades_weight(uint64_t trades) {
  int n = __builtin_popcountll(trades);
  return n == 0 ? 0.F : n <= FEW_TRADES ? 1.F : n <= MANY_TRADES ? 0.5F : 0.2F;
}

/* ---- senses ---- */

#define SENSE_KEY 96 /* limit of a key, as CHOICE_KEY */

/* Compares the key at the beginning of a line with another; as memcmp(). */
static int compare_key(const char *line, const char *end, const char *key) {
  while (line < end && *key && *line == *key) {
    line++;
    key++;
  }
  unsigned char a = line < end && *line != '\t' && *line != '\n' ? (unsigned char)*line : 0;
  return a - (unsigned char)*key;
}

/* What stands behind the key of its line. */
static struct slice words_of_line(const char *line, const char *end) {
  const char *stop = memchr(line, '\n', (size_t)(end - line));
  stop = stop ? stop : end;
  const char *tab = memchr(line, '\t', (size_t)(stop - line));
  return tab ? slice_of(tab + 1, (size_t)(stop - tab - 1)) : slice_of(NULL, 0);
}

static struct slice sense_row(struct slice table, const char *key) {
  const char *text = table.data, *end = text + table.len;
  size_t low = 0, high = table.len;
  while (low < high) {
    size_t line = low + (high - low) / 2;
    while (line > low && text[line - 1] != '\n')
      line--;
    int order = compare_key(text + line, end, key);
    if (order == 0)
      return words_of_line(text + line, end);
    if (order > 0) {
      high = line;
    } else {
      const char *next = memchr(text + line, '\n', table.len - line);
      low = next ? (size_t)(next - text) + 1 : table.len;
    }
  }
  return slice_of(NULL, 0);
}

struct slice plan_senses_of_company(struct slice table, uint32_t cik) {
  char key[16];
  snprintf(key, sizeof key, "%u", cik);
  return sense_row(table, key);
}

struct slice plan_senses_of_name(struct slice table, const char *key) {
  char singular[SENSE_KEY];
  size_t len = strlen(key);
  struct slice row = sense_row(table, key);
  if (row.len > 0 || len < 2 || len >= sizeof singular || key[len - 1] != 's')
    return row;
  snprintf(singular, sizeof singular, "%.*s", (int)len - 1, key);
  return sense_row(table, singular);
}

/* Whether a word of the table and a typed one are the same but for an ending: "lens" and "lenses", "policy" and "policies". */
static int is_same_word(const char *word, size_t n, const char *typed, size_t len) {
  if (n < len && memcmp(word, typed, n) == 0)
    return (len == n + 1 && typed[n] == 's') || (len == n + 2 && memcmp(typed + n, "es", 2) == 0);
  if (n > 3 && word[n - 1] == 'y' && len == n + 2)
    return memcmp(word, typed, n - 1) == 0 && memcmp(typed + n - 1, "ies", 3) == 0;
  return n == len && memcmp(word, typed, n) == 0;
}

int plan_senses_have(struct slice words, const struct plan_token *token) {
  for (size_t at = 0, n; at < words.len; at += n + 1) {
    const char *blank = memchr(words.data + at, ' ', words.len - at);
    n = blank ? (size_t)(blank - words.data) - at : words.len - at;
    if (n > 0 && token->bare >= n && is_same_word(words.data + at, n, token->fold, token->bare))
      return 1;
  }
  return 0;
}

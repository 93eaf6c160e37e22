/* plan_words.c: what is known of words: how ordinary they are, what companies do, which words go with
 * a meaning of a name.  All are tables of data/, mapped and searched in place. */
#include "query/plan_words.h"
#include "tables/legal_forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const legal_forms[] = {LEGAL_FORMS_NAME};
const char *const plan_legal_forms[] = {LEGAL_FORMS_SIGN, NULL};

/* ---- tables ---- */

/* Compares the first column of a line with a key; header lines sort first ('#' is below all letters). */
static int compare_line(const char *line, const char *end, const char *key) {
  while (line < end && *key && *line == *key) {
    line++;
    key++;
  }
  unsigned char a = line < end && *line != '\t' && *line != '\n' ? (unsigned char)*line : 0;
  return a - (unsigned char)*key;
}

/* What stands behind the key, by which the lines of a table ascend; or empty. */
static struct slice row_behind(struct slice table, const char *key) {
  const char *text = table.data, *end = text + table.len;
  size_t low = 0, high = table.len;
  while (low < high) {
    size_t line = low + (high - low) / 2;
    while (line > low && text[line - 1] != '\n')
      line--;
    struct slice rest = slice_of(text + line, table.len - line), row = slice_cut(&rest, '\n');
    int order = compare_line(row.data, end, key);
    if (order == 0) {
      slice_cut(&row, '\t');
      return row;
    }
    if (order > 0)
      high = line;
    else
      low = table.len - rest.len;
  }
  return slice_of(NULL, 0);
}

/* ---- words ---- */

#define KIND_SLOTS 4096u /* for a few hundred to two thousand words */

/* A word, as it stands in the table, and its kinds. */
struct kind_slot {
  struct slice key;
  unsigned kinds;
};

struct plan_words {
  struct slice lines; /* words.tsv, ascending by word */
  struct kind_slot slots[KIND_SLOTS];
  size_t used;
};

static size_t kind_slot_of(const struct plan_words *w, struct slice key) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < key.len; i++)
    h = (h ^ (unsigned char)key.data[i]) * 16777619u;
  size_t at = (h ^ h >> 15) & (KIND_SLOTS - 1);
  while (w->slots[at].key.data && !slice_eq(w->slots[at].key, key))
    at = (at + 1) & (KIND_SLOTS - 1);
  return at;
}

/* Adds a kind to each of some words, separated by blanks.  0, or -1 where there are too many. */
static int add_kind(struct plan_words *w, struct slice list, unsigned kind) {
  while (list.len > 0) {
    struct slice key = slice_cut(&list, ' ');
    if (key.len == 0)
      continue;
    struct kind_slot *slot = &w->slots[kind_slot_of(w, key)];
    if (slot->key.data == NULL && ++w->used > KIND_SLOTS / 4 * 3)
      return -1;
    slot->key = key;
    slot->kinds |= kind;
  }
  return 0;
}

static const struct {
  const char *name;
  unsigned kind;
} kind_names[] = {{"generic", KIND_GENERIC},   {"figure", KIND_FIGURE},   {"topic", KIND_TOPIC},
                  {"document", KIND_DOCUMENT}, {"table", KIND_TABLE},     {"tell", KIND_TELL},
                  {"compare", KIND_COMPARE},   {"list", KIND_LIST},       {"abbreviation", KIND_ABBREVIATION},
                  {"function", KIND_FUNCTION}, {"holding", KIND_HOLDING}, {"counter", KIND_COUNTER},
                  {"market", KIND_MARKET}};

static unsigned kind_named(struct slice name) {
  for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
    if (slice_is(name, kind_names[i].name))
      return kind_names[i].kind;
  return 0;
}

struct plan_words *plan_words_new(struct slice words, struct slice company_words, struct error_text *why) {
  struct plan_words *w = xcalloc(1, sizeof *w);
  w->lines = words;
  for (size_t i = 0; i < sizeof legal_forms / sizeof *legal_forms; i++)
    add_kind(w, slice_str(legal_forms[i]), KIND_LEGAL);
  for (size_t number = 1; company_words.len > 0; number++) {
    struct slice line = slice_cut(&company_words, '\n');
    unsigned kind = line.len > 0 && line.data[0] != '#' ? kind_named(slice_cut(&line, '\t')) : 0;
    if (line.len == 0 || line.data[0] == '#' || (kind && add_kind(w, line, kind) == 0))
      continue;
    error_set(why, "company_words.tsv:%zu: no kind and words, or too many words", number);
    plan_words_free(w);
    return NULL;
  }
  return w;
}

void plan_words_free(struct plan_words *w) {
  free(w);
}

/* The number in the next column. */
static uint8_t take_number(struct slice *row) {
  struct slice text = slice_cut(row, '\t');
  unsigned value = 0;
  for (size_t i = 0; i < text.len && text.data[i] >= '0' && text.data[i] <= '9'; i++)
    value = value * 10 + (unsigned)(text.data[i] - '0');
  return (uint8_t)(value < 255 ? value : 255);
}

struct plan_word plan_words_of(const struct plan_words *w, const char *word) {
  struct plan_word found = {.kinds = (uint16_t)plan_words_kinds(w, word)};
  struct slice row = row_behind(w->lines, word);
  uint8_t *const columns[] = {&found.ordinary, &found.name,  &found.capital, &found.given,
                              &found.family,   &found.place, &found.small,   &found.leaning};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    *columns[i] = take_number(&row);
  return found;
}

unsigned plan_words_kinds(const struct plan_words *w, const char *word) {
  return w->slots[kind_slot_of(w, slice_str(word))].kinds;
}

/* ---- trades ---- */

#define TRADES 64
#define FEW_TRADES 3  /* a word of more tells less, */
#define MANY_TRADES 7 /* and of more than these little */

/* The columns behind a key. */
enum trade_kind { TRADE_WORDS, TRADE_NAMES, TRADE_COMPANIES };

struct plan_trades {
  struct slice table; /* trades.tsv, ascending by word */
  struct slice names[TRADES];
  size_t count;
};

struct plan_trades *plan_trades_new(struct slice tsv) {
  static const char head[] = "# trades: ";
  struct plan_trades *t = xcalloc(1, sizeof *t);
  t->table = tsv;
  while (t->count == 0 && tsv.len > 0 && tsv.data[0] == '#') {
    struct slice line = slice_cut(&tsv, '\n');
    if (slice_begins_nocase(line, head))
      for (line = slice_of(line.data + strlen(head), line.len - strlen(head)); line.len && t->count < TRADES;)
        t->names[t->count++] = slice_cut(&line, ' ');
  }
  return t;
}

void plan_trades_free(struct plan_trades *t) {
  free(t);
}

/* The trade's bit; 0 where there is no such trade. */
static uint64_t trade_bit(const struct plan_trades *t, struct slice name) {
  for (size_t i = 0; i < t->count; i++)
    if (slice_eq(t->names[i], name))
      return (uint64_t)1 << i;
  return 0;
}

static uint64_t trades_of(const struct plan_trades *t, const char *key, enum trade_kind kind) {
  struct slice row = row_behind(t->table, key), list = {NULL, 0};
  uint64_t found = 0;
  for (int k = 0; k <= (int)kind; k++)
    list = slice_cut(&row, '\t');
  while (list.len > 0)
    found |= trade_bit(t, slice_cut(&list, ' '));
  return found;
}

uint64_t plan_trades_of_word(const struct plan_trades *t, const char *fold) {
  char key[PLAN_FOLD];
  snprintf(key, sizeof key, "%s", fold);
  size_t len = strlen(key);
  uint64_t found = trades_of(t, key, TRADE_WORDS);
  for (int s = 0; s < 2 && !found && len > 3 && key[len - 1] == (s ? 'e' : 's'); s++) {
    key[--len] = '\0'; /* "mowers"; "churches" */
    found = trades_of(t, key, TRADE_WORDS);
  }
  return found;
}

uint64_t plan_trades_of_company(const struct plan_trades *t, uint32_t cik, struct slice name) {
  char digits[12];
  uint64_t found = 0;
  snprintf(digits, sizeof digits, "%u", cik);
  uint64_t listed = trades_of(t, digits, TRADE_COMPANIES);
  if (listed || name.len == 0)
    return listed;
  struct plan_text *words = xmalloc(sizeof *words);
  plan_text_read(words, name);
  for (size_t i = 0; i < words->count; i++)
    found |= trades_of(t, words->token[i].fold, TRADE_NAMES);
  free(words);
  return found;
}

uint64_t plan_trades_outside(const struct plan_trades *t) {
  return trade_bit(t, slice_str("outside"));
}

float plan_trades_weight(uint64_t trades) {
  int n = __builtin_popcountll(trades);
  return n == 0 ? 0.F : n <= FEW_TRADES ? 1.F : n <= MANY_TRADES ? 0.5F : 0.2F;
}

/* ---- senses ---- */

#define SENSE_KEY 96 /* limit of a key, as CHOICE_KEY */

struct slice plan_senses_of_company(struct slice table, uint32_t cik) {
  char key[16];
  snprintf(key, sizeof key, "%u", cik);
  return row_behind(table, key);
}

struct slice plan_senses_of_name(struct slice table, const char *key) {
  char singular[SENSE_KEY];
  size_t len = strlen(key);
  struct slice row = row_behind(table, key);
  if (row.len > 0 || len < 2 || len >= sizeof singular || key[len - 1] != 's')
    return row;
  snprintf(singular, sizeof singular, "%.*s", (int)len - 1, key);
  return row_behind(table, singular);
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

#include "query/plan_trades.h"

#include <stdio.h>
#include <stdlib.h>

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

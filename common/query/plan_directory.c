#include "query/plan_directory.h"

#include "record/json.h"
#include "record/json_validate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define CHAINS 65536u
#define DIRECTORY_COMPANIES ((size_t)1 << 18)
#define ARENA_MAX ((size_t)64 << 20)
#define NAME_WORDS_MAX 12
#define KEY_MAX 96
#define PREFIX_LETTERS 3 /* a first word with fewer names nobody */
#define UNSIZED 100000u  /* rank of a company that came without one */

/* What a slip is looked for among. */
struct slip {
  uint32_t entry, letters; /* letters: bit a set of those that the key has */
  uint8_t len;
};

struct directory {
  const struct plan_words *words;
  struct directory_company *companies;
  size_t count, cap;
  struct directory_entry *entries;
  size_t entry_count, entry_cap;
  struct slip *slips;
  size_t slip_count, slip_cap;
  uint32_t chains[CHAINS]; /* entry plus 1 */
  struct buf arena;        /* texts of keys */
  char **owned;
  size_t owned_count;
  char date[16];
  struct plan_text scratch;
};

struct directory *directory_new(const struct plan_words *words) {
  struct directory *d = xmalloc(sizeof *d);
  memset(d, 0, offsetof(struct directory, scratch));
  d->words = words;
  buf_init(&d->arena, ARENA_MAX);
  return d;
}

void directory_free(struct directory *d) {
  if (d == NULL)
    return;
  for (size_t i = 0; i < d->owned_count; i++)
    free(d->owned[i]);
  free(d->owned);
  free(d->companies);
  free(d->entries);
  free(d->slips);
  buf_release(&d->arena);
  free(d);
}

const char *directory_date(const struct directory *d) {
  return d->date;
}

const struct directory_company *directory_company(const struct directory *d, uint32_t company) {
  return &d->companies[company];
}

size_t directory_count(const struct directory *d) {
  return d->count;
}

/* ---- keys ---- */

static uint64_t key_hash(const char *key, size_t len) {
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < len; i++)
    h = (h ^ (unsigned char)key[i]) * 1099511628211u;
  return h ^ h >> 29;
}

const struct directory_entry *directory_next(const struct directory *d, const struct directory_entry *entry) {
  uint64_t hash = entry->hash;
  const char *key = d->arena.data + entry->text;
  size_t len = entry->len;
  for (uint32_t at = entry->next; at != 0; at = d->entries[at - 1].next) {
    const struct directory_entry *e = &d->entries[at - 1];
    if (e->hash == hash && e->len == len && memcmp(d->arena.data + e->text, key, len) == 0)
      return e;
  }
  return NULL;
}

const struct directory_entry *directory_find(const struct directory *d, const char *key, size_t len) {
  uint64_t hash = key_hash(key, len);
  for (uint32_t at = d->chains[hash % CHAINS]; at != 0; at = d->entries[at - 1].next) {
    const struct directory_entry *e = &d->entries[at - 1];
    if (e->hash == hash && e->len == len && memcmp(d->arena.data + e->text, key, len) == 0)
      return e;
  }
  return NULL;
}

static uint32_t directory_letters_of(const char *key, size_t len) {
  uint32_t letters = 0;
  for (size_t i = 0; i < len; i++)
    letters |= islower((unsigned char)key[i]) ? 1u << (key[i] - 'a') : 1u << 26;
  return letters;
}

static void add_slip(struct directory *d, uint32_t entry, const char *key, size_t len) {
  if (d->slip_count == d->slip_cap) {
    d->slip_cap = d->slip_cap ? 2 * d->slip_cap : 16384;
    d->slips = xreallocarray(d->slips, d->slip_cap, sizeof *d->slips);
  }
  d->slips[d->slip_count++] = (struct slip){entry, directory_letters_of(key, len), (uint8_t)len};
}

static int is_there(const struct directory *d, const char *key, size_t len, uint32_t company,
                    enum directory_way way) {
  const struct directory_entry *e = directory_find(d, key, len);
  while (e && !(e->company == company && (e->way == way || e->way <= WAY_CORE)))
    e = directory_next(d, e);
  return e != NULL;
}

/* Adds a key of a company unless the company has it in this or a better way. */
static void directory_add_key(struct directory *d, const char *key, size_t len, uint32_t company,
                              enum directory_way way, size_t words, size_t others) {
  if (len == 0 || len >= KEY_MAX || is_there(d, key, len, company, way))
    return;
  if (d->entry_count == d->entry_cap) {
    d->entry_cap = d->entry_cap ? 2 * d->entry_cap : 32768;
    d->entries = xreallocarray(d->entries, d->entry_cap, sizeof *d->entries);
  }
  struct directory_entry *e = &d->entries[d->entry_count];
  uint64_t hash = key_hash(key, len);
  if (buf_add(&d->arena, key, len) != 0)
    return;
  *e = (struct directory_entry){.hash = hash,
                                .next = d->chains[hash % CHAINS],
                                .company = company,
                                .text = (uint32_t)(d->arena.len - len),
                                .len = (uint8_t)len,
                                .way = (uint8_t)way,
                                .words = (uint8_t)words,
                                .others = (uint8_t)others};
  d->chains[hash % CHAINS] = (uint32_t)++d->entry_count;
  if (way == WAY_FULL || way == WAY_CORE || way == WAY_ALIAS || way == WAY_FORMER)
    add_slip(d, (uint32_t)d->entry_count - 1, key, len);
}

size_t directory_key(const struct plan_text *t, size_t from, size_t to, int bare, char *key, size_t room) {
  size_t len = 0;
  for (size_t i = from; i < to; i++) {
    const struct plan_token *token = &t->token[i];
    size_t n = bare && i + 1 == to ? token->bare : token->len;
    if (token->amp || (to - from > 1 && strcmp(token->fold, "and") == 0))
      continue;
    if (len + n >= room)
      return 0;
    memcpy(key + len, token->fold, n);
    len += n;
  }
  key[len] = '\0';
  return len;
}

/* ---- names ---- */

/* Words of a name in the scratch text, without "the", "and", "&" and a place behind a slash ("INC /DE/"). */
static size_t name_words(struct directory *d, struct slice name, uint8_t word[NAME_WORDS_MAX]) {
  const struct plan_text *t = &d->scratch;
  size_t n = 0, count;
  plan_text_read(&d->scratch, name);
  count = t->count;
  while (count > 1 && (t->token[count - 1].gap & (GAP_SLASH | GAP_STOP)) && t->token[count - 1].len <= 3)
    count--;
  for (size_t i = 0; i < count && n < NAME_WORDS_MAX; i++) {
    const char *fold = t->token[i].fold;
    if (t->token[i].amp || strcmp(fold, "and") == 0 || (n == 0 && count > 1 && strcmp(fold, "the") == 0))
      continue;
    word[n++] = (uint8_t)i;
  }
  return n;
}

/* How many of the first n words are left without the ones of that kind at the end. */
static size_t without_tail(const struct directory *d, const uint8_t *word, size_t n, unsigned kinds) {
  while (n > 1 && (plan_words_kinds(d->words, d->scratch.token[word[n - 1]].fold) & kinds))
    n--;
  return n;
}

static size_t join_words(const struct directory *d, const uint8_t *word, size_t n, char key[KEY_MAX]) {
  size_t len = 0;
  for (size_t i = 0; i < n; i++) {
    const struct plan_token *token = &d->scratch.token[word[i]];
    if (len + token->len >= KEY_MAX)
      return 0;
    memcpy(key + len, token->fold, token->len);
    len += token->len;
  }
  return len;
}

static void add_last_word(struct directory *d, uint32_t company, const uint8_t *word, size_t core) {
  const struct plan_token *token = &d->scratch.token[word[core - 1]];
  struct plan_word kind = plan_words_of(d->words, token->fold);
  if (core == 2 && token->len >= 5 && kind.ordinary == 0 && kind.name == 0 && kind.kinds == 0)
    directory_add_key(d, token->fold, token->len, company, WAY_LAST, 1, 1);
}

static void add_name(struct directory *d, uint32_t company, struct slice name) {
  uint8_t word[NAME_WORDS_MAX];
  char key[KEY_MAX];
  size_t n = name_words(d, name, word), full = without_tail(d, word, n, KIND_LEGAL),
         core = without_tail(d, word, full, KIND_LEGAL | KIND_GENERIC);
  directory_add_key(d, key, join_words(d, word, full, key), company, WAY_FULL, full, 0);
  if (core < full)
    directory_add_key(d, key, join_words(d, word, core, key), company, WAY_CORE, core, 0);
  if (n > full) /* "Ford Motor Company" is looked up without it, "Public Company Management" is not */
    directory_add_key(d, key, join_words(d, word, n, key), company, WAY_FULL, n, 0);
  for (size_t k = 1; k < full; k++) {
    size_t len = join_words(d, word, k, key);
    if (len >= PREFIX_LETTERS)
      directory_add_key(d, key, len, company, k == core ? WAY_CORE : WAY_PREFIX, k, full - k);
  }
  add_last_word(d, company, word, core);
}

static void add_ticker(struct directory *d, uint32_t company, struct slice ticker) {
  char key[KEY_MAX] = "$";
  size_t len = 1, share = 0;
  for (size_t i = 0; i < ticker.len && len < KEY_MAX - 1; i++) {
    if (isalnum((unsigned char)ticker.data[i]))
      key[len++] = (char)tolower((unsigned char)ticker.data[i]);
    else if (share == 0)
      share = len;
  }
  directory_add_key(d, key, len, company, WAY_TICKER, 1, 0);
  if (share > 2) /* the ticker without its class: "BRK" */
    directory_add_key(d, key, share, company, WAY_TICKER, 1, 1);
}

static void add_tickers(struct directory *d, uint32_t company, struct slice tickers) {
  while (tickers.len > 0) {
    const char *comma = memchr(tickers.data, ',', tickers.len);
    size_t n = comma ? (size_t)(comma - tickers.data) : tickers.len;
    add_ticker(d, company, slice_of(tickers.data, n));
    n += comma != NULL;
    tickers = slice_of(tickers.data + n, tickers.len - n);
  }
}

/* ---- companies ---- */

static size_t cik_key(uint32_t cik, char key[KEY_MAX]) {
  return (size_t)snprintf(key, KEY_MAX, "#%u", cik);
}

static struct directory_company *directory_company_of(const struct directory *d, uint32_t cik) {
  char key[KEY_MAX];
  const struct directory_entry *e = directory_find(d, key, cik_key(cik, key));
  return e ? &d->companies[e->company] : NULL;
}

/* A new company without names; its number. */
static uint32_t new_company(struct directory *d, uint32_t cik, uint32_t rank) {
  char key[KEY_MAX];
  if (d->count == d->cap) {
    d->cap = d->cap ? 2 * d->cap : 8192;
    d->companies = xreallocarray(d->companies, d->cap, sizeof *d->companies);
  }
  d->companies[d->count] = (struct directory_company){.cik = cik, .rank = rank};
  directory_add_key(d, key, cik_key(cik, key), (uint32_t)d->count, WAY_CIK, 1, 0);
  return (uint32_t)d->count++;
}

static struct slice directory_next_field(struct slice *line, char stop) {
  const char *at = line->len ? memchr(line->data, stop, line->len) : NULL;
  size_t n = at ? (size_t)(at - line->data) : line->len, skip = at ? n + 1 : n;
  struct slice field = slice_of(line->data, n);
  *line = slice_of(line->data + skip, line->len - skip);
  return field;
}

/* A CIK's digits; 0 where it is none. */
static uint32_t cik_number(struct slice digits) {
  uint64_t value = 0;
  for (size_t i = 0; i < digits.len; i++) {
    if (!isdigit((unsigned char)digits.data[i]) || value > 999999999)
      return 0;
    value = value * 10 + (uint64_t)(digits.data[i] - '0');
  }
  return value <= 0xffffffffu ? (uint32_t)value : 0;
}

static void note_date(struct directory *d, struct slice line) {
  static const char head[] = "# date: ";
  size_t n = sizeof head - 1;
  if (line.len >= n + 10 && memcmp(line.data, head, n) == 0)
    snprintf(d->date, sizeof d->date, "%.10s", line.data + n);
}

int directory_add_companies(struct directory *d, struct slice tsv, struct error_text *why) {
  for (size_t number = 1; tsv.len > 0; number++) {
    struct slice line = directory_next_field(&tsv, '\n');
    if (line.len == 0 || line.data[0] == '#') {
      note_date(d, line);
      continue;
    }
    struct slice tickers, name;
    uint32_t cik = cik_number(directory_next_field(&line, '\t'));
    tickers = directory_next_field(&line, '\t');
    name = directory_next_field(&line, '\t');
    if (cik == 0 || name.len == 0 || d->count >= DIRECTORY_COMPANIES) {
      error_set(why, "companies.tsv:%zu: no CIK, tickers and name", number);
      return -1;
    }
    uint32_t company = new_company(d, cik, (uint32_t)d->count);
    d->companies[company].tickers = tickers;
    d->companies[company].name = name;
    add_tickers(d, company, tickers);
    add_name(d, company, name);
  }
  return 0;
}

int directory_add_aliases(struct directory *d, struct slice tsv, struct error_text *why) {
  for (size_t number = 1; tsv.len > 0; number++) {
    uint8_t word[NAME_WORDS_MAX];
    char key[KEY_MAX];
    struct slice line = directory_next_field(&tsv, '\n'), alias, kind;
    if (line.len == 0 || line.data[0] == '#')
      continue;
    alias = directory_next_field(&line, '\t');
    uint32_t cik = cik_number(directory_next_field(&line, '\t'));
    kind = directory_next_field(&line, '\t');
    if (cik == 0 || alias.len == 0 || kind.len == 0) {
      error_set(why, "aliases.tsv:%zu: no name, CIK and kind", number);
      return -1;
    }
    struct directory_company *known = directory_company_of(d, cik);
    uint32_t company = known ? (uint32_t)(known - d->companies) : new_company(d, cik, UNSIZED);
    if (slice_is(kind, "ticker")) {
      add_ticker(d, company, alias);
    } else if (slice_is(kind, "name")) {
      d->companies[company].name = d->companies[company].name.len ? d->companies[company].name : alias;
      add_name(d, company, alias);
    } else {
      size_t n = name_words(d, alias, word), len = join_words(d, word, n, key);
      directory_add_key(d, key, len, company, slice_is(kind, "former") ? WAY_FORMER : WAY_ALIAS, n, 0);
      if (slice_is(kind, "former")) {
        size_t full = without_tail(d, word, n, KIND_LEGAL),
               core = without_tail(d, word, full, KIND_LEGAL | KIND_GENERIC);
        directory_add_key(d, key, join_words(d, word, full, key), company, WAY_FORMER, full, 0);
        if (core > 1 || n == full)
          directory_add_key(d, key, join_words(d, word, core, key), company, WAY_FORMER, core, 0);
      }
    }
  }
  return 0;
}

static char *keep(struct directory *d, const char *text, size_t len) {
  d->owned = xreallocarray(d->owned, d->owned_count + 1, sizeof *d->owned);
  return d->owned[d->owned_count++] = xstrndup(text ? text : "", len);
}

/* The text of a JSON string, by reference or, where it had escapes, kept. */
static struct slice kept_text(struct directory *d, struct slice value, struct buf *scratch) {
  struct slice text = json_text(value, scratch);
  if (text.len > 0 && text.data == scratch->data)
    return slice_of(keep(d, text.data, text.len), text.len);
  return text;
}

/* One row of the SEC's list; a company has several in a row or far apart. */
static void add_row(struct directory *d, uint32_t cik, struct slice ticker, struct slice name, uint32_t rank,
                    uint32_t base) {
  struct directory_company *known = directory_company_of(d, cik);
  uint32_t company = known ? (uint32_t)(known - d->companies) : new_company(d, cik, rank);
  struct directory_company *c = &d->companies[company];
  if (c->rank >= base || known == NULL) { /* its first row in this list */
    c->rank = rank;
    c->name = name;
    c->tickers = ticker;
    add_name(d, company, name);
  }
  add_ticker(d, company, ticker);
}

int directory_add_list(struct directory *d, struct slice json) {
  struct json_cursor at = {0};
  struct slice key, row;
  struct buf scratch;
  size_t where;
  const char *cause;
  uint32_t rank = 0, base = (uint32_t)DIRECTORY_COMPANIES;
  if (json_validate(json.data, json.len, &where, &cause) != 0 || json_kind(json) != '{' ||
      !json_next_member(json, &at, &key, &row) || !json_get(row, "cik_str").data)
    return -1;
  buf_init(&scratch, 1 << 16);
  for (size_t i = 0; i < d->count; i++)
    d->companies[i].rank += base;
  do {
    long long cik = json_to_int(json_get(row, "cik_str"), 0);
    struct slice name = kept_text(d, json_get(row, "title"), &scratch),
                 ticker = kept_text(d, json_get(row, "ticker"), &scratch);
    if (cik > 0 && cik <= 9999999999 && name.len > 0 && d->count < DIRECTORY_COMPANIES)
      add_row(d, (uint32_t)cik, ticker, name, rank++, base);
  } while (json_next_member(json, &at, &key, &row));
  for (size_t i = 0; i < d->count; i++) /* those that are on the older list alone follow */
    if (d->companies[i].rank >= base)
      d->companies[i].rank = d->companies[i].rank - base + rank;
  buf_release(&scratch);
  return 0;
}

void directory_add_one(struct directory *d, uint32_t cik, struct slice ticker, struct slice name) {
  struct directory_company *known = directory_company_of(d, cik);
  if (d->count >= DIRECTORY_COMPANIES)
    return;
  uint32_t company = known ? (uint32_t)(known - d->companies) : new_company(d, cik, UNSIZED);
  struct slice kept_name = slice_of(keep(d, name.data, name.len), name.len),
               kept_ticker = slice_of(keep(d, ticker.data, ticker.len), ticker.len);
  if (d->companies[company].name.len == 0)
    d->companies[company].name = kept_name;
  if (d->companies[company].tickers.len == 0)
    d->companies[company].tickers = kept_ticker;
  if (kept_name.len)
    add_name(d, company, kept_name);
  add_tickers(d, company, kept_ticker);
}

/* ---- slips ---- */

/* Whether two keys are one slip apart (optimal string alignment distance 1). */
static int one_slip(const char *a, size_t n, const char *b, size_t m) {
  size_t head = 0, tail = 0, most = n < m ? n : m;
  while (head < most && a[head] == b[head])
    head++;
  while (tail < most - head && a[n - 1 - tail] == b[m - 1 - tail])
    tail++;
  size_t left = n - head - tail, right = m - head - tail;
  return (left <= 1 && right <= 1 && left + right > 0) ||
         (left == 2 && right == 2 && a[head] == b[head + 1] && a[head + 1] == b[head]);
}

size_t directory_find_slip(const struct directory *d, const char *key, size_t len,
                           const struct directory_entry **found, size_t max) {
  uint32_t letters = directory_letters_of(key, len);
  size_t count = 0;
  for (size_t i = 0; i < d->slip_count && count < max; i++) {
    const struct slip *s = &d->slips[i];
    if (s->len + 1u < len || s->len > len + 1 || __builtin_popcount(s->letters ^ letters) > 2)
      continue;
    const struct directory_entry *e = &d->entries[s->entry];
    if (one_slip(key, len, d->arena.data + e->text, e->len))
      found[count++] = e;
  }
  return count;
}

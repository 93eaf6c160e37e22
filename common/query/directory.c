/* directory.c: companies by their tickers, CIKs, names, parts of names, brands and former names.
 *
 * Names are rows; a row belongs to a shelf, by the first two letters.  The keys of a shelf are derived from its rows when one is
 * looked up first, so that a single question is cheap. */
#include "query/directory.h"
#include "base/near_name.h"
#include "record/json.h"
#include "tables/name_words.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define DIRECTORY_COMPANIES ((size_t)1 << 18) /* limit of companies; further ones are dropped */
#define DIRECTORY_SIGNS 37                    /* letters, digits, none */
#define DIRECTORY_SHELVES (DIRECTORY_SIGNS * DIRECTORY_SIGNS)
#define NO_ROW UINT32_MAX

/* A company's name or ticker, from the input. */
struct directory_row {
  const char *text;
  uint32_t company, next; /* the next one in the shelf, or NO_ROW */
  uint16_t len;
  uint8_t way; /* WAY_FULL: a name, from which other keys are derived; WAY_TICKER, WAY_ALIAS, WAY_FORMER */
};

struct cik_slot {
  uint32_t cik, company; /* company plus 1; 0: free */
};

struct directory {
  const struct plan_words *words;
  struct directory_company *companies;
  size_t count, cap;
  struct directory_row *rows;
  size_t row_count, row_cap;
  uint32_t first[DIRECTORY_SHELVES], last[DIRECTORY_SHELVES]; /* rows of a shelf, in order */
  _Atomic(struct shelf *) shelves[DIRECTORY_SHELVES];
  pthread_mutex_t lock; /* for building a shelf */
  int shelved;          /* a shelf was built: adding one of a store's companies after the other clears none */
  struct cik_slot *by_cik; /* open addressing */
  size_t cik_slots;
  char **owned; /* texts of directory_add_one() and directory_add_list() */
  size_t owned_count;
  char date[16];
};

/* ---- shelves ---- */

#define ARENA_MAX ((size_t)16 << 20) /* limit of a shelf's keys; further ones are dropped */
#define NAME_WORDS_MAX 12
#define KEY_MAX 96
#define FORMER_LETTERS 4
#define COMMON_SIZE 20   /* SCOWL size */
#define PREFIX_WORDS 4   /* longest prefix of a name that people type without the rest */
#define PREFIX_LETTERS 3 /* a shorter first word doesn't identify a company */

/* The keys that start with the same two letters, built on first use and immutable afterwards: so a single question is
 * cheap, and threads may share them. */
struct shelf {
  struct directory_entry *entries;
  size_t count, cap;
  uint32_t *chains; /* entry plus 1; their number is a power of two */
  uint32_t mask;
  struct buf arena; /* texts of keys */
};

/* State of building a shelf. */
struct shelving {
  const struct directory *directory;
  struct shelf *shelf;
  struct plan_text text;
};

static void shelf_free(struct shelf *s) {
  if (s == NULL)
    return;
  free(s->entries);
  free(s->chains);
  buf_release(&s->arena);
  free(s);
}

/* Discards the shelves built so far: after rows were added. */
static void directory_clear_shelves(struct directory *d) {
  for (size_t i = 0; d->shelved && i < DIRECTORY_SHELVES; i++)
    shelf_free(atomic_exchange(&d->shelves[i], NULL));
  d->shelved = 0;
}

struct directory *directory_new(const struct plan_words *words) {
  struct directory *d = xcalloc(1, sizeof *d);
  d->words = words;
  memset(d->first, 0xff, sizeof d->first);
  pthread_mutex_init(&d->lock, NULL);
  return d;
}

void directory_free(struct directory *d) {
  if (d == NULL)
    return;
  directory_clear_shelves(d);
  for (size_t i = 0; i < d->owned_count; i++)
    free(d->owned[i]);
  free(d->owned);
  free(d->companies);
  free(d->rows);
  free(d->by_cik);
  pthread_mutex_destroy(&d->lock);
  free(d);
}

const char *directory_date(const struct directory *d) {
  return d->date;
}

const struct directory_company *directory_company(const struct directory *d, uint32_t company) {
  return &d->companies[company];
}

/* ---- rows ---- */

static unsigned sign_of(char c) {
  return c >= 'a' && c <= 'z'   ? (unsigned)(c - 'a')
         : c >= '0' && c <= '9' ? 26u + (unsigned)(c - '0')
                                : DIRECTORY_SIGNS - 1;
}

static size_t shelf_of_key(const char *key, size_t len) {
  return len == 0 ? DIRECTORY_SHELVES - 1
                  : sign_of(key[0]) * DIRECTORY_SIGNS + (len > 1 ? sign_of(key[1]) : DIRECTORY_SIGNS - 1);
}

/* The shelf of a name: its first two normalised letters or digits, without a leading "the". */
static size_t shelf_of_text(struct slice text) {
  char first[2];
  size_t n = 0, i = text.len > 4 && slice_begins_nocase(text, "the ") ? 4 : 0;
  for (; i < text.len && n < 2 && (unsigned char)text.data[i] < 0x80; i++) {
    char c = text.data[i] >= 'A' && text.data[i] <= 'Z' ? (char)(text.data[i] | 0x20) : text.data[i];
    if (sign_of(c) < DIRECTORY_SIGNS - 1)
      first[n++] = c;
  }
  if (n < 2 && i < text.len) { /* an accent: use the slow path */
    struct plan_text t;
    char key[KEY_MAX] = "";
    plan_text_read(&t, slice_of(text.data, text.len < KEY_MAX / 2 ? text.len : KEY_MAX / 2));
    return shelf_of_key(key, directory_key(&t, 0, t.count, 0, key, sizeof key));
  }
  return shelf_of_key(first, n);
}

/* Adds a name or ticker of a company; the text is kept by reference. */
static void directory_add_row(struct directory *d, struct slice text, uint32_t company,
                              enum directory_way way) {
  if (text.len == 0 || text.len > UINT16_MAX)
    return;
  if (d->row_count == d->row_cap) {
    d->row_cap = d->row_cap ? 2 * d->row_cap : 65536; /* pages that nobody touches cost nothing */
    d->rows = xreallocarray(d->rows, d->row_cap, sizeof *d->rows);
  }
  size_t shelf = shelf_of_text(text);
  uint32_t row = (uint32_t)d->row_count++;
  d->rows[row] = (struct directory_row){text.data, company, NO_ROW, (uint16_t)text.len, (uint8_t)way};
  if (d->first[shelf] == NO_ROW)
    d->first[shelf] = row;
  else
    d->rows[d->last[shelf]].next = row;
  d->last[shelf] = row;
}

/* ---- keys ---- */

static uint32_t key_hash(const char *key, size_t len) {
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < len; i++)
    h = (h ^ (unsigned char)key[i]) * 1099511628211u;
  return (uint32_t)(h ^ h >> 32);
}

/* The entry of that key in a chain, from `at` on. */
static const struct directory_entry *in_chain(const struct shelf *s, uint32_t at, uint32_t hash,
                                              const char *key, size_t len) {
  for (; at != 0; at = s->entries[at - 1].next) {
    const struct directory_entry *e = &s->entries[at - 1];
    if (e->hash == hash && e->len == len && memcmp(e->shelf->arena.data + e->text, key, len) == 0)
      return e;
  }
  return NULL;
}

/* Adds a key for a company unless it has the key already in this way or by its name.  A ticker's begins with '$'. */
static void directory_add_key(struct shelving *w, const char *key, size_t len, uint32_t company,
                              enum directory_way way, size_t words, size_t others) {
  struct shelf *s = w->shelf;
  if (len == 0 || len < (key[0] == '$' || way >= WAY_ALIAS ? 1u : 2u) || len >= KEY_MAX)
    return;
  for (size_t i = s->count; i-- > 0 && s->entries[i].company == company;) {
    const struct directory_entry *e = &s->entries[i];
    if (e->len == len && (e->way == way || e->way <= WAY_CORE) &&
        memcmp(s->arena.data + e->text, key, len) == 0)
      return;
  }
  if (buf_add(&s->arena, key, len) != 0)
    return;
  if (s->count == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 32;
    s->entries = xreallocarray(s->entries, s->cap, sizeof *s->entries);
  }
  s->entries[s->count++] = (struct directory_entry){.shelf = s,
                                                    .hash = key_hash(key, len),
                                                    .company = company,
                                                    .text = (uint32_t)(s->arena.len - len),
                                                    .len = (uint8_t)len,
                                                    .way = (uint8_t)way,
                                                    .words = (uint8_t)words,
                                                    .others = (uint8_t)others};
}

static void chain_up(struct shelf *s) {
  uint32_t chains = 16;
  while (chains < s->count)
    chains *= 2;
  s->mask = chains - 1;
  s->chains = xcalloc(chains, sizeof *s->chains);
  for (size_t i = 0; i < s->count; i++) {
    s->entries[i].next = s->chains[s->entries[i].hash & s->mask];
    s->chains[s->entries[i].hash & s->mask] = (uint32_t)i + 1;
  }
}

/* Appends a word of a name of several words to key[room], "corporation" as "corp"; the length with it, or 0 where it doesn't
 * fit. */
static size_t key_add_word(const char *fold, size_t n, char *key, size_t len, size_t room) {
  static const char *const same[][2] = {NAME_WORDS_SAME};
  for (size_t k = 0; k < sizeof same / sizeof *same; k++)
    if (strlen(same[k][0]) == n && memcmp(same[k][0], fold, n) == 0) {
      fold = same[k][1];
      n = strlen(fold);
      break;
    }
  if (len + n >= room)
    return 0;
  memcpy(key + len, fold, n);
  return len + n;
}

size_t directory_key(const struct plan_text *t, size_t from, size_t to, int bare, char *key, size_t room) {
  size_t len = 0;
  key[0] = '\0';
  for (size_t i = from; i < to; i++) {
    const struct plan_token *token = &t->token[i];
    size_t n = bare && i + 1 == to ? token->bare : token->len;
    if (token->amp || (to - from > 1 && strcmp(token->fold, "and") == 0) || n == 0)
      continue;
    len = key_add_word(token->fold, n, key, len, room);
    if (len == 0)
      return 0;
  }
  key[len] = '\0';
  return len;
}

/* ---- names ---- */

/* The words of a name in the scratch text, without "the", "and", "&" and a place after a slash ("INC /DE/"). */
static size_t name_words(struct shelving *w, struct slice name, uint8_t word[NAME_WORDS_MAX]) {
  const struct plan_text *t = &w->text;
  size_t n = 0, count;
  plan_text_read(&w->text, name);
  count = t->count;
  while (count > 1 && (t->token[count - 1].gap & (GAP_SLASH | GAP_STOP)) && t->token[count - 1].len <= 3)
    count--;
  for (size_t i = 0; i < count && n < NAME_WORDS_MAX; i++) {
    const char *fold = t->token[i].fold;
    if (plan_token_is_and(&t->token[i]) || (n == 0 && count > 1 && strcmp(fold, "the") == 0))
      continue;
    word[n++] = (uint8_t)i;
  }
  return n;
}

/* The number of words left after removing trailing words of these kinds from the first n. */
static size_t without_tail(const struct shelving *w, const uint8_t *word, size_t n, unsigned kinds) {
  while (n > 1 && (plan_words_kinds(w->directory->words, w->text.token[word[n - 1]].fold) & kinds))
    n--;
  return n;
}

static size_t join_words(const struct shelving *w, const uint8_t *word, size_t n, char key[KEY_MAX]) {
  size_t len = 0;
  for (size_t i = 0; i < n; i++) {
    const struct plan_token *token = &w->text.token[word[i]];
    len = key_add_word(token->fold, token->len, key, len, KEY_MAX);
    if (len == 0)
      return 0;
  }
  return len;
}

/* "Bank of" */
static int ends_in_grammar(const struct shelving *w, const uint8_t *word, size_t n) {
  return n > 0 && (plan_words_kinds(w->directory->words, w->text.token[word[n - 1]].fold) & KIND_FUNCTION);
}

/* Whether it is a word or a name that others bear too. */
static int is_any_word(const struct shelving *w, uint8_t i) {
  struct plan_word word = plan_words_of(w->directory->words, w->text.token[i].fold);
  return word.ordinary || word.name || word.family || word.given || word.place;
}

/* Whether it is among the most common words of the language. */
static int is_common(const struct shelving *w, uint8_t i) {
  struct plan_word word = plan_words_of(w->directory->words, w->text.token[i].fold);
  return word.ordinary > 0 && word.ordinary <= COMMON_SIZE;
}

static void add_name(struct shelving *w, uint32_t company, struct slice name) {
  uint8_t word[NAME_WORDS_MAX];
  char key[KEY_MAX] = "";
  size_t n = name_words(w, name, word), full = without_tail(w, word, n, KIND_LEGAL),
         core = without_tail(w, word, full, KIND_LEGAL | KIND_GENERIC);
  directory_add_key(w, key, join_words(w, word, full, key), company, WAY_FULL, full, 0);
  if (core == 1 && full > 1 && is_common(w, word[0]))
    core = 2; /* "General Motors" is not reduced to "General" */
  if (ends_in_grammar(w, word, core))
    core = full; /* nor "Bank of America" to "Bank of" */
  if (core < full)
    directory_add_key(w, key, join_words(w, word, core, key), company, WAY_CORE, core, 0);
  for (size_t k = full + 1; k <= n;
       k++) /* "Ford Motor Company" has a key without it, "Public Company Management" doesn't */
    if (k == n || w->text.token[word[k - 1]].len > 2) /* "S.A." is two words */
      directory_add_key(w, key, join_words(w, word, k, key), company, WAY_FULL, k, 0);
  for (size_t k = 1; k < full && k <= PREFIX_WORDS; k++) {
    size_t len = join_words(w, word, k, key);
    if (len >= PREFIX_LETTERS && !ends_in_grammar(w, word, k))
      directory_add_key(w, key, len, company, k >= core ? WAY_CORE : WAY_PREFIX, k, full - k);
  }
}

static void add_ticker(struct shelving *w, uint32_t company, struct slice ticker) {
  char key[KEY_MAX] = "$";
  size_t len = 1, share = 0;
  for (size_t i = 0; i < ticker.len && len < KEY_MAX - 1; i++) {
    if (isalnum((unsigned char)ticker.data[i]))
      key[len++] = (char)tolower((unsigned char)ticker.data[i]);
    else if (share == 0)
      share = len;
  }
  directory_add_key(w, key, len, company, WAY_TICKER, share > 0 ? 2 : 1, 0);
  if (share > 2) /* the ticker without its share class: "BRK" */
    directory_add_key(w, key, share, company, WAY_TICKER, 1, 1);
}

/* Adds a brand, an everyday or a former name; a former name also without legal forms and similar words. */
static void directory_add_alias(struct shelving *w, uint32_t company, struct slice alias,
                                enum directory_way way) {
  uint8_t word[NAME_WORDS_MAX];
  char key[KEY_MAX] = "";
  size_t n = name_words(w, alias, word), full = without_tail(w, word, n, KIND_LEGAL),
         core = without_tail(w, word, full, KIND_LEGAL | KIND_GENERIC);
  directory_add_key(w, key, join_words(w, word, n, key), company, way, n, 0);
  if (way != WAY_FORMER)
    return;
  if (full > 1 || n == full || !is_common(w, word[0])) /* not "West" of West Co. */
    directory_add_key(w, key, join_words(w, word, full, key), company, way, full, 0);
  size_t len = join_words(w, word, core, key);
  if (core == 1 && full > 1 && is_any_word(w, word[0]))
    return; /* "Regency" of Regency Energy Partners */
  if (len >= FORMER_LETTERS && (core > 1 || !is_common(w, word[0]))) /* not "SBC" of SBC Communications */
    directory_add_key(w, key, len, company, way, core, full - core);
}

static struct shelf *make_shelf(const struct directory *d, size_t number) {
  struct shelving *w = xmalloc(sizeof *w);
  struct shelf *s = xcalloc(1, sizeof *s);
  buf_init(&s->arena, ARENA_MAX);
  w->directory = d;
  w->shelf = s;
  for (uint32_t i = d->first[number]; i != NO_ROW; i = d->rows[i].next) {
    const struct directory_row *row = &d->rows[i];
    struct slice text = slice_of(row->text, row->len);
    if (row->way == WAY_TICKER)
      add_ticker(w, row->company, text);
    else if (row->way == WAY_FULL)
      add_name(w, row->company, text);
    else
      directory_add_alias(w, row->company, text, row->way);
  }
  chain_up(s);
  free(w);
  return s;
}

static const struct shelf *shelf_at(const struct directory *d, size_t number) {
  struct directory *own = (struct directory *)(uintptr_t)d; /* a cache, under its lock */
  struct shelf *s = atomic_load_explicit(&own->shelves[number], memory_order_acquire);
  if (s != NULL)
    return s;
  pthread_mutex_lock(&own->lock);
  s = atomic_load_explicit(&own->shelves[number], memory_order_relaxed);
  if (s == NULL) {
    s = make_shelf(d, number);
    own->shelved = 1;
    atomic_store_explicit(&own->shelves[number], s, memory_order_release);
  }
  pthread_mutex_unlock(&own->lock);
  return s;
}

const struct directory_entry *directory_find(const struct directory *d, const char *key, size_t len) {
  size_t mark = len > 0 && key[0] == '$';
  const struct shelf *s = shelf_at(d, shelf_of_key(key + mark, len - mark));
  uint32_t hash = key_hash(key, len);
  return in_chain(s, s->chains[hash & s->mask], hash, key, len);
}

const struct directory_entry *directory_next(const struct directory_entry *entry) {
  return in_chain(entry->shelf, entry->next, entry->hash, entry->shelf->arena.data + entry->text, entry->len);
}

size_t directory_entry_key(const struct directory_entry *entry, char *key, size_t room) {
  size_t n = entry->len < room ? entry->len : room - 1;
  memcpy(key, entry->shelf->arena.data + entry->text, n);
  key[n] = '\0';
  return n;
}

/* ---- companies ---- */

static struct cik_slot *cik_slot(const struct directory *d, uint32_t cik) {
  size_t at = (cik * 2654435761u) >> 12 & (d->cik_slots - 1);
  while (d->by_cik[at].company && d->by_cik[at].cik != cik)
    at = (at + 1) & (d->cik_slots - 1);
  return &d->by_cik[at];
}

static void grow_by_cik(struct directory *d) {
  free(d->by_cik);
  d->cik_slots = d->cik_slots ? 2 * d->cik_slots : 32768;
  d->by_cik = xcalloc(d->cik_slots, sizeof *d->by_cik);
  for (size_t i = 0; i < d->count; i++)
    *cik_slot(d, d->companies[i].cik) = (struct cik_slot){d->companies[i].cik, (uint32_t)i + 1};
}

const struct directory_company *directory_by_cik(const struct directory *d, uint32_t cik, uint32_t *company) {
  uint32_t at = d->cik_slots ? cik_slot(d, cik)->company : 0;
  if (at == 0)
    return NULL;
  *company = at - 1;
  return &d->companies[at - 1];
}

/* The number of the company with that CIK, created if new. */
static uint32_t directory_company_of(struct directory *d, uint32_t cik, uint32_t rank) {
  uint32_t company;
  if (directory_by_cik(d, cik, &company))
    return company;
  if (d->count == d->cap) {
    d->cap = d->cap ? 2 * d->cap : 16384;
    d->companies = xreallocarray(d->companies, d->cap, sizeof *d->companies);
  }
  if (2 * (d->count + 1) > d->cik_slots)
    grow_by_cik(d);
  *cik_slot(d, cik) = (struct cik_slot){cik, (uint32_t)d->count + 1};
  d->companies[d->count] = (struct directory_company){.cik = cik, .rank = rank};
  return (uint32_t)d->count++;
}

size_t directory_rows(const struct directory *d) {
  return d->row_count;
}

struct slice directory_row(const struct directory *d, size_t row, uint32_t *company,
                           enum directory_way *way) {
  *company = d->rows[row].company;
  *way = (enum directory_way)d->rows[row].way;
  return slice_of(d->rows[row].text, d->rows[row].len);
}

/* ---- typing errors ---- */

size_t directory_find_slip(const struct directory *d, const char *key, size_t len,
                           const struct directory_entry **found, size_t max) {
  /* not of former names: "L'Oreal" is one letter from Loral, which is Lockheed Martin's now */
  static const unsigned ways = 1u << WAY_FULL | 1u << WAY_CORE | 1u << WAY_ALIAS | 1u << WAY_BRAND;
  size_t count = 0, first = len ? sign_of(key[0]) * DIRECTORY_SIGNS : 0;
  for (size_t k = first; k < first + DIRECTORY_SIGNS; k++) {
    const struct shelf *s = shelf_at(d, k);
    for (size_t i = 0; i < s->count && count < max; i++) {
      const struct directory_entry *e = &s->entries[i];
      if (((ways >> e->way & 1) || (e->way == WAY_PREFIX && e->words > 1)) && e->len + 1u >= len &&
          e->len <= len + 1 && near_name_is_typo(key, len, s->arena.data + e->text, e->len))
        found[count++] = e;
    }
  }
  return count;
}

/* ---- lists of companies and aliases ---- */

#define UNSIZED 100000u    /* rank of a company without one */
#define UNSIZED_KNOWN 200u /* of one with an everyday name: "Siemens", which Siemens Energy isn't called */

static void add_tickers(struct directory *d, uint32_t company, struct slice tickers) {
  while (tickers.len > 0)
    directory_add_row(d, slice_cut(&tickers, ','), company, WAY_TICKER);
}

/* The value of a CIK's digits; 0 where it is malformed. */
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
  uint32_t rank = 0; /* among those of the current list */
  directory_clear_shelves(d);
  for (size_t number = 1; tsv.len > 0; number++) {
    struct slice line = slice_cut(&tsv, '\n');
    if (line.len == 0 || line.data[0] == '#') {
      note_date(d, line);
      continue;
    }
    uint32_t cik = cik_number(slice_cut(&line, '\t'));
    struct slice tickers = slice_cut(&line, '\t'), name = slice_cut(&line, '\t');
    struct slice former = slice_cut(&line, '\t');
    if (cik == 0 || name.len == 0 || d->count >= DIRECTORY_COMPANIES) {
      error_set(why, "companies.tsv:%zu: no CIK, tickers and name", number);
      return -1;
    }
    int listed = !slice_eq(former, name);
    uint32_t company = directory_company_of(d, cik, rank);
    rank += (uint32_t)listed;
    d->companies[company].tickers = tickers;
    d->companies[company].name = name;
    add_tickers(d, company, tickers);
    directory_add_row(d, name, company, WAY_FULL);
    if (listed)
      directory_add_row(d, former, company, WAY_FORMER);
  }
  return 0;
}

static enum directory_way way_of_kind(struct slice kind) {
  return slice_is(kind, "ticker")   ? WAY_TICKER
         : slice_is(kind, "name")   ? WAY_FULL
         : slice_is(kind, "former") ? WAY_FORMER
         : slice_is(kind, "brand")  ? WAY_BRAND
         : slice_is(kind, "alone")  ? WAY_ALONE
         : slice_is(kind, "person") ? WAY_PERSON
                                    : WAY_ALIAS;
}

int directory_add_aliases(struct directory *d, struct slice tsv, struct error_text *why) {
  directory_clear_shelves(d);
  for (size_t number = 1; tsv.len > 0; number++) {
    struct slice line = slice_cut(&tsv, '\n');
    if (line.len == 0 || line.data[0] == '#')
      continue;
    struct slice alias = slice_cut(&line, '\t');
    uint32_t cik = cik_number(slice_cut(&line, '\t'));
    struct slice kind = slice_cut(&line, '\t');
    if (cik == 0 || alias.len == 0 || kind.len == 0 || d->count >= DIRECTORY_COMPANIES) {
      error_set(why, "aliases.tsv:%zu: no name, CIK and kind", number);
      return -1;
    }
    uint32_t company = directory_company_of(d, cik, slice_is(kind, "everyday") ? UNSIZED_KNOWN : UNSIZED);
    if (slice_is(kind, "name") && d->companies[company].name.len == 0)
      d->companies[company].name = alias;
    directory_add_row(d, alias, company, way_of_kind(kind));
  }
  return 0;
}

static char *keep(struct directory *d, const char *text, size_t len) {
  d->owned = xreallocarray(d->owned, d->owned_count + 1, sizeof *d->owned);
  return d->owned[d->owned_count++] = xstrndup(text ? text : "", len);
}

/* The text of a JSON string, by reference or, where it had escapes, as a copy. */
static struct slice kept_text(struct directory *d, struct slice value, struct buf *scratch) {
  struct slice text = json_text(value, scratch);
  if (text.len > 0 && text.data == scratch->data)
    return slice_of(keep(d, text.data, text.len), text.len);
  return text;
}

/* Adds one row of the SEC's list, in which a company may have several.  Ranks from `base` on belong to the older
 * list. */
static void add_list_row(struct directory *d, uint32_t cik, struct slice ticker, struct slice name,
                         uint32_t rank, uint32_t base) {
  uint32_t company = directory_company_of(d, cik, base);
  struct directory_company *c = &d->companies[company];
  if (c->rank >= base) { /* its first row in this list */
    c->rank = rank;
    if (!slice_eq(c->name, name))
      directory_add_row(d, name, company, WAY_FULL);
    c->name = name;
    c->tickers = ticker;
  }
  directory_add_row(d, ticker, company, WAY_TICKER);
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
  directory_clear_shelves(d);
  buf_init(&scratch, 1 << 16);
  for (size_t i = 0; i < d->count; i++)
    d->companies[i].rank += base;
  do {
    long long cik = json_to_int(json_get(row, "cik_str"), 0);
    struct slice name = kept_text(d, json_get(row, "title"), &scratch),
                 ticker = kept_text(d, json_get(row, "ticker"), &scratch);
    if (cik > 0 && cik <= 0xffffffff && name.len > 0 && d->count < DIRECTORY_COMPANIES)
      add_list_row(d, (uint32_t)cik, ticker, name, rank++, base);
  } while (json_next_member(json, &at, &key, &row));
  for (size_t i = 0; i < d->count; i++) /* companies that are only on the older list follow */
    if (d->companies[i].rank >= base)
      d->companies[i].rank = d->companies[i].rank - base + rank;
  buf_release(&scratch);
  return 0;
}

void directory_add_one(struct directory *d, uint32_t cik, struct slice ticker, struct slice name) {
  if (d->count >= DIRECTORY_COMPANIES)
    return;
  directory_clear_shelves(d);
  uint32_t company = directory_company_of(d, cik, UNSIZED);
  d->companies[company].own = 1;
  struct slice kept_name = slice_of(keep(d, name.data, name.len), name.len),
               kept_ticker = slice_of(keep(d, ticker.data, ticker.len), ticker.len);
  if (d->companies[company].name.len == 0)
    d->companies[company].name = kept_name;
  if (d->companies[company].tickers.len == 0)
    d->companies[company].tickers = kept_ticker;
  directory_add_row(d, kept_name, company, WAY_FULL);
  add_tickers(d, company, kept_ticker);
}

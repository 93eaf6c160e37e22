/* directory.c: companies by their tickers, CIKs, names, parts of names, brands and former names.
 *
 * Names are rows; a row belongs to a shelf, by the first two letters.  The tables are mapped files, searched in place: companies
 * ascend by CIK, names by shelf.  The keys of a shelf are derived from its rows when one is looked up first, so that a single
 * question is cheap.  What is added later, from the SEC's current list or a store, is in memory. */
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
#define DIRECTORY_LISTS 2
#define SLIP_LETTERS 9 /* of a key, from which on its second letter is right, too */
#define DIRECTORY_SHELVES (DIRECTORY_SIGNS * DIRECTORY_SIGNS)

struct cik_slot {
  uint32_t cik, at; /* place in `added`, plus 1; 0: free */
};

struct directory {
  const struct plan_words *words;
  struct slice companies, lists[DIRECTORY_LISTS]; /* the tables; lists: names and tickers, then aliases */
  struct directory_company *added;                /* these count instead of the table's */
  size_t count, cap;
  uint32_t newer; /* companies of the SEC's current list, behind which the others rank */
  struct directory_row *rows;
  size_t row_count, row_cap;
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

static void note_date(struct directory *d, struct slice tsv) {
  static const char head[] = "# date: ";
  size_t n = sizeof head - 1;
  while (tsv.len > 0 && tsv.data[0] == '#') {
    struct slice line = slice_cut(&tsv, '\n');
    if (line.len >= n + 10 && memcmp(line.data, head, n) == 0)
      snprintf(d->date, sizeof d->date, "%.10s", line.data + n);
  }
}

struct directory *directory_new(const struct plan_words *words, struct slice companies, struct slice names,
                                struct slice aliases) {
  struct directory *d = xcalloc(1, sizeof *d);
  d->words = words;
  d->companies = companies;
  d->lists[0] = names;
  d->lists[1] = aliases;
  note_date(d, companies);
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
  free(d->added);
  free(d->rows);
  free(d->by_cik);
  pthread_mutex_destroy(&d->lock);
  free(d);
}

const char *directory_date(const struct directory *d) {
  return d->date;
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

static enum directory_way way_of_kind(struct slice kind) {
  return slice_is(kind, "name")     ? WAY_FULL
         : slice_is(kind, "ticker") ? WAY_TICKER
         : slice_is(kind, "former") ? WAY_FORMER
         : slice_is(kind, "brand")  ? WAY_BRAND
         : slice_is(kind, "alone")  ? WAY_ALONE
         : slice_is(kind, "person") ? WAY_PERSON
                                    : WAY_ALIAS;
}

/* The value of digits; 0 where they are malformed. */
static uint32_t cik_number(struct slice digits) {
  uint64_t value = 0;
  for (size_t i = 0; i < digits.len; i++) {
    if (!isdigit((unsigned char)digits.data[i]) || value > 999999999)
      return 0;
    value = value * 10 + (uint64_t)(digits.data[i] - '0');
  }
  return value <= 0xffffffffu ? (uint32_t)value : 0;
}

/* The rows of a table from the first one on that is not below a key, by which they ascend. */
static struct slice rows_from(struct slice table, uint32_t (*key_of)(struct slice rows), uint32_t key) {
  size_t low = 0, high = table.len;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *before = memrchr(table.data + low, '\n', middle - low);
    size_t line = before ? (size_t)(before + 1 - table.data) : low;
    struct slice rest = slice_of(table.data + line, table.len - line);
    if (table.data[line] == '#' || key_of(rest) < key) {
      slice_cut(&rest, '\n');
      low = table.len - rest.len;
    } else
      high = line;
  }
  return slice_of(table.data + low, table.len - low);
}

/* Takes a row off the beginning of a list; its text is empty where it names nothing. */
static struct directory_row take_row(struct slice *list) {
  struct slice line = slice_cut(list, '\n');
  struct directory_row row = {.text = slice_cut(&line, '\t')};
  row.company = cik_number(slice_cut(&line, '\t'));
  row.way = way_of_kind(slice_cut(&line, '\t'));
  if (row.company == 0 || (row.text.len > 0 && row.text.data[0] == '#'))
    row.text.len = 0;
  return row;
}

int directory_next_row(const struct directory *d, struct directory_cursor *c, struct directory_row *row) {
  for (; c->list < DIRECTORY_LISTS; c->list++, c->at = 0)
    while (c->at < d->lists[c->list].len) {
      struct slice list = d->lists[c->list], rest = slice_of(list.data + c->at, list.len - c->at);
      *row = take_row(&rest);
      c->at = list.len - rest.len;
      if (row->text.len > 0)
        return 1;
    }
  if (c->at == d->row_count)
    return 0;
  *row = d->rows[c->at++];
  return 1;
}

/* Adds a name or ticker of a company; the text is kept by reference. */
static void directory_add_row(struct directory *d, struct slice text, uint32_t company,
                              enum directory_way way) {
  if (text.len == 0 || text.len > UINT16_MAX)
    return;
  if (d->row_count == d->row_cap) {
    d->row_cap = d->row_cap ? 2 * d->row_cap : 1024;
    d->rows = xreallocarray(d->rows, d->row_cap, sizeof *d->rows);
  }
  d->rows[d->row_count++] = (struct directory_row){text, company, (uint16_t)shelf_of_text(text), way};
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

static void add_row_keys(struct shelving *w, const struct directory_row *row) {
  if (row->way == WAY_TICKER)
    add_ticker(w, row->company, row->text);
  else if (row->way == WAY_FULL)
    add_name(w, row->company, row->text);
  else
    directory_add_alias(w, row->company, row->text, row->way);
}

static uint32_t shelf_of_row(struct slice rows) {
  return (uint32_t)shelf_of_text(slice_cut(&rows, '\t'));
}

static struct shelf *make_shelf(const struct directory *d, size_t number) {
  struct shelving *w = xmalloc(sizeof *w);
  struct shelf *s = xcalloc(1, sizeof *s);
  buf_init(&s->arena, ARENA_MAX);
  w->directory = d;
  w->shelf = s;
  for (size_t k = 0; k < DIRECTORY_LISTS; k++) {
    struct slice rest = rows_from(d->lists[k], shelf_of_row, (uint32_t)number);
    while (rest.len > 0 && shelf_of_row(rest) == number) {
      struct directory_row row = take_row(&rest);
      add_row_keys(w, &row);
    }
  }
  for (size_t i = 0; i < d->row_count; i++)
    if (d->rows[i].shelf == number)
      add_row_keys(w, &d->rows[i]);
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

#define UNSIZED 100000u /* rank of a company without one */

static struct cik_slot *cik_slot(const struct directory *d, uint32_t cik) {
  size_t at = (cik * 2654435761u) >> 12 & (d->cik_slots - 1);
  while (d->by_cik[at].at && d->by_cik[at].cik != cik)
    at = (at + 1) & (d->cik_slots - 1);
  return &d->by_cik[at];
}

static void grow_by_cik(struct directory *d) {
  free(d->by_cik);
  d->cik_slots = d->cik_slots ? 2 * d->cik_slots : 256;
  d->by_cik = xcalloc(d->cik_slots, sizeof *d->by_cik);
  for (size_t i = 0; i < d->count; i++)
    *cik_slot(d, d->added[i].cik) = (struct cik_slot){d->added[i].cik, (uint32_t)i + 1};
}

static uint32_t cik_of_row(struct slice rows) {
  return cik_number(slice_cut(&rows, '\t'));
}

int directory_has(const struct directory *d, uint32_t cik) {
  return (d->cik_slots && cik_slot(d, cik)->at) ||
         cik_of_row(rows_from(d->companies, cik_of_row, cik)) == cik;
}

struct directory_company directory_company(const struct directory *d, uint32_t cik) {
  uint32_t at = d->cik_slots ? cik_slot(d, cik)->at : 0;
  if (at)
    return d->added[at - 1];
  struct directory_company c = {.cik = cik, .rank = UNSIZED};
  struct slice rest = rows_from(d->companies, cik_of_row, cik), row = slice_cut(&rest, '\n');
  if (cik_number(slice_cut(&row, '\t')) != cik)
    return c;
  c.tickers = slice_cut(&row, '\t');
  c.name = slice_cut(&row, '\t');
  slice_cut(&row, '\t'); /* its name on an older list */
  c.rank = cik_number(slice_cut(&row, '\t')) + d->newer;
  return c;
}

/* The company with that CIK, to be changed, among those added. */
static struct directory_company *directory_added(struct directory *d, uint32_t cik) {
  if (d->cik_slots && cik_slot(d, cik)->at)
    return &d->added[cik_slot(d, cik)->at - 1];
  if (d->count == d->cap) {
    d->cap = d->cap ? 2 * d->cap : 256;
    d->added = xreallocarray(d->added, d->cap, sizeof *d->added);
  }
  if (2 * (d->count + 1) > d->cik_slots)
    grow_by_cik(d);
  d->added[d->count] = directory_company(d, cik);
  *cik_slot(d, cik) = (struct cik_slot){cik, (uint32_t)d->count + 1};
  return &d->added[d->count++];
}

/* ---- typing errors ---- */

size_t directory_find_slip(const struct directory *d, const char *key, size_t len,
                           const struct directory_entry **found, size_t max) {
  /* not of former names: "L'Oreal" is one letter from Loral, which is Lockheed Martin's now */
  static const unsigned ways = 1u << WAY_FULL | 1u << WAY_CORE | 1u << WAY_ALIAS | 1u << WAY_BRAND;
  size_t count = 0, first = len ? sign_of(key[0]) * DIRECTORY_SIGNS : 0, last = first + DIRECTORY_SIGNS - 1;
  if (len >= SLIP_LETTERS)
    first = last = first + sign_of(key[1]);
  for (size_t k = first; k <= last; k++) {
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

/* ---- what is added ---- */

static void add_tickers(struct directory *d, uint32_t company, struct slice tickers) {
  while (tickers.len > 0)
    directory_add_row(d, slice_cut(&tickers, ','), company, WAY_TICKER);
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
  size_t before = d->count;
  struct directory_company *c = directory_added(d, cik);
  if (d->count > before || c->rank >= base) { /* its first row in this list */
    c->rank = rank;
    if (!slice_eq(c->name, name))
      directory_add_row(d, name, cik, WAY_FULL);
    c->name = name;
    c->tickers = ticker;
  }
  directory_add_row(d, ticker, cik, WAY_TICKER);
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
    d->added[i].rank += base;
  do {
    long long cik = json_to_int(json_get(row, "cik_str"), 0);
    struct slice name = kept_text(d, json_get(row, "title"), &scratch),
                 ticker = kept_text(d, json_get(row, "ticker"), &scratch);
    if (cik > 0 && cik <= 0xffffffff && name.len > 0 && d->count < DIRECTORY_COMPANIES)
      add_list_row(d, (uint32_t)cik, ticker, name, rank++, base);
  } while (json_next_member(json, &at, &key, &row));
  for (size_t i = 0; i < d->count; i++) /* companies that are not on it follow */
    if (d->added[i].rank >= base)
      d->added[i].rank = d->added[i].rank - base + rank;
  d->newer += rank;
  buf_release(&scratch);
  return 0;
}

void directory_add_one(struct directory *d, uint32_t cik, struct slice ticker, struct slice name) {
  if (d->count >= DIRECTORY_COMPANIES)
    return;
  directory_clear_shelves(d);
  struct directory_company *c = directory_added(d, cik);
  struct slice kept_name = slice_of(keep(d, name.data, name.len), name.len),
               kept_ticker = slice_of(keep(d, ticker.data, ticker.len), ticker.len);
  c->own = 1;
  if (c->name.len == 0)
    c->name = kept_name;
  if (c->tickers.len == 0)
    c->tickers = kept_ticker;
  directory_add_row(d, kept_name, cik, WAY_FULL);
  add_tickers(d, cik, kept_ticker);
}

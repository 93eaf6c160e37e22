/* company_names.c: companies' names cut to what they are known by, and an index of them for many questions.
 *
 * The index holds, a company, the keys that a question which names it must have one of: its first word, its
 * ticker, its words run together, its first word without a "Co" at the end, the letters that its first two
 * words begin with, and for misspellings a long first word's letter and length.  Who is found by a key is
 * looked at as without an index; so the index only leaves out those that cannot be meant.
 */
#include "query/company_names.h"

#include "base/hash.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

enum key { KEY_FIRST, KEY_TICKER, KEY_WHOLE, KEY_JOINED_FIRST, KEY_SHORT, KEY_LETTERS, KEY_LONG };

#define MISSPELT_LEAST 7 /* letters of a word that may be misspelt */
#define SHORT_LEAST 4
#define JOINED_LEAST 6
#define JOINED_TOKENS 4

struct company_names_entry {
  uint64_t key;
  uint32_t company, next; /* next: index + 1 of the next entry of the bucket */
};

struct query_names {
  struct query_core *cores;
  size_t count;
  struct company_names_entry *entries;
  size_t entry_count, entry_cap;
  uint32_t *buckets; /* [mask + 1], or NULL: no index */
  size_t mask;
};

int query_word_in(struct slice s, const char *const *list) {
  for (; *list != NULL; list++)
    if (s.len == strlen(*list) && strncasecmp(s.data, *list, s.len) == 0)
      return 1;
  return 0;
}

const char *const query_suffixes[] = {"inc",
                                      "incorporated",
                                      "corp",
                                      "corporation",
                                      "co",
                                      "company",
                                      "companies",
                                      "ltd",
                                      "limited",
                                      "plc",
                                      "llc",
                                      "lp",
                                      "sa",
                                      "ag",
                                      "nv",
                                      "se",
                                      "holdings",
                                      "holding",
                                      "group",
                                      "com",
                                      "the",
                                      "de",
                                      "trust",
                                      "adr",
                                      "new",
                                      "international",
                                      "technologies",
                                      "technology",
                                      "systems",
                                      "industries",
                                      "enterprises",
                                      "communications",
                                      "pharmaceutical",
                                      "pharmaceuticals",
                                      NULL};

char query_letter(struct slice word) {
  return word.len > 0 && isalnum((unsigned char)word.data[0]) ? (char)tolower((unsigned char)word.data[0])
                                                              : '\0';
}

void query_core_of(const char *name, struct query_core *core) {
  core->count = 0;
  for (const char *p = name; *p != '\0' && core->count < NAME_WORDS;) {
    const char *start = p;
    while (isalnum((unsigned char)*p) || (unsigned char)*p >= 128 || (*p == '&' && p > start) ||
           (*p == '\'' && p > start) ||
           (*p == '.' && p > start && isalpha((unsigned char)p[1]) && p - start == 1))
      p++;
    if (p > start)
      core->word[core->count++] = slice_of(start, (size_t)(p - start));
    else
      p++;
  }
  if (core->count > 1 && query_word_in(core->word[0], (const char *const[]){"the", NULL})) {
    core->count--;
    memmove(core->word, core->word + 1, core->count * sizeof *core->word);
  }
  while (core->count > 1 && query_word_in(core->word[core->count - 1], query_suffixes))
    core->count--;
  core->letter = core->count > 0 ? query_letter(core->word[0]) : '\0';
}

size_t query_leading_capitals(struct slice word) {
  size_t n = 0, small = 0;
  while (n < word.len && isupper((unsigned char)word.data[n]))
    n++;
  for (size_t i = n; i < word.len; i++)
    small += islower((unsigned char)word.data[i]) != 0;
  if (n < 3 || small == 0)
    return 0;
  return n == 3 ? n : n - 1; /* the last one of many begins the small letters' word: "AMCNetworks" */
}

struct slice query_raw(const struct query *q, size_t i) {
  return slice_of(q->text.data + q->tokens[i].start, q->tokens[i].end - q->tokens[i].start);
}

struct slice query_bare(struct slice raw) {
  if (raw.len > 2 && (raw.data[raw.len - 1] | 32) == 's' && raw.data[raw.len - 2] == '\'')
    raw.len -= 2;
  else if (raw.len > 4 && (raw.data[raw.len - 1] | 32) == 's' &&
           memcmp(raw.data + raw.len - 4, "\xe2\x80\x99", 3) == 0)
    raw.len -= 4;
  return raw;
}

size_t query_join_tokens(const struct query *q, size_t i, size_t n, char out[NAME_JOINED]) {
  size_t len = 0;
  for (size_t k = i; k < i + n; k++) {
    struct slice raw = query_bare(query_raw(q, k));
    for (size_t c = 0; c < raw.len; c++)
      if (isalnum((unsigned char)raw.data[c])) {
        if (len == NAME_JOINED)
          return 0;
        out[len++] = (char)tolower((unsigned char)raw.data[c]);
      }
  }
  return len;
}

size_t query_join_core(const struct query_core *core, size_t n, char out[NAME_JOINED]) {
  size_t len = 0;
  for (size_t k = 0; k < n; k++)
    for (size_t c = 0; c < core->word[k].len; c++)
      if (isalnum((unsigned char)core->word[k].data[c])) {
        if (len == NAME_JOINED)
          return 0;
        out[len++] = (char)tolower((unsigned char)core->word[k].data[c]);
      }
  return len;
}

/* ---- the index ---- */

/* Letters' case aside but for tickers; what lies behind the first NAME_JOINED bytes doesn't count. */
static uint64_t company_names_key_of(enum key kind, struct slice text) {
  char lower[NAME_JOINED];
  size_t n = text.len < sizeof lower ? text.len : sizeof lower;
  for (size_t i = 0; i < n; i++)
    lower[i] = (char)(kind == KEY_TICKER ? text.data[i] : tolower((unsigned char)text.data[i]));
  return hash_seeded(lower, n, kind);
}

static uint64_t letters_key(char first, char second) {
  char both[2] = {first, second};
  return company_names_key_of(KEY_LETTERS, slice_of(both, 2));
}

static uint64_t long_key(char first, size_t len) {
  char both[2] = {(char)(first | 32), (char)len};
  return company_names_key_of(KEY_LONG, slice_of(both, 2));
}

static void add_key(struct query_names *names, size_t company, uint64_t key) {
  if (names->entry_count == names->entry_cap) {
    names->entry_cap = names->entry_cap ? 2 * names->entry_cap : 1024;
    names->entries = xreallocarray(names->entries, names->entry_cap, sizeof *names->entries);
  }
  names->entries[names->entry_count++] = (struct company_names_entry){key, (uint32_t)company, 0};
}

static void add_short(struct query_names *names, size_t company, struct slice word) {
  static const char *const ends[] = {"co", "corp", "inc", "com", "group"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    size_t n = strlen(ends[i]);
    if (word.len >= n + SHORT_LEAST && strncasecmp(word.data + word.len - n, ends[i], n) == 0)
      add_key(names, company, company_names_key_of(KEY_SHORT, slice_of(word.data, word.len - n)));
  }
  if (query_leading_capitals(word) > 0)
    add_key(names, company,
            company_names_key_of(KEY_SHORT, slice_of(word.data, query_leading_capitals(word))));
}

static void company_names_add_company(struct query_names *names, size_t company, const char *ticker) {
  const struct query_core *core = &names->cores[company];
  char joined[NAME_JOINED];
  if (ticker[0] != '\0')
    add_key(names, company, company_names_key_of(KEY_TICKER, slice_str(ticker)));
  if (core->count == 0)
    return;
  struct slice first = core->word[0];
  add_key(names, company, company_names_key_of(KEY_FIRST, first));
  size_t n = query_join_core(core, core->count, joined);
  if (n >= JOINED_LEAST)
    add_key(names, company, company_names_key_of(KEY_WHOLE, slice_of(joined, n)));
  n = query_join_core(core, 1, joined);
  if (n >= JOINED_LEAST)
    add_key(names, company, company_names_key_of(KEY_JOINED_FIRST, slice_of(joined, n)));
  if (core->count > 1)
    add_key(names, company, letters_key(first.data[0], core->word[1].data[0]));
  if (first.len >= MISSPELT_LEAST)
    add_key(names, company, long_key(first.data[0], first.len));
  add_short(names, company, first);
}

static void fill_buckets(struct query_names *names) {
  names->mask = 1024;
  while (names->mask < names->entry_count)
    names->mask *= 2;
  names->buckets = xcalloc(names->mask, sizeof *names->buckets);
  names->mask--;
  for (size_t i = 0; i < names->entry_count; i++) {
    uint32_t *bucket = &names->buckets[names->entries[i].key & names->mask];
    names->entries[i].next = *bucket;
    *bucket = (uint32_t)i + 1;
  }
}

struct query_names *query_names_new(const struct query_company *companies, size_t count, int indexed) {
  struct query_names *names = xcalloc(1, sizeof *names);
  names->cores = xcalloc(count + 1, sizeof *names->cores);
  names->count = count;
  for (size_t i = 0; i < count; i++)
    query_core_of(companies[i].name, &names->cores[i]);
  for (size_t i = 1; indexed && i < count; i++)
    company_names_add_company(names, i, companies[i].ticker);
  if (indexed)
    fill_buckets(names);
  return names;
}

void query_names_free(struct query_names *names) {
  if (names == NULL)
    return;
  free(names->cores);
  free(names->entries);
  free(names->buckets);
  free(names);
}

const struct query_core *query_core_at(const struct query_names *names, size_t company) {
  return &names->cores[company];
}

/* ---- who may be meant ---- */

struct finding {
  const struct query_names *names;
  uint32_t *companies;
  size_t count, max; /* count > max: too many */
};

static void company_names_look_up(struct finding *f, uint64_t key) {
  const struct company_names_entry *e;
  for (uint32_t i = f->names->buckets[key & f->names->mask]; i != 0; i = e->next) {
    e = &f->names->entries[i - 1];
    if (e->key == key && f->count < f->max)
      f->companies[f->count] = e->company;
    f->count += e->key == key;
  }
}

static void find_names(struct finding *f, struct slice raw) {
  company_names_look_up(f, company_names_key_of(KEY_FIRST, raw));
  company_names_look_up(f, company_names_key_of(KEY_TICKER, raw));
}

/* Whatever is known by its letters has a capital within.  Initials have the second word's letter as the
 * second or, behind a joint, as the third; pieces have it as the next capital. */
static void find_letters(struct finding *f, struct slice raw) {
  size_t capital = 1;
  while (capital < raw.len && !isupper((unsigned char)raw.data[capital]))
    capital++;
  if (capital >= raw.len)
    return;
  for (size_t i = 1; i < raw.len; i++)
    if (i <= 2 || i == capital)
      company_names_look_up(f, letters_key(raw.data[0], raw.data[i]));
}

static void find_aliases(struct finding *f, const struct query *q, size_t i) {
  struct slice raw = query_bare(query_raw(q, i));
  char joined[NAME_JOINED];
  for (size_t n = 1; n <= JOINED_TOKENS && i + n <= q->token_count; n++) {
    size_t len = query_join_tokens(q, i, n, joined);
    if (len < JOINED_LEAST)
      continue;
    company_names_look_up(f, company_names_key_of(KEY_WHOLE, slice_of(joined, len)));
    if (n == 2)
      company_names_look_up(f, company_names_key_of(KEY_JOINED_FIRST, slice_of(joined, len)));
  }
  company_names_look_up(f, company_names_key_of(KEY_FIRST, raw));
  company_names_look_up(f, company_names_key_of(KEY_SHORT, raw));
  find_letters(f, raw);
}

static void find_misspelt(struct finding *f, struct slice raw) {
  for (size_t len = raw.len - 1; raw.len >= MISSPELT_LEAST && len <= raw.len + 1; len++)
    company_names_look_up(f, long_key(raw.data[0], len));
}

static int compare_numbers(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

size_t query_candidates(const struct query_names *names, const struct query *q, enum query_way way,
                        uint32_t *companies, size_t max) {
  struct finding f = {names, companies, 0, max};
  if (names->buckets == NULL)
    return SIZE_MAX;
  for (size_t i = 0; i < q->token_count; i++) {
    struct slice raw = query_bare(query_raw(q, i));
    if (way == BY_NAME)
      find_names(&f, raw);
    else if (q->tokens[i].kind != QUERY_STOP && way == BY_ALIAS)
      find_aliases(&f, q, i);
    else if (q->tokens[i].kind != QUERY_STOP) /* who isn't named in another way by now */
      find_misspelt(&f, raw);
  }
  if (f.count > max)
    return SIZE_MAX;
  if (f.count > 0)
    qsort(companies, f.count, sizeof *companies, compare_numbers);
  size_t kept = 0;
  for (size_t i = 0; i < f.count; i++)
    if (kept == 0 || companies[kept - 1] != companies[i])
      companies[kept++] = companies[i];
  return kept;
}

/* query_entities.c: the companies and forms that a question names, among those that a store holds.
 *
 * A name counts by its core: "Apple Inc." is "apple", "AMAZON COM INC" is "amazon", "The Coca-Cola Company"
 * is "coca cola".  The whole core, its first two words, or a distinctive first word alone names the company;
 * a word of ordinary language ("Union Pacific" by "union") doesn't.  Words of one letter's case only count
 * where the question writes them with a capital, unless it has no capitals at all.
 *
 * Besides, as people write names: run together or apart ("FootLocker", "Coca Cola", "JP Morgan"), by initials
 * ("J&J", "JnJ", "AWW"), by the beginnings of words ("AmEx", "AMEX"), short ("Pepsi" for PepsiCo, "JPM" for
 * JPMorgan, "CVS" for CVS Health), and with one letter wrong in a long name.  None of these is looked for
 * where a company is named outright.
 */
#include "record/json.h"
#include "query/company_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* First words that alone name nobody. */
static const char *const common_words[] = {
    "american",  "national",  "united",    "general", "first",        "international", "union",    "standard",
    "best",      "capital",   "advanced",  "applied", "southern",     "northern",      "western",  "eastern",
    "central",   "global",    "public",    "royal",   "new",          "old",           "great",    "home",
    "bank",      "energy",    "health",    "digital", "consolidated", "federal",       "european", "pacific",
    "atlantic",  "mutual",    "universal", "world",   "community",    "republic",      "texas",    "china",
    "canadian",  "delta",     "trade",     "cash",    "income",       "financial",     "data",     "life",
    "the",       "north",     "south",     "west",    "east",         "real",          "black",    "blue",
    "green",     "red",       "white",     "golden",  "silver",       "star",          "sun",      "total",
    "principal", "service",   "key",       "net",     "premier",      "quality",       "state",    "city",
    "fund",      "funds",     "sample",    "report",  "annual",       "two",           "three",    "five",
    "learn",     "cool",      "foot",      "power",   "water",        "air",           "oil",      "gas",
    "gold",      "direct",    "early",     "fair",    "free",         "open",          "prime",    "select",
    "smart",     "strategic", "value",     NULL};

/* Names that are ordinary words: in a question without capitals they name nobody. */
static const char *const ordinary[] = {
    "target",  "gap",     "block",  "square",   "match", "unity",    "snap",   "ball",  "chart",  "dish",
    "fox",     "news",    "shell",  "discover", "cable", "visa",     "carbon", "agree", "arch",   "box",
    "compass", "control", "core",   "crane",    "ford",  "frontier", "ally",   "root",  "sprout", "sharps",
    "toast",   "zoom",    "figure", "payoneer", "roots", "trade",    "vale",   "wolf",  NULL};

static int same_word(const struct query *q, size_t i, struct slice word) {
  struct slice raw = query_bare(query_raw(q, i));
  return raw.len == word.len && strncasecmp(raw.data, word.data, word.len) == 0;
}

static int has_capitals(const struct query *q) {
  for (size_t i = 0; i < q->text.len; i++)
    if (q->text.data[i] >= 'A' && q->text.data[i] <= 'Z')
      return 1;
  return 0;
}

static int capital_at(const struct query *q, size_t i) {
  char c = q->text.data[q->tokens[i].start];
  return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Words of the core that stand at token i: how many. */
static size_t core_at(const struct query *q, size_t i, const struct query_core *core) {
  size_t n = 0;
  while (n < core->count && i + n < q->token_count && same_word(q, i + n, core->word[n]))
    n++;
  return n;
}

static int distinctive(struct slice word) {
  return word.len >= 4 && !query_word_in(word, common_words) && !query_word_in(word, query_suffixes);
}

/* How many tokens at i name the company; 0: none. */
static size_t query_entities_name_at(const struct query *q, size_t i, const struct query_core *core,
                                     int capitals) {
  size_t n = core->count ? core_at(q, i, core) : 0;
  if (n == 0 || (capitals && !capital_at(q, i)))
    return 0;
  if (!capitals && n == 1 && query_word_in(core->word[0], ordinary))
    return 0;
  if (n == core->count)
    return n > 1 || core->word[0].len >= 2 ? n : 0;
  return n >= 2 || distinctive(core->word[0]) ? n : 0;
}

/* The ticker as capitals, or behind a dollar sign. */
static int ticker_at(const struct query *q, size_t i, const char *ticker, int shouting) {
  struct slice raw = query_bare(query_raw(q, i));
  size_t n = strlen(ticker);
  int dollar = q->tokens[i].start > 0 && q->text.data[q->tokens[i].start - 1] == '$';
  if (n == 0 || raw.len != n || memcmp(raw.data, ticker, n) != 0)
    return 0;
  return dollar || (n >= 2 && !shouting && !terms_is_stop(raw));
}

static int is_shouting(const struct query *q) {
  for (size_t i = 0; i < q->text.len; i++)
    if (q->text.data[i] >= 'a' && q->text.data[i] <= 'z')
      return 0;
  return q->token_count > 3;
}

static void query_entities_mark(struct query *q, size_t i, size_t n) {
  for (size_t k = i; k < i + n; k++)
    if (q->tokens[k].kind != QUERY_STOP)
      q->tokens[k].kind = QUERY_ROUTED;
}

static void note_company(struct query *q, const struct query_company *c, size_t i, size_t n) {
  struct buf text;
  buf_init(&text, 2048);
  buf_printf(&text, "company: \"%.*s\" is %s%s%s%s", (int)(q->tokens[i + n - 1].end - q->tokens[i].start),
             q->text.data + q->tokens[i].start, c->name[0] ? c->name : c->ticker, c->ticker[0] ? " (" : "",
             c->ticker, c->ticker[0] ? ")" : "");
  if (q->notes.len > 0)
    buf_add_char(&q->notes, ',');
  json_add_slice(&q->notes, buf_slice(&text));
  buf_release(&text);
}

/* ---- names as people write them ---- */

/* Letters and digits of some words in lower case, the last one first. */
struct letters {
  const struct slice *words;
  size_t word, at; /* the first `at` bytes of words[word] are left, and the words before it */
};

/* 0 where there are none left. */
static int last_letter(struct letters *l) {
  for (;;) {
    while (l->at == 0) {
      if (l->word == 0)
        return 0;
      l->at = l->words[--l->word].len;
    }
    int c = (unsigned char)l->words[l->word].data[--l->at];
    if (isalnum(c))
      return tolower(c);
  }
}

/* How many letters both have, where they are the same ones; 0 where not, or more than NAME_JOINED.  Names that
 * begin alike are many ("American ..."): they are compared from their ends. */
static size_t same_letters(const struct slice *a, size_t a_count, const struct slice *b, size_t b_count) {
  struct letters left = {a, a_count, 0}, right = {b, b_count, 0};
  for (size_t n = 0; n <= NAME_JOINED; n++) {
    int x = last_letter(&left), y = last_letter(&right);
    if (x != y)
      return 0;
    if (x == 0)
      return n;
  }
  return 0;
}

/* Run together or apart: at least six letters, of the whole core or of its distinctive first word. */
static size_t joined_at(const struct query *q, size_t i, const struct query_core *core, int *whole) {
  struct slice words[4];
  for (size_t n = 0; n < 4 && i + n < q->token_count; n++)
    words[n] = query_bare(query_raw(q, i + n));
  for (size_t n = 4; n > 0; n--) {
    if (i + n > q->token_count)
      continue;
    if (n + core->count > 2 && same_letters(words, n, core->word, core->count) >= 6)
      return *whole = 1, n;
    if (n == 2 && same_letters(words, n, core->word, core->count > 0) >= 6)
      return *whole = 0, n;
  }
  return 0;
}

/* "J&J", "JnJ", "GE": capitals that are the first letters of the core's words. */
static int initials_at(const struct query *q, size_t i, const struct query_core *core) {
  struct slice raw = query_bare(query_raw(q, i));
  size_t k = 0;
  if (core->count < 2)
    return 0;
  for (size_t c = 0; c < raw.len; c++) {
    char letter = raw.data[c];
    int joint = letter == '&' || ((letter == 'n' || letter == 'N') && c > 0 && c + 1 < raw.len &&
                                  core->count * 2 == raw.len + 1);
    if (joint && c % 2 == 1)
      continue;
    if (k == core->count || !isupper((unsigned char)letter) ||
        tolower((unsigned char)letter) != tolower((unsigned char)core->word[k].data[0]))
      return 0;
    k++;
  }
  return k == core->count;
}

/* "AmEx": each capital begins a piece, each piece begins a word of the core, the last word included. */
static int pieces_at(const struct query *q, size_t i, const struct query_core *core) {
  struct slice raw = query_bare(query_raw(q, i));
  size_t k = 0, start = 0;
  if (core->count < 2 || raw.len < 4)
    return 0;
  for (size_t c = 1; c <= raw.len; c++) {
    if (c < raw.len && !isupper((unsigned char)raw.data[c]))
      continue;
    size_t n = c - start;
    if (k == core->count || n < 2 || n > core->word[k].len ||
        strncasecmp(raw.data + start, core->word[k].data, n) != 0)
      return 0;
    k++;
    start = c;
  }
  return k == core->count;
}

/* "AMEX": two letters of each of two words, in capitals. */
static int halves_at(const struct query *q, size_t i, const struct query_core *core) {
  struct slice raw = query_bare(query_raw(q, i));
  if (core->count != 2 || raw.len != 4 || core->word[0].len < 3 || core->word[1].len < 3)
    return 0;
  for (size_t c = 0; c < raw.len; c++)
    if (!isupper((unsigned char)raw.data[c]))
      return 0;
  return strncasecmp(raw.data, core->word[0].data, 2) == 0 &&
         strncasecmp(raw.data + 2, core->word[1].data, 2) == 0;
}

/* "Pepsi" for "PepsiCo", "JPM" for "JPMorgan". */
static int short_at(const struct query *q, size_t i, const struct query_core *core) {
  struct slice raw = query_bare(query_raw(q, i)), word = core->count ? core->word[0] : slice_of("", 0);
  size_t capitals = query_leading_capitals(word);
  if (capitals > 0 && raw.len == capitals && memcmp(raw.data, word.data, capitals) == 0)
    return 1;
  if (raw.len < 4 || raw.len >= word.len || strncasecmp(raw.data, word.data, raw.len) != 0)
    return 0;
  return query_word_in(slice_of(word.data + raw.len, word.len - raw.len),
                       (const char *const[]){"co", "corp", "inc", "com", "group", NULL});
}

/* "CVS", "AES", "MGM": a first word of capitals, which no word of finance is. */
static int capitals_at(const struct query *q, size_t i, const struct query_core *core) {
  static const char *const never[] = {
      "us",  "usa", "usd", "eps", "ceo", "cfo", "coo",  "sec",  "fy",    "roa",   "roe", "it",  "ai",
      "net", "all", "new", "the", "and", "for", "gaap", "ebit", "capex", "q",     "ppe", "dpo", "dso",
      "one", "two", "top", "big", "air", "oil", "gas",  "sun",  "key",   "first", NULL};
  struct slice raw = query_bare(query_raw(q, i)), word = core->count ? core->word[0] : slice_of("", 0);
  if (raw.len < 2 || raw.len > 5 || raw.len != word.len || strncasecmp(raw.data, word.data, raw.len) != 0)
    return 0;
  for (size_t c = 0; c < raw.len; c++)
    if (!isupper((unsigned char)raw.data[c]) && !(isdigit((unsigned char)raw.data[c]) && raw.len <= 3))
      return 0;
  return !query_word_in(raw, never) && !query_word_in(raw, common_words);
}

static int same_letter(char a, char b) {
  return (a | 32) == (b | 32);
}

/* How many letters the words have in common from their beginnings. */
static size_t common_head(struct slice a, struct slice b) {
  size_t n = 0;
  while (n < a.len && n < b.len && same_letter(a.data[n], b.data[n]))
    n++;
  return n;
}

static int one_letter_off(struct slice a, struct slice b) {
  size_t n = common_head(a, b);
  struct slice x = slice_of(a.data + n, a.len - n), y = slice_of(b.data + n, b.len - n);
  if (x.len == y.len && x.len >= 2 && same_letter(x.data[0], y.data[1]) && same_letter(x.data[1], y.data[0]))
    n = 2; /* two letters the other way round */
  else if (x.len == y.len)
    n = 1;
  else if (x.len + 1 != y.len && y.len + 1 != x.len)
    return 0;
  else
    n = 0;
  size_t skip_x = x.len >= y.len && n == 0 ? 1 : n, skip_y = y.len > x.len && n == 0 ? 1 : n;
  if (x.len < skip_x || y.len < skip_y || x.len - skip_x != y.len - skip_y)
    return 0;
  return strncasecmp(x.data + skip_x, y.data + skip_y, x.len - skip_x) == 0;
}

/* A capital word of seven letters or more, one of which is wrong, missing or too many; not the first letter.
 */
static int misspelt_at(const struct query *q, size_t i, const struct query_core *core) {
  struct slice raw = query_bare(query_raw(q, i)), word = core->count ? core->word[0] : slice_of("", 0);
  return raw.len >= 7 && word.len >= 7 && capital_at(q, i) && (raw.data[0] | 32) == (word.data[0] | 32) &&
         distinctive(word) && one_letter_off(raw, word);
}

/* How many tokens at i mean the company in one of these ways. */
static size_t alias_at(const struct query *q, size_t i, const struct query_core *core, int shouting,
                       int loose, int *whole) {
  if (loose) { /* nobody is named in another way */
    *whole = 0;
    return (size_t)misspelt_at(q, i, core);
  }
  size_t n = joined_at(q, i, core, whole);
  if (n > 0)
    return n;
  *whole = 1;
  if (!shouting && (initials_at(q, i, core) || pieces_at(q, i, core) || halves_at(q, i, core)))
    return 1;
  *whole = 0;
  return short_at(q, i, core) || (!shouting && capitals_at(q, i, core));
}

struct naming {
  size_t at, words; /* tokens that name it; words 0: not named */
  int whole;        /* its whole name or its ticker */
};

/* A question in search of companies. */
struct query_entities_asking {
  const struct query *q;
  int capitals, shouting;
  char letter[QUERY_TOKENS]; /* of each token, 0 where it may be any */
};

/* Whatever a company is called, the first letter is its own. */
static int may_name(const struct query_entities_asking *a, size_t i, const struct query_core *core) {
  return a->letter[i] == core->letter || a->letter[i] == '\0' || core->letter == '\0';
}

/* The longest naming of one company in the question. */
static struct naming find_company(const struct query_entities_asking *a, const struct query_company *c,
                                  const struct query_core *core) {
  const struct query *q = a->q;
  struct naming best = {0, 0, 0};
  for (size_t i = 0; i < q->token_count; i++) {
    size_t n = may_name(a, i, core) ? query_entities_name_at(q, i, core, a->capitals) : 0;
    int whole = n == core->count;
    if (n == 0 && q->text.data[q->tokens[i].start] == c->ticker[0] && ticker_at(q, i, c->ticker, a->shouting))
      n = 1, whole = 1;
    if (n > best.words)
      best = (struct naming){i, n, whole};
  }
  return best;
}

static struct naming find_alias(const struct query_entities_asking *a, const struct query_core *core,
                                int loose) {
  const struct query *q = a->q;
  struct naming best = {0, 0, 0};
  for (size_t i = 0; i < q->token_count; i++) {
    int whole = 0, worth = q->tokens[i].kind != QUERY_STOP && may_name(a, i, core);
    size_t n = worth ? alias_at(q, i, core, a->shouting, loose, &whole) : 0;
    if (n > best.words)
      best = (struct naming){i, n, whole};
  }
  return best;
}

static void begin_asking(struct query_entities_asking *a, const struct query *q) {
  a->q = q;
  a->capitals = has_capitals(q);
  a->shouting = is_shouting(q);
  for (size_t i = 0; i < q->token_count; i++)
    a->letter[i] = query_letter(query_raw(q, i));
}

static void look_at_company(struct query *q, const struct query_known *known,
                            const struct query_entities_asking *asking, enum query_way way, size_t c,
                            struct naming *found) {
  const struct query_core *core;
  struct query_core made;
  if (known->names == NULL)
    query_core_of(known->companies[c].name, &made);
  core = known->names ? query_core_at(known->names, c) : &made;
  struct naming n = way == BY_NAME ? find_company(asking, &known->companies[c], core)
                                   : find_alias(asking, core, way == MISSPELT);
  if (n.words == 0)
    return;
  found[q->company_count] = n;
  q->companies[q->company_count++] = (uint32_t)c;
}

#define CANDIDATES 2048

static void collect_companies(struct query *q, const struct query_known *known, enum query_way way,
                              struct naming *found) {
  struct query_entities_asking asking;
  uint32_t may[CANDIDATES];
  size_t some = known->names ? query_candidates(known->names, q, way, may, CANDIDATES) : SIZE_MAX;
  size_t count = some == SIZE_MAX ? known->company_count : some;
  begin_asking(&asking, q);
  for (size_t i = some == SIZE_MAX; i < count && q->company_count < QUERY_ROUTES; i++)
    look_at_company(q, known, &asking, way, some == SIZE_MAX ? i : may[i], found);
}

static void route_companies(struct query *q, const struct query_known *known) {
  struct naming found[QUERY_ROUTES];
  for (int way = BY_NAME; way < QUERY_WAYS && q->company_count == 0; way++)
    collect_companies(q, known, (enum query_way)way, found);
  /* At one place a longer name wins, then a whole one: "Siemens Energy" is not "Siemens", nor the other way.
   */
  size_t kept = 0;
  for (size_t a = 0; a < q->company_count; a++) {
    int beaten = 0;
    for (size_t b = 0; b < q->company_count; b++)
      beaten |= b != a && found[b].at == found[a].at &&
                (found[b].words > found[a].words ||
                 (found[b].words == found[a].words && found[b].whole && !found[a].whole));
    if (beaten)
      continue;
    q->companies[kept] = q->companies[a];
    found[kept++] = found[a];
  }
  q->company_count = kept;
  for (size_t a = 0; a < kept; a++) {
    query_entities_mark(q, found[a].at, found[a].words);
    note_company(q, &known->companies[q->companies[a]], found[a].at, found[a].words);
  }
}

/* "10-K", "10k" and "Form 10-K" alike: letters and digits in lower case, and the slash of amendments. */
static void squash_form(const char *form, char out[32]) {
  size_t n = 0;
  if (strncasecmp(form, "form ", 5) == 0)
    form += 5;
  for (; *form != '\0' && n < 31; form++)
    if (isalnum((unsigned char)*form) || *form == '/')
      out[n++] = (char)tolower((unsigned char)*form);
  out[n] = '\0';
}

/* Whether `form` is `name` or, where the name has no slash, an amendment or a variant of it (10-KT, 10-K405).
 */
static int is_form(const char *form, const char *name) {
  char have[32], want[32];
  squash_form(form, have);
  squash_form(name, want);
  size_t n = strlen(want);
  if (n == 0 || strncmp(have, want, n) != 0)
    return 0;
  if (have[n] == '\0')
    return 1;
  return strchr(want, '/') == NULL && (have[n] == '/' || (n >= 2 && isdigit((unsigned char)want[0]) &&
                                                          isalpha((unsigned char)want[n - 1])));
}

size_t query_find_forms(const struct query_known *known, const char *name, uint16_t *numbers, size_t max) {
  size_t n = 0;
  for (size_t f = 1; f < known->form_count && n < max; f++)
    if (is_form(known->forms[f], name))
      numbers[n++] = (uint16_t)f;
  return n;
}

static void route_forms(struct query *q, const struct query_known *known) {
  size_t max = sizeof q->forms / sizeof *q->forms;
  for (size_t i = 0; i < q->form_name_count; i++)
    q->form_count += query_find_forms(known, q->form_names[i], q->forms + q->form_count, max - q->form_count);
}

void query_route(struct query *q, const struct query_known *known) {
  q->company_count = q->form_count = 0;
  route_companies(q, known);
  route_forms(q, known);
}

/* CIKs are equal whatever zeros lead. */
static int same_cik(const char *a, const char *b) {
  if (strncasecmp(a, "CIK", 3) == 0)
    a += 3;
  while (*a == '0')
    a++;
  while (*b == '0')
    b++;
  return *a != '\0' && strcmp(a, b) == 0;
}

/* Whether all words of `given` begin the core of `name`. */
static int query_entities_begins_name(const char *given, const char *name) {
  struct query_core want, has;
  query_core_of(given, &want);
  query_core_of(name, &has);
  if (want.count == 0 || want.count > has.count)
    return 0;
  for (size_t i = 0; i < want.count; i++)
    if (want.word[i].len != has.word[i].len ||
        strncasecmp(want.word[i].data, has.word[i].data, want.word[i].len) != 0)
      return 0;
  return 1;
}

size_t query_find_companies(const struct query_known *known, const char *text, uint32_t *numbers,
                            size_t max) {
  size_t n = 0;
  for (int pass = 0; pass < 2 && n == 0; pass++) /* exact keys first, then names */
    for (size_t c = 1; c < known->company_count && n < max; c++) {
      const struct query_company *k = &known->companies[c];
      int exact = (k->ticker[0] && strcasecmp(k->ticker, text) == 0) ||
                  (k->cik[0] && same_cik(text, k->cik)) || (k->name[0] && strcasecmp(k->name, text) == 0);
      if (pass == 0 ? exact : query_entities_begins_name(text, k->name))
        numbers[n++] = (uint32_t)c;
    }
  return n;
}

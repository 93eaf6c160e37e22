/* plan_candidates.c: the companies that some words may mean, by key, by some words of a name, by a typing error. */
#include "query/plan_candidates.h"
#include "base/near_name.h"
#include "tables/name_words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- candidates ---- */

#define OWN_RANK 5000 /* larger companies keep their name for themselves */

/* The weight of a kind of match, for choosing among companies with the same key. */
static double way_weight(enum directory_way way, size_t others) {
  switch (way) {
  case WAY_ALIAS:
    return 6.5;
  case WAY_ALONE:
  case WAY_PERSON:
  case WAY_BRAND: /* less than a listed company's own name */
    return 0.5;
  case WAY_FULL:
    return 4.5;
  case WAY_CORE:
    return 3.6;
  case WAY_FORMER:
    return 3.2;
  case WAY_TICKER:
    return others ? 3.0 : 4.0;
  case WAY_PREFIX:
    return 2.2 - 0.3 * (double)others;
  }
  return 0;
}

/* Adds a candidate, or raises the weight of one for the same company; of two equal matches the larger company has
 * more weight. */
static void plan_choices_add(struct choices *c, const struct directory *d, struct choice one) {
  one.weight += -0.9 * log((double)directory_company(d, one.company).rank + 20);
  for (size_t i = 0; i < c->count; i++)
    if (c->list[i].company == one.company) {
      if (one.weight > c->list[i].weight)
        c->list[i] = one;
      return;
    }
  if (c->count < CHOICES) {
    c->list[c->count++] = one;
    return;
  }
  size_t least = 0;
  for (size_t i = 1; i < CHOICES; i++)
    least = c->list[i].weight < c->list[least].weight ? i : least;
  if (one.weight > c->list[least].weight)
    c->list[least] = one;
}

static void plan_choices_add_entry(struct choices *c, const struct directory *d,
                                   const struct directory_entry *e, double extra) {
  plan_choices_add(
      c, d,
      (struct choice){e->company, (enum directory_way)e->way, e, way_weight(e->way, e->others) + extra});
}

static int compare_choices(const void *a, const void *b) {
  const struct choice *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight < y->weight ? 1 : -1;
  return x->company < y->company ? -1 : x->company > y->company;
}

/* Whether the key is a whole ticker of some company: then it isn't the base of another one's share class ("EP" of EP-PC). */
static int is_whole_ticker(const struct directory *d, const char *key, size_t len) {
  for (const struct directory_entry *e = directory_find(d, key, len); e; e = directory_next(e))
    if (e->way == WAY_TICKER && e->others == 0)
      return 1;
  return 0;
}

/* Whether an entry is a key of that kind. */
static int is_key_of(const struct directory_entry *e, enum plan_choices_of of, size_t words, int whole) {
  if (of == OF_TICKERS)
    return e->way == WAY_TICKER && !(words > 1 && e->words != words) && !(whole && e->others);
  return e->way != WAY_TICKER && (e->way != WAY_ALONE || of == OF_ALL_NAMES) &&
         (e->way != WAY_PERSON || of == OF_NAMES);
}

void plan_choices_add_key(struct choices *c, const struct directory *d, const char *key, size_t len,
                          enum plan_choices_of of, size_t words, double extra) {
  int whole = of == OF_TICKERS && len && is_whole_ticker(d, key, len);
  for (const struct directory_entry *e = len ? directory_find(d, key, len) : NULL; e; e = directory_next(e))
    if (is_key_of(e, of, words, whole))
      plan_choices_add_entry(c, d, e, extra - (words == 0 || e->words == words ? 0 : e->len <= 3 ? 4 : 0.2));
}

static enum plan_how how_of(enum directory_way way) {
  switch (way) {
  case WAY_TICKER:
    return PLAN_TICKER;
  case WAY_ALIAS:
  case WAY_BRAND:
  case WAY_ALONE:
  case WAY_PERSON:
    return PLAN_ALIAS;
  case WAY_FORMER:
    return PLAN_FORMER;
  default:
    return PLAN_NAME;
  }
}

/* A known company's own name is no longer another's product or former name: Inari Medical beside a brand of Stryker. */
static void drop_names_of_others(struct choices *c, const struct directory *d) {
  size_t kept = 0, own = 0;
  for (size_t i = 0; i < c->count; i++)
    own += c->list[i].way == WAY_FULL && directory_company(d, c->list[i].company).rank < OWN_RANK;
  for (size_t i = 0; i < c->count; i++)
    if (own == 0 || (c->list[i].way != WAY_BRAND && c->list[i].way != WAY_FORMER))
      c->list[kept++] = c->list[i];
  c->count = kept;
}

int plan_choices_best(struct choices *c, const struct directory *d, struct mention *found) {
  drop_names_of_others(c, d);
  if (c->count == 0)
    return 0;
  qsort(c->list, c->count, sizeof *c->list, compare_choices);
  found->company = c->list[0].company;
  found->way = (int)c->list[0].way;
  found->how = how_of(c->list[0].way);
  found->margin = c->count > 1 ? c->list[0].weight - c->list[1].weight : 20;
  found->rival_count = 0;
  for (size_t i = 0; i < c->count && i < PLAN_CANDIDATES; i++)
    found->rivals[found->rival_count++] = c->list[i].company;
  return 1;
}

void plan_choices_add_slips(struct choices *c, const struct directory *d, const char *key, size_t len) {
  const struct directory_entry *found[CHOICES];
  size_t n = directory_find_slip(d, key, len, found, CHOICES);
  for (size_t i = 0; i < n; i++)
    plan_choices_add_entry(c, d, found[i], 0);
}

void plan_choices_add_near_tickers(struct choices *c, const struct directory *d, const char *ticker) {
  char key[CHOICE_KEY];
  struct directory_cursor at = {0, 0};
  struct directory_row row;
  while (directory_next_row(d, &at, &row)) {
    int room = row.text.len < 16 ? (int)row.text.len : 16;
    int len = row.way == WAY_TICKER ? snprintf(key, sizeof key, "$%.*s", room, row.text.data) : 0;
    for (int i = 0; i < len; i++)
      key[i] = (char)tolower((unsigned char)key[i]);
    if (len > 0 && near_name_is_typo(key + 1, (size_t)len - 1, ticker, strlen(ticker)))
      plan_choices_add_key(c, d, key, (size_t)len, OF_TICKERS, 0, 0);
  }
}

/* ---- some words of a name ---- */

#define PARTIAL_WORDS 8
#define PARTIAL_RANK 2500 /* smaller companies must be named completely */
#define ALONE_LETTERS 5   /* minimum letters of a single word */
#define NAME_RANK 1000    /* a single word that is some other name too means larger companies only */
#define COMMON_WORD 35    /* SCOWL size */
#define MISSING 2.0       /* what a name loses where a word of it is missing */
#define SLIP_WORD 5       /* letters of a word that may have one typo, or two */
#define SLIPS_WORD 9
#define CLEAR_MARGIN 2.0 /* stricter than for a complete name */
#define WORD_MAX 24      /* limit of words compared for typos, in letters */

/* The name being searched. */
struct partial {
  const struct directory *directory;
  const struct plan_words *words;
  const struct plan_token *token[PARTIAL_WORDS]; /* its distinctive words */
  struct plan_word word[PARTIAL_WORDS];
  size_t count;
  int telling; /* one of them is neither a usual part of names nor a common word */
  int rare;    /* one of them is in no dictionary */
  int slips;   /* words may have typos; then no distinctive word may be missing */
  struct choices choices;
  struct plan_text name; /* the name compared with */
};

/* "tech", "intl", "natl", "svcs": the first letters, possibly with the last one, or consonants in order. */
static int is_abbreviation(const struct plan_token *a, const struct plan_token *b) {
  size_t same = 0, i = 1, vowels = 0;
  if (a->len < 3 || a->len >= b->len || a->fold[0] != b->fold[0])
    return 0;
  while (same < a->len && a->fold[same] == b->fold[same])
    same++;
  if (same == a->len)
    return 1;
  if (same + 1 == a->len && same > 2 && a->fold[same] == b->fold[b->len - 1])
    return 1;
  for (size_t k = 1; k < b->len && i < a->len; k++)
    i += a->fold[i] == b->fold[k];
  for (size_t k = 1; k < a->len; k++)
    vowels += strchr("aeiou", a->fold[k]) != NULL;
  return i == a->len && vowels == 0;
}

/* "banco" and "bank" */
static int is_translated(const struct plan_token *a, const struct plan_token *b) {
  static const char *const words[][2] = {NAME_WORDS_TRANSLATED};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if ((strcmp(a->fold, words[i][0]) == 0 && strcmp(b->fold, words[i][1]) == 0) ||
        (strcmp(b->fold, words[i][0]) == 0 && strcmp(a->fold, words[i][1]) == 0))
      return 1;
  return 0;
}

static int words_match(const struct partial *p, size_t q, const struct plan_token *b) {
  const struct plan_token *a = p->token[q];
  if ((a->len == b->len || a->bare == b->len) && memcmp(a->fold, b->fold, b->len) == 0)
    return 1;
  if (is_translated(a, b))
    return 1;
  if (is_abbreviation(a, b) &&
      (a->len >= 4 || (plan_words_kinds(p->words, b->fold) & (KIND_GENERIC | KIND_LEGAL))))
    return 1;
  if (!p->slips || a->len < SLIP_WORD || a->digits || a->fold[0] != b->fold[0] || p->word[q].ordinary ||
      a->len >= WORD_MAX || b->len >= WORD_MAX)
    return 0;
  return near_name_distance(a->fold, b->fold) <= (a->len >= SLIPS_WORD ? 2 : 1);
}

/* Words that may be missing: grammar and legal forms; "group" and the like at a small penalty. */
static unsigned is_empty_word(const struct partial *p, const struct plan_token *token) {
  return token->amp ? KIND_FUNCTION
                    : plan_words_kinds(p->words, token->fold) & (KIND_FUNCTION | KIND_LEGAL | KIND_GENERIC);
}

/* Whether a word of the name has the same beginning as the first one searched: a cheap test that excludes most names. */
static int may_match(const struct partial *p, struct slice name) {
  const char *fold = p->token[0]->fold;
  for (size_t i = 0; i + 1 < name.len; i++)
    if ((i == 0 || !isalnum((unsigned char)name.data[i - 1])) &&
        tolower((unsigned char)name.data[i]) == fold[0] &&
        (p->slips || tolower((unsigned char)name.data[i + 1]) == fold[1]))
      return 1;
  return 0;
}

static void compare_name(struct partial *p, struct slice name, uint32_t company, enum directory_way way) {
  static const double base[] = {[WAY_FULL] = 2.2, [WAY_ALIAS] = 3, [WAY_BRAND] = 0.5, [WAY_FORMER] = 1.5};
  size_t q = 0, content = 0, generic = 0;
  if (way == WAY_TICKER || way == WAY_ALONE || way == WAY_PERSON || !may_match(p, name))
    return;
  plan_text_read(&p->name, name);
  for (size_t i = 0; i < p->name.count; i++) {
    const struct plan_token *token = &p->name.token[i];
    unsigned empty = is_empty_word(p, token);
    int place = i > 0 && (token->gap & GAP_SLASH) && token->len <= 3; /* "/DE/" */
    if (q < p->count && words_match(p, q, token))
      q++;
    else if (!empty && !place)
      content++;
    else if (empty == KIND_GENERIC)
      generic++;
  }
  if (q < p->count || (content > 0 && (!p->telling || way != WAY_FULL)) ||
      (p->count > 1 && content >= p->count) || (p->slips && content > (p->count > 2 ? 1u : 0u)))
    return;
  plan_choices_add(&p->choices, p->directory,
                   (struct choice){company, way, NULL,
                                   base[way] - 0.3 * (double)generic -
                                       (content > 0 ? MISSING + 0.3 * (double)content : 0)});
}

/* A word that is a name only: "Grainger" in W.W.  Grainger, "Philips". */
static int is_rare(const struct plan_token *token, const struct plan_word *w) {
  return token->len >= ALONE_LETTERS && token->digits == 0 && !w->ordinary && !w->family && !w->given &&
         !w->place && !w->kinds && !w->capital;
}

/* Whether a word of the company's name begins with the only one searched: else some letters of it are missing, "Tidewr". */
static int partial_begins_word(struct partial *p, uint32_t company) {
  plan_text_read(&p->name, directory_company(p->directory, company).name);
  for (size_t i = 0; i < p->name.count; i++)
    if (p->name.token[i].len >= p->token[0]->bare &&
        memcmp(p->name.token[i].fold, p->token[0]->fold, p->token[0]->bare) == 0)
      return 1;
  return 0;
}

static int partial_judge(struct partial *p, struct mention *found) {
  if (!plan_choices_best(&p->choices, p->directory, found))
    return 0;
  int alone = p->choices.count == 1, clear = alone || found->margin >= CLEAR_MARGIN;
  uint32_t rank = directory_company(p->directory, found->company).rank;
  found->score = 4;
  if (p->slips || (p->count == 1 && found->way == WAY_FULL && !partial_begins_word(p, found->company)))
    found->how = PLAN_TYPO;
  if (p->count == 1)
    return alone && rank < (p->word[0].name ? NAME_RANK : PARTIAL_RANK);
  return clear && (rank < PARTIAL_RANK || (alone && p->rare)) ? 1 : -1;
}

static void read_words(struct partial *p, const struct plan_text *t) {
  size_t to = t->count;
  while (to > 1 && (plan_words_kinds(p->words, t->token[to - 1].fold) & KIND_LEGAL))
    to--;
  for (size_t i = 0; i < to; i++) {
    const struct plan_token *token = &t->token[i];
    struct plan_word word = plan_words_of(p->words, token->fold);
    if (plan_token_is_and(token) || (word.kinds & (i > 0 ? KIND_FUNCTION | KIND_LEGAL : KIND_FUNCTION)))
      continue; /* "Banco de Chile" */
    if (p->count == PARTIAL_WORDS) {
      p->count = 0;
      return;
    }
    p->rare |= is_rare(token, &word);
    p->telling |= !(word.kinds & KIND_GENERIC) && (word.ordinary == 0 || word.ordinary > COMMON_WORD);
    p->token[p->count] = token;
    p->word[p->count++] = word;
  }
}

int plan_partial_resolve(const struct directory *d, const struct plan_words *words, const struct plan_text *t,
                         int slips, struct mention *found) {
  struct partial *p = xcalloc(1, sizeof *p);
  int result = 0;
  p->directory = d;
  p->words = words;
  read_words(p, t);
  for (p->slips = 0; p->slips <= slips && result == 0 && p->count > 0; p->slips++) {
    if (p->count == 1 && (p->slips || !p->rare))
      break;
    p->choices.count = 0;
    struct directory_cursor at = {0, 0};
    struct directory_row row;
    while (directory_next_row(d, &at, &row))
      compare_name(p, row.text, row.company, row.way);
    result = partial_judge(p, found);
  }
  free(p);
  return result;
}

/* ---- names with one typing error ---- */

#define SLIP_RANK 3000 /* smaller companies' names of several words with a typo must be longer: */
#define SLIP_WORDS 8   /* letters */
#define SLIP_LONG 9    /* letters of a single word with a typo that may mean a company of any size */
#define SLIP_BRAND 7   /* minimum letters of a product's name with a typo */

/* The size that a company has to have at least, as a rank, where its name is a single word of so many letters with a typing
 * error: the shorter the word, the likelier it is the name of a company of no list ("Canva" and Cava); less so where two letters are swapped or one is doubled. */
static uint32_t slip_rank(size_t letters, int swapped) {
  uint32_t rank = swapped ? 400 : 100;
  for (size_t i = CHOICE_SLIP_LETTERS; i < letters && i < SLIP_LONG; i++)
    rank *= 3;
  return letters >= SLIP_LONG ? UINT32_MAX : rank;
}

/* Whether a name with a typing error is accepted for that entry. */
static int is_slip_of(const struct directory *d, size_t count, const struct directory_entry *e,
                      const char *key, size_t len) {
  char meant[CHOICE_KEY];
  size_t n = directory_entry_key(e, meant, sizeof meant), same = 0;
  while (same < n && same < len && meant[same] == key[same])
    same++;
  if (count > 1)
    return len >= SLIP_WORDS + (e->way == WAY_PREFIX) || directory_company(d, e->company).rank < SLIP_RANK;
  const char *longer = n > len ? meant : key;
  int swapped = n == len ? same + 1 < n && key[same] == meant[same + 1]
                         : longer[same] == longer[same > 0 ? same - 1 : same + 1];
  int ending = n == len && same + 1 == n; /* "Ferrara" and Ferrari */
  return directory_company(d, e->company).rank < slip_rank(len > n ? len : n, swapped) &&
         !(ending && len < SLIP_LONG) && (e->way != WAY_BRAND || len >= SLIP_BRAND) && e->way != WAY_PREFIX;
}

int plan_slip_resolve(const struct directory *d, const struct plan_text *t, size_t to,
                      struct mention *found) {
  struct choices c = {.count = 0};
  char key[CHOICE_KEY];
  size_t len = directory_key(t, 0, to, 0, key, sizeof key);
  if (len >= CHOICE_SLIP_LETTERS)
    plan_choices_add_slips(&c, d, key, len);
  if (!plan_choices_best(&c, d, found))
    return 0;
  found->how = PLAN_TYPO;
  found->score = 5;
  return found->margin >= CHOICE_MARGIN && is_slip_of(d, to, c.list[0].entry, key, len) ? 1 : -1;
}

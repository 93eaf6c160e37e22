/* Which words name a company: candidates are looked up in the directory and weighed by the signs of plan_signs.h; a sum
 * above 0 says that they do. */
#include "query/plan_mentions.h"

#include "query/plan_signs.h"
#include "query/plan_windows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SPAN_WORDS 7
#define KEY_ROOM 96
#define MARGIN 1.6     /* one company is much likelier than the next one */
#define SLIP_LETTERS 5 /* of an option's text; a question's word needs two more */
#define RIVALS 64

/* ---- which company the words mean ---- */

/* How well a way of being called fits, for telling companies of the same words apart. */
static double way_weight(enum directory_way way, size_t others) {
  switch (way) {
  case WAY_ALIAS:
    return 6.5;
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

/* Larger companies are meant more often: the SEC's list is ordered by size. */
static double size_weight(const struct directory *d, uint32_t company) {
  return -0.9 * log((double)directory_company(d, company)->rank + 20);
}

struct choice {
  const struct directory_entry *entry;
  double weight;
};

struct choices {
  struct choice list[RIVALS];
  size_t count;
};

/* Adds a candidate, or raises the weight of one of the same company. */
static void mention_add_choice(struct choices *c, const struct directory *d, const struct directory_entry *e,
                               double extra) {
  double weight = way_weight(e->way, e->others) + size_weight(d, e->company) + extra;
  for (size_t i = 0; i < c->count; i++)
    if (c->list[i].entry->company == e->company) {
      if (weight > c->list[i].weight)
        c->list[i] = (struct choice){e, weight};
      return;
    }
  if (c->count < RIVALS) {
    c->list[c->count++] = (struct choice){e, weight};
    return;
  }
  size_t least = 0;
  for (size_t i = 1; i < RIVALS; i++)
    least = c->list[i].weight < c->list[least].weight ? i : least;
  if (weight > c->list[least].weight)
    c->list[least] = (struct choice){e, weight};
}

static int compare_choices(const void *a, const void *b) {
  const struct choice *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight < y->weight ? 1 : -1;
  return x->entry->company < y->entry->company ? -1 : x->entry->company > y->entry->company;
}

/* words: of the text, 0 where that doesn't matter; of two spellings of a name the one parted alike is taken, and "MT" is
 * hardly "M&T". */
static void mention_add_key(struct choices *c, const struct directory *d, const char *key, size_t len,
                            int tickers, size_t words, double extra) {
  for (const struct directory_entry *e = len ? directory_find(d, key, len) : NULL; e; e = directory_next(e))
    if ((e->way == WAY_TICKER) == tickers)
      mention_add_choice(c, d, e, extra - (words == 0 || e->words == words ? 0 : e->len <= 3 ? 4 : 0.2));
}

static enum plan_how how_of(enum directory_way way) {
  switch (way) {
  case WAY_TICKER:
    return PLAN_TICKER;
  case WAY_ALIAS:
  case WAY_BRAND:
    return PLAN_ALIAS;
  case WAY_FORMER:
    return PLAN_FORMER;
  default:
    return PLAN_NAME;
  }
}

/* The likeliest of the choices as a mention; 0 where there are none. */
static int best_choice(struct choices *c, struct mention *found) {
  if (c->count == 0)
    return 0;
  qsort(c->list, c->count, sizeof *c->list, compare_choices);
  const struct directory_entry *e = c->list[0].entry;
  found->company = e->company;
  found->way = e->way;
  found->how = how_of(e->way);
  found->margin = c->count > 1 ? c->list[0].weight - c->list[1].weight : 20;
  found->rival_count = 0;
  for (size_t i = 0; i < c->count && i < PLAN_CANDIDATES; i++)
    found->rivals[found->rival_count++] = c->list[i].entry->company;
  return 1;
}

/* ---- a company given outright ---- */

/* "320193", "CIK0000320193", "cik:1318605", "CIK#0001045810": its digits' start, or NULL. */
static const char *cik_digits(const struct plan_text *t, char *joined, size_t room) {
  size_t len = directory_key(t, 0, t->count, 0, joined, room), at = 0;
  if (len == 0)
    return NULL;
  if (strncmp(joined, "cik", 3) == 0)
    at = 3;
  size_t digits = strspn(joined + at, "0123456789");
  if (digits == 0 || at + digits != len || digits > 10)
    return NULL;
  at += strspn(joined + at, "0");
  return joined[at] ? joined + at : NULL;
}

static int resolve_cik(const struct directory *d, const struct plan_text *t, struct mention *found) {
  char joined[KEY_ROOM];
  const char *digits = cik_digits(t, joined, sizeof joined);
  if (digits == NULL)
    return 0;
  unsigned long long cik = strtoull(digits, NULL, 10);
  int known = cik <= UINT32_MAX && directory_by_cik(d, (uint32_t)cik, &found->company);
  found->how = known ? PLAN_CIK : PLAN_GIVEN;
  found->score = found->margin = 20;
  return 1;
}

static size_t without_legal(const struct plan_words *w, const struct plan_text *t, size_t to) {
  while (to > 1 && (plan_words_kinds(w, t->token[to - 1].fold) & KIND_LEGAL))
    to--;
  return to;
}

static int mention_all_capitals(const struct plan_text *t) {
  for (size_t i = 0; i < t->count; i++)
    if (t->token[i].letters != t->token[i].capitals)
      return 0;
  return 1;
}

static int is_and(const struct plan_text *t, size_t i) {
  return t->token[i].amp || strcmp(t->token[i].fold, "and") == 0;
}

/* Tickers and names that the whole text is. */
static void whole_choices(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                          struct choices *c) {
  char key[KEY_ROOM];
  size_t from = t->count > 1 && strcmp(t->token[0].fold, "the") == 0 ? 1 : 0;
  size_t core = without_legal(w, t, t->count), len;
  double legal =
      core < t->count ? 2 : 0; /* "Ingersoll Rand Inc." is that very one, "Ingersoll Rand" maybe not */
  int cash = (t->token[0].gap & GAP_DOLLAR) != 0, capitals = mention_all_capitals(t);
  size_t words = 0;
  for (size_t i = 0; i < t->count; i++)
    words += !is_and(t, i);
  key[0] = '$';
  len = directory_key(t, 0, t->count, 0, key + 1, sizeof key - 1);
  mention_add_key(c, d, key, len ? len + 1 : 0, 1, 0,
                  cash        ? 20
                  : !capitals ? (t->token[0].first_capital ? -1.5 : 0)
                  : len >= 3  ? 4.5
                              : 3);
  for (int bare = 0; bare < 2; bare++) {
    mention_add_key(c, d, key, directory_key(t, 0, t->count, bare, key, sizeof key), 0, words, legal);
    mention_add_key(c, d, key, directory_key(t, from, t->count, bare, key, sizeof key), 0, words, legal);
    mention_add_key(c, d, key, directory_key(t, from, core, bare, key, sizeof key), 0,
                    core < t->count ? 0 : words, -legal);
  }
  for (size_t i = 0; i < c->count && t->count == 1; i++) /* one word is often a longer name cut short */
    c->list[i].weight -= c->list[i].entry->way == WAY_FULL || c->list[i].entry->way == WAY_CORE ? 1 : 0;
}

static void slip_choices(const struct directory *d, const char *key, size_t len, struct choices *c) {
  const struct directory_entry *found[RIVALS];
  size_t n = directory_find_slip(d, key, len, found, RIVALS);
  for (size_t i = 0; i < n; i++)
    mention_add_choice(c, d, found[i], 0);
}

/* "Apple Inc. (AAPL)": every word belongs to mentions of one company. */
static int resolve_parts(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                         struct mention *found) {
  size_t close = 0;
  struct mention first = {0}, second = {0};
  for (size_t i = 1; i < t->count && close == 0; i++)
    close = t->token[i].gap & (GAP_OPEN | GAP_STOP) ? i : 0;
  if (close == 0)
    return 0;
  struct slice head = plan_text_span(t, 0, close), tail = plan_text_span(t, close, t->count);
  if (mention_resolve(d, w, head, &first) == 1 && mention_resolve(d, w, tail, &second) == 1 &&
      first.company == second.company && first.how != PLAN_GIVEN) {
    *found = second;
    return 1;
  }
  return 0;
}

/* "NYSE: IBM", "TSLA.O", "AAPL US": an exchange beside the ticker. */
static void trim_exchange(const struct plan_text *t, size_t *from, size_t *to) {
  static const char *const before[] = {"nyse", "nasdaq", "amex", "otc", "nasdaqgs", "xnys", "xnas", NULL};
  static const char *const behind[] = {"o", "n", "oq", "us", "nyse", "nasdaq", NULL};
  *from = t->count > 1 && plan_word_in(t->token[0].fold, before) >= 0 ? 1 : 0;
  *to = t->count;
  if (*to - *from > 1 && plan_word_in(t->token[*to - 1].fold, behind) >= 0)
    --*to;
}

static void traded_choices(const struct directory *d, const struct plan_text *t, struct choices *c) {
  char key[KEY_ROOM] = "$";
  size_t from, to, len;
  trim_exchange(t, &from, &to);
  if (from == 0 && to == t->count)
    return;
  len = directory_key(t, from, to, 0, key + 1, sizeof key - 1);
  mention_add_key(c, d, key, len ? len + 1 : 0, 1, 0, 3);
}

/* "Alphabet class A": without the class of shares at the end. */
static size_t without_class(const struct plan_text *t) {
  static const char *const words[] = {"class", "cl", "series", NULL};
  int has = t->count > 2 && t->token[t->count - 1].len == 1 &&
            plan_word_in(t->token[t->count - 2].fold, words) >= 0;
  return t->count - (has ? 2 : 0);
}

/* Whether a company that is called so is meant.  A single ordinary word, a part of a name and a name with a slip are
 * taken for one of the larger companies only, and a part only where no other company comes near. */
static int is_taken_for(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                        const struct mention *found) {
  struct plan_word word = plan_words_of(w, t->token[0].fold);
  int single = t->count == 1, common = single && ((word.ordinary && word.ordinary <= 20) || word.kinds);
  uint32_t rank = directory_company(d, found->company)->rank;
  if (found->how == PLAN_TYPO)
    return !(single && (word.ordinary || word.name)) && rank < 3000;
  switch (found->way) {
  case WAY_PREFIX:
    return rank < 2500 && !common && (!single || found->margin >= 2.5);
  case WAY_TICKER:
    return !common || mention_all_capitals(t) || rank < 100 || (t->token[0].gap & GAP_DOLLAR) ||
           (found->margin >= 2.5 && !t->token[0].first_capital);
  case WAY_FULL:
  case WAY_CORE:
    return !common || rank < 2000 || found->rival_count == 1;
  default:
    return 1;
  }
}

static int resolve_text(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                        struct mention *found) {
  struct choices c = {.count = 0};
  char key[KEY_ROOM];
  whole_choices(d, w, t, &c);
  if (c.count == 0)
    traded_choices(d, t, &c);
  if (best_choice(&c, found)) {
    found->score = 10;
    return found->margin >= MARGIN && is_taken_for(d, w, t, found) ? 1 : -1;
  }
  if (resolve_parts(d, w, t, found))
    return 1;
  size_t len = directory_key(t, 0, without_legal(w, t, t->count), 0, key, sizeof key);
  if (len >= SLIP_LETTERS)
    slip_choices(d, key, len, &c);
  if (!best_choice(&c, found))
    return 0;
  found->how = PLAN_TYPO;
  found->score = 5;
  return found->margin >= MARGIN && is_taken_for(d, w, t, found) ? 1 : -1;
}

int mention_resolve(const struct directory *d, const struct plan_words *words, struct slice name,
                    struct mention *found) {
  struct plan_text *t = xmalloc(sizeof *t);
  memset(found, 0, sizeof *found);
  plan_text_read(t, name);
  found->to = t->count;
  int result = t->count == 0 ? 0 : resolve_cik(d, t, found) ? 1 : resolve_text(d, words, t, found);
  size_t count = t->count;
  while (t->count > 1 && (t->token[t->count - 1].gap & (GAP_SLASH | GAP_STOP)) &&
         t->token[t->count - 1].len <= 3)
    t->count--; /* the place behind a name of the SEC's: "/MN" */
  if (result == 0 && t->count < count)
    result = resolve_text(d, words, t, found);
  t->count = result == 0 ? without_class(t) : t->count;
  if (result == 0 && t->count < count)
    result = resolve_text(d, words, t, found);
  free(t);
  return result;
}

/* ---- names and tickers that are nearly right ---- */

#define NEAR_LETTERS 6 /* of a ticker */

static void add_near(const struct directory *d, const char *ticker, struct choices *c) {
  char key[NEAR_LETTERS + 4];
  int len = snprintf(key, sizeof key, "$%s", ticker);
  mention_add_key(c, d, key, (size_t)len, 1, 0, 0);
}

/* All tickers one slip from `fold`. */
static void near_choices(const struct directory *d, const char *fold, struct choices *c) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
  int n = (int)strlen(fold);
  char near[NEAR_LETTERS + 2];
  for (int i = 0; i <= n; i++) {
    for (const char *l = letters; *l; l++) {
      snprintf(near, sizeof near, "%.*s%c%s", i, fold, *l, fold + i);
      add_near(d, near, c);
      if (i < n) {
        snprintf(near, sizeof near, "%.*s%c%s", i, fold, *l, fold + i + 1);
        add_near(d, near, c);
      }
    }
    if (i < n && n > 2) {
      snprintf(near, sizeof near, "%.*s%s", i, fold, fold + i + 1);
      add_near(d, near, c);
    }
    if (i + 1 < n) {
      snprintf(near, sizeof near, "%.*s%c%c%s", i, fold, fold[i + 1], fold[i], fold + i + 2);
      add_near(d, near, c);
    }
  }
}

size_t mention_near(const struct directory *d, struct slice name, struct mention *found) {
  struct plan_text *t = xmalloc(sizeof *t);
  struct choices c = {.count = 0};
  char key[KEY_ROOM];
  memset(found, 0, sizeof *found);
  plan_text_read(t, name);
  for (size_t to = t->count; to-- > 1 && c.count == 0;) /* "papa johns pizza": what its first words name */
    mention_add_key(&c, d, key, directory_key(t, 0, to, 0, key, sizeof key), 0, 0, 0);
  if (t->count == 1 && t->token[0].len >= 2 && t->token[0].len <= NEAR_LETTERS - 1)
    near_choices(d, t->token[0].fold, &c);
  best_choice(&c, found);
  free(t);
  return found->rival_count;
}

/* ---- companies in a text ---- */

static int is_function(const struct mention_text *m, size_t i) {
  return (m->word[i].kinds & KIND_FUNCTION) != 0;
}

/* Words that may stand inside a name; punctuation ends it. */
static int span_goes_on(const struct plan_text *t, size_t i) {
  return i < t->count && !(t->token[i].gap & (GAP_SENTENCE | GAP_COMMA | GAP_STOP | GAP_PERCENT));
}

/* Words of tokens [from, to) without "&" and "and". */
static size_t mention_words(const struct mention_text *m, size_t from, size_t to) {
  size_t words = 0;
  for (size_t i = from; i < to; i++)
    words += !is_and(m->t, i);
  return words;
}

/* Weighs a mention whose words and company are known.  e, inside: as for mention_read_signs(). */
static void weigh_mention(const struct mention_text *m, const struct directory_entry *e, int inside,
                          struct mention *found) {
  struct mention_signs signs;
  enum mention_sort sort = mention_read_signs(m, found, e, inside, &signs);
  found->score = mention_weigh(sort, &signs);
  if (m->signs == NULL)
    return;
  found->score = 0; /* none is taken, so that all are seen */
  buf_printf(m->signs, "%u %u %u ", m->t->token[found->from].start, m->t->token[found->to - 1].end,
             directory_company(m->directory, found->company)->cik);
  mention_print_signs(sort, &signs, m->signs);
  buf_add_char(m->signs, '\n');
}

/* "Teslas", "ubers": a word of no list, maybe a possessive without its apostrophe. */
static int lost_apostrophe(const struct mention_text *m, size_t i) {
  const struct plan_token *token = &m->t->token[i];
  const struct plan_word *w = &m->word[i];
  return token->len >= SLIP_LETTERS && token->bare == token->len && token->fold[token->len - 1] == 's' &&
         !w->ordinary && !w->name && !w->kinds;
}

/* The names of tokens [from, to); 1 with *found. */
static int name_at(const struct mention_text *m, size_t from, size_t to, int inside, struct mention *found) {
  struct choices c = {.count = 0};
  char key[KEY_ROOM];
  size_t len = directory_key(m->t, from, to, 0, key, sizeof key), words = mention_words(m, from, to);
  for (size_t i = from + 1; i < to; i++)
    len = m->t->token[i].gap & GAP_SLASH ? 0 : len; /* "BAC/JPM" */
  if (len < 2)
    return 0;
  mention_add_key(&c, m->directory, key, len, 0, words, 0);
  if (m->t->token[to - 1].bare < m->t->token[to - 1].len)
    mention_add_key(&c, m->directory, key, directory_key(m->t, from, to, 1, key, sizeof key), 0, words, 0);
  found->possessive = c.count == 0 && lost_apostrophe(m, to - 1);
  if (found->possessive)
    mention_add_key(&c, m->directory, key, len - 1, 0, words, 0);
  if (!best_choice(&c, found))
    return 0;
  found->from = from;
  found->to = to;
  weigh_mention(m, c.list[0].entry, inside, found);
  return 1;
}

/* A ticker at a token, maybe with a class of shares behind it. */
static int mention_ticker_at(const struct mention_text *m, size_t from, size_t to, int inside,
                             struct mention *found) {
  struct choices c = {.count = 0};
  char key[KEY_ROOM] = "$";
  if (to - from > 2 || (to - from == 2 && m->t->token[to - 1].len != 1))
    return 0;
  size_t len = directory_key(m->t, from, to, 1, key + 1, sizeof key - 1);
  if (len == 0 || len > 6 || m->t->token[from].amp || m->t->token[to - 1].amp)
    return 0;
  if (len < 3 && m->t->token[from].capitals == 0 && !(m->t->token[from].gap & GAP_DOLLAR))
    return 0; /* "rm -rf" */
  mention_add_key(&c, m->directory, key, len + 1, 1, 0, 0);
  if (!best_choice(&c, found))
    return 0;
  found->from = from;
  found->to = to;
  found->margin = 20; /* tickers are one company's */
  weigh_mention(m, c.list[0].entry, inside, found);
  return 1;
}

/* One slip in a word that is in no list. */
static int slip_at(const struct mention_text *m, size_t i, struct mention *found) {
  struct choices c = {.count = 0};
  const struct plan_token *token = &m->t->token[i];
  const struct plan_word *w = &m->word[i];
  if (token->bare < SLIP_LETTERS + 2 - (m->vocabulary > 1) || token->digits || w->ordinary || w->name ||
      w->kinds || w->capital)
    return 0;
  slip_choices(m->directory, token->fold, token->bare, &c);
  if (!best_choice(&c, found) || found->margin < MARGIN)
    return 0;
  found->from = i;
  found->to = i + 1;
  found->how = PLAN_TYPO;
  weigh_mention(m, NULL, 0, found);
  return 1;
}

/* "UL": the ticker of Unilever, though UL Solutions begins so. */
static int is_shouted_part(const struct mention_text *m, const struct mention *name) {
  const struct plan_token *token = &m->t->token[name->from];
  return name->to == name->from + 1 && (name->way == WAY_CORE || name->way == WAY_PREFIX) &&
         token->capitals == token->letters && token->letters > 1;
}

/* The best mention that begins at token i: the longest name that scores, else a ticker, else a slip. */
static int mention_at(const struct mention_text *m, size_t i, struct mention *best) {
  size_t longest = i + 1;
  struct mention found;
  int any = 0, longer = 0;
  while (longest < i + SPAN_WORDS && span_goes_on(m->t, longest) && !m->taken[longest])
    longest++;
  for (size_t to = longest; to > i && !any; to--) {
    memset(&found, 0, sizeof found);
    if (m->taken[to - 1] || is_and(m->t, to - 1))
      continue;
    if (to == i + 1 && is_function(m, i) && m->t->token[i].capitals < m->t->token[i].letters)
      continue;
    int named = name_at(m, i, to, longer, &found); /* "Apple" of Apple Hospitality */
    longer |= named && found.score <= 0;
    if (named && found.score > -4)
      *best = found, any = 1;
    memset(&found, 0, sizeof found);
    if (mention_ticker_at(m, i, to, longer, &found) && found.score > -4 &&
        (!any || found.score > best->score || (found.score > 0 && is_shouted_part(m, best))))
      *best = found, any = 1;
    if (any && best->score <= 0 && to > i + 1)
      any = 0; /* a shorter one may do */
  }
  memset(&found, 0, sizeof found);
  if (!any && slip_at(m, i, &found))
    *best = found, any = 1;
  return any;
}

/* Legal words behind a name are a sign, and belong to it: "Southern Co". */
static void take_legal(const struct mention_text *m, struct mention *found) {
  while (found->to < m->t->count && span_goes_on(m->t, found->to) && found->how != PLAN_TICKER) {
    const char *word = m->t->token[found->to].fold;
    int company = strcmp(word, "company") == 0; /* a word of its own as well */
    if (!company && plan_word_in(word, plan_legal_forms) < 0)
      return;
    found->score += company ? 1 : 3;
    found->to++;
  }
}

/* Words that list companies side by side. */
static int mention_joins(const struct mention_text *m, size_t from, size_t to) {
  static const char *const words[] = {"and", "or", "vs", "versus", "v", "nor", "both", "plus", NULL};
  static const char *const comparing[] = {"with", "to",       "against",  "than",
                                          "from", "compared", "relative", NULL};
  if (to - from > 3 || (m->t->token[to].gap & GAP_SENTENCE))
    return 0;
  for (size_t i = from; i < to; i++)
    if (!m->t->token[i].amp && plan_word_in(m->t->token[i].fold, words) < 0 &&
        !(m->compares && plan_word_in(m->t->token[i].fold, comparing) >= 0))
      return 0;
  return to > from || (m->t->token[to].gap & (GAP_COMMA | GAP_SLASH));
}

/* A doubtful name beside a sure one, or of a company named elsewhere, is one as well. */
static void mention_support(const struct mention_text *m, struct mentions *list) {
  for (size_t i = 0; i < list->count; i++) {
    struct mention *a = &list->list[i];
    for (size_t k = 0; k < list->count; k++) {
      const struct mention *b = &list->list[k];
      if (k == i || b->score <= 0.5)
        continue;
      const struct mention *first = k < i ? b : a, *second = k < i ? a : b;
      if (mention_joins(m, first->to, second->from) && (k + 1 == i || i + 1 == k))
        a->score += 3;
      else if (first->to == second->from && a->how != PLAN_TICKER) /* "verizon at&t t-mobile" */
        a->score += 1.5;
      else if (a->company == b->company)
        a->score += 1.5;
    }
  }
}

void mentions_find(const struct mention_text *m, struct mentions *out) {
  out->count = 0;
  out->has_left_out = 0;
  for (size_t i = 0; i < m->t->count && out->count < MENTIONS;) {
    struct mention found;
    if (m->taken[i] || is_and(m->t, i) || !mention_at(m, i, &found)) {
      i++;
      continue;
    }
    take_legal(m, &found);
    out->list[out->count++] = found;
    i = found.score > 0 ? found.to : i + 1;
    if (found.score <= 0 && out->count > 1 && out->list[out->count - 2].to > found.from)
      out->count--; /* inside the one before */
  }
  mention_support(m, out);
  size_t kept = 0;
  for (size_t i = 0; i < out->count; i++) {
    struct mention *a = &out->list[i];
    if (a->score > (a->margin < MARGIN && a->way == WAY_PREFIX ? 1.5 : MENTION_MAYBE) &&
        !(kept && out->list[kept - 1].to > a->from))
      out->list[kept++] = *a;
    else if (a->score > MENTION_LEAST && (!out->has_left_out || a->score > out->left_out.score)) {
      out->left_out = *a;
      out->has_left_out = 1;
    }
  }
  out->count = kept;
}

/* ---- whom the question is about ---- */

static int is_any(const struct plan_text *t, size_t i, const char *const *list) {
  return i < t->count && plan_word_in(t->token[i].fold, list) >= 0;
}

/* Three or more in a row without a comma are a list as well, and so are two of about one size: "verizon at&t t-mobile
 * churn", "lowes home depot sales", not "Harley-Davidson LiveWire losses". */
static int row_of_names(const struct mention_text *m, const struct mentions *list, size_t i) {
  size_t first = i, last = i;
  while (first > 0 && list->list[first - 1].to == list->list[first].from)
    first--;
  while (last + 1 < list->count && list->list[last].to == list->list[last + 1].from)
    last++;
  if (last - first != 1)
    return last > first;
  uint32_t a = directory_company(m->directory, list->list[first].company)->rank + 20,
           b = directory_company(m->directory, list->list[last].company)->rank + 20;
  return !m->t->token[list->list[first].to - 1].possessive && (a > b ? a <= 5 * b : b <= 5 * a) && a < 1000 &&
         b < 1000;
}

/* "Tesla's competitor Rivian": whoever stands in such a relation is meant. */
static int is_relative(const struct mention_text *m, const struct mentions *list, size_t i) {
  static const char *const relations[] = {"competitor", "rival",   "peer",  "supplier",
                                          "customer",   "partner", "owner", NULL};
  const struct mention *a = &list->list[i];
  return (m->t->token[a->to - 1].possessive || a->possessive) && i + 1 < list->count &&
         list->list[i + 1].from == a->to + 1 && is_any(m->t, a->to, relations);
}

/* "A's margins, B too" */
static int is_added(const struct mention_text *m, const struct mention *a) {
  static const char *const also[] = {"too", "also", NULL};
  return (m->t->token[a->from].gap & GAP_COMMA) && a->to + 1 == m->t->count && is_any(m->t, a->to, also);
}

static double subject_sign(const struct mention_text *m, const struct mentions *list, size_t i) {
  static const char *const counter[] = {"from",  "against", "with",   "to",   "on", "in",
                                        "about", "into",    "behind", "upon", NULL};
  static const char *const asks[] = {"does", "do",  "did",  "is",  "are",   "was",    "were",  "has",
                                     "have", "had", "will", "can", "would", "should", "could", NULL};
  static const char *const effects[] = {"effect", "effects", "impact", "impacts", "influence", NULL};
  static const char *const beside_words[] = {"vs", "versus", "v", "than", NULL};
  static const char *const holder[] = {"at", "by", "for", "of", NULL};
  const struct mention *a = &list->list[i];
  const struct plan_text *t = m->t;
  size_t before = a->from;
  double sum = i == 0 ? 1 : 0;
  if (before > 0 && is_any(t, before - 1, (const char *const[]){"the", "its", NULL}))
    before--;
  int possessive = t->token[a->to - 1].possessive || a->possessive;
  sum += possessive ? 2 : 0;
  sum -= is_relative(m, list, i) ? 4 : 0;
  if (before > 1 && is_any(t, before - 2, effects) &&
      is_any(t, before - 1, (const char *const[]){"of", NULL}))
    sum -= 3; /* "the effect of Amazon on UPS" */
  if (before > 0 && i > 0 && is_any(t, before - 1, (const char *const[]){"on", NULL}))
    for (size_t k = 0; k < list->list[0].from; k++)
      if (is_any(t, k, effects))
        return 2;
  sum += before == 0 ? 0.5 : 0;
  if (before > 0 && !(t->token[a->from].gap & GAP_SENTENCE)) {
    sum += is_any(t, before - 1, asks) ? 2 : 0;
    sum += is_any(t, before - 1, holder) ? 0.5 : 0;
    if (possessive && i > 0 && is_any(t, before - 1, (const char *const[]){"in", NULL}))
      return sum + 1; /* "Ryanair orders in Boeing's backlog" */
    sum -= is_any(t, before - 1, counter) && !m->compares ? 2.5 : 0;
    if (i > 0 && (is_any(t, before - 1, beside_words) || (m->compares && is_any(t, before - 1, counter))))
      return 1.6; /* "FedEx Express volumes vs UPS" */
  }
  if (a->to < t->count && (m->word[a->to].kinds & KIND_HOLDING) && !possessive)
    sum -= 2; /* "Apple stock" that another one holds */
  if (i > 0 && list->list[i - 1].to == a->from && !row_of_names(m, list, i) &&
      !(t->token[a->from].gap & (GAP_COMMA | GAP_SLASH)))
    sum -= 2; /* "Harley-Davidson LiveWire losses" */
  return sum;
}

void mentions_weigh_subjects(const struct mention_text *m, struct mentions *list) {
  for (size_t i = 0; i < list->count; i++) {
    struct mention *a = &list->list[i];
    a->group = (int)i;
    a->subject = subject_sign(m, list, i);
    if (i > 0 && is_added(m, a))
      a->group = list->list[i - 1].group;
    if (i > 0 && (mention_joins(m, list->list[i - 1].to, a->from) || row_of_names(m, list, i)) &&
        (list->list[i - 1].to != a->from || (m->t->token[a->from].gap & (GAP_COMMA | GAP_SLASH)) ||
         row_of_names(m, list, i)))
      a->group = list->list[i - 1].group;
  }
  for (size_t i = 0; i < list->count; i++) { /* a group has its best sign */
    struct mention *a = &list->list[i], *head = &list->list[a->group];
    if (a->subject > head->subject && a->group != (int)i && !(i > 0 && list->list[i - 1].to == a->from))
      head->subject = a->subject;
  }
  for (size_t i = 0; i < list->count; i++)
    list->list[i].subject = list->list[list->list[i].group].subject;
}

int mention_is_subject(const struct mentions *list, size_t i) {
  double best = -100;
  for (size_t k = 0; k < list->count; k++)
    best = list->list[k].subject > best ? list->list[k].subject : best;
  return list->list[i].subject >= best - 0.5 || list->list[i].subject > 1.5;
}

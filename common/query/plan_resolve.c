/* plan_resolve.c: a company given outright, by all that people type for one. */
#include "query/plan_resolve.h"

#include "query/plan_choices.h"

#include <stdio.h>
#include <stdlib.h>

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
  char joined[CHOICE_KEY];
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

static int resolve_all_capitals(const struct plan_text *t) {
  for (size_t i = 0; i < t->count; i++)
    if (t->token[i].letters != t->token[i].capitals)
      return 0;
  return 1;
}

/* Tickers and names that the whole text is. */
static void whole_choices(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                          struct choices *c) {
  char key[CHOICE_KEY];
  size_t from = t->count > 1 && strcmp(t->token[0].fold, "the") == 0 ? 1 : 0;
  size_t core = without_legal(w, t, t->count), len;
  double legal =
      core < t->count ? 2 : 0; /* "Ingersoll Rand Inc." is that very one, "Ingersoll Rand" maybe not */
  int cash = (t->token[0].gap & GAP_DOLLAR) != 0, capitals = resolve_all_capitals(t);
  size_t words = 0;
  for (size_t i = 0; i < t->count; i++)
    words += !plan_token_is_and(&t->token[i]);
  key[0] = '$';
  len = directory_key(t, 0, t->count, 0, key + 1, sizeof key - 1);
  choices_add_key(c, d, key, len ? len + 1 : 0, 1, 0,
                  cash        ? 20
                  : !capitals ? (t->token[0].first_capital ? -1.5 : 0)
                  : len >= 3  ? 4.5
                              : 3);
  for (int bare = 0; bare < 2; bare++) {
    choices_add_key(c, d, key, directory_key(t, 0, t->count, bare, key, sizeof key), 0, words, legal);
    choices_add_key(c, d, key, directory_key(t, from, t->count, bare, key, sizeof key), 0, words, legal);
    choices_add_key(c, d, key, directory_key(t, from, core, bare, key, sizeof key), 0,
                    core < t->count ? 0 : words, -legal);
  }
  for (size_t i = 0; i < c->count && t->count == 1; i++) /* one word is often a longer name cut short */
    c->list[i].weight -= c->list[i].entry->way == WAY_FULL || c->list[i].entry->way == WAY_CORE ? 1 : 0;
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
  if (resolve_company(d, w, head, &first) == 1 && resolve_company(d, w, tail, &second) == 1 &&
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
  char key[CHOICE_KEY] = "$";
  size_t from, to, len;
  trim_exchange(t, &from, &to);
  if (from == 0 && to == t->count)
    return;
  len = directory_key(t, from, to, 0, key + 1, sizeof key - 1);
  choices_add_key(c, d, key, len ? len + 1 : 0, 1, 0, 3);
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
    return !common || resolve_all_capitals(t) || rank < 100 || (t->token[0].gap & GAP_DOLLAR) ||
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
  char key[CHOICE_KEY];
  whole_choices(d, w, t, &c);
  if (c.count == 0)
    traded_choices(d, t, &c);
  if (choices_best(&c, found)) {
    found->score = 10;
    return found->margin >= CHOICE_MARGIN && is_taken_for(d, w, t, found) ? 1 : -1;
  }
  if (resolve_parts(d, w, t, found))
    return 1;
  size_t len = directory_key(t, 0, without_legal(w, t, t->count), 0, key, sizeof key);
  if (len >= CHOICE_SLIP_LETTERS)
    choices_add_slips(&c, d, key, len);
  if (!choices_best(&c, found))
    return 0;
  found->how = PLAN_TYPO;
  found->score = 5;
  return found->margin >= CHOICE_MARGIN && is_taken_for(d, w, t, found) ? 1 : -1;
}

int resolve_company(const struct directory *d, const struct plan_words *words, struct slice name,
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
  choices_add_key(c, d, key, (size_t)len, 1, 0, 0);
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

size_t resolve_near(const struct directory *d, struct slice name, struct mention *found) {
  struct plan_text *t = xmalloc(sizeof *t);
  struct choices c = {.count = 0};
  char key[CHOICE_KEY];
  memset(found, 0, sizeof *found);
  plan_text_read(t, name);
  for (size_t to = t->count; to-- > 1 && c.count == 0;) /* "papa johns pizza": what its first words name */
    choices_add_key(&c, d, key, directory_key(t, 0, to, 0, key, sizeof key), 0, 0, 0);
  if (t->count == 1 && t->token[0].len >= 2 && t->token[0].len <= NEAR_LETTERS - 1)
    near_choices(d, t->token[0].fold, &c);
  choices_best(&c, found);
  free(t);
  return found->rival_count;
}

/* plan_resolve.c: resolves a company given by itself, in all the ways that people write one. */
#include "query/plan_resolve.h"

#include "query/choices.h"
#include "query/plan_exact.h"
#include "query/plan_halves.h"
#include "query/plan_identifiers.h"
#include "query/plan_in_trade.h"
#include "query/plan_partial.h"
#include "query/plan_business.h"
#include "query/plan_slip.h"
#include "query/plan_spelled.h"

#include <stdlib.h>

#define HALVES_WORDS 16
#define TWICE_WORDS 6
#define TURNED_WORDS 4
#define TURNED_RANK 2500 /* smaller companies must be named completely */

/* "320193", "CIK0000320193", "cik:1318605", "CIK#0001045810": the start of its digits, or NULL. */
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

/* "Apple Inc. (AAPL)", "Meta, formerly Facebook". */
static int resolve_halves(const struct directory *d, const struct plan_words *w,
                          const struct plan_trades *trades, const struct plan_text *t,
                          struct mention *found) {
  struct plan_halves h;
  struct mention head = {0}, tail = {0};
  if (t->count > HALVES_WORDS || !plan_halves_find(t, &h))
    return 0;
  int a = h.head > 0 ? plan_resolve_company(d, w, trades, plan_text_span(t, 0, h.head), &head) : 0,
      b = plan_resolve_company(d, w, trades, plan_text_span(t, h.tail, t->count), &tail);
  if (a == 1 && head.how != PLAN_GIVEN && plan_exact_is_name(d, t, head.company)) {
    *found = head;
    return 1;
  }
  if (head.how == PLAN_GIVEN)
    a = 0;
  if (tail.how == PLAN_GIVEN)
    b = 0;
  return plan_halves_join(d, w, t, &h, a, &head, b, &tail, found);
}

/* "Alphabet class A": removes the share class at the end. */
static size_t without_class(const struct plan_text *t) {
  static const char *const words[] = {"class", "cl", "series", NULL};
  int has = t->count > 2 && t->token[t->count - 1].len == 1 &&
            plan_word_in(t->token[t->count - 2].fold, words) >= 0;
  return t->count - (has ? 2 : 0);
}

/* "Apple Inc AAPL", "Google Alphabet": both halves name one company. */
static int resolve_twice(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                         struct mention *found) {
  struct plan_text *half = xmalloc(sizeof *half);
  struct mention head = {0}, tail = {0};
  int result = 0;
  for (size_t i = 1; i < t->count && t->count <= TWICE_WORDS && !result; i++) {
    plan_text_read(half, plan_text_span(t, 0, i));
    if (plan_exact_resolve(d, w, half, &head) != 1)
      continue;
    plan_text_read(half, plan_text_span(t, i, t->count));
    result = plan_exact_resolve(d, w, half, &tail) == 1 && head.company == tail.company;
  }
  if (result)
    *found = head;
  free(half);
  return result;
}

/* "Deere John", "Horton, D.R.": reordered words. */
static int resolve_turned(const struct directory *d, const struct plan_text *t, struct mention *found) {
  struct choices c = {.count = 0};
  char key[CHOICE_KEY], rest[CHOICE_KEY];
  size_t long_words = 0;
  for (size_t i = 0; i < t->count; i++)
    long_words += t->token[i].len > 1;
  for (size_t i = 1; i < t->count && t->count <= TURNED_WORDS && long_words > 0; i++) { /* not "M&G" */
    size_t len = directory_key(t, i, t->count, 0, key, sizeof key),
           more = directory_key(t, 0, i, 0, rest, sizeof rest);
    if (len == 0 || more == 0 || len + more >= sizeof key)
      continue;
    memcpy(key + len, rest, more + 1);
    choices_add_key(&c, d, key, len + more, OF_ALL_NAMES, t->count, 0);
  }
  if (!choices_best(&c, found) || found->way == WAY_PREFIX || found->margin < CHOICE_MARGIN)
    return 0;
  found->score = 5;
  return directory_company(d, found->company)->rank < TURNED_RANK;
}

/* A name written in another way that is looked up in full. */
static int resolve_rewritten(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                             struct mention *found) {
  struct buf written;
  int result = 0;
  buf_init(&written, 1024);
  if (plan_spelled_plainly(t, &written)) {
    struct plan_text *plain = xmalloc(sizeof *plain);
    plan_text_read(plain, slice_of(written.data, written.len));
    result = plan_exact_resolve(d, w, plain, found) == 1 && found->way != WAY_PREFIX;
    free(plain);
  }
  buf_release(&written);
  return result;
}

static int resolve_text(const struct directory *d, const struct plan_words *w,
                        const struct plan_trades *trades, const struct plan_text *t, struct mention *found) {
  int result = plan_exact_resolve(d, w, t, found);
  result = result ? result : resolve_halves(d, w, trades, t, found);
  result = result ? result : plan_in_trade(d, w, trades, t, found);
  result = result ? result : plan_partial_resolve(d, w, t, 0, found) == 1;
  result = result ? result : plan_slip_resolve(d, w, t, plan_exact_without_legal(w, t), found);
  result = result ? result : resolve_twice(d, w, t, found);
  result = result ? result : resolve_turned(d, t, found);
  result = result ? result : plan_business_resolve(d, w, t, found);
  result = result ? result : resolve_rewritten(d, w, t, found);
  return result;
}

int plan_resolve_company(const struct directory *d, const struct plan_words *words,
                         const struct plan_trades *trades, struct slice name, struct mention *found) {
  struct plan_text *t = xmalloc(sizeof *t);
  int result = 0;
  memset(found, 0, sizeof *found);
  plan_text_read(t, name);
  if (t->count > 0 && plan_exact_resolve(d, words, t, found) == 0)
    plan_text_read(t, plan_spelled_host(name));
  memset(found, 0, sizeof *found);
  found->to = t->count;
  if (t->count > 0 && !plan_exact_is_nothing(t) && !plan_identifier_kind(name)) {
    result = resolve_cik(d, t, found);
    result = result ? result : plan_exact_resolve(d, words, t, found);
    if (result == 1 && (found->way == WAY_CORE || found->way == WAY_PREFIX) &&
        plan_in_trade_is_shared(d, words, trades, t, found))
      result = -1;
    result = result ? result : plan_exact_resolve_placed(d, words, t, found);
    result = result ? result : resolve_text(d, words, trades, t, found);
    if (result == 0 && without_class(t) < t->count) {
      t->count = without_class(t);
      result = resolve_text(d, words, trades, t, found);
    }
    result = result ? result : plan_partial_resolve(d, words, t, 1, found);
  }
  free(t);
  return result;
}

int plan_resolve_listed(const struct directory *d, const struct plan_words *words, struct slice name,
                        struct mention *found) {
  struct plan_text *t = xmalloc(sizeof *t);
  memset(found, 0, sizeof *found);
  plan_text_read(t, name);
  found->to = t->count;
  int result = t->count > 0 ? plan_exact_resolve(d, words, t, found) : 0;
  result = result || t->count == 0 ? result : plan_exact_resolve_placed(d, words, t, found);
  free(t);
  return result;
}

/* ---- suggestions for names and tickers ---- */

#include "query/plan_halves.h"

#include "query/plan_exact.h"
#include "query/plan_business.h"
#include "tables/company_talk.h"

/* "formerly", "f/k/a" at token i: the number of tokens; 0 for none. */
static size_t marker_at(const struct plan_text *t, size_t i) {
  static const char *const words[] = {COMPANY_TALK_FORMER, NULL};
  static const char *const fillers[] = {"known", "as", "called", "named", "the", NULL};
  size_t n = 0;
  if (i + 2 < t->count && t->token[i].len == 1 && strchr("fand", t->token[i].fold[0]) &&
      t->token[i + 2].len == 1 && strchr("ka", t->token[i + 1].fold[0]) && t->token[i + 1].len == 1)
    n = 3; /* "f/k/a", "d/b/a" */
  else if (i < t->count && plan_word_in(t->token[i].fold, words) >= 0)
    n = 1;
  while (n > 0 && i + n < t->count && plan_word_in(t->token[i + n].fold, fillers) >= 0)
    n++;
  return n;
}

int plan_halves_find(const struct plan_text *t, struct plan_halves *h) {
  static const unsigned gaps[] = {GAP_OPEN, GAP_STOP, GAP_COMMA | GAP_SLASH};
  for (size_t i = 0; i < t->count; i++) {
    size_t n = marker_at(t, i);
    if (n > 0 && i + n < t->count) {
      *h = (struct plan_halves){i, i + n, 1, (t->token[i].gap & GAP_OPEN) != 0};
      return 1;
    }
  }
  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
    for (size_t i = 1; i < t->count; i++)
      if ((t->token[i].gap & gaps[g]) ||
          (g == 1 && (t->token[i].gap & (GAP_HYPHEN | GAP_BLANK)) == (GAP_HYPHEN | GAP_BLANK))) {
        *h = (struct plan_halves){i, i, 0, g == 0};
        return 1;
      }
  return 0;
}

static int is_rival(const struct mention *found, uint32_t company) {
  for (size_t i = 0; i < found->rival_count; i++)
    if (found->rivals[i] == company)
      return 1;
  return 0;
}

/* "(BAS)": possibly a ticker on another exchange. */
static int is_ticker_shaped(const struct plan_text *t, size_t from, size_t to) {
  const struct plan_token *token = &t->token[from];
  return to == from + 1 && token->len <= 6 && token->capitals == token->letters;
}

int plan_halves_join(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                     const struct plan_halves *h, int a, const struct mention *head, int b,
                     const struct mention *tail, struct mention *found) {
  int agree = a == 1 && b == 1 && head->company == tail->company;
  if (agree || (a == 1 && is_rival(tail, head->company)) || (b == 1 && is_rival(head, tail->company))) {
    *found = agree                                     ? (tail->how == PLAN_TICKER ? *tail : *head)
             : a == 1 && is_rival(tail, head->company) ? *head
                                                       : *tail; /* "Rio Tinto (RTNTF)" */
    return 1;
  }
  if (a != 0 && b != 0) { /* two companies */
    *found = a == 1 ? *head : *tail;
    const struct mention *other = a == 1 ? tail : head;
    found->rival_count = found->rival_count > 1 && a == 1 && b == 1 ? 1 : found->rival_count;
    for (size_t i = 0; i < other->rival_count && found->rival_count < PLAN_CANDIDATES; i++)
      if (!is_rival(found, other->rivals[i]))
        found->rivals[found->rival_count++] = other->rivals[i];
    return -1;
  }
  if (a != 0 && b == 0 &&
      (h->marked ? head->how != PLAN_TICKER
                 : plan_business_is_all(w, t, h->tail, t->count) ||
                       (h->bracket && is_ticker_shaped(t, h->tail, t->count)))) {
    *found = *head;
    return a;
  }
  if (b != 0 &&
      (h->head == 0 || h->marked || plan_business_is_all(w, t, 0, h->head) ||
       (b == 1 && tail->how == PLAN_TICKER && plan_exact_shares_word(d, t, 0, h->head, tail->company)))) {
    *found = *tail;
    return b;
  }
  return 0;
}

#include "query/plan_business.h"

#include "query/plan_exact.h"
#include "tables/company_talk.h"

#include <stdlib.h>

#define BUSINESS_LETTERS 4 /* minimum letters of a name followed by a line of business */

/* Words for a line of business or for shares, which are not names. */
static int is_trade(const char *fold) {
  static const char *const trades[] = {COMPANY_TALK_TRADE, NULL};
  return plan_word_in(fold, trades) >= 0;
}

static int is_share_word(const char *fold) {
  static const char *const words[] = {COMPANY_TALK_SHARE, NULL};
  return plan_word_in(fold, words) >= 0;
}

int plan_business_is_all(const struct plan_words *w, const struct plan_text *t, size_t from, size_t to) {
  int left = 0;
  for (size_t i = from; i < to; i++)
    left += !is_trade(t->token[i].fold) && !is_share_word(t->token[i].fold) &&
            !(plan_words_kinds(w, t->token[i].fold) & (KIND_LEGAL | KIND_FUNCTION));
  return left == 0;
}

/* Whether a line of business may follow the name t: "Corvus Insurance" is not Corvus Pharmaceuticals, nor are
 * "American Eagle Airlines" the outfitters. */
static int may_have_business(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                             const struct mention *found) {
  static const char *const empty[] = {COMPANY_TALK_EMPTY, NULL};
  struct plan_text *name = xmalloc(sizeof *name);
  size_t others = 0, telling = 0, typed = 0, at = 0;
  for (size_t i = 0; i < t->count; i++) {
    telling += plan_words_of(w, t->token[i].fold).ordinary == 0;
    typed += t->token[i].len;
  }
  plan_text_read(name, directory_company(d, found->company)->name);
  for (; at < name->count && typed > 0; at++) /* "South West" is one word of Southwest Airlines */
    typed -= typed < name->token[at].len ? typed : name->token[at].len;
  for (size_t i = at; i < name->count; i++)
    others += name->token[i].len > 3 && plan_word_in(name->token[i].fold, empty) < 0 &&
              !(plan_words_kinds(w, name->token[i].fold) & (KIND_LEGAL | KIND_FUNCTION));
  free(name);
  return others == 0 || (telling > 0 && found->how == PLAN_ALIAS);
}

int plan_business_resolve(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                          struct mention *found) {
  struct plan_word first = plan_words_of(w, t->token[0].fold);
  size_t to = t->count, trades = 0;
  for (; to > 1 && (is_trade(t->token[to - 1].fold) || is_share_word(t->token[to - 1].fold)); to--)
    trades += !is_share_word(t->token[to - 1].fold);
  if (to == t->count ||
      (to == 1 && trades > 0 &&
       (t->token[0].len < BUSINESS_LETTERS || first.ordinary || first.family || first.given || first.place)))
    return 0; /* "Apple Bank" */
  struct plan_text *head = xmalloc(sizeof *head);
  plan_text_read(head, plan_text_span(t, 0, to));
  int result = plan_exact_resolve(d, w, head, found) == 1 && found->way != WAY_PREFIX &&
               (trades == 0 || (found->how != PLAN_TICKER && may_have_business(d, w, head, found)));
  free(head);
  return result;
}

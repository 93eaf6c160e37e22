/* plan_in_trade.c: the beginning of a company's name and a word of its trade. */
#include "query/plan_in_trade.h"

#include "query/choices.h"
#include "tables/company_talk.h"

#include <stdlib.h>

#define BEGINNING_RANK 2500 /* a smaller company must bear the whole beginning, not only start with it */
#define BEGINNING_WORD                                                                                       \
  35                  /* SCOWL size: a word that is as common may begin the name of companies of no list */
#define OTHERS_MOST 2 /* words of the name that may be missing behind its beginning */

/* The trades that a word in a company's name tells: "bank", "airlines". */
static uint64_t trades_told(const struct plan_trades *trades, const struct plan_token *token) {
  return token->digits ? 0 : plan_trades_of_company(trades, 0, slice_of(token->fold, token->len));
}

/* Whether a company is a fund or a shell company. */
static int is_shell(const struct plan_text *name) {
  static const char *const words[] = {COMPANY_TALK_VEHICLE, NULL};
  for (size_t i = 1; i < name->count; i++)
    if (plan_word_in(name->token[i].fold, words) >= 0)
      return 1;
  return 0;
}

/* Whether the word of a name behind its first `head` words is one of these trades. */
static int goes_on_so(const struct plan_trades *trades, uint64_t told, const struct plan_text *name,
                      size_t head) {
  return head < name->count && (trades_told(trades, &name->token[head]) & told) != 0;
}

/* Whether a company with that name may be called by its beginning and a word of its trade; goes_on: the name has such a word. */
static int may_be_called(const struct directory *d, const struct choice *one, const struct plan_text *name,
                         int goes_on) {
  switch (one->way) {
  case WAY_FULL:
  case WAY_CORE:
  case WAY_ALIAS:
    return !is_shell(name);
  case WAY_PREFIX:
    return one->entry->others <= OTHERS_MOST && !is_shell(name) &&
           (goes_on || directory_company(d, one->company)->rank < BEGINNING_RANK);
  default:
    return 0;
  }
}

/* Keeps the companies of these trades. */
static void keep_of_trades(struct choices *c, const struct directory *d, const struct plan_trades *trades,
                           uint64_t told) {
  size_t kept = 0;
  for (size_t i = 0; i < c->count; i++) {
    const struct directory_company *company = directory_company(d, c->list[i].company);
    if (plan_trades_of_company(trades, company->cik, company->name) & told)
      c->list[kept++] = c->list[i];
  }
  c->count = kept;
}

/* Keeps those that may be called by their first `head` words; where these are common ones, a name that has others must go on with a
 * word of the trade. */
static void keep_called(struct choices *c, const struct directory *d, const struct plan_trades *trades,
                        uint64_t told, size_t head, int common) {
  struct plan_text *name = xmalloc(sizeof *name);
  size_t kept = 0;
  for (size_t i = 0; i < c->count; i++) {
    plan_text_read(name, directory_company(d, c->list[i].company)->name);
    int goes_on = goes_on_so(trades, told, name, head);
    if (may_be_called(d, &c->list[i], name, goes_on) && (!common || c->list[i].way != WAY_PREFIX || goes_on))
      c->list[kept++] = c->list[i];
  }
  c->count = kept;
  free(name);
}

/* Whether all these words are so common that they begin the names of companies of no list too. */
static int all_common(const struct plan_words *words, const struct plan_text *t, size_t to) {
  for (size_t i = 0; i < to; i++) {
    struct plan_word word = plan_words_of(words, t->token[i].fold);
    if (!(word.ordinary && word.ordinary <= BEGINNING_WORD) && !word.place && !word.kinds)
      return 0;
  }
  return 1;
}

/* The companies whose name begins with the words before the last one, and the trades that the last one tells; 0 for none. */
static uint64_t begin_so(const struct directory *d, const struct plan_trades *trades,
                         const struct plan_text *t, struct choices *c) {
  char key[CHOICE_KEY];
  size_t head = t->count - 1;
  if (t->count < 2)
    return 0;
  size_t len = directory_key(t, 0, head, 0, key, sizeof key);
  uint64_t told = len < 3 ? 0 : trades_told(trades, &t->token[head]);
  if (told)
    choices_add_key(c, d, key, len, OF_ALL_NAMES, head, 0);
  return told;
}

int plan_in_trade(const struct directory *d, const struct plan_words *words, const struct plan_trades *trades,
                  const struct plan_text *t, struct mention *found) {
  struct choices c = {.count = 0};
  uint64_t told = begin_so(d, trades, t, &c);
  if (told == 0)
    return 0;
  int common = all_common(words, t, t->count - 1);
  keep_of_trades(&c, d, trades, told);
  struct choices all = c;
  keep_called(&c, d, trades, told, t->count - 1, common);
  if (!choices_best(&c, found))
    return common && all.count > 1 && choices_best(&all, found) ? -1 : 0;
  found->score = 5;
  return found->margin >= CHOICE_MARGIN && !(common && all.count > c.count && found->way != WAY_ALIAS) ? 1
                                                                                                       : -1;
}

int plan_in_trade_is_shared(const struct directory *d, const struct plan_words *words,
                            const struct plan_trades *trades, const struct plan_text *t,
                            struct mention *found) {
  struct choices c = {.count = 0};
  uint64_t told = begin_so(d, trades, t, &c);
  if (told == 0 || !all_common(words, t, t->count - 1))
    return 0;
  struct plan_text *name = xmalloc(sizeof *name);
  size_t kept = 0;
  for (size_t i = 0; i < c.count; i++) {
    plan_text_read(name, directory_company(d, c.list[i].company)->name);
    if (c.list[i].company == found->company || goes_on_so(trades, told, name, t->count - 1))
      c.list[kept++] = c.list[i];
  }
  c.count = kept;
  free(name);
  return kept > 1 && choices_best(&c, found);
}

#include "query/plan_exact.h"

#include "query/choices.h"
#include "tables/company_talk.h"
#include "tables/legal_forms.h"

#include <stdlib.h>

#define OWN_TICKER 12       /* more than any name of a large company */
#define NAMESAKE_MARGIN 2.5 /* an ordinary word that several names are reduced to */
#define FAMILY_RANK 400     /* minimum size of a company meant by a family name that others share */

size_t plan_exact_without_legal(const struct plan_words *w, const struct plan_text *t) {
  size_t to = t->count;
  while (to > 1 && (plan_words_kinds(w, t->token[to - 1].fold) & KIND_LEGAL))
    to--;
  return to;
}

static int exact_capitals(const struct plan_text *t) {
  for (size_t i = 0; i < t->count; i++)
    if (t->token[i].letters != t->token[i].capitals)
      return 0;
  return 1;
}

/* Adds companies whose ticker is the whole text. */
static void ticker_choices(const struct directory *d, const struct plan_text *t, int capitals,
                           struct choices *c) {
  char key[CHOICE_KEY] = "$";
  size_t len = directory_key(t, 0, t->count, 0, key + 1, sizeof key - 1);
  double extra = t->token[0].first_capital ? -1.5 : 0;
  if (t->token[0].gap & GAP_DOLLAR)
    extra = 20;
  else if (capitals)
    extra = len >= 3 ? 4.5 : 3;
  choices_add_key(c, d, key, len ? len + 1 : 0, OF_TICKERS, t->count, extra);
}

/* Adds companies whose ticker or name is the whole text. */
static void whole_choices(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                          struct choices *c) {
  char key[CHOICE_KEY];
  size_t from = t->count > 1 && strcmp(t->token[0].fold, "the") == 0 ? 1 : 0;
  size_t core = plan_exact_without_legal(w, t), words = 0;
  double legal = core < t->count ? 2 : 0; /* "Ingersoll Rand Inc." is exact, "Ingersoll Rand" may not be */
  int capitals = exact_capitals(t);
  for (size_t i = 0; i < t->count; i++)
    words += !plan_token_is_and(&t->token[i]);
  ticker_choices(d, t, capitals, c);
  for (int bare = 0; bare < 2; bare++) {
    choices_add_key(c, d, key, directory_key(t, 0, t->count, bare, key, sizeof key), OF_ALL_NAMES, words,
                    legal);
    choices_add_key(c, d, key, directory_key(t, from, t->count, bare, key, sizeof key), OF_ALL_NAMES, words,
                    legal);
    choices_add_key(c, d, key, directory_key(t, from, core, bare, key, sizeof key), OF_ALL_NAMES,
                    core < t->count ? 0 : words, -legal);
  }
  for (size_t i = 0; i < c->count; i++) {
    struct choice *one = &c->list[i];
    if (capitals && one->way == WAY_TICKER && directory_company(d, one->company)->own)
      one->weight += OWN_TICKER; /* the user's own ticker, whoever else is called so */
    if (t->count == 1 && (one->entry->way == WAY_FULL || one->entry->way == WAY_CORE))
      one->weight -= 1; /* one word is often a shortened name */
  }
}

/* "NYSE: IBM", "ticker AAPL", "TSLA.O", "AAPL US Equity": the tokens of the ticker, or all of them where there is
 * nothing else. */
static void trim_exchange(const struct plan_text *t, size_t *from, size_t *to) {
  static const char *const before[] = {COMPANY_TALK_EXCHANGE_BEFORE, NULL};
  static const char *const behind[] = {COMPANY_TALK_EXCHANGE_BEHIND, NULL};
  static const char *const terminal[] = {COMPANY_TALK_EXCHANGE_TERMINAL, NULL};
  *from = 0;
  *to = t->count;
  while (*from + 1 < *to && plan_word_in(t->token[*from].fold, before) >= 0)
    ++*from;
  if (*from > 0 && t->token[*from].gap == GAP_BLANK && t->token[*from].capitals < t->token[*from].letters &&
      strcmp(t->token[*from - 1].fold, "ticker") != 0)
    *from = 0; /* "Amex Gold" */
  while (*to > *from + 1) {
    const struct plan_token *last = &t->token[*to - 1], *base = &t->token[*from];
    int capitals = base->capitals == base->letters; /* "Ford US" is not a ticker */
    if (plan_word_in(last->fold, last->gap & GAP_BLANK ? terminal : behind) < 0 ||
        ((last->gap & GAP_BLANK) && !capitals))
      return;
    --*to;
  }
}

static void traded_choices(const struct directory *d, const struct plan_text *t, struct choices *c) {
  char key[CHOICE_KEY] = "$";
  size_t from, to, len;
  trim_exchange(t, &from, &to);
  if (from == 0 && to == t->count)
    return;
  len = directory_key(t, from, to, 0, key + 1, sizeof key - 1);
  choices_add_key(c, d, key, len ? len + 1 : 0, OF_TICKERS, to - from, 3);
}

int plan_exact_is_name(const struct directory *d, const struct plan_text *t, uint32_t company) {
  struct plan_text *name = xmalloc(sizeof *name);
  char a[CHOICE_KEY], b[CHOICE_KEY];
  plan_text_read(name, directory_company(d, company)->name);
  int same = directory_key(t, 0, t->count, 0, a, sizeof a) > 0 &&
             directory_key(name, 0, name->count, 0, b, sizeof b) > 0 && strcmp(a, b) == 0;
  free(name);
  return same;
}

int plan_exact_shares_word(const struct directory *d, const struct plan_text *t, size_t from, size_t to,
                           uint32_t company) {
  struct plan_text *name = xmalloc(sizeof *name);
  int shared = 0;
  plan_text_read(name, directory_company(d, company)->name);
  for (size_t i = from; i < to; i++)
    for (size_t k = 0; k < name->count; k++)
      shared |= t->token[i].len > 2 && strcmp(t->token[i].fold, name->token[k].fold) == 0;
  free(name);
  return shared;
}

/* Whether the beginning of a name identifies one company alone: of two words or more, or of one that is no other word. */
static int is_only_beginning(const struct plan_text *t, const struct plan_word *first,
                             const struct mention *found) {
  return found->rival_count == 1 && (t->count > 1 || !(first->ordinary || first->family || first->given ||
                                                       first->place || first->kinds));
}

/* Whether a company is a vehicle that bears its manager's name: who types no more than "Bain Capital" means the manager. */
static int is_vehicle(const struct directory *d, uint32_t company) {
  static const char *const words[] = {COMPANY_TALK_VEHICLE, NULL};
  struct plan_text *name = xmalloc(sizeof *name);
  int vehicle = 0;
  plan_text_read(name, directory_company(d, company)->name);
  for (size_t i = 1; i < name->count; i++)
    vehicle |= plan_word_in(name->token[i].fold, words) >= 0;
  free(name);
  return vehicle;
}

/* Whether the company found is accepted.  A single ordinary word, a part of several names and a short name with a typo only
 * mean larger companies, and a part only where no other company is similar. */
static int is_taken_for(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                        const struct mention *found) {
  struct plan_word word = plan_words_of(w, t->token[0].fold);
  int single = t->count == 1, common = single && ((word.ordinary && word.ordinary <= 20) || word.kinds);
  uint32_t rank = directory_company(d, found->company)->rank;
  if (single && word.family && found->rival_count > 1 && rank >= FAMILY_RANK && found->way <= WAY_PREFIX)
    return 0;
  switch (found->way) {
  case WAY_BRAND:
    return found->rival_count == 1 || found->margin >= NAMESAKE_MARGIN;
  case WAY_PREFIX:
    if (is_vehicle(d, found->company))
      return 0;
    return is_only_beginning(t, &word, found) ||
           (rank < 2500 && !common && (!single || found->margin >= 2.5));
  case WAY_TICKER:
    return !common || exact_capitals(t) || rank < 100 || (t->token[0].gap & GAP_DOLLAR) ||
           (found->margin >= 2.5 && !t->token[0].first_capital);
  case WAY_CORE:
    if (single && word.ordinary && found->rival_count > 1 && found->margin < NAMESAKE_MARGIN)
      return 0; /* "Republic" of Republic Services, beside Republic Bancorp */
    return !common || rank < 2000 || found->rival_count == 1;
  case WAY_FULL:
    return !common || rank < 2000 || found->rival_count == 1;
  default:
    return 1;
  }
}

/* Prefers a company whose SEC spelling is exactly the text: "Vertex, Inc.", "FIRST BANCORP /PR/". */
static int take_whole_name(const struct directory *d, const struct plan_text *t, struct mention *found) {
  for (size_t i = 0; i < found->rival_count; i++)
    if (plan_exact_is_name(d, t, found->rivals[i])) {
      found->company = found->rivals[i];
      found->way = WAY_FULL;
      found->how = PLAN_NAME;
      return 1;
    }
  return 0;
}

/* "Merck KGaA" is not Merck & Co., Inc.: the text ends with a legal form of other companies. */
static int is_another_form(const struct directory *d, const struct plan_text *t,
                           const struct mention *found) {
  static const char *const forms[] = {LEGAL_FORMS_ELSEWHERE, NULL}, *const partners[] = {"co", "company",
                                                                                         NULL};
  size_t last = t->count - 1;
  if (t->count < 2 || found->how == PLAN_TICKER)
    return 0;
  if (plan_token_is_and(&t->token[last - 1]) && plan_word_in(t->token[last].fold, partners) >= 0)
    return found->way == WAY_PREFIX; /* "Bain & Company" is not Bain Capital Specialty Finance */
  return plan_word_in(t->token[last].fold, forms) >= 0 &&
         !plan_exact_shares_word(d, t, last, t->count, found->company);
}

int plan_exact_resolve(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                       struct mention *found) {
  struct choices c = {.count = 0};
  whole_choices(d, w, t, &c);
  if (c.count == 0)
    traded_choices(d, t, &c);
  if (!choices_best(&c, found))
    return 0;
  found->score = 10;
  if (is_another_form(d, t, found))
    return -1;
  if (plan_exact_without_legal(w, t) < t->count && take_whole_name(d, t, found))
    return 1;
  if (found->way == WAY_FORMER && c.list[0].entry->others > 0 && t->count == 1 && found->rival_count > 1)
    return -1; /* "Aurora" of Aurora Biosciences, beside Aurora Innovation */
  return found->margin >= CHOICE_MARGIN && is_taken_for(d, w, t, found) ? 1 : -1;
}

int plan_exact_is_nothing(const struct plan_text *t) {
  static const char *const words[] = {COMPANY_TALK_NOTHING, NULL};
  char key[CHOICE_KEY] = "";
  directory_key(t, 0, t->count, 0, key, sizeof key);
  return !(t->token[0].gap & GAP_DOLLAR) && plan_word_in(key, words) >= 0;
}

int plan_exact_resolve_placed(const struct directory *d, const struct plan_words *w, struct plan_text *t,
                              struct mention *found) {
  size_t count = t->count, to = count;
  while (to > 1 && (t->token[to - 1].gap & GAP_SLASH) && t->token[to - 1].len <= 3 && t->token[0].len > 1)
    to--;
  if (to == count)
    return 0;
  t->count = to;
  int result = plan_exact_resolve(d, w, t, found);
  t->count = count;
  return result && take_whole_name(d, t, found) ? 1 : result;
}

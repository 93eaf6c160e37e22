/* plan_resolve.c: finds the company for a name given by itself, in all the ways that people write one: a ticker, a CIK,
 * a whole name, two names, a name with its trade, an address, words in another order. */
#include "query/plan_resolve.h"
#include "query/mentions.h"
#include "query/plan.h"
#include "query/plan_candidates.h"
#include "text/plan_text.h"
#include "tables/company_talk.h"
#include "tables/legal_forms.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The two parts of a text: [0, head) and [tail, count). */
struct plan_halves {
  size_t head, tail;
  int marked;  /* "formerly" */
  int bracket; /* the second part is in brackets */
};

/* ---- a whole name or a ticker ---- */

#define OWN_TICKER 12       /* more than any name of a large company */
#define NAMESAKE_MARGIN 2.5 /* an ordinary word that several names are reduced to */
#define FAMILY_RANK 400     /* minimum size of a company meant by a family name that others share */

/* The number of the first tokens without the legal forms that end them; at least 1. */
static size_t plan_exact_without_legal(const struct plan_words *w, const struct plan_text *t) {
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
  plan_choices_add_key(c, d, key, len ? len + 1 : 0, OF_TICKERS, t->count, extra);
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
    plan_choices_add_key(c, d, key, directory_key(t, 0, t->count, bare, key, sizeof key), OF_ALL_NAMES, words,
                         legal);
    plan_choices_add_key(c, d, key, directory_key(t, from, t->count, bare, key, sizeof key), OF_ALL_NAMES,
                         words, legal);
    plan_choices_add_key(c, d, key, directory_key(t, from, core, bare, key, sizeof key), OF_ALL_NAMES,
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
  plan_choices_add_key(c, d, key, len ? len + 1 : 0, OF_TICKERS, to - from, 3);
}

/* Whether t is the company's name in the SEC's spelling. */
static int plan_exact_is_name(const struct directory *d, const struct plan_text *t, uint32_t company) {
  struct plan_text *name = xmalloc(sizeof *name);
  char a[CHOICE_KEY], b[CHOICE_KEY];
  plan_text_read(name, directory_company(d, company)->name);
  int same = directory_key(t, 0, t->count, 0, a, sizeof a) > 0 &&
             directory_key(name, 0, name->count, 0, b, sizeof b) > 0 && strcmp(a, b) == 0;
  free(name);
  return same;
}

/* Whether a word of tokens [from, to) is in the company's name. */
static int plan_exact_shares_word(const struct directory *d, const struct plan_text *t, size_t from,
                                  size_t to, uint32_t company) {
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
    if (single && t->token[0].first_capital && !exact_capitals(t) && rank >= FAMILY_RANK)
      return 0; /* "Lego", a name that nobody on the list bears */
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

/* The company that t names.  1 with *found; 0 where no name or ticker is this text; -1 where it may be another company's:
 * *found has them as rivals. */
static int plan_exact_resolve(const struct directory *d, const struct plan_words *w,
                              const struct plan_text *t, struct mention *found) {
  struct choices c = {.count = 0};
  whole_choices(d, w, t, &c);
  if (c.count == 0)
    traded_choices(d, t, &c);
  if (!plan_choices_best(&c, found))
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

/* Placeholders for no name: "n/a", "none". */
static int plan_exact_is_nothing(const struct plan_text *t) {
  static const char *const words[] = {COMPANY_TALK_NOTHING, NULL};
  char key[CHOICE_KEY] = "";
  directory_key(t, 0, t->count, 0, key, sizeof key);
  return !(t->token[0].gap & GAP_DOLLAR) && plan_word_in(key, words) >= 0;
}

/* The same for "WELLS FARGO & CO/MN", a name of the SEC's followed by a place; 0 for all other texts.  t is changed for the
 * duration of the call. */
static int plan_exact_resolve_placed(const struct directory *d, const struct plan_words *w,
                                     struct plan_text *t, struct mention *found) {
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

/* ---- a name and a line of business: "DR Horton homes", "Nvidia stock" ---- */

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

/* Whether tokens [from, to) are only words for a line of business or for shares, and others that name nothing. */
static int plan_business_is_all(const struct plan_words *w, const struct plan_text *t, size_t from,
                                size_t to) {
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

/* The company for "DR Horton homes", "papa johns pizza", "Nvidia stock".  1 with *found, else 0. */
static int plan_business_resolve(const struct directory *d, const struct plan_words *w,
                                 const struct plan_text *t, struct mention *found) {
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

/* ---- other spellings: addresses, "dot com", a given name in brackets ---- */

#define SPELLED_WORDS 16 /* limit of a name's words */
#define Y_LETTERS 6      /* of a word in -y that has another number: "technology" */

/* "https://www.nvidia.com/en-us", "ir@nvidia.com": the name in a URL or e-mail address, or the whole text. */
static struct slice plan_spelled_host(struct slice name) {
  static const char *const ends[] = {COMPANY_TALK_DOMAIN, NULL};
  const char *scheme = memmem(name.data, name.len, "://", 3), *at = memchr(name.data, '@', name.len);
  struct slice host = name;
  struct plan_text *t;
  size_t from, to;
  if (memchr(name.data, ' ', name.len) || !memchr(name.data, '.', name.len))
    return name;
  if (scheme || at)
    host.data = scheme ? scheme + 3 : at + 1;
  host.len -= (size_t)(host.data - name.data);
  for (size_t i = 0; i < host.len; i++)
    host.len = strchr("/?#:", host.data[i]) ? i : host.len;
  t = xmalloc(sizeof *t);
  plan_text_read(t, host);
  to = t->count;
  while (to > 1 && plan_word_in(t->token[to - 1].fold, ends) >= 0)
    to--;
  for (from = to; from > 0 && (from == to || !(t->token[from].gap & GAP_DOT)); from--)
    ;
  if (to > from && to < t->count && t->token[to - 1].end - t->token[from].start > 1)
    name = plan_text_span(t, from, to);
  free(t);
  return name;
}

/* "Zebra Technology", "Marvell Technologies": writes the first such word in the other number; 0 where there is none. */
static int write_other_number(const struct plan_text *t, struct buf *written) {
  for (size_t i = 1; i < t->count; i++) {
    const struct plan_token *token = &t->token[i];
    int many = token->len > Y_LETTERS + 2 && strcmp(token->fold + token->len - 3, "ies") == 0,
        one = token->len > Y_LETTERS && token->fold[token->len - 1] == 'y';
    if (!many && !one)
      continue;
    struct slice head = plan_text_span(t, 0, i), tail = plan_text_span(t, i + 1, t->count);
    return buf_printf(written, "%.*s %.*s%s %.*s", (int)head.len, head.data, token->len - (many ? 3 : 1),
                      token->fold, many ? "y" : "ies", (int)tail.len, tail.data) == 0;
  }
  return 0;
}

/* "lottery dot com", "Wiley (John) & Sons", "Zebra Technology": writes the dot, what is in brackets first, or a word in -y or -ies in the
 * other number into *written; 0 where there is none. */
static int plan_spelled_plainly(const struct plan_text *t, struct buf *written) {
  static const char *const ends[] = {COMPANY_TALK_DOMAIN, NULL};
  size_t open = 1;
  if (t->count > 2 && strcmp(t->token[t->count - 2].fold, "dot") == 0 &&
      plan_word_in(t->token[t->count - 1].fold, ends) >= 0) {
    struct slice head = plan_text_span(t, 0, t->count - 2);
    return buf_printf(written, "%.*s.%s", (int)head.len, head.data, t->token[t->count - 1].fold) == 0;
  }
  while (open < t->count && !(t->token[open].gap & GAP_OPEN))
    open++;
  if (t->count > SPELLED_WORDS)
    return 0;
  if (open + 1 >= t->count)
    return write_other_number(t, written);
  struct slice head = plan_text_span(t, 0, open), given = plan_text_span(t, open, open + 1),
               tail = plan_text_span(t, open + 1, t->count);
  return buf_printf(written, "%.*s %.*s %.*s", (int)given.len, given.data, (int)head.len, head.data,
                    (int)tail.len, tail.data) == 0;
}

/* ---- two names: "Apple Inc. (AAPL)", "Meta, formerly Facebook" ---- */

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

/* Where the text has two parts, only the second of which is never empty: 1 with *h, else 0. */
static int plan_halves_find(const struct plan_text *t, struct plan_halves *h) {
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

/* Combines two parts, of which the first was resolved as a and *head, the other as b and *tail: 1 with *found; 0; -1 where
 * they are two companies, which *found has as rivals. */
static int plan_halves_join(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
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

/* ---- identifiers of securities and filings ---- */

#define IDENTIFIER_MAX 20
#define CIK_LARGEST 9999999 /* distinguishes an all-digit CUSIP from a CIK, which has seven digits today */

/* The value of a character: 0 to 9 for digits, 10 to 35 for letters. */
static int sign_value(char c) {
  return isdigit((unsigned char)c) ? c - '0' : c - 'A' + 10;
}

/* Luhn's algorithm over digits, with letters as two digits. */
static int is_isin(const char *id, size_t len) {
  int sum = 0, twice = 0;
  if (len != 12 || !isalpha((unsigned char)id[0]) || !isalpha((unsigned char)id[1]) ||
      !isdigit((unsigned char)id[11]))
    return 0;
  for (size_t i = len; i-- > 0;)
    for (int value = sign_value(id[i]), first = 1; first || value > 0; value /= 10, first = 0) {
      int digit = (value % 10) << twice;
      sum += digit / 10 + digit % 10;
      twice = !twice;
    }
  return sum % 10 == 0;
}

static int is_cusip(const char *id, size_t len) {
  int sum = 0;
  if (len != 9 || !isdigit((unsigned char)id[8]) ||
      (strspn(id, "0123456789") == len && strtoul(id, NULL, 10) <= CIK_LARGEST))
    return 0;
  for (size_t i = 0; i < 8; i++) {
    int value = sign_value(id[i]) << (i % 2);
    sum += value / 10 + value % 10;
  }
  return (sum + id[8] - '0') % 10 == 0;
}

static int is_lei(const char *id, size_t len) {
  int rest = 0;
  if (len != 20 || !isdigit((unsigned char)id[18]) || !isdigit((unsigned char)id[19]))
    return 0;
  for (size_t i = 0; i < len; i++)
    rest = (rest * (sign_value(id[i]) > 9 ? 100 : 10) + sign_value(id[i])) % 97;
  return rest == 1;
}

const char *plan_identifier_kind(struct slice text) {
  static const char *const kinds[] = {"isin", "cusip", "lei", "figi"};
  char id[IDENTIFIER_MAX + 1];
  size_t len = 0, digits = 0, dashes = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    size_t n = strlen(kinds[k]);
    if (text.len > n + 1 && strncasecmp(text.data, kinds[k], n) == 0 && strchr(": #", text.data[n]) != NULL)
      text = slice_of(text.data + n, text.len - n);
  }
  for (size_t i = 0; i < text.len; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (isalnum(c) && len < IDENTIFIER_MAX)
      id[len++] = (char)toupper(c);
    else if (c == '-' && (len == 10 || len == 12))
      dashes++;
    else if (strchr(" :#", c) == NULL || len > 0)
      return NULL;
    digits += isdigit(c) != 0;
  }
  id[len] = '\0';
  if (len == 18 && digits == 18 && (dashes == 0 || dashes == 2))
    return "an accession number";
  if (dashes > 0 || digits == 0)
    return NULL;
  if (len == 12 && strncmp(id, "BBG", 3) == 0)
    return "a FIGI";
  return is_isin(id, len) ? "an ISIN" : is_cusip(id, len) ? "a CUSIP" : is_lei(id, len) ? "an LEI" : NULL;
}

/* ---- one company ---- */

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
    plan_choices_add_key(&c, d, key, len + more, OF_ALL_NAMES, t->count, 0);
  }
  if (!plan_choices_best(&c, found) || found->way == WAY_PREFIX || found->margin < CHOICE_MARGIN)
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

#define NEAR_LETTERS 6 /* of a ticker */

static void add_near(const struct directory *d, const char *ticker, struct choices *c) {
  char key[NEAR_LETTERS + 4];
  int len = snprintf(key, sizeof key, "$%s", ticker);
  if (len > 0 && (size_t)len < sizeof key) /* else too long for a ticker */
    plan_choices_add_key(c, d, key, (size_t)len, OF_TICKERS, 0, 0);
}

/* All tickers one typing error from `fold`. */
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

size_t plan_near_resolve(const struct directory *d, struct slice name, struct mention *found) {
  struct plan_text *t = xmalloc(sizeof *t);
  struct choices c = {.count = 0};
  char key[CHOICE_KEY];
  memset(found, 0, sizeof *found);
  plan_text_read(t, name);
  if (t->count > 0 && plan_exact_is_nothing(t))
    t->count = 0;
  if (t->count == 2 && (t->token[1].gap & GAP_DOT)) /* "RY.TO": traded elsewhere */
    add_near(d, t->token[0].fold, &c);
  for (size_t to = t->count; to-- > 1 && c.count == 0;) /* "papa johns pizza": what its first words name */
    plan_choices_add_key(&c, d, key, directory_key(t, 0, to, 0, key, sizeof key), OF_ALL_NAMES, 0, 0);
  if (t->count == 1 && t->token[0].len >= 2 && t->token[0].len <= NEAR_LETTERS - 1)
    near_choices(d, t->token[0].fold, &c);
  plan_choices_best(&c, found);
  free(t);
  return found->rival_count;
}

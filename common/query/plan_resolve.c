/* plan_resolve.c: finds the company for a name given by itself, in all the ways that people write one.
 *
 * A name is looked up as it stands: a CIK, a ticker, a whole name.  Else it is edited, and the first edit that leads to one company counts: two
 * names for one, a name with its trade, some words of it, one typing error, words in another order.  Who may be meant besides
 * is among the rivals of what is found. */
#include "base/near_name.h"
#include "query/plan_candidates.h"
#include "query/planner.h"
#include "tables/company_talk.h"
#include "tables/legal_forms.h"
#include "tables/places.h"
#include "text/plan_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A name being resolved. */
struct naming {
  const struct planner *p;
  struct plan_text t;    /* the name */
  struct plan_text part; /* a part of it, or it in another spelling */
  struct plan_text name; /* a company's */
};

static const struct plan_text *name_of(struct naming *n, uint32_t company) {
  plan_text_read(&n->name, directory_company(n->p->directory, company).name);
  return &n->name;
}

/* ---- a whole name or a ticker ---- */

#define OWN_TICKER 12       /* more than any name of a large company */
#define NAMESAKE_MARGIN 2.5 /* an ordinary word that several names are reduced to */
#define FAMILY_RANK 400     /* minimum size of a company meant by a family name that others share */
#define COMMON_RANK 2000    /* and of one meant by a common word */
#define PREFIX_RANK 2500    /* and by the first words of its name, or its words in another order */

/* The number of the first tokens without the legal forms that end them; at least 1. */
static size_t without_legal(const struct plan_words *w, const struct plan_text *t) {
  size_t to = t->count;
  while (to > 1 && (plan_words_kinds(w, t->token[to - 1].fold) & KIND_LEGAL))
    to--;
  return to;
}

static int all_capitals(const struct plan_text *t) {
  for (size_t i = 0; i < t->count; i++)
    if (t->token[i].letters != t->token[i].capitals)
      return 0;
  return 1;
}

/* Adds companies whose ticker is tokens [from, to). */
static void add_ticker_of(const struct naming *n, const struct plan_text *t, size_t from, size_t to,
                          double extra, struct choices *c) {
  char key[CHOICE_KEY] = "$";
  size_t len = directory_key(t, from, to, 0, key + 1, sizeof key - 1);
  plan_choices_add_key(c, n->p->directory, key, len ? len + 1 : 0, OF_TICKERS, to - from, extra);
}

/* How much more than a name a ticker counts, by its spelling. */
static double ticker_extra(const struct plan_text *t, int capitals) {
  size_t letters = 0;
  for (size_t i = 0; i < t->count; i++)
    letters += t->token[i].len;
  if (t->token[0].gap & GAP_DOLLAR)
    return 20;
  return capitals ? (letters >= 3 ? 4.5 : 3) : t->token[0].first_capital ? -1.5 : 0;
}

/* Adds companies whose ticker or name is the whole text. */
static void add_whole(const struct naming *n, const struct plan_text *t, struct choices *c) {
  char key[CHOICE_KEY];
  size_t from = t->count > 1 && strcmp(t->token[0].fold, "the") == 0 ? 1 : 0;
  size_t core = without_legal(n->p->words, t), words = 0;
  double legal = core < t->count ? 2 : 0; /* "Ingersoll Rand Inc." is exact, "Ingersoll Rand" may not be */
  int capitals = all_capitals(t);
  for (size_t i = 0; i < t->count; i++)
    words += !plan_token_is_and(&t->token[i]);
  add_ticker_of(n, t, 0, t->count, ticker_extra(t, capitals), c);
  for (int bare = 0; bare < 2; bare++) {
    const struct {
      size_t from, to, words;
      double extra;
    } keys[] = {{0, t->count, words, legal},
                {from, t->count, words, legal},
                {from, core, core < t->count ? 0 : words, -legal}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
      plan_choices_add_key(c, n->p->directory, key,
                           directory_key(t, keys[i].from, keys[i].to, bare, key, sizeof key), OF_ALL_NAMES,
                           keys[i].words, keys[i].extra);
  }
  for (size_t i = 0; i < c->count; i++) {
    struct choice *one = &c->list[i];
    if (capitals && one->way == WAY_TICKER && directory_company(n->p->directory, one->company).own)
      one->weight += OWN_TICKER; /* the user's own ticker, whoever else is called so */
    if (t->count == 1 && (one->entry->way == WAY_FULL || one->entry->way == WAY_CORE))
      one->weight -= 1; /* one word is often a shortened name */
  }
}

/* "NYSE: IBM", "ticker AAPL", "TSLA.O", "AAPL US Equity": adds the companies of the ticker. */
static void add_traded(const struct naming *n, const struct plan_text *t, struct choices *c) {
  static const char *const before[] = {COMPANY_TALK_EXCHANGE_BEFORE, NULL};
  static const char *const behind[] = {COMPANY_TALK_EXCHANGE_BEHIND, NULL};
  static const char *const terminal[] = {COMPANY_TALK_EXCHANGE_TERMINAL, NULL};
  size_t from = 0, to = t->count;
  while (from + 1 < to && plan_word_in(t->token[from].fold, before) >= 0)
    from++;
  if (from > 0 && t->token[from].gap == GAP_BLANK && t->token[from].capitals < t->token[from].letters &&
      strcmp(t->token[from - 1].fold, "ticker") != 0)
    from = 0; /* "Amex Gold" */
  for (; to > from + 1; to--) {
    const struct plan_token *last = &t->token[to - 1];
    int apart = (last->gap & GAP_BLANK) != 0, small = t->token[from].capitals < t->token[from].letters;
    if (plan_word_in(last->fold, apart ? terminal : behind) < 0 || (apart && small))
      break; /* "Ford US" is not a ticker */
  }
  if (from > 0 || to < t->count)
    add_ticker_of(n, t, from, to, 3, c);
}

/* Whether t is the company's name in the SEC's spelling. */
static int is_spelled_so(struct naming *n, const struct plan_text *t, uint32_t company) {
  char a[CHOICE_KEY], b[CHOICE_KEY];
  const struct plan_text *name = name_of(n, company);
  return directory_key(t, 0, t->count, 0, a, sizeof a) > 0 &&
         directory_key(name, 0, name->count, 0, b, sizeof b) > 0 && strcmp(a, b) == 0;
}

/* Whether a word of tokens [from, to) is in the company's name. */
static int shares_word(struct naming *n, const struct plan_text *t, size_t from, size_t to,
                       uint32_t company) {
  const struct plan_text *name = name_of(n, company);
  for (size_t i = from; i < to; i++)
    for (size_t k = 0; k < name->count; k++)
      if (t->token[i].len > 2 && strcmp(t->token[i].fold, name->token[k].fold) == 0)
        return 1;
  return 0;
}

#define COMMON_SIZE 20 /* SCOWL size */

/* Whether the first tokens are words that begin the names of companies of no list, too: "Community Bank". */
static int are_common(const struct naming *n, size_t head) {
  for (size_t i = 0; i < head; i++) {
    struct plan_word word = plan_words_of(n->p->words, n->t.token[i].fold);
    if (!((word.ordinary && word.ordinary <= COMMON_SIZE) || word.place || word.kinds))
      return 0;
  }
  return 1;
}

/* What tells whether a name is taken for the company found. */
struct taking {
  struct plan_word word; /* the first one */
  uint32_t rank;         /* of the company */
  int single, common;    /* a single word; an ordinary one */
  int alone, clear;      /* nobody else may be meant, or nobody likely */
};

/* The first words of a company's name: those of two words or more, or of one that is no other word, are enough where nobody else's name
 * begins so. */
static int is_beginning_taken(const struct taking *k) {
  const struct plan_word *word = &k->word;
  int other_word = word->ordinary || word->family || word->given || word->place || word->kinds;
  return (k->alone && !(k->single && other_word)) ||
         (k->rank < PREFIX_RANK && !k->common && (!k->single || k->clear));
}

static int is_ticker_taken(const struct taking *k, const struct plan_text *t) {
  int capital = t->token[0].first_capital;
  if ((t->token[0].gap & GAP_DOLLAR) || all_capitals(t))
    return 1;
  if (k->single && capital && k->rank >= FAMILY_RANK)
    return 0; /* "Lego", a name that nobody on the list bears */
  return !k->common || k->rank < 100 || (k->clear && !capital);
}

/* Whether the company found is accepted.  A single ordinary word, a part of several names and a short name with a typo only
 * mean larger companies, and a part only where no other company is similar. */
static int is_taken_for(struct naming *n, const struct plan_text *t, const struct mention *found) {
  struct taking k = {.word = plan_words_of(n->p->words, t->token[0].fold),
                     .rank = directory_company(n->p->directory, found->company).rank,
                     .single = t->count == 1,
                     .alone = found->rival_count == 1,
                     .clear = found->margin >= NAMESAKE_MARGIN};
  k.common = k.single && ((k.word.ordinary && k.word.ordinary <= 20) || k.word.kinds);
  if (k.single && k.word.family && !k.alone && k.rank >= FAMILY_RANK && found->way <= WAY_PREFIX)
    return 0;
  switch (found->way) {
  case WAY_BRAND:
    return k.alone || k.clear;
  case WAY_PREFIX:
    return is_beginning_taken(&k);
  case WAY_TICKER:
    return is_ticker_taken(&k, t);
  case WAY_CORE: /* "Republic" of Republic Services, beside Republic Bancorp */
    return !(k.single && k.word.ordinary && !k.alone && !k.clear) &&
           (!k.common || k.rank < COMMON_RANK || k.alone);
  case WAY_FULL:
    return !k.common || k.rank < COMMON_RANK || k.alone;
  default:
    return 1;
  }
}

/* Prefers a company whose SEC spelling is exactly the text: "Vertex, Inc.", "FIRST BANCORP /PR/". */
static int take_whole_name(struct naming *n, const struct plan_text *t, struct mention *found) {
  for (size_t i = 0; i < found->rival_count; i++)
    if (is_spelled_so(n, t, found->rivals[i])) {
      found->company = found->rivals[i];
      found->way = WAY_FULL;
      found->how = PLAN_NAME;
      return 1;
    }
  return 0;
}

/* "Merck KGaA" is not Merck & Co., Inc.: the text ends with a legal form of other companies. */
static int is_another_form(struct naming *n, const struct plan_text *t, const struct mention *found) {
  static const char *const forms[] = {LEGAL_FORMS_ELSEWHERE, NULL}, *const partners[] = {"co", "company",
                                                                                         NULL};
  size_t last = t->count - 1;
  if (t->count < 2 || found->how == PLAN_TICKER)
    return 0;
  if (plan_token_is_and(&t->token[last - 1]) && plan_word_in(t->token[last].fold, partners) >= 0)
    return found->way == WAY_PREFIX; /* "Bain & Company" is not Bain Capital Specialty Finance */
  return plan_word_in(t->token[last].fold, forms) >= 0 && !shares_word(n, t, last, t->count, found->company);
}

/* The company that t names.  1 with *found; 0 where no name or ticker is this text; -1 where it may be another company's:
 * *found has them as rivals. */
static int resolve_exact(struct naming *n, const struct plan_text *t, struct mention *found) {
  struct choices c = {.count = 0};
  if (t->count == 0)
    return 0;
  add_whole(n, t, &c);
  if (c.count == 0)
    add_traded(n, t, &c);
  if (!plan_choices_best(&c, n->p->directory, found))
    return 0;
  found->score = 10;
  if (is_another_form(n, t, found))
    return -1;
  if (without_legal(n->p->words, t) < t->count && take_whole_name(n, t, found))
    return 1;
  if (found->way == WAY_FORMER && c.list[0].entry->others > 0 && t->count == 1 && found->rival_count > 1)
    return -1; /* "Aurora" of Aurora Biosciences, beside Aurora Innovation */
  return found->margin >= CHOICE_MARGIN && is_taken_for(n, t, found) ? 1 : -1;
}

/* Placeholders for no name: "n/a", "none". */
static int is_nothing(const struct plan_text *t) {
  static const char *const words[] = {COMPANY_TALK_NOTHING, NULL};
  char key[CHOICE_KEY] = "";
  directory_key(t, 0, t->count, 0, key, sizeof key);
  return !(t->token[0].gap & GAP_DOLLAR) && plan_word_in(key, words) >= 0;
}

/* ---- words beside a name that name nobody; names in addresses ---- */

/* Words that show that a company's shares are meant. */
static int is_share(const char *fold) {
  static const char *const shares[] = {COMPANY_TALK_SHARE, NULL};
  return plan_word_in(fold, shares) >= 0;
}

/* Whether tokens [from, to) are only words that name nobody: shares and their class, exchanges, grammar. */
static int is_all_empty(const struct naming *n, size_t from, size_t to) {
  static const char *const exchanges[] = {COMPANY_TALK_EXCHANGE_BEFORE, NULL};
  for (size_t i = from; i < to; i++)
    if (!is_share(n->t.token[i].fold) && !(i > from && n->t.token[i].len == 1) &&
        plan_word_in(n->t.token[i].fold, exchanges) < 0 &&
        !(plan_words_kinds(n->p->words, n->t.token[i].fold) & (KIND_LEGAL | KIND_FUNCTION)))
      return 0;
  return 1;
}

#define TWO_NAMES 16 /* limit of words */

/* "https://www.nvidia.com/en-us", "ir@nvidia.com": the name in a URL or e-mail address, or the whole text. */
static struct slice name_in_address(struct slice name) {
  static const char *const ends[] = {COMPANY_TALK_DOMAIN, NULL};
  const char *scheme = memmem(name.data, name.len, "://", 3), *at = memchr(name.data, '@', name.len);
  struct slice host = name;
  size_t from, to;
  if (memchr(name.data, ' ', name.len) || !memchr(name.data, '.', name.len))
    return name;
  if (scheme || at)
    host.data = scheme ? scheme + 3 : at + 1;
  host.len -= (size_t)(host.data - name.data);
  for (size_t i = 0; i < host.len; i++)
    host.len = strchr("/?#:", host.data[i]) ? i : host.len;
  struct plan_text *t = xmalloc(sizeof *t);
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

/* ---- two names for one company: "Apple Inc. (AAPL)", "Meta, formerly Facebook", "Google Alphabet" ---- */

/* The two parts of a text: [0, head) and [tail, count). */
struct halves {
  size_t head, tail;
  int a, b; /* how each was resolved, */
  struct mention first, second;
};

/* "formerly", "f/k/a" at token i: the number of tokens; 0 for none. */
static size_t marker_at(const struct plan_text *t, size_t i) {
  static const char *const words[] = {COMPANY_TALK_FORMER, NULL};
  static const char *const fillers[] = {"known", "as", "called", "named", "the", NULL};
  size_t n = 0;
  if (i + 2 < t->count && t->token[i].len == 1 && strchr("fand", t->token[i].fold[0]) &&
      t->token[i + 2].len == 1 && strchr("ka", t->token[i + 1].fold[0]) && t->token[i + 1].len == 1)
    n = 3; /* "f/k/a", "d/b/a" */
  else if (plan_word_in(t->token[i].fold, words) >= 0)
    n = 1;
  while (n > 0 && i + n < t->count && plan_word_in(t->token[i + n].fold, fillers) >= 0)
    n++;
  return n;
}

/* Where the text has two parts, only the second of which is never empty: 1 with *h, else 0. */
static int find_halves(const struct plan_text *t, struct halves *h) {
  static const unsigned gaps[] = {GAP_OPEN, GAP_STOP, GAP_COMMA | GAP_SLASH};
  for (size_t i = 0; i < t->count; i++) {
    size_t n = marker_at(t, i);
    if (n > 0 && i + n < t->count) {
      *h = (struct halves){.head = i, .tail = i + n};
      return 1;
    }
  }
  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
    for (size_t i = 1; i < t->count; i++)
      if ((t->token[i].gap & gaps[g]) ||
          (g == 1 && (t->token[i].gap & (GAP_HYPHEN | GAP_BLANK)) == (GAP_HYPHEN | GAP_BLANK))) {
        *h = (struct halves){.head = i, .tail = i};
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

/* 1 with *found; 0; -1 where the halves are two companies, which *found has as rivals. */
static int join_halves(const struct halves *h, struct mention *found) {
  const struct mention *first = &h->first, *second = &h->second;
  int agree = h->a == 1 && h->b == 1 && first->company == second->company,
      among = h->a == 1 && is_rival(second, first->company);
  if (agree || among || (h->b == 1 && is_rival(first, second->company))) { /* "Rio Tinto (RTNTF)" */
    *found = agree ? (second->how == PLAN_TICKER ? *second : *first) : among ? *first : *second;
    return 1;
  }
  if (h->a < 0 && h->b == 1 && second->how == PLAN_TICKER) { /* "Scripps (NASDAQ: SSP)" */
    *found = *second;
    return 1;
  }
  *found = h->a == 1 ? *first : *second;
  if (h->a && h->b && found->rival_count < PLAN_CANDIDATES)
    found->rivals[found->rival_count++] = h->a == 1 ? second->company : first->company;
  return h->a && h->b ? -1 : 0;
}

static int resolve_half(struct naming *n, size_t from, size_t to, struct mention *found) {
  int result = to > from ? plan_resolve_company(n->p, plan_text_span(&n->t, from, to), found) : 0;
  return result && found->how == PLAN_GIVEN ? 0 : result;
}

static int resolve_halves(struct naming *n, struct mention *found) {
  struct halves h;
  if (n->t.count > TWO_NAMES || !find_halves(&n->t, &h))
    return 0;
  h.a = resolve_half(n, 0, h.head, &h.first);
  if (h.a && is_all_empty(n, h.tail, n->t.count)) {
    *found = h.first;
    return h.a;
  }
  h.b = resolve_half(n, h.tail, n->t.count, &h.second);
  if (h.a == 1 && is_spelled_so(n, &n->t, h.first.company)) {
    *found = h.first;
    return 1;
  }
  return join_halves(&h, found);
}

/* ---- a name beside words that go with its company: "Prosperity Bank", "DR Horton homes", "Apple Inc AAPL" ---- */

#define BEGINNING_RANK 2500 /* a smaller company must bear the whole name, not only begin with it */
#define SAME_LETTERS 6      /* of a word in another number */
#define OTHERS_MOST 2       /* words of the name that may be missing behind its beginning */

static uint64_t trades_of_token(const struct naming *n, const struct plan_token *token) {
  return plan_trades_of_word(n->p->trades, token->fold) |
         (token->digits ? 0 : plan_trades_of_company(n->p->trades, 0, slice_of(token->fold, token->len)));
}

/* Whether a word tells nothing but what the company does, makes or is, or where; it may stand behind its name. */
static int goes_with(const struct naming *n, const struct plan_token *token,
                     const struct directory_company *c) {
  static const char *const places[] = {PLACES_COUNTRY, PLACES_STATE, NULL};
  const struct planner *p = n->p;
  return (trades_of_token(n, token) & plan_trades_of_company(p->trades, c->cik, c->name)) != 0 ||
         is_share(token->fold) || plan_word_in(token->fold, places) >= 0 ||
         plan_senses_have(plan_senses_of_company(p->senses, c->cik), token);
}

/* Whether the tokens from `head` on go with a company that is called tokens [0, head).  A small one must bear the whole name, or its name
 * goes on with a word of the same trade: "Assembly Bio" of Assembly Biosciences. */
static int may_stand_before(struct naming *n, size_t head, const struct choice *one) {
  struct directory_company c = directory_company(n->p->directory, one->company);
  const struct plan_text *name = name_of(n, one->company);
  const struct plan_token *next = &name->token[head], *typed = &n->t.token[head];
  int vague = c.rank >= BEGINNING_RANK || are_common(n, head), same = 0, goes_on = 0;
  if (head < name->count) {
    same = strncmp(next->fold, typed->fold, SAME_LETTERS) == 0; /* "Zebra Technology" */
    goes_on = same || (trades_of_token(n, next) & trades_of_token(n, typed));
  }
  int telling = same;
  if (one->way == WAY_PREFIX && (one->entry->others > OTHERS_MOST || (vague && !goes_on)))
    return 0;
  for (size_t i = head; i < n->t.count; i++) {
    int with = goes_with(n, &n->t.token[i], &c);
    telling |= with;
    if (!with &&
        !(plan_words_kinds(n->p->words, n->t.token[i].fold) & (KIND_LEGAL | KIND_FUNCTION | KIND_GENERIC)))
      return 0;
  }
  return telling;
}

/* Whether the tokens from `head` on are another name of the company that tokens [0, head) name, or empty words. */
static int is_named_by(struct naming *n, size_t head, struct mention *found) {
  struct mention second;
  plan_text_read(&n->part, plan_text_span(&n->t, 0, head));
  if (resolve_exact(n, &n->part, found) != 1)
    return 0;
  plan_text_read(&n->part, plan_text_span(&n->t, head, n->t.count));
  return (is_share(n->t.token[head].fold) && is_all_empty(n, head, n->t.count)) ||
         (resolve_exact(n, &n->part, &second) == 1 && found->company == second.company);
}

/* 1 with *found; 0; -1 where several companies are called so. */
static int resolve_beside(struct naming *n, struct mention *found) {
  for (size_t head = n->t.count; head-- > 1;) {
    struct choices c = {.count = 0};
    char key[CHOICE_KEY];
    size_t kept = 0, len = directory_key(&n->t, 0, head, 0, key, sizeof key);
    if (n->t.count <= TWO_NAMES && is_named_by(n, head, found))
      return 1;
    plan_choices_add_key(&c, n->p->directory, key, len, OF_ALL_NAMES, head, 0);
    for (size_t i = 0; i < c.count; i++)
      if (may_stand_before(n, head, &c.list[i]))
        c.list[kept++] = c.list[i];
    c.count = kept;
    if (!plan_choices_best(&c, n->p->directory, found))
      continue;
    found->score = 5;
    if (kept > 1 && are_common(n, head))
      return -1;
    if (found->margin >= CHOICE_MARGIN)
      return 1;
  }
  return 0;
}

/* ---- identifiers of securities and filings ---- */

#define IDENTIFIER_MAX 20
#define IDENTIFIER_DIGITS 4 /* fewer are a name's */
#define CIK_LARGEST 9999999 /* distinguishes an all-digit CUSIP from a CIK, which has seven digits today */

/* The letters and digits of an identifier in capitals; 0 where the text is none. */
static size_t identifier_signs(struct slice text, char id[IDENTIFIER_MAX + 1], size_t *digits,
                               size_t *dashes) {
  size_t len = 0;
  for (size_t i = 0; i < text.len; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (isalnum(c) && len < IDENTIFIER_MAX)
      id[len++] = (char)toupper(c);
    else if (c == '-' && (len == 10 || len == 12))
      ++*dashes;
    else if (strchr(" :#", c) == NULL || len > 0)
      return 0;
    *digits += isdigit(c) != 0;
  }
  id[len] = '\0';
  return len;
}

const char *plan_identifier_kind(struct slice text) {
  static const char *const kinds[] = {"isin", "cusip", "lei", "figi"};
  char id[IDENTIFIER_MAX + 1];
  size_t digits = 0, dashes = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    size_t n = strlen(kinds[k]);
    if (text.len > n + 1 && strncasecmp(text.data, kinds[k], n) == 0 && strchr(": #", text.data[n]) != NULL)
      text = slice_of(text.data + n, text.len - n);
  }
  size_t len = identifier_signs(text, id, &digits, &dashes);
  if (len == 18 && digits == 18 && (dashes == 0 || dashes == 2))
    return "an accession number";
  if (dashes > 0 || digits < IDENTIFIER_DIGITS || len == 0 || !isdigit((unsigned char)id[len - 1]))
    return NULL;
  if (len == 12 && isalpha((unsigned char)id[0]) && isalpha((unsigned char)id[1]))
    return strncmp(id, "BBG", 3) == 0 ? "a FIGI" : "an ISIN";
  if (len == 9 && (digits < len || strtoul(id, NULL, 10) > CIK_LARGEST))
    return "a CUSIP";
  return len == 20 ? "an LEI" : NULL;
}

/* ---- one company ---- */

/* "320193", "CIK0000320193", "cik:1318605", "CIK#0001045810". */
static int resolve_cik(struct naming *n, struct mention *found) {
  char joined[CHOICE_KEY];
  size_t len = directory_key(&n->t, 0, n->t.count, 0, joined, sizeof joined),
         at = len && strncmp(joined, "cik", 3) == 0 ? 3 : 0;
  size_t digits = len ? strspn(joined + at, "0123456789") : 0;
  if (digits == 0 || at + digits != len || digits > 10 || strspn(joined + at, "0") == digits)
    return 0;
  unsigned long long cik = strtoull(joined + at, NULL, 10);
  int known = cik <= UINT32_MAX && directory_has(n->p->directory, (uint32_t)cik);
  found->company = (uint32_t)cik;
  found->how = known ? PLAN_CIK : PLAN_GIVEN;
  found->score = found->margin = 20;
  return 1;
}

static int resolve_edited(struct naming *n, struct mention *found) {
  int result = resolve_halves(n, found);
  result = result ? result : resolve_beside(n, found);
  result = result ? result : plan_partial_resolve(n->p->directory, n->p->words, &n->t, 0, found) == 1;
  result =
      result ? result : plan_slip_resolve(n->p->directory, &n->t, without_legal(n->p->words, &n->t), found);
  return result ? result : plan_partial_resolve(n->p->directory, n->p->words, &n->t, 1, found);
}

static struct naming *naming_of(const struct planner *p, struct slice name, struct mention *found) {
  struct naming *n = xmalloc(sizeof *n);
  n->p = p;
  plan_text_read(&n->t, name);
  memset(found, 0, sizeof *found);
  found->to = n->t.count;
  return n;
}

int plan_resolve_company(const struct planner *p, struct slice name, struct mention *found) {
  struct naming *n = naming_of(p, name, found);
  int result = 0;
  if (resolve_exact(n, &n->t, found) == 0)
    plan_text_read(&n->t, name_in_address(name));
  memset(found, 0, sizeof *found);
  found->to = n->t.count;
  if (n->t.count > 0 && !is_nothing(&n->t) && !plan_identifier_kind(name)) {
    result = resolve_cik(n, found);
    result = result ? result : resolve_exact(n, &n->t, found);
    result = result ? result : resolve_edited(n, found);
  }
  free(n);
  return result;
}

int plan_resolve_listed(const struct planner *p, struct slice name, struct mention *found) {
  struct naming *n = naming_of(p, name, found);
  int result = resolve_exact(n, &n->t, found);
  free(n);
  return result;
}

/* ---- suggestions for names and tickers ---- */

#define NEAR_LETTERS 5 /* of a ticker */

size_t plan_near_resolve(const struct directory *d, struct slice name, struct mention *found) {
  struct plan_text *t = xmalloc(sizeof *t);
  struct choices c = {.count = 0};
  char key[CHOICE_KEY] = "$";
  memset(found, 0, sizeof *found);
  plan_text_read(t, name);
  if (t->count > 0 && is_nothing(t))
    t->count = 0;
  if (t->count == 2 && (t->token[1].gap & GAP_DOT)) { /* "RY.TO": traded elsewhere */
    size_t len = directory_key(t, 0, 1, 0, key + 1, sizeof key - 1);
    plan_choices_add_key(&c, d, key, len ? len + 1 : 0, OF_TICKERS, 0, 0);
  }
  for (size_t to = t->count; to-- > 1 && c.count == 0;) /* "papa johns pizza": what its first words name */
    plan_choices_add_key(&c, d, key, directory_key(t, 0, to, 0, key, sizeof key), OF_ALL_NAMES, 0, 0);
  if (t->count == 1 && t->token[0].len >= 2 && t->token[0].len <= NEAR_LETTERS)
    plan_choices_add_near_tickers(&c, d, t->token[0].fold);
  plan_choices_best(&c, d, found);
  free(t);
  return found->rival_count;
}

#include "query/document_census.h"

#include <stdlib.h>

#define CENSUS_PIECE 1500 /* bytes that are split into words at once: fewer than PLAN_TOKENS words */
#define CENSUS_WORDS 4    /* longest name looked up; longer ones begin with words of their own */
#define CENSUS_KEY 96
#define RARE 50 /* SCOWL size */

static void census_count(struct document_census *c, uint32_t company) {
  size_t i = 0;
  while (i < c->companies && c->company[i] != company)
    i++;
  if (i == DOCUMENT_CENSUS)
    return;
  if (i == c->companies) {
    c->company[c->companies++] = company;
    c->count[i] = 0;
  }
  c->count[i]++;
}

unsigned document_census_of(const struct document_census *c, uint32_t company) {
  for (size_t i = 0; i < c->companies; i++)
    if (c->company[i] == company)
      return c->count[i];
  return 0;
}

int document_census_is_ordinary(const struct plan_words *words, const char *fold) {
  struct plan_word w = plan_words_of(words, fold);
  int in_use =
      w.ordinary && (w.ordinary < RARE || w.small); /* "intel" and "tesla" are rare words in no text */
  return in_use || w.given || w.family || w.place || w.kinds;
}

/* Behind a word in small letters of the same sentence. */
static int is_within_sentence(const struct plan_text *t, size_t i) {
  return i > 0 && i < t->count && !(t->token[i].gap & (GAP_SENTENCE | GAP_STOP | GAP_OPEN)) &&
         t->token[i - 1].letters > 0 && t->token[i - 1].capitals == 0;
}

/* Whether n tokens from i may be one name: capitalised words that nothing separates. */
static int may_be_name(const struct plan_text *t, size_t i, size_t n) {
  if (i + n > t->count || !t->token[i].first_capital)
    return 0;
  for (size_t k = i + 1; k < i + n; k++) {
    const struct plan_token *token = &t->token[k];
    if (token->gap & ~(GAP_BLANK | GAP_HYPHEN | GAP_DOT))
      return 0;
    if (!token->first_capital && !plan_token_is_and(token) && !plan_token_is(token, "of"))
      return 0;
  }
  return 1;
}

/* The company that n words are a name of, by an entry that needs no more words; 0 where there is none. */
static int company_of(const struct directory *d, const struct plan_words *words, const struct plan_text *t,
                      size_t i, size_t n, uint32_t *company) {
  char key[CENSUS_KEY];
  size_t len = directory_key(t, i, i + n, 1, key, sizeof key);
  int whole =
      i + n < t->count && plan_word_in(t->token[i + n].fold, plan_legal_forms) >= 0; /* "Buckle, Inc." */
  if (n == 1 && !whole && document_census_is_ordinary(words, t->token[i].fold) && !is_within_sentence(t, i))
    return 0;
  for (const struct directory_entry *e = len ? directory_find(d, key, len) : NULL; e; e = directory_next(e)) {
    if (e->way != WAY_FULL && e->way != WAY_CORE && e->way != WAY_ALIAS && !(e->way == WAY_PREFIX && n > 1))
      continue;
    *company = e->company;
    return 1;
  }
  return 0;
}

/* "(NASDAQ: MRVL)", "(MRVL)" */
static int ticker_of(const struct directory *d, const struct plan_text *t, size_t i, uint32_t *company) {
  const struct plan_token *token = &t->token[i];
  char key[CENSUS_KEY] = "$";
  if (!(token->gap & (GAP_OPEN | GAP_LABEL | GAP_DOLLAR)) || token->capitals != token->letters ||
      !token->letters)
    return 0;
  size_t len = directory_key(t, i, i + 1, 0, key + 1, sizeof key - 1);
  const struct directory_entry *e = len ? directory_find(d, key, len + 1) : NULL;
  if (e)
    *company = e->company;
  return e != NULL;
}

static void census_piece(struct document_census *c, const struct directory *d, const struct plan_words *words,
                         const struct plan_text *t) {
  uint32_t company;
  for (size_t i = 0, n; i < t->count; i += n) {
    for (n = CENSUS_WORDS; n > 0; n--)
      if (may_be_name(t, i, n) && company_of(d, words, t, i, n, &company))
        break;
    if (n || ticker_of(d, t, i, &company))
      census_count(c, company);
    n += n == 0;
  }
}

/* The next piece of a text, cut at the end of a line or a word. */
static struct slice next_piece(struct slice *rest) {
  size_t n = rest->len;
  const char *line = memchr(rest->data, '\n', n);
  if (line)
    n = (size_t)(line - rest->data) + 1;
  if (n > CENSUS_PIECE)
    for (n = CENSUS_PIECE; n > CENSUS_PIECE / 2 && rest->data[n - 1] != ' ';)
      n--;
  struct slice piece = slice_of(rest->data, n);
  *rest = slice_of(rest->data + n, rest->len - n);
  return piece;
}

void document_census_add(struct document_census *c, const struct directory *d, const struct plan_words *words,
                         struct slice text) {
  struct plan_text *t = xmalloc(sizeof *t);
  while (text.len) {
    plan_text_read(t, next_piece(&text));
    census_piece(c, d, words, t);
  }
  free(t);
}

void document_census_word(struct slice text, const char *fold, unsigned *capital, unsigned *small) {
  struct plan_text *t = xmalloc(sizeof *t);
  *capital = *small = 0;
  while (text.len) {
    plan_text_read(t, next_piece(&text));
    for (size_t i = 0; i < t->count; i++) {
      if (!plan_token_is(&t->token[i], fold))
        continue;
      *capital += t->token[i].first_capital != 0;
      *small += t->token[i].capitals == 0;
    }
  }
  free(t);
}

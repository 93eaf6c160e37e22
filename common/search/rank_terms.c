/* rank_terms.c: passages as the terms they hold. */
#include "search/rank_internal.h"

#include "record/json.h"

#include <stdlib.h>
#include <string.h>

#define HEAD 200       /* bytes of a text in which statements are looked for */
#define LOOKED_AT 2048 /* and of a context */

struct rank_opener {
  struct terms *terms;
  struct store_text text;
  struct rank_words *last; /* being made: RANK_READ_TERMS of the context, as many of the text, and one */
};

struct rank_opener *rank_opener_new(struct terms *terms) {
  struct rank_opener *o = xcalloc(1, sizeof *o);
  o->terms = terms;
  o->last = xmalloc(sizeof *o->last + (2 * RANK_READ_TERMS + 1) * sizeof *o->last->term);
  store_text_init(&o->text);
  return o;
}

void rank_opener_free(struct rank_opener *o) {
  if (o == NULL)
    return;
  store_text_release(&o->text);
  free(o->last);
  free(o);
}

static int rank_terms_holds(struct slice lower, const char *words) {
  return memmem(lower.data, lower.len, words, strlen(words)) != NULL;
}

/* Adds the first `max` bytes with ASCII letters in lower case. */
static void add_lower(char *out, size_t *len, struct slice text, size_t max) {
  size_t n = text.len < max ? text.len : max;
  for (size_t i = 0; i < n; i++)
    out[*len + i] = (char)(text.data[i] + ((unsigned)text.data[i] - 'A' < 26U ? 32 : 0));
  *len += n;
}

/* The statements that the passage's head or headings name.  Each name holds its group's word, which few do. */
static unsigned find_statements(struct slice text, struct slice context) {
  static const struct {
    const char *word;
    struct {
      unsigned place;
      const char *name;
    } names[8];
  } groups[] = {
      {"statement",
       {{PLACE_INCOME, "statements of income"},
        {PLACE_INCOME, "statements of operations"},
        {PLACE_INCOME, "statements of earnings"},
        {PLACE_INCOME, "income statement"},
        {PLACE_BALANCE, "statements of financial position"},
        {PLACE_BALANCE, "statement of financial position"},
        {PLACE_CASH, "statements of cash flow"},
        {PLACE_CASH, "statement of cash flow"}}},
      {"balance sheet", {{PLACE_BALANCE, "balance sheet"}}},
      {"equity",
       {{PLACE_EQUITY, "holders\xe2\x80\x99 equity"},
        {PLACE_EQUITY, "holders' equity"},
        {PLACE_EQUITY, "changes in equity"}}},
  };
  char lower[HEAD + 1 + LOOKED_AT];
  size_t len = 0;
  add_lower(lower, &len, text, HEAD);
  lower[len++] = '\0';
  add_lower(lower, &len, context, LOOKED_AT);
  struct slice both = slice_of(lower, len);
  unsigned found = 0;
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
    for (size_t i = 0; i < 8 && groups[g].names[i].name != NULL; i++) {
      if (i == 0 && !rank_terms_holds(both, groups[g].word))
        break;
      if (!(found & groups[g].names[i].place) && rank_terms_holds(both, groups[g].names[i].name))
        found |= groups[g].names[i].place;
    }
  return found;
}

static uint32_t rank_terms_page_of(struct slice chunk) {
  struct slice page = json_get(chunk, "page");
  uint32_t n = 0;
  for (size_t i = 0; i < page.len && page.data[i] >= '0' && page.data[i] <= '9' && n < 1000000; i++)
    n = 10 * n + (uint32_t)(page.data[i] - '0');
  return n;
}

/* Fills o->last. */
static void take_apart(struct rank_opener *o, uint32_t row) {
  struct rank_words *w = o->last;
  size_t numbers;
  w->row = row;
  w->page = rank_terms_page_of(o->text.chunk);
  w->context = (uint32_t)terms_hashes(o->terms, o->text.context, w->term, RANK_READ_TERMS, &numbers);
  w->count = (uint32_t)terms_hashes(o->terms, o->text.text, w->term + w->context, RANK_READ_TERMS, &numbers);
  w->numbers = w->count ? (float)numbers / (float)w->count : 0;
  w->statements = w->numbers > RANK_TABULAR ? find_statements(o->text.text, o->text.context) : 0;
}

const struct rank_words *rank_words_get(struct rank_opener *o, const struct store_snapshot *snap,
                                        const struct rank_place *at, uint32_t row, struct error_text *e) {
  if (store_get_text(snap, at->seg, at->row, &o->text, e) != STORE_OK)
    return NULL;
  take_apart(o, row);
  return o->last;
}

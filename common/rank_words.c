/* rank_words.c: passages as the terms they hold, and the memory of those that were asked for. */
#include "rank_parts.h"

#include "json.h"

#include <stdlib.h>
#include <strings.h>

#define SLOTS 16384 /* a power of two; passages that lie in one slot replace each other */

struct rank_memory {
  struct terms *terms;
  struct store_text text;
  size_t bytes, max;         /* of what is remembered; max 0: nothing is */
  struct rank_words **slots; /* [SLOTS], or NULL */
  struct rank_words *last;   /* being made: room for RANK_READ_TERMS of the context and as many of the text */
  uint32_t numbers;
};

struct rank_memory *rank_memory_new(struct terms *terms, size_t bytes) {
  struct rank_memory *m = xcalloc(1, sizeof *m);
  m->terms = terms;
  m->max = bytes;
  m->slots = bytes > 0 ? xcalloc(SLOTS, sizeof *m->slots) : NULL;
  m->last = xmalloc(sizeof *m->last + 2 * RANK_READ_TERMS * sizeof *m->last->term);
  store_text_init(&m->text);
  return m;
}

static void forget(struct rank_memory *m) {
  for (size_t i = 0; m->slots != NULL && i < SLOTS; i++) {
    free(m->slots[i]);
    m->slots[i] = NULL;
  }
  m->bytes = 0;
}

void rank_memory_free(struct rank_memory *m) {
  if (m == NULL)
    return;
  forget(m);
  store_text_release(&m->text);
  free(m->slots);
  free(m->last);
  free(m);
}

static void add_term(struct rank_words *w, const struct term *t) {
  uint64_t number = t->kind == TERM_NUMBER ? RANK_NUMBER : 0;
  w->term[w->context + w->count++] = (t->hash & ~RANK_NUMBER) | number;
}

static void add_context_term(void *arg, const struct term *t) {
  struct rank_memory *m = arg;
  if (m->last->count < RANK_READ_TERMS)
    add_term(m->last, t);
}

static void add_text_term(void *arg, const struct term *t) {
  struct rank_memory *m = arg;
  if (m->last->count == RANK_READ_TERMS)
    return;
  m->numbers += t->kind == TERM_NUMBER;
  add_term(m->last, t);
}

static int holds(struct slice text, const char *words) {
  size_t n = strlen(words);
  for (size_t i = 0; i + n <= text.len; i++)
    if ((text.data[i] | 32) == words[0] && strncasecmp(text.data + i, words, n) == 0)
      return 1;
  return 0;
}

/* The statements that the passage's head or headings name. */
static unsigned find_statements(struct slice text, struct slice context) {
  static const struct {
    unsigned place;
    const char *names[4];
  } names[] = {
      {PLACE_INCOME,
       {"statements of income", "statements of operations", "statements of earnings", "income statement"}},
      {PLACE_BALANCE,
       {"balance sheet", "statements of financial position", "statement of financial position"}},
      {PLACE_CASH, {"statements of cash flow", "statement of cash flow"}},
      {PLACE_EQUITY, {"holders\xe2\x80\x99 equity", "holders' equity", "changes in equity"}},
  };
  struct slice head = slice_of(text.data, text.len < 200 ? text.len : 200);
  unsigned found = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (size_t k = 0; k < 4 && names[i].names[k] != NULL && !(found & names[i].place); k++)
      if (holds(context, names[i].names[k]) || holds(head, names[i].names[k]))
        found |= names[i].place;
  return found;
}

static uint32_t page_of(struct slice chunk) {
  struct slice page = json_get(chunk, "page");
  uint32_t n = 0;
  for (size_t i = 0; i < page.len && page.data[i] >= '0' && page.data[i] <= '9' && n < 1000000; i++)
    n = 10 * n + (uint32_t)(page.data[i] - '0');
  return n;
}

/* Fills m->last. */
static void take_apart(struct rank_memory *m, uint32_t row) {
  struct rank_words *w = m->last;
  w->row = row;
  w->page = page_of(m->text.chunk);
  w->context = w->count = m->numbers = 0;
  terms_scan(m->terms, m->text.context, 0, add_context_term, m);
  w->context = w->count;
  w->count = 0;
  terms_scan(m->terms, m->text.text, 0, add_text_term, m);
  w->numbers = w->count ? (float)m->numbers / (float)w->count : 0;
  w->statements = w->numbers > RANK_TABULAR ? find_statements(m->text.text, m->text.context) : 0;
}

static const struct rank_words *remember(struct rank_memory *m, struct rank_words **slot) {
  size_t bytes = sizeof **slot + (m->last->context + m->last->count) * sizeof *m->last->term;
  if (m->bytes + bytes > m->max)
    forget(m);
  if (*slot != NULL)
    m->bytes -= sizeof **slot + ((*slot)->context + (*slot)->count) * sizeof *(*slot)->term;
  free(*slot);
  *slot = xmalloc(bytes);
  memcpy(*slot, m->last, bytes);
  m->bytes += bytes;
  return *slot;
}

const struct rank_words *rank_words_get(struct rank_memory *m, const struct store_snapshot *snap,
                                        const struct rank_place *at, uint32_t row, struct error_text *e) {
  struct rank_words **slot = m->slots != NULL ? &m->slots[row * 0x9e3779b1u >> 18] : NULL;
  if (slot != NULL && *slot != NULL && (*slot)->row == row)
    return *slot;
  if (store_get_text(snap, at->seg, at->row, &m->text, e) != STORE_OK)
    return NULL;
  take_apart(m, row);
  return slot != NULL ? remember(m, slot) : m->last;
}

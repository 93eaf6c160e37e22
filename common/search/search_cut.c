/* search_cut.c: cuts a passage at rows and sentences, so that no number loses its column or its sentence. */
#include "search/search_cut.h"
#include "text/sentence.h"
#include "text/wordpiece.h"

#include <stdlib.h>

#define MARK "\xe2\x80\xa6" /* … */
#define MARK_TOKENS 1

/* A row, sentence or heading, with the blanks behind it. */
struct cut_unit {
  struct slice text;
  size_t tokens;
  size_t head; /* first unit of the row's table; for others, itself */
  double score;
  int row, heads, chosen, refused; /* heads: a row of the table's head */
};

struct cut {
  struct searcher *s;
  const struct query *q;
  struct cut_unit *units;
  size_t count, left; /* left: tokens not yet used */
};

size_t search_tokens(struct searcher *s, struct slice text) {
  const struct wordpiece *w = searcher_tokenizer(s);
  return w != NULL ? wordpiece_count(w, text) : (text.len + 3) / 4;
}

struct cut_scan {
  const struct query *q;
  uint8_t seen[QUERY_TERMS];
  double score;
};

static void score_term(void *arg, const struct term *t) {
  struct cut_scan *scan = arg;
  for (size_t i = 0; i < scan->q->term_count; i++)
    if (!scan->seen[i] && terms_hash(scan->q->terms[i].text) == t->hash) {
      scan->seen[i] = 1;
      scan->score += (double)scan->q->terms[i].weight;
    }
}

static int is_head_rule(struct slice row) {
  for (size_t i = 0; i < row.len; i++)
    if (!strchr("|-: \n", row.data[i]))
      return 0;
  return 1;
}

/* Adds a unit; a row is of the table of the row before it. */
static void add_unit(struct cut *c, struct slice text) {
  struct cut_scan scan = {.q = c->q};
  c->units = xreallocarray(c->units, c->count + 1, sizeof *c->units);
  struct cut_unit *u = &c->units[c->count], *before = c->count ? u - 1 : NULL;
  *u = (struct cut_unit){.text = text, .row = text.data[0] == '|', .head = c->count};
  if (u->row && before && before->row)
    u->head = before->head;
  u->heads = u->head == c->count;
  if (u->row && is_head_rule(text)) /* all rows above it are the head */
    for (size_t i = u->head; i <= c->count; i++)
      c->units[i].heads = 1;
  u->tokens = search_tokens(c->s, text) + MARK_TOKENS;
  terms_scan(searcher_terms(c->s), text, 0, score_term, &scan);
  u->score = scan.score;
  c->count++;
}

static void split_units(struct cut *c, struct slice text) {
  while (text.len > 0) {
    const char *end = memchr(text.data, '\n', text.len);
    size_t line = end ? (size_t)(end - text.data) : text.len;
    size_t n = text.data[0] == '|' ? line : sentence_end(slice_of(text.data, line));
    while (n < text.len && (text.data[n] == '\n' || text.data[n] == ' '))
      n++;
    add_unit(c, slice_of(text.data, n));
    text = slice_of(text.data + n, text.len - n);
  }
}

/* Chooses a unit and, for a row, the head of its table, if they fit. */
static void choose_unit(struct cut *c, size_t i) {
  size_t cost = c->units[i].chosen ? 0 : c->units[i].tokens;
  for (size_t h = c->units[i].head; h < i && c->units[h].heads; h++)
    cost += c->units[h].chosen ? 0 : c->units[h].tokens;
  c->units[i].refused = cost > c->left;
  if (c->units[i].refused)
    return;
  c->left -= cost;
  c->units[i].chosen = 1;
  for (size_t h = c->units[i].head; h < i && c->units[h].heads; h++)
    c->units[h].chosen = 1;
}

static void choose_units(struct cut *c) {
  for (;;) {
    size_t best = c->count;
    for (size_t i = 0; i < c->count; i++)
      if (!c->units[i].chosen && !c->units[i].refused && c->units[i].score > 0 &&
          (best == c->count || c->units[i].score > c->units[best].score))
        best = i;
    if (best == c->count)
      break;
    choose_unit(c, best);
  }
  for (size_t i = 0; i < c->count && !c->units[i].refused; i++)
    choose_unit(c, i);
}

static int ends_line(const struct buf *out) {
  return out->len == 0 || out->data[out->len - 1] == '\n';
}

size_t search_cut(struct searcher *s, const struct query *q, struct slice text, size_t tokens,
                  struct buf *out) {
  struct cut c = {.s = s, .q = q, .left = tokens > MARK_TOKENS ? tokens - MARK_TOKENS : 0};
  size_t start = out->len, chosen = 0;
  split_units(&c, text);
  choose_units(&c);
  for (size_t i = 0; i < c.count; i++) {
    const struct cut_unit *u = &c.units[i];
    chosen += (size_t)u->chosen;
    if (u->chosen)
      buf_add_slice(out, u->text);
    else if (i == 0 || c.units[i - 1].chosen)
      buf_add_str(out, ends_line(out) || u->row ? MARK "\n" : MARK " ");
  }
  free(c.units);
  if (chosen == 0)
    out->len = start;
  while (out->len > start && (out->data[out->len - 1] == '\n' || out->data[out->len - 1] == ' '))
    out->len--;
  return chosen ? search_tokens(s, slice_of(out->data + start, out->len - start)) : 0;
}

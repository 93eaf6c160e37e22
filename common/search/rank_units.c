/* rank_units.c: which sentences or rows of a passage answer best.
 *
 * A passage is split into units: sentences, headings, and rows of tables.  Each unit is read as a passage is (rank_read()), with what
 * is needed to understand it as its context: the head of its table, the label above its group, the sentence before it.  A linear
 * function of these features, fitted by data/gen/spans.py on the quotes of people's questions, orders the units.
 */
#include "search/rank_internal.h"

#include "page/page_table.h"
#include "tables/unit_weights.h"
#include "text/sentence.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

const char *const rank_unit_names[RANK_UNIT_COUNT] = {
#define U(name, what) #name,
    RANK_UNIT_FEATURES(U)
#undef U
};

#define UNIT_LONG 400 /* bytes of a sentence that is split into clauses */

static const struct rank_unit_features unit_weights = {UNIT_WEIGHTS_UNIT};

struct rank_units *rank_units_new(void) {
  return xcalloc(1, sizeof(struct rank_units));
}

void rank_units_free(struct rank_units *u) {
  if (u == NULL)
    return;
  free(u->list);
  free(u->hashes);
  free(u->words);
  free(u);
}

/* ---- splitting ---- */

static struct rank_unit *unit_add(struct rank_units *u, size_t start, size_t end, enum rank_unit_kind kind) {
  if (u->count == u->cap) {
    u->cap = 2 * u->cap + 64;
    u->list = xreallocarray(u->list, u->cap, sizeof *u->list);
  }
  struct rank_unit *one = &u->list[u->count];
  uint32_t own = (uint32_t)u->count++;
  *one =
      (struct rank_unit){.at = {(uint32_t)start, (uint32_t)end}, .kind = kind, .table = own, .parent = own};
  return one;
}

/* Adds a row; it is of the table of the row before it. */
static void unit_add_row(struct rank_units *u, struct page_groups *g, struct slice text, size_t start,
                         size_t end) {
  struct slice row = slice_of(text.data + start, end - start);
  struct rank_unit *one = unit_add(u, start, end, UNIT_ROW);
  size_t own = u->count - 1;
  struct slice above =
      own > 0 ? slice_of(text.data + one[-1].at.start, one[-1].at.end - one[-1].at.start) : slice_of(NULL, 0);
  const struct rank_unit *before = own > 0 ? one - 1 : NULL;
  one->captioned = before && before->kind == UNIT_SENTENCE && above.len <= RANK_CAPTION &&
                   memmem(row.data, row.len, above.data, above.len) == NULL;
  if (before && rank_unit_is_row(before) && text.data[before->at.end] == '\n' && before->at.end + 1 == start)
    one->table = before->table;
  else
    g->count = 0;
  if (page_is_rule(row)) { /* all rows above it are the head */
    for (size_t i = one->table; i <= own; i++)
      u->list[i].kind = UNIT_HEAD;
    g->count = 0;
    return;
  }
  size_t headings = page_groups_row(g, row, own);
  if (headings > 0)
    one->parent = (uint32_t)g->open[headings - 1].at;
  one->kind = g->label ? UNIT_LABEL : UNIT_ROW;
}

/* The end of the sentence at the start of text; of a long one, of its first clauses. */
static size_t unit_sentence(struct slice text) {
  size_t n = sentence_end(text), cut = 0;
  for (size_t i = UNIT_LONG / 4; n > UNIT_LONG && i < UNIT_LONG; i++)
    if (text.data[i] == ' ' && strchr(";:,", text.data[i - 1]) &&
        (text.data[i - 1] != ',' || cut == 0 || text.data[cut - 1] == ','))
      cut = i;
  return cut ? cut : n;
}

/* Adds the sentences of a line. */
static void unit_add_prose(struct rank_units *u, struct slice text, size_t start, size_t end) {
  int heading = text.data[start] == '#';
  while (start < end) {
    size_t n = heading ? end - start : unit_sentence(slice_of(text.data + start, end - start)),
           last = start + n;
    while (last > start && isspace((unsigned char)text.data[last - 1]))
      last--;
    if (last > start)
      unit_add(u, start, last, heading ? UNIT_HEADING : UNIT_SENTENCE);
    start += n;
    while (start < end && isspace((unsigned char)text.data[start]))
      start++;
  }
}

void rank_units_split(struct rank_units *u, struct slice text) {
  struct page_groups groups = {.count = 0};
  u->count = 0;
  for (size_t at = 0, end; at < text.len; at = end + 1) {
    const char *line = memchr(text.data + at, '\n', text.len - at);
    end = line ? (size_t)(line - text.data) : text.len;
    size_t last = end;
    while (at < last && isspace((unsigned char)text.data[at]))
      at++;
    while (last > at && isspace((unsigned char)text.data[last - 1]))
      last--;
    if (at == last)
      continue;
    if (text.data[at] == '|')
      unit_add_row(u, &groups, text, at, last);
    else
      unit_add_prose(u, text, at, last);
  }
}

/* ---- what a unit needs to be understood ---- */

size_t rank_units_above(const struct rank_units *u, size_t i) {
  size_t first = rank_unit_is_row(&u->list[i]) ? u->list[i].table : i;
  return first - (first > 0);
}

int rank_units_needs(const struct rank_units *u, size_t i, size_t k) {
  const struct rank_unit *one = &u->list[i], *other = &u->list[k];
  if (k >= i || !rank_unit_is_row(one))
    return 0;
  if (k >= one->table && other->kind == UNIT_HEAD)
    return 1;
  while (i > k && u->list[i].parent < i)
    i = u->list[i].parent;
  return i == k || (k + 1 == one->table && u->list[one->table].captioned);
}

/* ---- features ---- */

/* The terms of all units, one after the other. */
static void units_hash(struct rank_units *u, struct terms *terms, struct slice text) {
  size_t used = 0, numbers;
  for (size_t i = 0; i < u->count; i++) {
    struct rank_unit *one = &u->list[i];
    if (used + RANK_UNIT_TERMS > u->hash_cap) {
      u->hash_cap = 2 * u->hash_cap + 4 * RANK_UNIT_TERMS;
      u->hashes = xreallocarray(u->hashes, u->hash_cap, sizeof *u->hashes);
    }
    one->first = (uint32_t)used;
    one->terms =
        (uint32_t)terms_hashes(terms, slice_of(text.data + one->at.start, one->at.end - one->at.start),
                               u->hashes + used, RANK_UNIT_TERMS, &numbers);
    one->numbers = (uint32_t)numbers;
    used += one->terms;
  }
}

/* A unit with its context, as rank_read() takes it. */
static void units_words(struct rank_units *u, size_t i) {
  if (u->words == NULL)
    u->words = rank_words_new();
  struct rank_words *w = u->words;
  const struct rank_unit *one = &u->list[i];
  w->context = w->count = 0;
  for (size_t k = rank_units_above(u, i); k < i; k++)
    if (!rank_unit_is_row(one) || rank_units_needs(u, i, k)) {
      size_t room = RANK_READ_TERMS - w->context, n = u->list[k].terms < room ? u->list[k].terms : room;
      memcpy(w->term + w->context, u->hashes + u->list[k].first, n * sizeof *w->term);
      w->context += (uint32_t)n;
    }
  memcpy(w->term + w->context, u->hashes + one->first, one->terms * sizeof *w->term);
  w->count = one->terms;
  w->numbers = one->terms ? (float)one->numbers / (float)one->terms : 0;
}

/* How near the ranking found a clause of the unit to the question: 1 for the nearest, less for the next ones. */
static float unit_nearness(const struct rank_unit *one, const struct rank_hit *hit) {
  for (size_t k = 0; k < RANK_NEAREST; k++)
    if (hit->nearest[k].end > hit->nearest[k].start && hit->nearest[k].start < one->at.end &&
        hit->nearest[k].end > one->at.start)
      return 1 / (float)(k + 1);
  return 0;
}

static void unit_describe(struct rank_unit *one, const struct query *q, const struct rank_reading *d,
                          const struct rank_hit *hit) {
  int amount = q->asks_amount && !q->asks_cause;
  one->f = (struct rank_unit_features){.body = d->body,
                                       .coverage = d->coverage,
                                       .expansion = d->expansion,
                                       .years = d->years,
                                       .causes = d->causes,
                                       .nearest = unit_nearness(one, hit),
                                       .number_amount = amount && one->numbers > 0,
                                       .number_other = !amount && one->numbers > 0,
                                       .row_amount = amount && one->kind == UNIT_ROW,
                                       .row_other = !amount && one->kind == UNIT_ROW,
                                       .title = one->kind != UNIT_ROW && one->kind != UNIT_SENTENCE};
}

static float unit_sum(const struct rank_unit_features *f) {
  float value[RANK_UNIT_COUNT], weight[RANK_UNIT_COUNT], sum = 0;
  memcpy(value, f, sizeof value);
  memcpy(weight, &unit_weights, sizeof weight);
  for (size_t i = 0; i < RANK_UNIT_COUNT; i++)
    sum += weight[i] * value[i];
  return sum;
}

/* Turns the sums into shares of the chance that a unit holds the answer. */
static void units_share(struct rank_units *u) {
  float best = -INFINITY, all = 0;
  for (size_t i = 0; i < u->count; i++)
    best = fmaxf(best, u->list[i].chance);
  for (size_t i = 0; i < u->count; i++)
    all += u->list[i].chance = expf(u->list[i].chance - best);
  for (size_t i = 0; i < u->count; i++)
    u->list[i].chance /= all;
}

void rank_units_find(const struct rank_last *last, struct rank_units *u, const struct rank_hit *hit,
                     struct slice text) {
  struct rank_reading d = {0};
  rank_units_split(u, text);
  units_hash(u, last->terms, text);
  for (size_t i = 0; i < u->count; i++) {
    units_words(u, i);
    rank_read(last->reader, u->words, &d);
    unit_describe(&u->list[i], last->q, &d, hit);
    u->list[i].chance = unit_sum(&u->list[i].f);
  }
  units_share(u);
}

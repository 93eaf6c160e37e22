/* search_passage.c: what a display shows of a passage beside its text: where the question's words stand, and its pages. */
#include "search/search_passage.h"

#include "page/page_table.h"
#include "record/json.h"
#include "text/terms.h"

#include <stdlib.h>

/* ---- the question's words ---- */

#define LEAST_WEIGHT 0.3F /* of a highlighted word; fillers such as "tell" and "much" have less */

/* Whether a word of the question is worth a mark; those of the thesaurus are marked where a whole phrase stands. */
static int search_is_marked(const struct query *q, struct slice term) {
  for (size_t i = 0; i < q->term_count; i++)
    if (q->terms[i].weight >= LEAST_WEIGHT && q->terms[i].kind != QUERY_EXPANSION &&
        slice_eq(q->terms[i].text, term))
      return 1;
  return 0;
}

static void search_marks_term(void *arg, const struct term *t) {
  struct search_marks *m = arg;
  const struct query *q = m->q;
  if (m->count == m->cap) {
    m->cap = m->cap ? 2 * m->cap : 64;
    m->span = xreallocarray(m->span, m->cap, sizeof *m->span);
    m->marked = xreallocarray(m->marked, m->cap, 1);
  }
  m->span[m->count][0] = t->start;
  m->span[m->count][1] = t->end;
  m->marked[m->count++] = (uint8_t)search_is_marked(q, t->text);
  for (size_t i = 0; i < q->phrase_count; i++) {
    const struct slice *word = q->sequence + q->phrases[i].first;
    size_t count = q->phrases[i].count, run = m->run[i];
    run = slice_eq(word[run], t->text) ? run + 1 : (size_t)slice_eq(word[0], t->text);
    if (run == count) {
      memset(m->marked + m->count - count, 1, count);
      run = 0;
    }
    m->run[i] = (uint16_t)run;
  }
}

void search_marks_find(struct search_marks *m, struct searcher *s, const struct query *q, struct slice text) {
  size_t count = 0;
  *m = (struct search_marks){.q = q};
  terms_scan(searcher_terms(s), text, 0, search_marks_term, m);
  for (size_t i = 0; i < m->count; i++)
    if (m->marked[i])
      memcpy(m->span[count++], m->span[i], sizeof *m->span);
  m->marks = (struct page_marks){.base = text.data, .span = (const size_t(*)[2])m->span, .count = count};
}

void search_marks_release(struct search_marks *m) {
  free(m->span);
  free(m->marked);
}

int search_is_again(const struct search_answer *a, size_t i) {
  const struct rank_hit *h = a->result.hits;
  for (size_t k = 0; k < i; k++)
    if (h[k].at.seg == h[i].at.seg && h[k].at.doc == h[i].at.doc)
      return 1;
  return 0;
}

/* ---- excerpts ---- */

#define ELLIPSIS "\xe2\x80\xa6"

/* The unit with the highest chance that is not chosen yet; u->count: none.  Heads and labels come with the rows that need
 * them. */
static size_t unit_best(const struct rank_units *u, const uint8_t *chosen) {
  size_t best = u->count;
  for (size_t i = 0; i < u->count; i++)
    if (!chosen[i] && rank_unit_answers(&u->list[i]) &&
        (best == u->count || u->list[i].chance > u->list[best].chance))
      best = i;
  return best;
}

void search_unit_add(const struct rank_units *u, size_t i, uint8_t *chosen) {
  chosen[i] = 1;
  for (size_t k = rank_units_above(u, i); k < i; k++)
    chosen[k] |= (uint8_t)rank_units_needs(u, i, k);
}

float search_hit_chance(const struct search_answer *a, size_t i) {
  float all = 0;
  for (size_t k = 0; k < a->result.count; k++)
    all += a->result.hits[k].score * a->result.hits[k].score;
  return all > 0 ? a->result.hits[i].score * a->result.hits[i].score / all : 1;
}

void search_choose_units(const struct rank_units *u, search_judge *judge, void *arg, uint8_t *chosen) {
  uint8_t *tried = xcalloc(u->count + 1, 1), *more = xcalloc(u->count + 1, 1);
  size_t count = 0;
  for (size_t i; (i = unit_best(u, tried)) < u->count;) {
    tried[i] = 1;
    if (chosen[i])
      continue;
    memcpy(more, chosen, u->count);
    search_unit_add(u, i, more);
    enum search_try result = judge(arg, more, u->list[i].chance);
    if (result == SEARCH_END && count > 0)
      break;
    if (result == SEARCH_TAKE || count == 0) {
      memcpy(chosen, more, u->count);
      count++;
    }
  }
  if (count == 0) /* nothing but heads and labels */
    memset(chosen, 1, u->count);
  free(tried);
  free(more);
}

void search_choose_spans(const struct rank_units *u, uint8_t *chosen) {
  float sum = 0;
  for (size_t n = 0, i;
       n < SEARCH_SPANS && sum < SEARCH_SPANS_CHANCE && (i = unit_best(u, chosen)) < u->count; n++) {
    chosen[i] = 1;
    sum += u->list[i].chance;
  }
}

size_t search_find_spans(const struct rank_units *u, size_t spans[SEARCH_SPANS][2]) {
  uint8_t *chosen = xcalloc(u->count + 1, 1);
  size_t count = 0;
  search_choose_spans(u, chosen);
  for (size_t i = 0; i < u->count; i++)
    if (chosen[i]) {
      spans[count][0] = u->list[i].at.start;
      spans[count++][1] = u->list[i].at.end;
    }
  free(chosen);
  return count;
}

/* Appends the head of a table, whose first unit is u->list[first], without a newline at its end; what ends all of its cells
 * stands above it once.  A table that goes on from the passage before has its head in the context line; one that can't be
 * assigned to columns is a line.  Whether there is one. */
static int excerpt_add_head(const struct rank_units *u, struct page_passage p, size_t first,
                            struct buf *out) {
  size_t last = first, at = u->list[first].at.start, had = out->len;
  int own = u->list[first].kind == UNIT_HEAD;
  struct page_table t;
  while (last + 1 < u->count && u->list[last + 1].table == first)
    last++;
  page_table_read(&t, slice_of(p.text.data + at, u->list[last].at.end - at),
                  own || first > 0 ? slice_of(NULL, 0) : page_head(p.context));
  buf_add_slice(out, own && !t.headed ? slice_of(NULL, 0) : t.above);
  if (t.headed) {
    buf_add_str(out, t.above.len ? "\n" : "");
    for (size_t i = 0; i < t.columns; i++)
      buf_printf(out, t.cells[i].len ? "| %.*s " : "| ", (int)t.cells[i].len, t.cells[i].data);
    buf_add_str(out, "|\n");
    for (size_t i = 0; i < t.columns; i++)
      buf_add_str(out, t.right[i] ? "|-:" : "|-");
    buf_add_char(out, '|');
  }
  page_table_release(&t);
  return out->len > had;
}

/* What stands between two chosen units, or before the first one (NULL), or behind the last one.  Returns the bytes of b that are written
 * with it: the bar of a row and the blanks of its level, since a line for each gap of a table would take as much room as the rows. */
static size_t excerpt_add_gap(struct slice text, const struct rank_unit *a, const struct rank_unit *b,
                              struct buf *out) {
  int row = a && rank_unit_is_row(a), same = row && b && rank_unit_is_row(b) && a->table == b->table;
  struct slice between =
      a && b ? slice_of(text.data + a->at.end, b->at.start - a->at.end) : slice_of(NULL, 0);
  if (same) {
    size_t label = 1 + 2 * page_row_level(slice_of(text.data + b->at.start, b->at.end - b->at.start));
    buf_add_char(out, '\n');
    buf_add(out, text.data + b->at.start, label);
    buf_add_str(out, " " ELLIPSIS);
    return label;
  }
  if (a && b && !memchr(between.data, '\n', between.len)) {
    buf_add_str(out, " " ELLIPSIS " ");
    return 0;
  }
  if (a)
    buf_add_str(out, row ? "\n| " ELLIPSIS " |" : " " ELLIPSIS);
  if (a && b)
    buf_add_str(out, "\n\n");
  if (!a && b)
    buf_add_str(out, rank_unit_is_row(b) || b->kind == UNIT_HEADING ? ELLIPSIS "\n\n" : ELLIPSIS " ");
  return 0;
}

void search_add_excerpt(const struct rank_units *u, struct page_passage p, const uint8_t *chosen,
                        struct buf *out) {
  const struct rank_unit *before = NULL;
  size_t table = u->count; /* of the last row */
  int headed = 0;          /* its head is written, so its own units are not */
  for (size_t i = 0; i < u->count; i++) {
    const struct rank_unit *one = &u->list[i];
    int row = rank_unit_is_row(one);
    size_t at = one->at.start;
    if (!chosen[i] || (row && one->table == table && headed && one->kind == UNIT_HEAD)) {
      before = chosen[i] ? one : before;
      continue;
    }
    if (i > 0 && !chosen[i - 1])
      at += excerpt_add_gap(p.text, before, one, out);
    else if (before)
      buf_add(out, p.text.data + before->at.end, at - before->at.end);
    before = one;
    if (row && one->table != table) {
      table = one->table;
      headed = excerpt_add_head(u, p, table, out);
      if (headed && one->kind == UNIT_HEAD)
        continue;
      buf_add_str(out, headed ? "\n" : "");
    }
    buf_add(out, p.text.data + at, one->at.end - at);
  }
  if (before && !chosen[u->count - 1])
    excerpt_add_gap(p.text, before, NULL, out);
}

/* ---- pages ---- */

void search_pages_add(struct buf *out, const char *before, struct slice chunk, const char *behind) {
  long long page = json_to_int(json_get(chunk, "page"), 0);
  long long first = json_to_int(json_get(chunk, "firstPage"), 0),
            last = json_to_int(json_get(chunk, "lastPage"), 0);
  if (page <= 0)
    return;
  if (last > first)
    buf_printf(out, "%spages %lld\xe2\x80\x93%lld%s", before, first, last, behind);
  else
    buf_printf(out, "%spage %lld%s", before, page, behind);
}

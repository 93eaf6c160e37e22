/* table_columns.c: the columns that a reader sees.
 *
 * Cells, narrow ones first, claim intervals of HTML columns.  A cell that overlaps several intervals merges them into
 * one if no row has a cell in two of them; otherwise it is a cell that spans columns (a header).  HTML columns that
 * no cell claims are spacers and are dropped.
 */
#include "document/table_grid.h"

#include <stdlib.h>

uint64_t *table_columns_rows(const struct table *t, size_t column) {
  return t->bits + t->columns[column].rows;
}

size_t table_columns_words(const struct table *t) {
  return (t->row_count + 63) / 64;
}

int table_columns_meet(const uint64_t *a, const uint64_t *b, size_t words) {
  for (size_t i = 0; i < words; i++)
    if (a[i] & b[i])
      return 1;
  return 0;
}

static void set_rows(const struct table *t, uint64_t *bits, const struct table_cell *c) {
  size_t to = c->row + (size_t)c->rows < t->row_count ? c->row + (size_t)c->rows : t->row_count, r = c->row;
  for (; r < to && r % 64; r++)
    bits[r / 64] |= (uint64_t)1 << r % 64;
  for (; r + 64 <= to; r += 64)
    bits[r / 64] = ~(uint64_t)0;
  for (; r < to; r++)
    bits[r / 64] |= (uint64_t)1 << r % 64;
}

/* Reserves n more words of bits; returns their offset. */
static size_t more_bits(struct table *t, size_t n) {
  if (t->bits_used + n > t->bits_cap) {
    t->bits_cap = (t->bits_used + n) * 2;
    t->bits = xreallocarray(t->bits, t->bits_cap, sizeof *t->bits);
  }
  memset(t->bits + t->bits_used, 0, n * sizeof *t->bits);
  t->bits_used += n;
  return t->bits_used - n;
}

/* Adds a column; 0, or -1 where there are too many. */
static int add_column(struct table *t, const struct table_cell *c) {
  if (t->columns_used >= TABLE_WIDEST)
    return -1;
  if (t->columns_used == t->columns_cap) {
    t->columns_cap = t->columns_cap ? t->columns_cap * 2 : 32;
    t->columns = xreallocarray(t->columns, t->columns_cap, sizeof *t->columns);
  }
  struct table_column *col = &t->columns[t->columns_used++];
  memset(col, 0, sizeof *col);
  col->from = c->column;
  col->to = c->column + c->columns;
  col->rows = more_bits(t, table_columns_words(t));
  set_rows(t, t->bits + col->rows, c);
  return 0;
}

void table_columns_merge(struct table *t, size_t a, size_t b) {
  struct table_column *x = &t->columns[a], *y = &t->columns[b];
  for (size_t i = 0, n = table_columns_words(t); i < n; i++)
    t->bits[x->rows + i] |= t->bits[y->rows + i];
  x->from = x->from < y->from ? x->from : y->from;
  x->to = x->to > y->to ? x->to : y->to;
  memmove(y, y + 1, (t->columns_used - b - 1) * sizeof *y);
  t->columns_used--;
}

static int overlaps(const struct table_column *col, const struct table_cell *c) {
  return col->from < c->column + c->columns && c->column < col->to;
}

/* Whether all columns that c overlaps can be merged: no two of them may have cells in one row. */
static int can_melt(struct table *t, const struct table_cell *c) {
  size_t words = table_columns_words(t);
  uint64_t *seen = t->bits + t->seen;
  memset(seen, 0, words * sizeof *seen);
  for (size_t i = 0; i < t->columns_used; i++) {
    if (!overlaps(&t->columns[i], c))
      continue;
    const uint64_t *bits = table_columns_rows(t, i);
    if (table_columns_meet(seen, bits, words))
      return 0;
    for (size_t w = 0; w < words; w++)
      seen[w] |= bits[w];
  }
  return 1;
}

static int claim(struct table *t, const struct table_cell *c) {
  size_t met = 0, first = 0;
  for (size_t i = t->columns_used; i-- > 0;)
    if (overlaps(&t->columns[i], c)) {
      met++;
      first = i;
    }
  if (met == 0)
    return add_column(t, c);
  if (met > 1 && !can_melt(t, c))
    return 0;
  for (size_t i = t->columns_used; met > 1 && i-- > first + 1;)
    if (overlaps(&t->columns[i], c))
      table_columns_merge(t, first, i);
  struct table_column *col = &t->columns[first];
  col->from = col->from < c->column ? col->from : c->column;
  col->to = col->to > c->column + c->columns ? col->to : c->column + c->columns;
  set_rows(t, table_columns_rows(t, first), c);
  return 0;
}

#define SPAN_CLASSES 32

static size_t span_class(const struct table_cell *c) {
  return c->columns < SPAN_CLASSES ? c->columns : SPAN_CLASSES - 1;
}

/* Sorts the remaining cells by width, narrow ones first (counting sort); returns how many there are. */
static size_t sort_by_span(struct table *t) {
  size_t starts[SPAN_CLASSES + 1] = {0}, n = 0;
  if (t->order_cap < t->cell_count) {
    t->order_cap = t->cell_count * 2;
    t->order = xreallocarray(t->order, t->order_cap, sizeof *t->order);
  }
  for (size_t i = 0; i < t->cell_count; i++)
    if (t->cells[i].kind != CELL_GONE) {
      starts[span_class(&t->cells[i]) + 1]++;
      n++;
    }
  for (size_t i = 1; i <= SPAN_CLASSES; i++)
    starts[i] += starts[i - 1];
  for (size_t i = 0; i < t->cell_count; i++)
    if (t->cells[i].kind != CELL_GONE)
      t->order[starts[span_class(&t->cells[i])]++] = (uint32_t)i;
  return n;
}

static int by_from(const void *a, const void *b) {
  const struct table_column *x = a, *y = b;
  return x->from < y->from ? -1 : x->from > y->from;
}

int table_columns_find(struct table *t) {
  t->columns_used = t->bits_used = 0;
  t->seen = more_bits(t, table_columns_words(t));
  size_t n = sort_by_span(t);
  for (size_t i = 0; i < n; i++)
    if (claim(t, &t->cells[t->order[i]]))
      return -1;
  if (t->columns_used > 1)
    qsort(t->columns, t->columns_used, sizeof *t->columns, by_from);
  return 0;
}

void table_columns_place(struct table *t, struct table_cell *c) {
  size_t first = t->columns_used, last = 0;
  for (size_t i = 0; i < t->columns_used; i++)
    if (overlaps(&t->columns[i], c)) {
      first = first < i ? first : i;
      last = i;
    }
  c->first = (uint32_t)first;
  c->last = (uint32_t)last;
  c->beside = 0;
  t->columns[first].cells++;
  if (first == last)
    t->columns[first].numbers += (uint32_t)table_cell_is_numeric((enum cell_kind)c->kind);
}

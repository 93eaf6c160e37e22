#include "verify/evidence_blocks.h"

#include <math.h>

enum { BLOCK_ROWS = 64, BLOCK_COLUMNS = 32 };

struct block_row { /* of a table: its first item, and how many there are up to the next row */
  size_t from, to;
};

struct block_open { /* rows that are not yet part of a total */
  struct block_row rows[BLOCK_ROWS];
  size_t count;
};

/* The row's item in a column; NULL where it has none. */
static const struct evidence_item *block_cell(const struct evidence *e, const struct block_row *row,
                                              size_t column) {
  for (size_t i = row->from; i < row->to; i++)
    if (e->items[i].in_table && e->items[i].column == column)
      return &e->items[i];
  return NULL;
}

/* Whether the last `count` rows add up to the total in a column: 1, 0, or -1 where the column doesn't tell. */
static int block_adds_up(const struct evidence *e, const struct block_open *b, size_t count,
                         const struct evidence_item *total) {
  double sum = 0, off = total->last;
  size_t terms = 0;
  if (total->percent || fabs(total->value) < 10 * total->last)
    return -1;
  for (size_t k = b->count - count; k < b->count; k++) {
    const struct evidence_item *item = block_cell(e, &b->rows[k], total->column);
    if (!item)
      continue;
    if (item->percent || item->shares != total->shares || item->caption < total->caption ||
        item->caption > total->caption)
      return 0;
    sum += item->value;
    off += item->last / 2;
    terms++;
  }
  int fits = terms && fabs(sum - total->value) <= off;
  return fits && terms == 1 ? -1 : fits;
}

/* Whether a row is the sum of the last `count` open rows wherever it has figures, with at least two of them in one column. */
static int block_is_total(const struct evidence *e, const struct block_open *b, size_t count,
                          const struct block_row *row) {
  int sums = 0;
  for (size_t i = row->from; i < row->to; i++) {
    int is = e->items[i].in_table ? block_adds_up(e, b, count, &e->items[i]) : -1;
    if (is == 0)
      return 0;
    sums += is > 0;
  }
  return sums > 0;
}

/* Makes an item part of a row's total, unless it is part of a smaller one. */
static void block_put(struct evidence *e, size_t i, const struct block_row *row) {
  if (!e->items[i].in_table || e->items[i].whole_row)
    return;
  e->items[i].whole_row = e->items[row->from].row;
  e->items[i].of = e->items[row->from].label;
}

/* Makes the rows that a row is the total of its parts: the fewest that do. */
static void block_take(struct evidence *e, struct block_open *b, const struct block_row *row) {
  for (size_t count = 2; count <= b->count; count++) {
    if (!block_is_total(e, b, count, row))
      continue;
    for (size_t i = b->rows[b->count - count].from; i < row->from; i++)
      block_put(e, i, row);
    b->count -= count;
    break;
  }
  if (b->count == BLOCK_ROWS) {
    memmove(b->rows, b->rows + 1, (BLOCK_ROWS - 1) * sizeof *b->rows);
    b->count--;
  }
  b->rows[b->count++] = *row;
}

/* A column without a currency sign counts things where another one has signs that aren't only in the first figures of
 * rows, as in "| Total | $188,314 | 187,997 |". */
static void block_count_columns(struct evidence *e, size_t first) {
  int money[BLOCK_COLUMNS] = {0}, signs = 0;
  for (size_t i = first, row = 0; i < e->count; i++) {
    const struct evidence_item *item = &e->items[i];
    if (!item->in_table || item->column >= BLOCK_COLUMNS)
      continue;
    money[item->column] |= item->currency != 0;
    signs |= item->currency && item->row == row;
    row = item->row;
  }
  for (size_t i = first; i < e->count; i++) {
    struct evidence_item *item = &e->items[i];
    item->counts = item->in_table && signs && item->column < BLOCK_COLUMNS && !money[item->column];
  }
}

void evidence_blocks_find(struct evidence *e, size_t first) {
  struct block_open b = {.count = 0};
  for (size_t i = first; i < e->count;) {
    struct block_row row = {i, i};
    while (row.to < e->count && e->items[row.to].row == e->items[i].row)
      row.to++;
    i = row.to;
    if (e->items[row.from].in_table)
      block_take(e, &b, &row);
  }
  block_count_columns(e, first);
}

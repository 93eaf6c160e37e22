/* table_grid.h: classifies and arranges the cells of a collected table; between table.c and its writer. */
#ifndef BID_TABLE_GRID_H
#define BID_TABLE_GRID_H

#include "document/table.h"

/* The kind of a line of text. */
enum cell_kind table_cell_kind_of(struct slice text);

/* Appends a piece's text as one line; the blanks in "$ 5" and "( 5 )" are removed. */
void table_cell_flatten(struct table *t, struct table_cell *c);

/* Classifies the cells, joins signs to their numbers, and assigns columns: fills cells[].first/last, columns, matrix,
 * header_rows, caption_rows, note_rows.  0, or -1 where the table exceeds TABLE_MATRIX or TABLE_WIDEST; only kinds
 * and flat texts are set then. */
int table_grid(struct table *t);

static inline struct slice table_cell_text(const struct table *t, const struct table_cell *c) {
  return slice_of(t->flat.data + c->flat, c->flat_len);
}

/* The cell in a place of the matrix, or NULL. */
static inline struct table_cell *table_at(const struct table *t, size_t row, size_t column) {
  uint32_t n = t->matrix[row * t->columns_used + column];
  return n ? &t->cells[n - 1] : NULL;
}

#endif

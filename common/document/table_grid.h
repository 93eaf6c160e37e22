/* table_grid.h: between table.c and its writer: what the cells of a gathered table are. */
#ifndef BID_TABLE_GRID_H
#define BID_TABLE_GRID_H

#include "document/table.h"

/* What a line of text is. */
enum cell_kind cell_kind_of(struct slice text);

/* Appends a piece's text as one line; "$ 5" and "( 5 )" lose their blanks. */
void cell_flatten(struct table *t, struct table_cell *c);

/* Finds kinds, joins signs to their numbers, and puts the cells into columns: cells[].first/last, columns,
 * matrix, header_rows, caption_rows, note_rows.  0, or -1 where the table passes TABLE_MATRIX or
 * TABLE_WIDEST: then kinds and flat texts alone are there. */
int table_grid(struct table *t);

static inline struct slice cell_text(const struct table *t, const struct table_cell *c) {
  return slice_of(t->flat.data + c->flat, c->flat_len);
}

/* The cell in a place of the matrix, or NULL. */
static inline struct table_cell *table_at(const struct table *t, size_t row, size_t column) {
  uint32_t n = t->matrix[row * t->columns_used + column];
  return n ? &t->cells[n - 1] : NULL;
}

#endif

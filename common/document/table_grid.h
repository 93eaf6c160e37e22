/* table_grid.h: classifies and arranges the cells of a collected table; between table.c and its writer. */
#ifndef BID_TABLE_GRID_H
#define BID_TABLE_GRID_H

#include "document/table.h"

/* ---- kinds of cells, table_grid.c ---- */

/* Whether it is a number, a dash in place of one, or a year. */
static inline int table_cell_is_numeric(enum cell_kind kind) {
  return kind == CELL_NUMBER || kind == CELL_DASH || kind == CELL_YEAR;
}

/* ---- columns, table_layout.c ---- */

/* Fills columns and columns_used by the extents of all cells.  0, or -1 where there are more than TABLE_WIDEST. */
int table_columns_find(struct table *t);

/* Sets a cell's first and last column, and counts it in the first. */
void table_columns_place(struct table *t, struct table_cell *c);

/* ---- the matrix, table_grid.c ---- */

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

/* ---- tables that only arrange text on a page, table_layout.c ---- */

/* A table and the destination of its blocks; emit and arg as table_write() got them. */
struct table_writer {
  struct table *t;
  table_emit *emit;
  void *arg;
};

static inline int table_cell_is_live(const struct table_cell *c) {
  return c->kind != CELL_GONE;
}

/* Whether a table is layout rather than data; its cells have kinds and texts. */
int table_layout_is(const struct table *t);

/* Emits a piece of a cell as it is. */
void table_layout_emit(struct table_writer *w, const struct table_piece *p);

/* Emits all rows as paragraphs: cells of a row are joined where they read as one, "1." with its text. */
void table_layout_write(struct table_writer *w);

/* Emits rows [from, to) as paragraphs, for captions and notes. */
void table_layout_write_rows(struct table_writer *w, uint32_t from, uint32_t to);

#endif

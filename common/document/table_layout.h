/* table_layout.h: tables that only arrange text on a page; private to table_layout.c and table_write.c. */
#ifndef BID_TABLE_LAYOUT_H
#define BID_TABLE_LAYOUT_H

#include "document/table_grid.h"

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

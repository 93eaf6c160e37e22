/* table.c: collects a table cell by cell; table_grid.c lays it out, table_write.c writes it. */
#include "document/table.h"

#include <stdlib.h>

void table_init(struct table *t, size_t max) {
  memset(t, 0, sizeof *t);
  buf_init(&t->text, max);
  buf_init(&t->flat, max);
  buf_init(&t->out, max);
}

void table_release(struct table *t) {
  buf_release(&t->text);
  buf_release(&t->flat);
  buf_release(&t->out);
  free(t->pieces);
  free(t->cells);
  free(t->columns);
  free(t->bits);
  free(t->matrix);
  free(t->order);
  table_init(t, t->text.max);
}

void table_clear(struct table *t) {
  buf_clear(&t->text);
  t->piece_count = t->cell_count = 0;
  t->row_count = t->column_count = t->next_column = t->busy_to = 0;
  t->in_row = t->in_cell = t->nested = 0;
}

void table_row(struct table *t) {
  table_cell_end(t);
  if (t->row_count)
    for (uint32_t i = 0; i < t->busy_to; i++)
      t->busy[i] = (uint16_t)(t->busy[i] - (t->busy[i] > 0));
  t->row_count++;
  t->in_row = 1;
  t->next_column = 0;
}

static void take_columns(struct table *t, uint32_t from, uint32_t to, uint32_t rows) {
  for (; t->busy_to < to; t->busy_to++)
    t->busy[t->busy_to] = 0;
  for (uint32_t i = from; i < to; i++)
    t->busy[i] = (uint16_t)rows;
  if (to > t->column_count)
    t->column_count = to;
}

void table_cell(struct table *t, uint32_t columns, uint32_t rows, int header) {
  if (!t->in_row)
    table_row(t);
  table_cell_end(t);
  uint32_t at = t->next_column;
  while (at < t->busy_to && t->busy[at])
    at++;
  if (at >= TABLE_COLUMNS)
    at = TABLE_COLUMNS - 1;
  columns = columns < 1 || columns > 1000 ? 1 : columns;
  if (columns > TABLE_COLUMNS - at)
    columns = TABLE_COLUMNS - at;
  rows = rows > 65534 || rows == 0 ? 65534 : rows;
  t->cells = doc_grow(t->cells, t->cell_count, &t->cell_cap, sizeof *t->cells);
  struct table_cell *c = memset(&t->cells[t->cell_count++], 0, sizeof *c);
  c->row = t->row_count - 1;
  c->column = at;
  c->rows = rows;
  c->columns = columns;
  c->header = header != 0;
  c->piece_from = c->piece_to = (uint32_t)t->piece_count;
  take_columns(t, at, at + columns, rows);
  t->next_column = at + columns;
  t->in_cell = 1;
}

/* An empty cell occupies its columns but is not stored. */
void table_cell_end(struct table *t) {
  if (t->in_cell && t->cells[t->cell_count - 1].piece_from == t->piece_count)
    t->cell_count--;
  t->in_cell = 0;
}

void table_fact(struct table *t) {
  if (t->in_cell)
    t->cells[t->cell_count - 1].fact = 1;
}

void table_tagged(struct table *t) {
  if (t->in_cell)
    t->cells[t->cell_count - 1].tagged = 1;
}

static void loose_cell(struct table *t) {
  table_row(t);
  table_cell(t, 1, 1, 0);
  t->cells[t->cell_count - 1].columns = TABLE_COLUMNS;
}

void table_add(struct table *t, struct slice text, const struct piece *look) {
  int loose = !t->in_cell;
  if (loose)
    loose_cell(t);
  t->pieces = doc_grow(t->pieces, t->piece_count, &t->piece_cap, sizeof *t->pieces);
  struct table_piece *p = &t->pieces[t->piece_count++];
  p->look = *look;
  p->start = t->text.len;
  buf_add_slice(&t->text, text);
  p->end = t->text.len;
  t->cells[t->cell_count - 1].piece_to = (uint32_t)t->piece_count;
  if (look->kind == DOC_TABLE)
    t->nested = 1;
  if (loose) {
    table_cell_end(t);
    t->in_row = 0;
  }
}

int table_is_empty(const struct table *t) {
  return t->piece_count == 0;
}

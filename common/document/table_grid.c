/* table_grid.c: from the cells of HTML to a matrix as the reader sees it, table_grid.h.
 *
 * Filings lay out one column of numbers with three to six HTML columns: a spacer, "$", the number, ")" or "%", a
 * footnote mark; rows without "$" let the number span two of them.  So signs are first joined to their numbers, then
 * the cells get columns (table_columns.c), and the rows of the header are told from the others.
 */
#include "document/table_grid.h"

/* ---- signs ---- */

/* Merges `from`, the cell before or after c, into c; their joined text is written anew. */
static void join(struct table *t, struct table_cell *c, struct table_cell *from, int before,
                 const char *gap) {
  struct slice a = table_cell_text(t, before ? from : c), b = table_cell_text(t, before ? c : from);
  size_t start = t->flat.len;
  if (buf_reserve(&t->flat, a.len + b.len + 2))
    return;
  a = table_cell_text(t, before ? from : c),
  b = table_cell_text(t, before ? c : from); /* the text may have moved */
  buf_add_slice(&t->flat, a);
  buf_add_str(&t->flat, gap);
  buf_add_slice(&t->flat, b);
  c->flat = start;
  c->flat_len = t->flat.len - start;
  table_cell_close_up(t, c);
  uint32_t end = c->column + c->columns, other = from->column + from->columns;
  c->column = c->column < from->column ? c->column : from->column;
  c->columns = (end > other ? end : other) - c->column;
  c->fact |= from->fact;
  from->kind = CELL_GONE;
}

/* "$" | "(" | "5": the parenthesis is in between; "$" | "$" is a header of two columns. */
static int table_grid_opens(const struct table *t, const struct table_cell *c) {
  return c->kind == CELL_PREFIX && table_cell_text(t, c).data[0] == '(';
}

/* Merges "$" | "(5" | ")" into one cell: a sign is joined to an adjacent number, dash or sign among the non-empty
 * cells of its row. */
static void join_signs(struct table *t) {
  struct table_cell *before = NULL;
  for (size_t i = 0; i < t->cell_count; i++) {
    struct table_cell *c = &t->cells[i];
    if (c->kind == CELL_GONE)
      continue;
    if (before && (before->row != c->row || before->rows != c->rows))
      before = NULL;
    enum cell_kind kind = (enum cell_kind)c->kind;
    if (before && before->kind == CELL_PREFIX && (table_cell_is_numeric(kind) || table_grid_opens(t, c))) {
      join(t, c, before, 1, "");
      c->kind = kind == CELL_YEAR ? CELL_NUMBER : (uint8_t)kind;
    } else if (before && table_cell_is_numeric((enum cell_kind)before->kind) &&
               (kind == CELL_SUFFIX || kind == CELL_MARK)) {
      join(t, before, c, 0, kind == CELL_MARK ? " " : "");
      if (before->kind == CELL_YEAR && kind == CELL_SUFFIX)
        before->kind = CELL_NUMBER;
      continue;
    }
    before = c;
  }
}

/* ---- matrix ---- */

/* Puts cell n into a place, after any cells already there. */
static void table_grid_put(struct table *t, size_t row, size_t column, uint32_t n) {
  uint32_t *at = &t->matrix[row * t->columns_used + column];
  if (!*at)
    *at = n + 1;
  else
    t->cells[t->cells[*at - 1].tail].beside = n + 1;
  t->cells[*at - 1].tail = n;
}

static int fill_matrix(struct table *t) {
  size_t size = (size_t)t->row_count * t->columns_used;
  if (size > TABLE_MATRIX)
    return -1;
  if (size > t->matrix_cap) {
    t->matrix_cap = size * 2;
    t->matrix = xreallocarray(t->matrix, t->matrix_cap, sizeof *t->matrix);
  }
  if (size)
    memset(t->matrix, 0, size * sizeof *t->matrix);
  for (size_t i = 0; i < t->cell_count; i++) {
    struct table_cell *c = &t->cells[i];
    if (c->kind == CELL_GONE)
      continue;
    table_columns_place(t, c);
    table_grid_put(t, c->row, c->first, (uint32_t)i);
  }
  return 0;
}

/* ---- columns of footnote marks ---- */

/* Whether the text is a footnote mark: "(1)", "(a)", "*". */
static int is_note(struct slice s) {
  return s.len > 0 && s.len <= 12 && table_cell_mark_length(s) == s.len;
}

/* Whether the column has only footnote marks. *led: each of them follows a cell of the previous column. */
static int has_notes_only(const struct table *t, size_t column, int *led) {
  int any = 0;
  *led = 1;
  for (size_t row = 0; row < t->row_count; row++) {
    const struct table_cell *c = table_at(t, row, column);
    if (!c)
      continue;
    if (c->first != c->last)
      continue;
    if (c->beside || !is_note(table_cell_text(t, c)))
      return 0;
    const struct table_cell *left = table_at(t, row, column - 1);
    *led = *led && left && left->last < column;
    any = 1;
  }
  return any;
}

/* Joins marks to the cells that they follow; marks before text are text, not negative numbers.  1 where cells were
 * joined. */
static int settle_notes(struct table *t) {
  int joined = 0, led;
  for (size_t i = 1; i < t->columns_used; i++) {
    if (!has_notes_only(t, i, &led))
      continue;
    for (size_t row = 0; row < t->row_count; row++) {
      struct table_cell *c = table_at(t, row, i);
      if (c && c->first != c->last)
        continue;
      if (c && led)
        join(t, table_at(t, row, i - 1), c, 0, " ");
      else if (c)
        c->kind = CELL_TEXT;
    }
    joined |= led;
    if (led)
      i++; /* the left neighbour of the next column is gone */
  }
  return joined;
}

/* ---- header ---- */

struct row_look {
  size_t cells;
  int data, years, full, beyond, header;
  int label, bold_beyond; /* text in the first column; bold text in another one */
};

/* Inspects a row of the matrix: data means numbers after the first column; years alone mean a header. */
static struct row_look table_grid_look_at(const struct table *t, size_t row) {
  struct row_look r = {0};
  r.header = 1;
  for (size_t i = 0; i < t->columns_used; i++) {
    const struct table_cell *c = table_at(t, row, i);
    if (!c)
      continue;
    r.cells++;
    r.full = c->first == 0 && c->last + 1 == t->columns_used && t->columns_used > 1;
    r.beyond |= c->first > 0;
    r.label |= i == 0;
    r.years |= c->kind == CELL_YEAR;
    r.bold_beyond |= i > 0 && (c->bold || c->header);
    r.header = r.header && (c->header || c->bold) && c->flat_len < 200;
    r.data |= c->fact || c->tagged || (i > 0 && (c->kind == CELL_NUMBER || c->kind == CELL_DASH));
  }
  r.full = r.full && r.cells == 1;
  r.header = r.header && r.cells > 0;
  return r;
}

/* Number of rows at the top that span all columns and are not data. */
static uint32_t count_captions(const struct table *t) {
  uint32_t n = 0;
  for (; n < t->row_count; n++) {
    struct row_look r = table_grid_look_at(t, n);
    if (r.cells && !r.full)
      break;
  }
  return n;
}

static uint32_t count_notes(const struct table *t) {
  uint32_t n = 0;
  while (n < t->row_count) {
    struct row_look r = table_grid_look_at(t, t->row_count - 1 - n);
    if (r.cells && (!r.full || r.data))
      break;
    n++;
  }
  return n;
}

/* Whether the table is mainly numbers. */
static int is_numeric_table(const struct table *t) {
  size_t numbers = 0, cells = 0;
  for (size_t i = 0; i < t->cell_count; i++) {
    const struct table_cell *c = &t->cells[i];
    if (c->kind == CELL_GONE || c->first == 0)
      continue;
    cells++;
    numbers += c->fact || table_cell_is_numeric((enum cell_kind)c->kind);
  }
  return numbers * 4 >= cells;
}

#define HEADER_ROWS 8

/* The header of a table of numbers ends with the last row before the data that has a cell after the first column.
 * Below bold rows, a row with a label but without bold text or years after it is not a header. */
static uint32_t numeric_header(const struct table *t, uint32_t from, uint32_t to) {
  uint32_t n = from;
  int bold = 0;
  for (uint32_t row = from; row < to; row++) {
    struct row_look r = table_grid_look_at(t, row);
    if (r.data || (bold && r.beyond && r.label && !r.years && !r.bold_beyond))
      return n - from <= HEADER_ROWS ? n - from : 0;
    if (r.beyond)
      n = row + 1;
    bold |= r.bold_beyond;
  }
  return 0;
}

/* The header of a text table is its first row, if it is bold or <th>. */
static uint32_t text_header(const struct table *t, uint32_t from, uint32_t to) {
  uint32_t n = from;
  while (n < to) {
    struct row_look r = table_grid_look_at(t, n++);
    if (r.cells)
      return r.header && r.beyond && !r.data ? n - from : 0;
  }
  return 0;
}

static uint32_t count_header(const struct table *t, uint32_t from, uint32_t to) {
  uint32_t n = is_numeric_table(t) ? numeric_header(t, from, to) : 0;
  return n ? n : text_header(t, from, to);
}

/* A column with header cells only, next to a column without any, is that column's misplaced header. */
static int only_in_header(const struct table *t, size_t column, uint32_t from, uint32_t to) {
  int above = 0;
  for (size_t row = 0; row < t->row_count; row++) {
    if (!table_at(t, row, column))
      continue;
    if (row < from || row >= to)
      return 0;
    above = 1;
  }
  return above;
}

static int has_header(const struct table *t, size_t column, uint32_t from, uint32_t to) {
  for (size_t row = from; row < to; row++)
    for (size_t i = 0; i <= column; i++) {
      const struct table_cell *c = table_at(t, row, i);
      if (c && c->last >= column && c->first > 0 && c->first == c->last)
        return 1;
    }
  return 0;
}

static int mend_columns(struct table *t, uint32_t from, uint32_t to) {
  int mended = 0;
  for (size_t i = 1; i < t->columns_used; i++) {
    if (!only_in_header(t, i, from, to))
      continue;
    size_t other = i + 1 < t->columns_used && !has_header(t, i + 1, from, to) ? i + 1 : i - 1;
    if (other == 0 || (other < i && has_header(t, other, from, to)) ||
        table_columns_meet(table_columns_rows(t, i), table_columns_rows(t, other), table_columns_words(t)))
      continue;
    table_columns_merge(t, i < other ? i : other, i < other ? other : i);
    mended = 1;
  }
  return mended;
}

int table_grid(struct table *t) {
  buf_clear(&t->flat);
  buf_reserve(&t->flat, t->text.len + 64); /* avoid NULL data */
  t->header_rows = t->caption_rows = t->note_rows = 0;
  t->columns_used = 0;
  for (size_t i = 0; i < t->cell_count; i++)
    table_cell_find_kind(t, &t->cells[i]);
  join_signs(t);
  if (table_columns_find(t) || fill_matrix(t))
    return -1;
  if (settle_notes(t) && (table_columns_find(t) || fill_matrix(t)))
    return -1;
  t->caption_rows = count_captions(t);
  if (t->caption_rows == t->row_count)
    return 0;
  t->note_rows = count_notes(t);
  t->header_rows = count_header(t, t->caption_rows, t->row_count - t->note_rows);
  if (t->header_rows && mend_columns(t, t->caption_rows, t->caption_rows + t->header_rows)) {
    for (size_t i = 0; i < t->columns_used; i++)
      t->columns[i].cells = t->columns[i].numbers = 0;
    return fill_matrix(t);
  }
  return 0;
}

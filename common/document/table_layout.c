/* table_layout.c: the columns of a table that a reader sees, and tables that only arrange text on a page.
 *
 * Cells, narrow ones first, claim intervals of HTML columns.  A cell that overlaps several intervals merges them into
 * one if no row has a cell in two of them; otherwise it is a cell that spans columns (a header).  HTML columns that
 * no cell claims are spacers and are dropped.
 */
#include "document/table_grid.h"
#include "tables/symbols.h"

#include <stdlib.h>

static uint64_t *table_columns_rows(const struct table *t, size_t column) {
  return t->bits + t->columns[column].rows;
}

static size_t table_columns_words(const struct table *t) {
  return (t->row_count + 63) / 64;
}

static int table_columns_meet(const uint64_t *a, const uint64_t *b, size_t words) {
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
  t->columns = xgrow(t->columns, t->columns_used, sizeof *t->columns);
  struct table_column *col = &t->columns[t->columns_used++];
  memset(col, 0, sizeof *col);
  col->from = c->column;
  col->to = c->column + c->columns;
  col->rows = more_bits(t, table_columns_words(t));
  set_rows(t, t->bits + col->rows, c);
  return 0;
}

static void table_columns_merge(struct table *t, size_t a, size_t b) {
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

/* ---- tables that only arrange text, recognised and written as paragraphs ---- */

#define JOIN_MAX 400   /* bytes of a layout table's row that becomes one paragraph */
#define BULLET_MAX 12  /* bytes of a list item's marker */
#define LONG_CELL 4000 /* bytes of a cell that is too long for a data table */

/* ---- data or layout?  ---- */

/* Whether the text is a bullet: "•", "(a)", "1.", "iv)", "-", "Item 1A." */
static int is_bullet_mark(struct slice s) {
  if (s.len == 0 || s.len > BULLET_MAX)
    return 0;
  size_t letters = 0, digits = 0;
  for (size_t i = 0; i < s.len; i++) {
    letters += (s.data[i] | 0x20) >= 'a' && (s.data[i] | 0x20) <= 'z';
    digits += s.data[i] >= '0' && s.data[i] <= '9';
  }
  if (s.len >= 5 && (memcmp(s.data, "Item", 4) == 0 || memcmp(s.data, "ITEM", 4) == 0))
    return 1;
  if (letters + digits == 0)
    return 1;
  char end = s.data[s.len - 1];
  return letters + digits <= 4 && (end == '.' || end == ')' || end == ']' || letters + digits == 1);
}

/* Whether the text is in parentheses: "(Zip Code)". */
static int is_bracketed(struct slice s) {
  return s.len > 6 && s.data[0] == '(' && s.data[s.len - 1] == ')';
}

struct census {
  size_t rows, wide_rows, numbers, bullets, firsts, long_cells, cells;
  size_t bracketed; /* cells of text in parentheses, as below the blanks of a cover page */
  int header;       /* the first row has bold cells or <th> */
};

static struct census count(const struct table *t) {
  struct census s = {0};
  uint32_t row = UINT32_MAX;
  size_t in_row = 0;
  for (size_t i = 0; i < t->cell_count; i++) {
    const struct table_cell *c = &t->cells[i];
    if (!table_cell_is_live(c))
      continue;
    if (c->row != row) {
      row = c->row;
      s.rows++;
      in_row = 0;
    }
    s.cells++;
    s.bracketed += c->kind == CELL_TEXT && is_bracketed(table_cell_text(t, c));
    s.wide_rows += ++in_row == 2;
    s.firsts += c->first == 0;
    s.bullets += c->first == 0 && c->last == 0 && is_bullet_mark(table_cell_text(t, c));
    s.numbers += c->fact || (c->first > 0 && (c->kind == CELL_NUMBER || c->kind == CELL_DASH));
    s.long_cells += c->flat_len > LONG_CELL || c->piece_to - c->piece_from > 8;
  }
  s.header = t->header_rows > 0;
  return s;
}

int table_layout_is(const struct table *t) {
  struct census s = count(t);
  if (t->nested || t->columns_used < 2 || s.wide_rows == 0)
    return 1;
  if (s.rows == 1 || s.long_cells > s.numbers)
    return 1;
  if (t->columns_used == 2 && s.bullets == s.firsts && s.numbers == 0)
    return 1;
  if (s.bracketed >= 2 && s.numbers <= 2) /* a cover page, whose numbers are ZIP codes */
    return 1;
  return !s.header && s.numbers <= 1 && s.rows <= 3;
}

/* ---- paragraphs ---- */

void table_layout_emit(struct table_writer *w, const struct table_piece *p) {
  struct piece look = p->look;
  look.flags |= DOC_FROM_TABLE;
  w->emit(w->arg, slice_of(w->t->text.data + p->start, p->end - p->start), &look);
}

static void emit_cell(struct table_writer *w, const struct table_cell *c) {
  for (uint32_t i = c->piece_from; i < c->piece_to; i++)
    table_layout_emit(w, &w->t->pieces[i]);
}

static int is_one_paragraph(const struct table *t, const struct table_cell *c) {
  return c->piece_to - c->piece_from == 1 && t->pieces[c->piece_from].look.kind == DOC_PARAGRAPH &&
         !t->pieces[c->piece_from].look.page_break;
}

/* Whether it has letters or digits, so that its appearance counts for the whole. */
static int has_words_between(struct slice s) {
  for (size_t i = 0; i < s.len; i++)
    if ((s.data[i] >= '0' && s.data[i] <= '9') || ((s.data[i] | 0x20) >= 'a' && (s.data[i] | 0x20) <= 'z'))
      return 1;
  return 0;
}

/* Adds a piece to the row collected in t->out. */
static void join_piece(struct table *t, const struct table_piece *p, struct piece *look, int *any) {
  struct slice text = slice_of(t->text.data + p->start, p->end - p->start);
  if (t->out.len)
    buf_add_char(&t->out, ' ');
  buf_add_slice(&t->out, text);
  if (!has_words_between(text))
    return;
  look->flags = *any ? look->flags & p->look.flags : p->look.flags;
  look->size = look->size > p->look.size ? look->size : p->look.size;
  *any = 1;
}

static int is_dot(struct slice s) {
  static const char *const dots[] = {"-", SYMBOLS_DOT, NULL};
  for (size_t i = 0; dots[i]; i++)
    if (slice_is(s, dots[i]))
      return 1;
  return 0;
}

/* Emits cells [from, to) of one row as one paragraph; a leading bullet makes it a list item. */
static void emit_joined(struct table_writer *w, size_t from, size_t to) {
  struct table *t = w->t;
  struct piece look = {.kind = DOC_PARAGRAPH};
  int any = 0, first = 1;
  buf_clear(&t->out);
  for (size_t i = from; i < to; i++) {
    const struct table_cell *c = &t->cells[i];
    if (c->piece_from == c->piece_to)
      continue;
    const struct table_piece *p = &t->pieces[c->piece_from];
    struct slice text = slice_of(t->text.data + p->start, p->end - p->start);
    if (first && i + 1 < to && is_dot(text)) {
      look.kind = DOC_LIST_ITEM;
      memcpy(look.mark, "- ", 3);
    } else
      join_piece(t, p, &look, &any);
    first = 0;
  }
  if (t->out.len == 0) /* only bullets */
    for (size_t i = from; i < to; i++)
      emit_cell(w, &t->cells[i]);
  else {
    look.flags |= DOC_FROM_TABLE;
    w->emit(w->arg, buf_slice(&t->out), &look);
  }
}

static int joins(const struct table *t, size_t from, size_t to) {
  size_t len = 0;
  if (to - from < 2)
    return 0;
  for (size_t i = from; i < to; i++) {
    if (!is_one_paragraph(t, &t->cells[i]))
      return 0;
    len += t->cells[i].flat_len;
  }
  return len <= JOIN_MAX || (to - from == 2 && is_bullet_mark(table_cell_text(t, &t->cells[from])));
}

/* "(a)" | several paragraphs: the bullet belongs to the first one. */
static int leads(const struct table *t, size_t from, size_t to) {
  return to - from == 2 && is_one_paragraph(t, &t->cells[from]) &&
         is_bullet_mark(table_cell_text(t, &t->cells[from])) &&
         t->pieces[t->cells[from + 1].piece_from].look.kind == DOC_PARAGRAPH &&
         !t->pieces[t->cells[from + 1].piece_from].look.page_break;
}

static void emit_row(struct table_writer *w, size_t from, size_t to) {
  struct table *t = w->t;
  if (joins(t, from, to)) {
    emit_joined(w, from, to);
    return;
  }
  if (leads(t, from, to)) {
    struct table_cell *c = &t->cells[from + 1];
    uint32_t end = c->piece_to;
    c->piece_to = c->piece_from + 1;
    emit_joined(w, from, to);
    c->piece_from++;
    c->piece_to = end;
    emit_cell(w, c);
    return;
  }
  for (size_t i = from; i < to; i++)
    emit_cell(w, &t->cells[i]);
}

static size_t row_end(const struct table *t, size_t from) {
  size_t to = from;
  while (to < t->cell_count && t->cells[to].row == t->cells[from].row)
    to++;
  return to;
}

void table_layout_write(struct table_writer *w) {
  for (size_t i = 0, to; i < w->t->cell_count; i = to) {
    to = row_end(w->t, i);
    emit_row(w, i, to);
  }
}

void table_layout_write_rows(struct table_writer *w, uint32_t from, uint32_t to) {
  for (size_t i = 0, end; i < w->t->cell_count; i = end) {
    end = row_end(w->t, i);
    if (w->t->cells[i].row >= from && w->t->cells[i].row < to)
      emit_row(w, i, end);
  }
}

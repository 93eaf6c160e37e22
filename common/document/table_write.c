/* table_write.c: writes a table as blocks of text: paragraphs, Markdown, or aligned text; table.h. */
#include "document/table_grid.h"

#include "base/utf8.h"

#include <math.h>

#define REPEAT_MAX 120 /* bytes of a header that is repeated in each column it spans */
#define WIDEST 100     /* width limit of a column in aligned text, in characters */

/* ---- units ---- */

static int is_scale(const char *p, size_t len) {
  static const char *const scales[] = {"in thousands", "in millions", "in billions"};
  if (len < 11 || (p[0] | 0x20) != 'i' || (p[1] | 0x20) != 'n' || p[2] != ' ')
    return 0;
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
    if (slice_begins_nocase(slice_of(p, len), scales[i]))
      return 1;
  return 0;
}

#define UNIT_MAX 160   /* limit of a unit in parentheses, in bytes */
#define UNIT_SHORT 100 /* limit of a caption that is only a unit */

struct slice table_unit(struct slice s) {
  const char *open = NULL;
  for (size_t i = 0; i < s.len; i++) {
    if (s.data[i] == '(')
      open = s.data + i;
    if (s.data[i] == ')')
      open = NULL;
    if (!is_scale(s.data + i, s.len - i))
      continue;
    const char *close = memchr(s.data + i, ')', s.len - i);
    if (open && close && close - open < UNIT_MAX)
      return slice_of(open, (size_t)(close + 1 - open));
    return s.len <= UNIT_SHORT && !memchr(s.data, '\n', s.len) ? s : slice_of(NULL, 0);
  }
  return slice_of(NULL, 0);
}

/* ---- Markdown ---- */

static void add_cell_text(struct buf *out, struct slice s) {
  for (const char *bar; s.len && (bar = memchr(s.data, '|', s.len)) != NULL;) {
    size_t n = (size_t)(bar - s.data);
    buf_add(out, s.data, n);
    buf_add_str(out, "\\|");
    s = slice_of(bar + 1, s.len - n - 1);
  }
  buf_add_slice(out, s);
}

static const struct table_cell *next_beside(const struct table *t, const struct table_cell *c) {
  return c->beside ? &t->cells[c->beside - 1] : NULL;
}

/* Appends the text in a place of the matrix, or of the cell above that spans its row: each row has its labels and values. */
static void table_write_add_place(struct table *t, size_t row, size_t column,
                                  const struct table_cell **spans) {
  const struct table_cell *c = table_at(t, row, column);
  if (c && c->first == column)
    spans[column] = c->rows > 1 && c->flat_len <= REPEAT_MAX ? c : NULL;
  else if (!c && spans[column] && row - spans[column]->row < spans[column]->rows)
    c = spans[column];
  for (int more = 0; c; c = next_beside(t, c), more = 1) {
    if (more)
      buf_add_char(&t->out, ' ');
    add_cell_text(&t->out, table_cell_text(t, c));
  }
}

/* The header cell over a column in a row: its own, or one that spans it from the left. */
static const struct table_cell *covering(const struct table *t, size_t row, size_t column) {
  for (size_t i = column + 1; i-- > 0;) {
    const struct table_cell *c = table_at(t, row, i);
    if (c)
      return i == column || (c->last >= column && c->flat_len <= REPEAT_MAX) ? c : NULL;
  }
  return NULL;
}

/* Appends all header rows of a column, one after another. */
static void add_header(struct table *t, size_t column, struct slice unit) {
  size_t start = t->out.len;
  for (uint32_t r = t->caption_rows; r < t->caption_rows + t->header_rows; r++)
    for (const struct table_cell *c = covering(t, r, column); c; c = next_beside(t, c)) {
      if (t->out.len > start)
        buf_add_char(&t->out, ' ');
      add_cell_text(&t->out, table_cell_text(t, c));
    }
  int has_unit = table_unit(slice_of(t->out.data + start, t->out.len - start)).len > 0;
  if (column == 0 && t->header_rows && unit.len && !has_unit) {
    buf_add_str(&t->out, t->out.len > start ? " " : "");
    add_cell_text(&t->out, unit);
  }
}

static int is_number_column(const struct table *t, size_t column) {
  const struct table_column *c = &t->columns[column];
  return column > 0 && c->numbers * 2 >= c->cells && c->numbers > 0;
}

static int row_is_empty(const struct table *t, size_t row) {
  for (size_t i = 0; i < t->columns_used; i++)
    if (t->matrix[row * t->columns_used + i])
      return 0;
  return 1;
}

static void write_markdown(struct table *t, struct slice unit) {
  const struct table_cell *spans[TABLE_WIDEST] = {NULL};
  for (size_t i = 0; i < t->columns_used; i++) {
    buf_add_str(&t->out, i ? " | " : "| ");
    add_header(t, i, unit);
  }
  buf_add_str(&t->out, " |\n");
  for (size_t i = 0; i < t->columns_used; i++)
    buf_add_str(&t->out, is_number_column(t, i) ? "| ---: " : "| --- ");
  buf_add_str(&t->out, "|");
  for (size_t r = t->caption_rows + t->header_rows; r < t->row_count - t->note_rows; r++) {
    if (row_is_empty(t, r))
      continue;
    buf_add_str(&t->out, "\n");
    for (size_t i = 0; i < t->columns_used; i++) {
      buf_add_str(&t->out, i ? " | " : "| ");
      table_write_add_place(t, r, i, spans);
    }
    buf_add_str(&t->out, " |");
  }
}

/* ---- aligned text ---- */

static size_t characters(struct slice s) {
  return utf8_characters(s.data, s.len);
}

static void add_spaces(struct buf *out, size_t n) {
  while (n-- > 0)
    buf_add_char(out, ' ');
}

/* Writes a place padded to its column's width; the last column is not padded. */
static void table_write_add_aligned(struct table *t, size_t row, size_t column, size_t width) {
  struct buf *out = &t->out;
  size_t start = out->len;
  const struct table_cell *c = table_at(t, row, column);
  for (int more = 0; c; c = next_beside(t, c), more = 1) {
    if (more)
      buf_add_char(out, ' ');
    buf_add_slice(out, table_cell_text(t, c));
  }
  size_t n = characters(slice_of(out->data + start, out->len - start)), len = out->len - start;
  size_t pad = n < width ? width - n : 0;
  add_spaces(out, pad);
  if (is_number_column(t, column) && pad && !out->overflow) {
    memmove(out->data + start + pad, out->data + start, len);
    memset(out->data + start, ' ', pad);
  }
}

static void find_widths(const struct table *t, size_t widths[TABLE_WIDEST]) {
  for (size_t i = 0; i < t->columns_used; i++) {
    widths[i] = 1;
    for (size_t r = t->caption_rows; r < t->row_count - t->note_rows; r++) {
      const struct table_cell *c = table_at(t, r, i);
      size_t n = c && c->first == c->last ? characters(table_cell_text(t, c)) : 0;
      n = n < WIDEST ? n : WIDEST;
      widths[i] = widths[i] > n ? widths[i] : n;
    }
  }
}

static void trim_line(struct buf *out, size_t start) {
  while (out->len > start && out->data[out->len - 1] == ' ')
    out->len--;
  if (out->data)
    out->data[out->len] = '\0';
}

static void write_aligned(struct table *t) {
  size_t widths[TABLE_WIDEST];
  find_widths(t, widths);
  for (size_t r = t->caption_rows; r < t->row_count - t->note_rows; r++) {
    if (row_is_empty(t, r))
      continue;
    if (t->out.len)
      buf_add_char(&t->out, '\n');
    size_t start = t->out.len;
    for (size_t i = 0; i < t->columns_used; i++) {
      if (i)
        buf_add_str(&t->out, "  ");
      table_write_add_aligned(t, r, i, widths[i]);
    }
    trim_line(&t->out, start);
  }
}

/* Without a matrix: one line per row, in source order. */
static void write_plainly(struct table *t) {
  for (size_t i = 0; i < t->cell_count; i++) {
    const struct table_cell *c = &t->cells[i];
    if (!table_cell_is_live(c))
      continue;
    if (t->out.len)
      buf_add_str(&t->out, i && t->cells[i - 1].row == c->row ? "  " : "\n");
    buf_add_slice(&t->out, table_cell_text(t, c));
  }
}

/* Page breaks inside data rows are emitted after the table; captions and notes carry their own. */
static void emit_breaks(struct table_writer *w, uint32_t from, uint32_t to) {
  for (size_t i = 0; i < w->t->cell_count; i++) {
    const struct table_cell *c = &w->t->cells[i];
    for (uint32_t p = c->piece_from; c->row >= from && c->row < to && p < c->piece_to; p++)
      if (w->t->pieces[p].look.page_break)
        table_layout_emit(w, &w->t->pieces[p]);
  }
}

/* A unit in the table's own captions takes precedence over one in the text above. */
static struct slice own_unit(const struct table *t, struct slice unit) {
  for (size_t i = 0; i < t->cell_count && t->cells[i].row < t->caption_rows; i++) {
    struct slice own = table_unit(table_cell_text(t, &t->cells[i]));
    if (own.len)
      unit = own;
  }
  return unit;
}

/* ---- the levels of labels ----
 *
 * Reports show by the indentation of its label to which group a row belongs, and by bold or capital letters which of two headings is the higher
 * one.  Only the order of the indentations counts: each is one level, written as two blanks before the label. */

#define LEVELS 8         /* deepest level that is distinguished */
#define LEVEL_LEAST 1.5F /* points between two levels */
#define BOLD_POINTS 2    /* by which a bold heading stands further to the left */
#define SPACER_POINTS 8  /* of an empty HTML column before the label */

/* The label of a row; *points: its indentation. NULL where the row has none. */
static struct table_cell *row_label(const struct table *t, size_t row, float *points) {
  struct table_cell *c = table_at(t, row, 0);
  if (c == NULL || c->piece_from == c->piece_to)
    return NULL;
  const struct piece *look = &t->pieces[c->piece_from].look;
  int alone = c->bold || look->flags & DOC_UPPERCASE;
  for (size_t i = 1; i < t->columns_used && alone; i++)
    alone = table_at(t, row, i) == NULL;
  *points = look->indent + SPACER_POINTS * (float)c->column - (alone ? BOLD_POINTS : 0);
  return c;
}

static void write_level(struct table *t, struct table_cell *c, size_t level) {
  size_t start = t->flat.len;
  if (level == 0 || buf_reserve(&t->flat, c->flat_len + 2 * LEVELS))
    return;
  buf_printf(&t->flat, "%*s", (int)(2 * level), "");
  buf_add_slice(&t->flat, table_cell_text(t, c));
  c->flat = start;
  c->flat_len = t->flat.len - start;
}

static void write_levels(struct table *t) {
  size_t first = t->caption_rows + t->header_rows, behind = t->row_count - t->note_rows;
  float points, from = -INFINITY, next;
  struct table_cell *c;
  for (size_t level = 0; level < LEVELS; level++, from = next) {
    next = INFINITY;
    for (size_t r = first; r < behind; r++)
      if (row_label(t, r, &points) && points > from + LEVEL_LEAST && points < next)
        next = points;
    for (size_t r = first; r < behind; r++)
      if ((c = row_label(t, r, &points)) != NULL && points >= next &&
          (points <= next + LEVEL_LEAST || level + 1 == LEVELS))
        write_level(t, c, level);
  }
}

static void write_data(struct table_writer *w, enum table_style style, int grid, struct slice unit) {
  struct table *t = w->t;
  struct piece look = {.kind = DOC_TABLE};
  table_layout_write_rows(w, 0, t->caption_rows);
  buf_clear(&t->out);
  if (grid)
    write_levels(t);
  if (!grid)
    write_plainly(t);
  else if (style == TABLE_TEXT)
    write_aligned(t);
  else
    write_markdown(t, own_unit(t, unit));
  if (t->out.len)
    w->emit(w->arg, buf_slice(&t->out), &look);
  emit_breaks(w, t->caption_rows, t->row_count - t->note_rows);
  table_layout_write_rows(w, t->row_count - t->note_rows, t->row_count);
}

void table_write(struct table *t, enum table_style style, struct slice unit, table_emit *emit, void *arg) {
  struct table_writer w = {t, emit, arg};
  table_cell_end(t);
  if (table_is_empty(t))
    return;
  buf_reserve(&t->out, 64); /* avoid NULL data */
  int grid = table_grid(t) == 0;
  if (t->nested || (grid && table_layout_is(t)))
    table_layout_write(&w);
  else if (style == TABLE_DROP)
    emit_breaks(&w, 0, t->row_count);
  else
    write_data(&w, style, grid, unit);
}

#include "facts/fact_table.h"

#include "base/screen.h"

#include <ctype.h>
#include <stdlib.h>

enum { TABLE_GAP = 2, TABLE_HANG = 2 };

struct fact_table {
  const struct fact_grid *g;
  size_t *width, *natural; /* per column; a width of 0: it is dropped */
  size_t left_out;
};

static struct slice fit_cell(const struct fact_grid *g, size_t line, size_t column) {
  return slice_str(g->cells[line * g->columns + column]);
}

/* Headers and words may be wrapped at blanks, numbers and dates not. */
static int fit_breaks(const struct fact_grid *g, size_t line, size_t column) {
  struct slice cell = fit_cell(g, line, column);
  return line == 0 || column == 0 || (cell.len && isalpha((unsigned char)cell.data[0]));
}

/* The next piece of a cell that fits into `width` columns, trimmed; at least one word. */
static struct slice fit_piece(struct slice *rest, size_t width) {
  size_t from = 0, end;
  while (from < rest->len && rest->data[from] == ' ')
    from++;
  for (size_t i = end = from; i < rest->len; end = i) {
    for (i = end; i < rest->len && rest->data[i] == ' ';)
      i++;
    while (i < rest->len && rest->data[i] != ' ')
      i++;
    if (end > from && screen_text_columns(slice_of(rest->data + from, i - from)) > width)
      break;
  }
  struct slice piece = slice_of(rest->data + from, end - from);
  *rest = slice_of(rest->data + end, rest->len - end);
  return piece;
}

/* Minimum width of a cell. */
static size_t fit_least(const struct fact_grid *g, size_t line, size_t column) {
  struct slice rest = fit_cell(g, line, column);
  size_t least = 0;
  if (!fit_breaks(g, line, column))
    return screen_text_columns(rest);
  for (size_t k = 0; rest.len; k++) {
    size_t n = screen_text_columns(fit_piece(&rest, 0)) + (k && line ? TABLE_HANG : 0);
    least = n > least ? n : least;
  }
  return least;
}

static size_t fit_total(const struct fact_table *t) {
  size_t total = 0;
  for (size_t c = 0; c < t->g->columns; c++)
    total += t->width[c] ? t->width[c] + (total ? TABLE_GAP : 0) : 0;
  return total;
}

static void fit_measure(struct fact_table *t) {
  for (size_t i = 0; i < t->g->lines; i++)
    for (size_t c = 0; c < t->g->columns; c++) {
      size_t n = screen_text_columns(fit_cell(t->g, i, c)), least = fit_least(t->g, i, c);
      t->natural[c] = n > t->natural[c] ? n : t->natural[c];
      t->width[c] = least > t->width[c] ? least : t->width[c];
    }
}

/* Drops columns that don't fit, then widens narrowed ones, one column at a time. */
static void fit_columns(struct fact_table *t, size_t screen) {
  for (size_t c = t->g->spare_end; c-- > t->g->spare && fit_total(t) > screen;) {
    t->left_out += t->width[c] > 0;
    t->width[c] = 0;
  }
  for (int grown = 1; grown;) {
    grown = 0;
    for (size_t c = 0; c < t->g->columns; c++)
      if (t->width[c] && t->width[c] < t->natural[c] && fit_total(t) < screen)
        grown = ++t->width[c] > 0;
  }
}

/* The k-th of `rows` lines of a cell; shorter cells are bottom-aligned. */
static struct slice fit_row_piece(const struct fact_table *t, size_t line, size_t column, size_t rows,
                                  size_t k, size_t *hang) {
  struct slice rest = fit_cell(t->g, line, column), piece = rest;
  size_t own = 0;
  *hang = 0;
  if (!fit_breaks(t->g, line, column) || screen_text_columns(rest) <= t->width[column])
    return k + 1 == rows ? rest : slice_of(NULL, 0);
  for (struct slice r = rest; r.len; own++)
    fit_piece(&r, t->width[column] - (own && line ? TABLE_HANG : 0));
  if (k + own < rows)
    return slice_of(NULL, 0);
  for (size_t i = 0; i <= k + own - rows; i++) {
    *hang = i && line ? TABLE_HANG : 0;
    piece = fit_piece(&rest, t->width[column] - *hang);
  }
  return piece;
}

static size_t fit_rows(const struct fact_table *t, size_t line) {
  size_t rows = 1;
  for (size_t c = 0; c < t->g->columns; c++) {
    struct slice rest = fit_cell(t->g, line, c);
    size_t own = 0;
    if (!t->width[c] || !fit_breaks(t->g, line, c) || screen_text_columns(rest) <= t->width[c])
      continue;
    for (; rest.len; own++)
      fit_piece(&rest, t->width[c] - (own && line ? TABLE_HANG : 0));
    rows = own > rows ? own : rows;
  }
  return rows;
}

static void fit_line(struct buf *out, const struct fact_table *t, size_t line) {
  size_t rows = fit_rows(t, line);
  for (size_t k = 0; k < rows; k++) {
    for (size_t c = 0, hang; c < t->g->columns; c++) {
      if (!t->width[c])
        continue;
      struct slice piece = fit_row_piece(t, line, c, rows, k, &hang);
      size_t taken = hang + screen_text_columns(piece), pad = t->width[c] > taken ? t->width[c] - taken : 0;
      buf_printf(out, "%*s", (int)((c ? TABLE_GAP : 0) + hang + (c >= t->g->numbers ? pad : 0)), "");
      buf_add_masked(out, piece); /* names are external text */
      buf_printf(out, "%*s", (int)(c >= t->g->numbers ? 0 : pad), "");
    }
    while (out->len && out->data[out->len - 1] == ' ')
      out->len--;
    buf_add_char(out, '\n');
  }
}

void fact_table_write(struct buf *out, const struct fact_grid *g, size_t screen) {
  struct fact_table t = {.g = g};
  t.width = xcalloc(g->columns + 1, sizeof *t.width);
  t.natural = xcalloc(g->columns + 1, sizeof *t.natural);
  fit_measure(&t);
  fit_columns(&t, screen ? screen : SIZE_MAX);
  for (size_t line = 0; line < g->lines; line++)
    fit_line(out, &t, line);
  if (t.left_out)
    buf_printf(out, "… %zu more column%s; --csv has all\n", t.left_out, t.left_out > 1 ? "s" : "");
  free(t.width);
  free(t.natural);
}

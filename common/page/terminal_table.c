#include "page/terminal_table.h"
#include "page/page_table.h"

#include "base/mask.h"
#include "base/screen.h"

#include <stdlib.h>

enum {
  LEAST_ROWS = 4,   /* minimum rows of a table, even where the lines are used up, */
  LEAST_LINES = 12, /* unless they take more lines than this */
  ROW_LINES = 10    /* limit of lines per row; a longer row is treated as text */
};

struct terminal_grid {
  struct page_table table;
  struct page_layout layout;
  unsigned *height; /* lines per row, in all blocks */
  size_t rows,
      marked; /* marked: the first row with a word of the question, else with a highlighted one, or rows */
};

static size_t cell_lines(struct slice cell, size_t width) {
  struct slice line;
  size_t n = 0;
  for (size_t at = 0; page_cell_line(cell, width, &at, &line);)
    n++;
  return n;
}

static size_t row_width(const struct terminal_grid *g, const struct page_row *row, size_t block, size_t i) {
  return i == 0 && page_row_is_label(row) ? page_layout_width(&g->layout, block) : g->layout.width[i];
}

static struct slice row_cell(const struct page_row *row, size_t i) {
  return i < row->count ? row->cell[i] : slice_of("", 0);
}

/* Column 0, then the columns of the block. */
static size_t block_column(const struct terminal_grid *g, size_t block, size_t k) {
  return k == 0 ? 0 : g->layout.from[block] + k - 1;
}

static size_t block_columns(const struct terminal_grid *g, size_t block) {
  return 1 + g->layout.from[block + 1] - g->layout.from[block];
}

static size_t grid_row_lines(const struct terminal_grid *g, const struct page_row *row, size_t block) {
  size_t most = 1;
  for (size_t k = 0; k < block_columns(g, block); k++) {
    size_t i = block_column(g, block, k), n = cell_lines(row_cell(row, i), row_width(g, row, block, i));
    most = n > most ? n : most;
  }
  return most < ROW_LINES ? most : ROW_LINES;
}

/* ---- drawing ---- */

static void cell_draw(struct terminal_pen *p, struct slice line, size_t width, int right) {
  size_t columns = screen_text_columns(line);
  int blanks = (int)(width > columns ? width - columns : 0);
  if (right)
    buf_printf(p->t->out, "%*s", blanks, "");
  p->next = 0; /* lines of a cell are not consecutive in the passage */
  for (size_t i = 0; i < line.len;) {
    if (line.data[i] == '\\' && i + 1 < line.len && line.data[i + 1] == '|')
      i++, blanks++;
    i += terminal_pen_character(p, slice_of(line.data + i, line.len - i));
  }
  if (p->marks)
    terminal_pen_style(p, 0);
  if (!right)
    buf_printf(p->t->out, "%*s", blanks, "");
}

/* low: shorter cells are aligned at the bottom, as in headers. */
static void grid_row_draw(struct page_terminal *t, const struct terminal_grid *g, const struct page_marks *m,
                          const struct page_row *row, size_t block, const char *style, int low) {
  size_t at[PAGE_COLUMNS] = {0}, all = grid_row_lines(g, row, block);
  struct terminal_pen p = {.t = t, .marks = m, .style = style};
  for (size_t n = 0; n < all; n++) {
    terminal_pen_begin(&p, t->indent);
    for (size_t k = 0; k < block_columns(g, block); k++) {
      size_t i = block_column(g, block, k), width = row_width(g, row, block, i);
      struct slice cell = row_cell(row, i), line = slice_of("", 0);
      if (!low || n + cell_lines(cell, width) >= all)
        page_cell_line(cell, width, &at[i], &line);
      if (k > 0)
        buf_add_str(t->out, "  ");
      cell_draw(&p, line, width, (int)(g->table.right >> i & 1));
      if (k == 0 && page_row_is_label(row))
        break;
    }
    while (t->out->len && t->out->data[t->out->len - 1] == ' ')
      t->out->len--;
    terminal_pen_end(&p);
  }
}

static void head_draw(struct page_terminal *t, const struct terminal_grid *g, size_t block) {
  if (g->table.head.count == 0)
    return;
  grid_row_draw(t, g, NULL, &g->table.head, block, TERMINAL_HEAD, 1);
  buf_printf(t->out, "%*s%s", (int)t->indent, "", t->colour ? TERMINAL_DIM : "");
  for (size_t k = page_layout_width(&g->layout, block); k > 0; k--)
    buf_add_str(t->out, "\xe2\x94\x80");
  buf_printf(t->out, "%s\n", t->colour ? TERMINAL_PLAIN : "");
  t->lines -= t->lines > 0;
}

static void table_note(struct page_terminal *t, size_t rows) {
  if (!rows)
    return;
  buf_printf(t->out, "%*s%s" TERMINAL_ELLIPSIS " %zu more row%s%s\n", (int)t->indent, "",
             t->colour ? TERMINAL_DIM : "", rows, rows > 1 ? "s" : "", t->colour ? TERMINAL_PLAIN : "");
  t->lines -= t->lines > 0;
}

/* ---- which rows ---- */

static void grid_measure(struct terminal_grid *g, const struct page_marks *m) {
  struct page_row row;
  size_t capacity = 0;
  int found = 0;
  for (size_t at = 0; page_next_row(&g->table, &at, &row); g->rows++) {
    if (g->rows == capacity)
      g->height = xreallocarray(g->height, capacity = capacity ? 2 * capacity : 64, sizeof *g->height);
    g->height[g->rows] = 0;
    for (size_t b = 0; b < g->layout.blocks; b++)
      g->height[g->rows] += (unsigned)grid_row_lines(g, &row, b);
    for (size_t i = 0; m && found < 2 && i < row.count; i++) {
      int has = page_has_mark(m, row.cell[i]);
      if (has > found) {
        g->marked = g->rows;
        found = has;
      }
    }
  }
  if (!found)
    g->marked = g->rows;
}

/* Number of rows from `first` on that fit. */
static size_t grid_fitting(const struct terminal_grid *g, size_t first, size_t lines) {
  size_t n = 0, used = 0;
  while (first + n < g->rows && (n == 0 || used + g->height[first + n] <=
                                               (n < LEAST_ROWS && lines < LEAST_LINES ? LEAST_LINES : lines)))
    used += g->height[first + n++];
  return n;
}

/* The height of the header is not counted, only one line. */
static void grid_choose(const struct terminal_grid *g, size_t lines, size_t *first, size_t *count) {
  size_t heads = g->table.head.count ? 2 * g->layout.blocks : 0, room = lines > heads ? lines - heads : 0;
  *first = 0;
  *count = grid_fitting(g, 0, room);
  if (*count < g->rows) /* the note about omitted rows needs a line */
    *count = grid_fitting(g, 0, room > 0 ? room - 1 : 0);
  while (g->marked < g->rows && *first < g->marked && g->marked >= *first + *count)
    *count = grid_fitting(g, ++*first, room > 0 ? room - 1 : 0);
}

void terminal_table(struct page_terminal *t, const struct page_marks *m, const struct page_block *b) {
  struct terminal_grid g = {0};
  struct page_row row;
  size_t first, count;
  page_table_read(&g.table, b->text, b->head);
  page_layout_fit(&g.layout, &g.table, t->width > t->indent ? t->width - t->indent : 1);
  grid_measure(&g, m);
  if (g.table.above.len) {
    struct terminal_pen p = {.t = t, .style = TERMINAL_HEAD};
    terminal_pen_begin(&p, t->indent);
    terminal_pen_text(&p, g.table.above);
  }
  grid_choose(&g, t->lines, &first, &count);
  for (size_t k = 0; k < g.layout.blocks; k++) {
    if (k > 0)
      buf_add_char(t->out, '\n');
    head_draw(t, &g, k);
    for (size_t at = 0, i = 0; i < first + count && page_next_row(&g.table, &at, &row); i++)
      if (i >= first)
        grid_row_draw(t, &g, m, &row, k, NULL, 0);
  }
  table_note(t, g.rows - count);
  free(g.height);
}

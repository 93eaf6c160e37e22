/* terminal.c: the current line (pen), tables as a grid of wrapped cells, and passages block by block. */
#include "page/terminal.h"

#include "base/mask.h"
#include "base/screen.h"

#include <stdlib.h>
#include <unistd.h>

#define TERMINAL_ELLIPSIS "\xe2\x80\xa6"
#define TERMINAL_HEAD "\033[1m"
#define TERMINAL_DIM "\033[2m"
#define TERMINAL_PLAIN "\033[0m"

struct terminal_pen {
  struct page_terminal *t;
  const struct page_marks *marks;
  size_t next;       /* index in marks */
  const char *style; /* of the text, or NULL */
  size_t column;     /* 0: the line is empty */
  size_t hang;       /* additional indent of continuation lines */
  int marked;
};

/* ---- the current line ---- */

static const char style_mark[] = "\033[1;33m";

/* Sets whether the following text is highlighted. */
static void terminal_pen_style(struct terminal_pen *p, int marked) {
  if (!p->t->colour || p->marked == marked)
    return;
  buf_add_str(p->t->out, TERMINAL_PLAIN);
  if (marked)
    buf_add_str(p->t->out, style_mark);
  else if (p->style)
    buf_add_str(p->t->out, p->style);
  p->marked = marked;
}

static void terminal_pen_begin(struct terminal_pen *p, size_t blanks) {
  buf_printf(p->t->out, "%*s", (int)blanks, "");
  if (p->t->colour && p->style)
    buf_add_str(p->t->out, p->style);
  p->column = blanks;
  p->marked = 0;
}

static void terminal_pen_end(struct terminal_pen *p) {
  if (p->t->colour && (p->style || p->marked))
    buf_add_str(p->t->out, TERMINAL_PLAIN);
  p->marked = 0;
  buf_add_char(p->t->out, '\n');
  p->column = 0;
  if (p->t->lines > 0)
    p->t->lines--;
}

/* Draws one character of external text; returns its length in bytes. */
static size_t terminal_pen_character(struct terminal_pen *p, struct slice text) {
  uint32_t c;
  size_t n = mask_decode(text.data, text.len, &c);
  if (p->marks)
    terminal_pen_style(p, page_is_marked(p->marks, text.data, &p->next));
  if (c == '?')
    buf_add_char(p->t->out, '?');
  else
    buf_add(p->t->out, text.data, n);
  p->column += (size_t)mask_columns(c);
  return n;
}

static size_t terminal_word(struct slice text, size_t i) {
  size_t end = i;
  while (end < text.len && text.data[end] != ' ' && text.data[end] != '\n' && text.data[end] != '\t')
    end++;
  return end;
}

static int pen_is_full(const struct terminal_pen *p, size_t columns) {
  return p->column + columns > p->t->width;
}

/* Draws a word, split where it is longer than a line. */
static void pen_word(struct terminal_pen *p, struct slice word) {
  for (size_t i = 0; i < word.len;) {
    if (pen_is_full(p, 1)) {
      terminal_pen_end(p);
      if (p->t->lines == 0)
        return;
      terminal_pen_begin(p, p->t->indent + p->hang);
    }
    i += terminal_pen_character(p, slice_of(word.data + i, word.len - i));
  }
}

/* Draws text wrapped at words, and ends its last line. */
static void terminal_pen_text(struct terminal_pen *p, struct slice text) {
  for (size_t i = 0; i < text.len && p->t->lines > 0;) {
    size_t end = terminal_word(text, i);
    if (end == i) {
      i++;
      continue;
    }
    struct slice word = slice_of(text.data + i, end - i);
    size_t start = p->t->indent + p->hang;
    if (p->column > start && pen_is_full(p, 1 + screen_text_columns(word))) {
      terminal_pen_end(p);
      if (p->t->lines == 0)
        return;
      terminal_pen_begin(p, start);
    } else if (p->column > start) {
      if (p->marks)
        terminal_pen_style(p, 0);
      buf_add_char(p->t->out, ' ');
      p->column++;
    }
    pen_word(p, word);
    i = end;
  }
  if (p->column > 0)
    terminal_pen_end(p);
}

/* ---- tables: how wide their columns are ----
 *
 * Figures are never wrapped.  Heads, labels and texts are, so that the whole takes the fewest lines: for each height of the head its
 * columns need some width, and labels and texts get the rest.  Columns that don't fit go to further blocks, one below another: block i
 * has column 0 and the columns from[i] to from[i + 1]. */

enum {
  ROW_LINES = 10,  /* limit of lines per row; a longer row is treated as text */
  GRID_GAP = 2,    /* columns between two cells */
  GRID_LABEL = 16, /* columns for the words of a label, */
  GRID_WORD = 12,  /* and for other words, that are never split */
  GRID_LEAST = 4,  /* minimum for a label beside figures that need all other space */
  GRID_HEADS = 16  /* lines of a head that are tried */
};

/* What a column needs. */
struct grid_need {
  size_t head;  /* width of the header, */
  size_t body;  /* of the widest cell, */
  size_t piece; /* and of the longest word or figure */
};

struct terminal_grid {
  const struct page_table *table;
  struct grid_need *need;
  size_t *width, *least, *wrapped, *from, blocks;
  size_t room; /* columns of the screen */
};

static size_t grid_more(size_t a, size_t b) {
  return a > b ? a : b;
}

static size_t grid_less(size_t a, size_t b) {
  return a < b ? a : b;
}

/* The blanks before each line of a cell: those of its label's level, but at most half of the width. */
static size_t cell_blanks(struct slice cell, size_t width) {
  size_t n = 0;
  while (n < cell.len && n < width / 2 && cell.data[n] == ' ')
    n++;
  return n;
}

/* Reads a cell's next line of at most `width` columns, wrapped at blanks; a longer word is split.  0 at the end. */
static int cell_line(struct slice cell, size_t width, size_t *at, struct slice *line) {
  width -= cell_blanks(cell, width);
  while (*at < cell.len && cell.data[*at] == ' ')
    ++*at;
  if (*at >= cell.len)
    return 0;
  size_t used = 0, end = *at, blank = 0;
  while (end < cell.len) {
    uint32_t c;
    size_t n = mask_decode(cell.data + end, cell.len - end, &c), w = (size_t)mask_columns(c);
    if (c == ' ')
      blank = end;
    if (used + w > width && end > *at)
      break;
    used += w;
    end += n;
  }
  if (end < cell.len && cell.data[end] != ' ' && blank > *at)
    end = blank;
  *line = slice_of(cell.data + *at, end - *at);
  if (end < cell.len) /* the blank behind a figure of a whole cell stands for a mark */
    *line = slice_trimmed(*line);
  *at = end;
  return 1;
}

static size_t cell_lines(struct slice cell, size_t width) {
  struct slice line;
  size_t n = 0;
  for (size_t at = 0; cell_line(cell, width, &at, &line);)
    n++;
  return n;
}

/* The width of the longest word. */
static size_t cell_word(struct slice text) {
  size_t most = 0;
  for (size_t from = 0, end; from < text.len; from = end + 1) {
    for (end = from; end < text.len && text.data[end] != ' ';)
      end++;
    most = grid_more(most, screen_text_columns(slice_of(text.data + from, end - from)));
  }
  return most;
}

/* A label alone may be as long as the screen is wide. */
static size_t row_width(const struct terminal_grid *g, size_t row, size_t i) {
  return i == 0 && page_row_is_label(g->table, row) ? g->room : g->width[i];
}

/* Column 0, then the columns of the block. */
static size_t block_column(const struct terminal_grid *g, size_t block, size_t k) {
  return k == 0 ? 0 : g->from[block] + k - 1;
}

static size_t block_columns(const struct terminal_grid *g, size_t block) {
  return 1 + g->from[block + 1] - g->from[block];
}

static size_t block_width(const struct terminal_grid *g, size_t block) {
  size_t all = g->width[0];
  for (size_t i = g->from[block]; i < g->from[block + 1]; i++)
    all += GRID_GAP + g->width[i];
  return all;
}

static size_t grid_row_lines(const struct terminal_grid *g, size_t row, size_t block) {
  size_t most = 1;
  for (size_t k = 0; k < block_columns(g, block); k++) {
    size_t i = block_column(g, block, k);
    most = grid_more(most, cell_lines(page_table_row(g->table, row)[i], row_width(g, row, i)));
  }
  return grid_less(most, ROW_LINES);
}

/* The lines of all blocks. */
static size_t grid_lines(const struct terminal_grid *g) {
  size_t n = g->blocks - 1;
  for (size_t b = 0; b < g->blocks; b++)
    for (size_t row = !g->table->headed; row <= g->table->rows; row++)
      n += grid_row_lines(g, row, b) + (row == 0);
  return n;
}

static void grid_measure(struct terminal_grid *g) {
  const struct page_table *t = g->table;
  for (size_t c = 0; c < t->columns; c++) {
    struct grid_need *need = &g->need[c];
    size_t word = c ? GRID_WORD : GRID_LABEL;
    need->head = screen_text_columns(t->cells[c]);
    need->piece = grid_less(cell_word(t->cells[c]), word);
    for (size_t i = 1; i <= t->rows; i++) {
      struct slice cell = page_table_row(t, i)[c];
      size_t n = screen_text_columns(cell);
      if (c > 0 || t->columns == 1 || !page_row_is_label(t, i))
        need->body = grid_more(need->body, n);
      need->piece = grid_more(
          need->piece, page_is_figure(cell) ? n : grid_less(cell_word(cell), word) + cell_blanks(cell, word));
    }
    need->piece = grid_more(need->piece, 1);
  }
}

/* Shrinks the widest columns first, none below its floor, until all fit. */
static void grid_narrow(struct terminal_grid *g, const size_t *floor) {
  size_t all = 0, columns = g->table->columns;
  for (size_t i = 0; i < columns; i++)
    all += g->width[i] + (i > 0 ? GRID_GAP : 0);
  for (; all > g->room; all--) {
    size_t widest = columns;
    for (size_t i = 0; i < columns; i++)
      if (g->width[i] > floor[i] && (widest == columns || g->width[i] > g->width[widest]))
        widest = i;
    if (widest == columns)
      return;
    g->width[widest]--;
  }
}

/* Distributes columns to blocks, as many as fit into each; labels get the remaining space. */
static void grid_part(struct terminal_grid *g) {
  size_t columns = g->table->columns, room = g->room, used = room + 1, most = 0, *width = g->width;
  for (size_t i = 1; i < columns; i++)
    most = grid_more(most, width[i]);
  if (columns > 1 && width[0] + GRID_GAP + most > room)
    width[0] = room > most + GRID_GAP + GRID_LEAST ? room - most - GRID_GAP : GRID_LEAST;
  g->blocks = 0;
  for (size_t i = 1; i < columns; i++) {
    width[i] = grid_less(width[i], grid_more(room - grid_less(room, width[0] + GRID_GAP), 1));
    if (used + GRID_GAP + width[i] > room) {
      g->from[g->blocks++] = i;
      used = width[0];
    }
    used += GRID_GAP + width[i];
  }
  if (columns <= 1)
    g->from[g->blocks++] = 1;
  g->from[g->blocks] = grid_more(columns, 1);
  for (size_t i = most = 0; i < g->blocks; i++)
    most = grid_more(most, block_width(g, i));
  most = width[0] + (room > most ? room - most : 0);
  width[0] = grid_less(grid_more(grid_more(g->need[0].head, g->need[0].body), 1), most);
}

/* Fits the columns where the head takes `lines` lines at most; returns whether it needs no more with the least widths. */
static int grid_try(struct terminal_grid *g, size_t lines) {
  int least = 1;
  for (size_t i = 0; i < g->table->columns; i++) {
    g->least[i] = g->need[i].piece;
    while (g->least[i] < g->need[i].head && cell_lines(g->table->cells[i], g->least[i]) > lines)
      g->least[i]++, least = 0;
    g->width[i] = grid_more(grid_more(g->need[i].head, g->need[i].body), g->least[i]);
    g->wrapped[i] = grid_more(g->need[i].body, g->least[i]);
  }
  grid_narrow(g, g->wrapped);
  grid_narrow(g, g->least);
  grid_part(g);
  return least;
}

/* Chooses the height of the head with which the table takes the fewest lines.  need and width are the caller's to free. */
static void grid_fit(struct terminal_grid *g, const struct page_table *t, size_t room) {
  size_t n = t->columns + 1, best = 0, fewest = SIZE_MAX;
  *g = (struct terminal_grid){.table = t, .room = room, .need = xcalloc(n, sizeof *g->need)};
  g->width = xcalloc(4 * n + 1, sizeof *g->width);
  g->least = g->width + n, g->wrapped = g->width + 2 * n, g->from = g->width + 3 * n;
  grid_measure(g);
  for (size_t lines = 1, last = 0; lines <= GRID_HEADS && !last; lines++) {
    last = (size_t)grid_try(g, lines);
    size_t all = grid_lines(g);
    if (all <= fewest)
      fewest = all, best = lines;
  }
  grid_try(g, best);
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

/* In the head, row 0, shorter cells are aligned at the bottom. */
static void grid_row_draw(struct page_terminal *t, const struct terminal_grid *g, const struct page_marks *m,
                          size_t row, size_t block) {
  size_t *at = xcalloc(g->table->columns + 1, sizeof *at), all = grid_row_lines(g, row, block);
  struct terminal_pen p = {.t = t, .marks = m, .style = row ? NULL : TERMINAL_HEAD};
  int label = page_row_is_label(g->table, row);
  for (size_t n = 0; n < all; n++) {
    terminal_pen_begin(&p, t->indent);
    for (size_t k = 0; k < (label ? 1 : block_columns(g, block)); k++) {
      size_t i = block_column(g, block, k), width = row_width(g, row, i);
      struct slice cell = page_table_row(g->table, row)[i], line = slice_of("", 0);
      if (row || n + cell_lines(cell, width) >= all)
        cell_line(cell, width, &at[i], &line);
      if (k > 0)
        buf_add_str(t->out, "  ");
      size_t blanks = cell_blanks(cell, width);
      buf_printf(t->out, "%*s", (int)blanks, "");
      cell_draw(&p, line, label ? 0 : width - blanks, g->table->right[i]);
    }
    while (t->out->len && t->out->data[t->out->len - 1] == ' ')
      t->out->len--;
    terminal_pen_end(&p);
  }
  free(at);
}

static void head_draw(struct page_terminal *t, const struct terminal_grid *g, size_t block) {
  if (!g->table->headed)
    return;
  grid_row_draw(t, g, NULL, 0, block);
  buf_printf(t->out, "%*s%s", (int)t->indent, "", t->colour ? TERMINAL_DIM : "");
  for (size_t k = block_width(g, block); k > 0; k--)
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

/* How many rows fit into the lines. */
static size_t grid_fitting(const struct terminal_grid *g, size_t lines) {
  size_t n = 0;
  for (size_t used = 0; n < g->table->rows; n++) {
    for (size_t b = 0; b < g->blocks; b++)
      used += grid_row_lines(g, n + 1, b);
    if (n > 0 && used > lines)
      break;
  }
  return n;
}

void page_terminal_table(struct page_terminal *t, const struct page_table *table,
                         const struct page_marks *m) {
  struct terminal_grid grid, *g = &grid;
  grid_fit(g, table, t->width > t->indent ? t->width - t->indent : 1);
  if (table->above.len)
    page_terminal_text(t, table->above, TERMINAL_HEAD, 0);
  size_t heads = table->headed ? 2 * g->blocks : 0, room = t->lines > heads ? t->lines - heads : 0;
  size_t count = grid_fitting(g, room);
  if (count < table->rows) /* the note about omitted rows needs a line */
    count = grid_fitting(g, room - (room > 0));
  for (size_t k = 0; k < g->blocks; k++) {
    if (k > 0)
      buf_add_char(t->out, '\n');
    head_draw(t, g, k);
    for (size_t row = 1; row <= count; row++)
      grid_row_draw(t, g, m, row, k);
  }
  table_note(t, table->rows - count);
  free(g->need);
  free(g->width);
}

void page_terminal_text(struct page_terminal *t, struct slice text, const char *style, size_t first) {
  struct terminal_pen p = {.t = t, .style = style};
  if (t->lines == 0)
    return;
  terminal_pen_begin(&p, first ? 0 : t->indent);
  if (first)
    p.column = first;
  terminal_pen_text(&p, text);
}

/* ---- passages ---- */

/* Wraps a line of fixed text at blanks where it is too wide: it may be a row of figures. */
static void terminal_fixed_line(struct terminal_pen *p, struct slice line) {
  size_t room = p->t->width > p->t->indent ? p->t->width - p->t->indent : 1, at = 0, blanks = 0;
  struct slice part;
  while (line.len && line.data[line.len - 1] == ' ')
    line.len--;
  while (blanks < line.len && line.data[blanks] == ' ')
    blanks++;
  blanks = blanks < room / 2 ? blanks : 0;
  terminal_pen_begin(p, p->t->indent + blanks);
  for (int n = 0; cell_line(line, room - blanks, &at, &part) && p->t->lines > 0; n++) {
    if (n > 0) {
      terminal_pen_end(p);
      terminal_pen_begin(p, p->t->indent + blanks);
    }
    for (size_t i = 0; i < part.len;)
      i += terminal_pen_character(p, slice_of(part.data + i, part.len - i));
    terminal_pen_style(p, 0);
  }
  terminal_pen_end(p);
}

static void terminal_fixed(struct page_terminal *t, const struct page_marks *m, struct slice text) {
  struct terminal_pen p = {.t = t, .marks = m};
  for (size_t i = 0; i < text.len && t->lines > 0;) {
    size_t end = i;
    while (end < text.len && text.data[end] != '\n')
      end++;
    terminal_fixed_line(&p, slice_of(text.data + i, end - i));
    i = end + 1;
  }
}

/* Returns the number of columns used. */
static size_t terminal_strong(struct page_terminal *t, struct slice name) {
  if (name.len == 0)
    return 0;
  buf_add_str(t->out, t->colour ? TERMINAL_HEAD : "");
  buf_add_masked(t->out, name);
  buf_printf(t->out, "%s ", t->colour ? TERMINAL_PLAIN : "");
  return screen_text_columns(name) + 1;
}

static void terminal_block(struct page_terminal *t, const struct page_marks *m, const struct page_block *b) {
  struct terminal_pen p = {.t = t, .marks = m, .style = b->kind == PAGE_HEADING ? TERMINAL_HEAD : NULL};
  if (b->kind == PAGE_TABLE) {
    struct page_table table;
    page_table_read(&table, b->text, b->head);
    page_terminal_table(t, &table, m);
    page_table_release(&table);
    return;
  }
  if (b->kind == PAGE_FIXED) {
    terminal_fixed(t, m, b->text);
    return;
  }
  terminal_pen_begin(&p, t->indent + (b->kind == PAGE_ITEM ? 2 * (size_t)b->level : 0));
  if (b->kind == PAGE_ITEM) {
    size_t before = p.column - t->indent;
    buf_add_slice(t->out, b->label);
    p.hang = before + b->label.len;
    p.column += b->label.len;
    p.column += terminal_strong(t, b->strong);
  }
  terminal_pen_text(&p, b->text);
}

void page_terminal_passage(struct page_terminal *t, struct page_passage passage, const struct page_marks *m) {
  struct page_block b;
  size_t at = 0;
  while (t->lines > 0 && page_next_block(passage, &at, &b))
    terminal_block(t, m, &b);
  if (page_next_block(passage, &at, &b))
    buf_printf(t->out, "%*s" TERMINAL_ELLIPSIS "\n", (int)t->indent, "");
}

/* ---- URLs and sizes ---- */

void page_terminal_link(struct page_terminal *t, struct slice url) {
  int link = t->colour && page_may_link(url) && url.len < 2000;
  buf_printf(t->out, "%*s%s", (int)t->indent, "", t->colour ? TERMINAL_DIM : "");
  if (link)
    buf_printf(t->out, "\033]8;;%.*s\033\\", (int)url.len, url.data);
  buf_add_masked(t->out, url);
  buf_printf(t->out, "%s%s\n", link ? "\033]8;;\033\\" : "", t->colour ? TERMINAL_PLAIN : "");
}

size_t page_terminal_width(void) {
  size_t n = screen_columns();
  return n == 0 ? 80 : n < 40 ? 40 : n > 160 ? 160 : n;
}

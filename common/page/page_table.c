/* page_table.c: reads a Markdown table back: its head and its rows. */
#include "page/page_table.h"

#include <stdlib.h>

/* ---- rows ---- */

int page_is_rule(struct slice line) {
  int dashes = 0;
  for (size_t i = 0; i < line.len; i++) {
    dashes |= line.data[i] == '-';
    if (!strchr("|-: \r", line.data[i]))
      return 0;
  }
  return dashes && *line.data == '|';
}

size_t page_cell_end(struct slice row, size_t from) {
  while (from < row.len && (row.data[from] != '|' || (from > 0 && row.data[from - 1] == '\\')))
    from++;
  return from;
}

size_t page_row_split(struct slice line, struct slice cells[PAGE_COLUMNS]) {
  size_t count = 0;
  for (size_t from = line.len > 0 && line.data[0] == '|', end; from <= line.len; from = end + 1) {
    end = count < PAGE_COLUMNS - 1 ? page_cell_end(line, from) : line.len;
    struct slice cell = slice_trimmed(slice_of(line.data + from, end - from));
    if (end < line.len || cell.len)
      cells[count++] = cell;
  }
  return count;
}

void page_table_init(struct page_table *t, size_t columns, size_t rows) {
  *t = (struct page_table){.columns = columns, .rows = rows};
  t->cells = xcalloc((rows + 1) * columns + 1, sizeof *t->cells);
  t->right = xcalloc(columns + 1, 1);
  for (size_t i = 0; i < (rows + 1) * columns; i++)
    t->cells[i].data = "";
}

void page_table_release(struct page_table *t) {
  free(t->cells);
  free(t->right);
}

struct slice *page_table_row(const struct page_table *t, size_t i) {
  return t->cells + i * t->columns;
}

int page_cells_are_label(const struct slice *cells, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (cells[i].len)
      return 0;
  return 1;
}

int page_row_is_label(const struct page_table *t, size_t i) {
  return page_cells_are_label(page_table_row(t, i), t->columns);
}

/* ---- the headings of groups ---- */

size_t page_row_level(struct slice row) {
  size_t blanks = 0;
  while (blanks + 1 < row.len && row.data[0] == '|' && row.data[blanks + 1] == ' ')
    blanks++;
  return blanks / 2;
}

size_t page_groups_row(struct page_groups *g, struct slice row, size_t at) {
  struct slice cells[PAGE_COLUMNS];
  size_t cell_count = page_row_split(row, cells), level = page_row_level(row);
  int label = cell_count > 1 && page_cells_are_label(cells, cell_count), after_label = g->label;
  g->label = label;
  if (cell_count == 0 || cells[0].len == 0) {
    g->label = 0;
    return g->count;
  }
  for (; g->count > 0; g->count--) {
    const struct page_group *last = &g->open[g->count - 1];
    if (level > last->level || (level == last->level && (label ? after_label : !last->deeper)))
      break;
  }
  size_t count = g->count;
  for (size_t i = 0; i < count; i++)
    g->open[i].deeper |= !label && level > g->open[i].level;
  if (label) {
    count -= count == PAGE_GROUPS;
    g->open[count] = (struct page_group){at, level, 0};
    g->count = count + 1;
  }
  return count;
}

int page_is_figure(struct slice cell) {
  size_t digits = 0, letters = 0;
  for (size_t i = 0; i < cell.len; i++) {
    char c = cell.data[i];
    digits += c >= '0' && c <= '9';
    letters += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
  return digits ? letters <= 3 && cell.len <= 32 : slice_is(cell, "-") || slice_is(cell, "\xe2\x80\x94");
}

/* ---- heads ---- */

/* Detects columns of figures.  Returns whether no column but the first is one of texts. */
static int head_guess_right(struct page_table *t) {
  int figures = 1;
  for (size_t c = 1; c < t->columns; c++) {
    int more = 0; /* excess of figures over texts */
    for (size_t i = 1; i <= t->rows; i++) {
      struct slice cell = page_table_row(t, i)[c];
      more += cell.len == 0 ? 0 : page_is_figure(cell) ? 1 : -1;
    }
    t->right[c] = more > 0;
    figures &= more >= 0;
  }
  return figures;
}

/* A header from the context has no empty cells.  It has as many cells as the table, or one less where that of the
 * labels is empty: all other columns are figures; otherwise its cells can't be assigned to columns. */
static void head_take(struct page_table *t, struct slice head, int figures) {
  struct slice cells[PAGE_COLUMNS];
  size_t count = page_row_split(head, cells), skip = count > 0 && t->columns == count + 1 && figures;
  if (count + skip == t->columns)
    memcpy(t->cells + skip, cells, count * sizeof *cells);
  else
    t->above = head;
}

/* Length of the common start of two texts, or of their common end. */
static size_t head_same(struct slice a, struct slice b, int end) {
  size_t n = 0;
  while (n < a.len && n < b.len && a.data[end ? a.len - 1 - n : n] == b.data[end ? b.len - 1 - n : n])
    n++;
  return n;
}

enum { HEAD_SHARED = 12 }; /* bytes of a start or an end that all headers share, at least; it is shown once */

/* Removes such a start, up to a blank, or such an end with a unit, from a blank on, from the headers. */
static void head_take_shared(struct page_table *t, int end) {
  struct slice *h = t->cells;
  size_t n = t->columns > 2 && t->above.len == 0 ? h[1].len : 0;
  for (size_t i = 2; i < t->columns; i++) {
    size_t same = head_same(h[1], h[i], end);
    n = same < n ? same : n;
  }
  while (n > 0 && h[1].data[end ? h[1].len - n : n - 1] != ' ')
    n--;
  struct slice shared = slice_of(h[1].data + (end ? h[1].len - n : 0), n);
  if (n < HEAD_SHARED || (end && memchr(shared.data, '(', n) == NULL))
    return;
  t->above = slice_trimmed(shared);
  for (size_t i = 1; i < t->columns; i++)
    h[i] = slice_trimmed(slice_of(h[i].data + (end ? 0 : n), h[i].len - n));
}

/* Reads the next line that is no rule; 0 after the last. */
static int table_next_row(struct slice lines, size_t *at, struct slice *line) {
  while (*at < lines.len) {
    *line = page_line(lines, *at);
    *at += line->len + 1;
    if (line->len && !page_is_rule(*line))
      return 1;
  }
  return 0;
}

void page_table_read(struct page_table *t, struct slice lines, struct slice head) {
  struct slice cells[PAGE_COLUMNS], line, first = page_line(lines, 0), rule = {NULL, 0};
  size_t columns = 0, rows = 0;
  if (first.len + 1 < lines.len && !page_is_rule(first))
    rule = page_line(lines, first.len + 1);
  int has_head = rule.len && page_is_rule(rule);
  for (size_t at = 0, n; table_next_row(lines, &at, &line); rows++) {
    n = page_row_split(line, cells);
    columns = n > columns ? n : columns;
  }
  page_table_init(t, columns, rows - (size_t)has_head);
  for (size_t at = 0, i = !has_head; table_next_row(lines, &at, &line); i++) {
    struct slice *row = page_table_row(t, i);
    memcpy(row, cells, page_row_split(line, cells) * sizeof *cells);
    size_t blanks = i > 0 && columns > 0 && row->len > 0 ? 2 * page_row_level(line) : 0;
    *row = slice_of(row->data - blanks, row->len + blanks);
  }
  int figures = head_guess_right(t);
  for (size_t i = has_head ? page_row_split(rule, cells) : 0; i-- > 0;)
    if (i < columns)
      t->right[i] |= cells[i].len && cells[i].data[cells[i].len - 1] == ':';
  if (!has_head)
    head_take(t, head, figures);
  for (size_t i = 0; i < columns; i++)
    t->headed |= t->cells[i].len > 0;
  head_take_shared(t, 1);
  head_take_shared(t, 0);
}

/* page_table.c: reads a Markdown table back: its head, its rows, and the widths that its columns need. */
#include "page/page_table.h"

#include "base/mask.h"
#include "base/screen.h"

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

/* Whether it is a number, an amount, a percentage or a dash, which is never wrapped. */
static int page_is_figure(struct slice cell) {
  size_t digits = 0, letters = 0;
  for (size_t i = 0; i < cell.len; i++) {
    char c = cell.data[i];
    digits += c >= '0' && c <= '9';
    letters += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
  return digits ? letters <= 3 && cell.len <= 32 : slice_is(cell, "-") || slice_is(cell, "\xe2\x80\x94");
}

/* ---- heads ---- */

/* Detects columns of figures where there is no rule. */
static void head_guess_right(struct page_table *t) {
  for (size_t c = 1; c < t->columns; c++) {
    int more = 0; /* excess of figures over texts */
    for (size_t i = 1; i <= t->rows; i++) {
      struct slice cell = page_table_row(t, i)[c];
      more += cell.len == 0 ? 0 : page_is_figure(cell) ? 1 : -1;
    }
    t->right[c] = more > 0;
  }
}

/* A header from the context has no empty cells.  It has as many cells as the table, or one less if the first cell is
 * a period; otherwise its cells can't be assigned to columns. */
static void head_take(struct page_table *t, struct slice head) {
  struct slice cells[PAGE_COLUMNS];
  size_t count = page_row_split(head, cells), digits = 0;
  size_t skip = count && t->columns == count + 1 && page_is_figure(cells[count - 1]);
  for (size_t i = 0; skip && i < cells[0].len; i++)
    digits += cells[0].data[i] >= '0' && cells[0].data[i] <= '9';
  skip &= digits > 0;
  if (count + skip == t->columns)
    memcpy(t->cells + skip, cells, count * sizeof *cells);
  else
    t->above = head;
}

/* Length of the common suffix of two texts. */
static size_t head_same_end(struct slice a, struct slice b) {
  size_t n = 0;
  while (n < a.len && n < b.len && a.data[a.len - 1 - n] == b.data[b.len - 1 - n])
    n++;
  return n;
}

enum { HEAD_SHARED = 12 }; /* minimum length of a suffix that all headers share, which is then shown once */

/* Removes such a suffix, from a blank on, from the headers. */
static void head_take_shared(struct page_table *t) {
  struct slice *h = t->cells;
  size_t n = t->columns > 2 ? h[1].len : 0;
  for (size_t i = 2; i < t->columns; i++) {
    size_t same = head_same_end(h[1], h[i]);
    n = same < n ? same : n;
  }
  while (n > 0 && h[1].data[h[1].len - n] != ' ')
    n--;
  if (n < HEAD_SHARED || memchr(h[1].data + h[1].len - n, '(', n) == NULL)
    return;
  t->above = slice_trimmed(slice_of(h[1].data + h[1].len - n, n));
  for (size_t i = 1; i < t->columns; i++)
    h[i] = slice_trimmed(slice_of(h[i].data, h[i].len - n));
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
  for (size_t at = 0, i = !has_head; table_next_row(lines, &at, &line); i++)
    memcpy(page_table_row(t, i), cells, page_row_split(line, cells) * sizeof *cells);
  for (size_t i = has_head ? page_row_split(rule, cells) : 0; i-- > 0;)
    if (i < columns)
      t->right[i] = cells[i].len && cells[i].data[cells[i].len - 1] == ':';
  if (!has_head) {
    head_guess_right(t);
    head_take(t, head);
  }
  for (size_t i = 0; i < columns; i++)
    t->headed |= t->cells[i].len > 0;
  head_take_shared(t);
}

/* ---- widths ---- */

int page_cell_line(struct slice cell, size_t width, size_t *at, struct slice *line) {
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

enum {
  LAYOUT_LABEL = 16, /* columns for the words of a label, */
  LAYOUT_WORD = 12,  /* and for other words, that are never split */
  LAYOUT_LEAST = 4   /* minimum for a label beside figures that need all other space */
};

struct layout_need {
  size_t head, head_word; /* width of the header and of its longest word */
  size_t body, piece;     /* width of the widest cell and of its longest word or figure */
};

static size_t layout_word(struct slice text) {
  size_t most = 0;
  for (size_t from = 0, end; from < text.len; from = end + 1) {
    for (end = from; end < text.len && text.data[end] != ' ';)
      end++;
    size_t n = screen_text_columns(slice_of(text.data + from, end - from));
    most = n > most ? n : most;
  }
  return most;
}

static size_t layout_most(size_t a, size_t b) {
  return a > b ? a : b;
}

static size_t layout_at_most(size_t n, size_t limit) {
  return n < limit ? n : limit;
}

static void layout_measure(struct layout_need *need, const struct page_table *t) {
  for (size_t c = 0; c < t->columns; c++) {
    size_t word = c ? LAYOUT_WORD : LAYOUT_LABEL;
    need[c].head = screen_text_columns(t->cells[c]);
    need[c].head_word = layout_at_most(layout_word(t->cells[c]), word);
    for (size_t i = 1; i <= t->rows; i++) {
      struct slice cell = page_table_row(t, i)[c];
      size_t n = screen_text_columns(cell);
      if (c > 0 || t->columns == 1 || !page_row_is_label(t, i))
        need[c].body = layout_most(need[c].body, n);
      need[c].piece =
          layout_most(need[c].piece, page_is_figure(cell) ? n : layout_at_most(layout_word(cell), word));
    }
  }
}

static size_t layout_total(const struct page_layout *l, size_t columns) {
  size_t all = 0;
  for (size_t i = 0; i < columns; i++)
    all += l->width[i] + (i > 0 ? PAGE_GAP : 0);
  return all;
}

/* Shrinks the widest columns first, none below its floor, until all fit. */
static void layout_shrink(struct page_layout *l, size_t columns, const size_t *floor, size_t room) {
  for (size_t all = layout_total(l, columns); all > room; all--) {
    size_t widest = columns;
    for (size_t i = 0; i < columns; i++)
      if (l->width[i] > floor[i] && (widest == columns || l->width[i] > l->width[widest]))
        widest = i;
    if (widest == columns)
      return;
    l->width[widest]--;
  }
}

size_t page_layout_width(const struct page_layout *l, size_t block) {
  size_t all = l->width[0];
  for (size_t i = l->from[block]; i < l->from[block + 1]; i++)
    all += PAGE_GAP + l->width[i];
  return all;
}

/* Distributes columns to blocks, as many as fit into each; labels get the remaining space. */
static void layout_part(struct page_layout *l, size_t columns, size_t room, size_t label) {
  size_t used = room + 1, most = 0;
  for (size_t i = 1; i < columns; i++)
    most = layout_most(most, l->width[i]);
  if (columns > 1 && l->width[0] + PAGE_GAP + most > room)
    l->width[0] = room > most + PAGE_GAP + LAYOUT_LEAST ? room - most - PAGE_GAP : LAYOUT_LEAST;
  l->blocks = 0;
  for (size_t i = 1; i < columns; i++) {
    l->width[i] =
        layout_at_most(l->width[i], layout_most(room - layout_at_most(room, l->width[0] + PAGE_GAP), 1));
    if (used + PAGE_GAP + l->width[i] > room) {
      l->from[l->blocks++] = i;
      used = l->width[0];
    }
    used += PAGE_GAP + l->width[i];
  }
  if (columns <= 1)
    l->from[l->blocks++] = 1;
  l->from[l->blocks] = layout_most(columns, 1);
  for (size_t i = most = 0; i < l->blocks; i++)
    most = layout_most(most, page_layout_width(l, i));
  l->width[0] = layout_at_most(label, l->width[0] + (room > most ? room - most : 0));
}

void page_layout_fit(struct page_layout *l, const struct page_table *t, size_t room) {
  size_t n = t->columns + 1, *sizes = xcalloc(4 * n + 1, sizeof *sizes);
  size_t *heads_wrapped = sizes + n, *least = sizes + 2 * n, label;
  struct layout_need *need = xcalloc(n, sizeof *need);
  *l = (struct page_layout){.width = sizes, .from = sizes + 3 * n, .room = room};
  layout_measure(need, t);
  for (size_t i = 0; i < t->columns; i++) {
    l->width[i] = layout_at_most(layout_most(need[i].head, need[i].body), layout_most(room, need[i].piece));
    least[i] = layout_most(layout_most(need[i].piece, need[i].head_word), 1);
    heads_wrapped[i] = layout_most(need[i].body, least[i]);
  }
  label = layout_most(l->width[0], 1);
  layout_shrink(l, t->columns, heads_wrapped, room);
  layout_shrink(l, t->columns, least, room);
  layout_part(l, t->columns, room, label);
  free(need);
}

void page_layout_release(struct page_layout *l) {
  free(l->width);
}

#include "page/terminal.h"

#include "base/mask.h"
#include "base/screen.h"

#include <stdlib.h>
#include <unistd.h>

#define ELLIPSIS "\xe2\x80\xa6"

static const char style_mark[] = "\033[1;33m", style_head[] = "\033[1m", style_plain[] = "\033[0m",
                  style_dim[] = "\033[2m";

/* A line being filled. */
struct terminal_pen {
  struct page_terminal *t;
  const struct page_marks *marks;
  size_t next;       /* of marks */
  const char *style; /* of the text, or NULL */
  size_t column;     /* 0: nothing is on the line yet */
  size_t hang;       /* blanks more before further lines */
  int marked;
};

static void pen_style(struct terminal_pen *p, int marked) {
  if (!p->t->colour || p->marked == marked)
    return;
  buf_add_str(p->t->out, style_plain);
  if (marked)
    buf_add_str(p->t->out, style_mark);
  else if (p->style)
    buf_add_str(p->t->out, p->style);
  p->marked = marked;
}

static void pen_begin(struct terminal_pen *p, size_t blanks) {
  buf_printf(p->t->out, "%*s", (int)blanks, "");
  if (p->t->colour && p->style)
    buf_add_str(p->t->out, p->style);
  p->column = blanks;
  p->marked = 0;
}

static void pen_end(struct terminal_pen *p) {
  if (p->t->colour && (p->style || p->marked))
    buf_add_str(p->t->out, style_plain);
  p->marked = 0;
  buf_add_char(p->t->out, '\n');
  p->column = 0;
  if (p->t->lines > 0)
    p->t->lines--;
}

/* One character of somebody else's text. */
static size_t pen_character(struct terminal_pen *p, struct slice text) {
  uint32_t c;
  size_t n = mask_decode(text.data, text.len, &c);
  if (p->marks)
    pen_style(p, page_is_marked(p->marks, text.data, &p->next));
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

/* A word that is longer than a line is cut where the line ends. */
static void pen_word(struct terminal_pen *p, struct slice word) {
  for (size_t i = 0; i < word.len;) {
    if (pen_is_full(p, 1)) {
      pen_end(p);
      if (p->t->lines == 0)
        return;
      pen_begin(p, p->t->indent + p->hang);
    }
    i += pen_character(p, slice_of(word.data + i, word.len - i));
  }
}

static void pen_text(struct terminal_pen *p, struct slice text) {
  for (size_t i = 0; i < text.len && p->t->lines > 0;) {
    size_t end = terminal_word(text, i);
    if (end == i) {
      i++;
      continue;
    }
    struct slice word = slice_of(text.data + i, end - i);
    size_t start = p->t->indent + p->hang;
    if (p->column > start && pen_is_full(p, 1 + screen_text_columns(word))) {
      pen_end(p);
      if (p->t->lines == 0)
        return;
      pen_begin(p, start);
    } else if (p->column > start) {
      if (p->marks)
        pen_style(p, 0);
      buf_add_char(p->t->out, ' ');
      p->column++;
    }
    pen_word(p, word);
    i = end;
  }
  if (p->column > 0)
    pen_end(p);
}

void page_terminal_text(struct page_terminal *t, struct slice text, const char *style, size_t first) {
  struct terminal_pen p = {.t = t, .style = style};
  if (t->lines == 0)
    return;
  pen_begin(&p, first ? 0 : t->indent);
  if (first)
    p.column = first;
  pen_text(&p, text);
}

/* ---- tables ---- */

enum {
  TERMINAL_LABEL = 16,
  TERMINAL_CELL = 6
}; /* columns that a label, and any other cell, is cut to at most */

#define LEAST_ROWS 4 /* of a table, even where the lines are used up */

struct terminal_table {
  size_t width[PAGE_COLUMNS];
  size_t columns, rows, marked; /* marked: the first row with a mark, or rows */
  unsigned long long right;
};

static void table_measure(struct terminal_table *x, const struct page_marks *m, struct slice table) {
  struct page_row row;
  memset(x, 0, sizeof *x);
  x->marked = (size_t)-1;
  page_table_right(table, &x->right);
  for (size_t at = 0; page_next_row(table, &at, &row); x->rows++) {
    for (size_t i = 0; i < row.count; i++) {
      size_t n = screen_text_columns(row.cell[i]);
      x->width[i] = n > x->width[i] ? n : x->width[i];
      if (x->rows > 0 && x->marked == (size_t)-1 && m && page_has_mark(m, row.cell[i]))
        x->marked = x->rows;
    }
    x->columns = row.count > x->columns ? row.count : x->columns;
  }
}

static size_t table_width(const struct terminal_table *x) {
  size_t all = 0;
  for (size_t i = 0; i < x->columns; i++)
    all += x->width[i] + (i > 0 ? 2 : 0);
  return all;
}

/* Makes the widest columns narrower until all fit; where they can't, columns leave at the right. */
static void table_fit(struct terminal_table *x, size_t room) {
  size_t all;
  while ((all = table_width(x)) > room && x->columns > 0) {
    size_t widest = 0;
    for (size_t i = 1; i < x->columns; i++)
      if (x->width[i] > x->width[widest])
        widest = i;
    size_t least = widest == 0 ? TERMINAL_LABEL : TERMINAL_CELL, over = all - room;
    if (widest == 0 || x->width[widest] > 2 * TERMINAL_LABEL || !(x->right >> widest & 1)) {
      size_t to = x->width[widest] > over + least ? x->width[widest] - over : least;
      if (to < x->width[widest]) {
        x->width[widest] = to;
        continue;
      }
    }
    if (x->width[0] > TERMINAL_LABEL && widest != 0) {
      x->width[0] = x->width[0] > over + TERMINAL_LABEL ? x->width[0] - over : TERMINAL_LABEL;
      continue;
    }
    x->columns--;
  }
}

static void table_cell(struct terminal_pen *p, struct slice cell, size_t width, int right) {
  size_t columns = screen_text_columns(cell), used = 0;
  int cut = columns > width;
  if (right && !cut)
    buf_printf(p->t->out, "%*s", (int)(width - columns), "");
  for (size_t i = 0; i < cell.len;) {
    uint32_t c;
    size_t n = mask_decode(cell.data + i, cell.len - i, &c), w = (size_t)mask_columns(c);
    if (c == '\\' && i + 1 < cell.len && cell.data[i + 1] == '|') {
      i++;
      continue;
    }
    if (cut && used + w > width - 1)
      break;
    pen_character(p, slice_of(cell.data + i, cell.len - i));
    used += w;
    i += n;
  }
  if (p->marks)
    pen_style(p, 0);
  if (cut) {
    buf_add_str(p->t->out, ELLIPSIS);
    used++;
  }
  if (!right || cut)
    buf_printf(p->t->out, "%*s", (int)(width > used ? width - used : 0), "");
}

static void table_row(struct page_terminal *t, const struct terminal_table *x, const struct page_marks *m,
                      const struct page_row *row, const char *style) {
  struct terminal_pen p = {.t = t, .marks = m, .style = style};
  pen_begin(&p, t->indent);
  for (size_t i = 0; i < x->columns; i++) {
    if (i > 0)
      buf_add_str(t->out, "  ");
    table_cell(&p, i < row->count ? row->cell[i] : slice_of("", 0), x->width[i], (int)(x->right >> i & 1));
  }
  while (t->out->len && t->out->data[t->out->len - 1] == ' ')
    t->out->len--;
  pen_end(&p);
}

static void table_note(struct page_terminal *t, size_t rows, size_t columns) {
  if (!rows && !columns)
    return;
  buf_printf(t->out, "%*s%s" ELLIPSIS, (int)t->indent, "", t->colour ? style_dim : "");
  if (rows)
    buf_printf(t->out, " %zu more row%s", rows, rows > 1 ? "s" : "");
  if (columns)
    buf_printf(t->out, "%s %zu more column%s", rows ? "," : "", columns, columns > 1 ? "s" : "");
  buf_printf(t->out, "%s\n", t->colour ? style_plain : "");
  if (t->lines > 0)
    t->lines--;
}

/* The head, a line, and as many rows as there is room for, from one where the first mark is among them. */
static void terminal_table(struct page_terminal *t, const struct page_marks *m, struct slice table) {
  struct terminal_table x;
  struct page_row row;
  table_measure(&x, m, table);
  size_t all = x.columns;
  table_fit(&x, t->width > t->indent ? t->width - t->indent : 1);
  size_t room = t->lines > LEAST_ROWS + 2 ? t->lines - 2 : LEAST_ROWS, first = 1;
  size_t shown = x.rows > room + 1 ? room - 1 : room;
  if (x.marked != (size_t)-1 && x.marked >= 1 + shown)
    first = x.marked + 2 > shown ? x.marked + 2 - shown : 1;
  size_t drawn = 0;
  for (size_t at = 0, i = 0; page_next_row(table, &at, &row); i++) {
    if (i == 0) {
      table_row(t, &x, m, &row, style_head);
      buf_printf(t->out, "%*s%s", (int)t->indent, "", t->colour ? style_dim : "");
      for (size_t k = table_width(&x); k > 0; k--)
        buf_add_str(t->out, "\xe2\x94\x80");
      buf_printf(t->out, "%s\n", t->colour ? style_plain : "");
      t->lines -= t->lines > 0;
    } else if (i >= first && drawn < shown) {
      table_row(t, &x, m, &row, NULL);
      drawn++;
    }
  }
  table_note(t, x.rows > 1 + drawn ? x.rows - 1 - drawn : 0, all - x.columns);
}

/* ---- passages ---- */

static void terminal_fixed(struct page_terminal *t, const struct page_marks *m, struct slice text) {
  struct terminal_pen p = {.t = t, .marks = m};
  for (size_t i = 0; i < text.len && t->lines > 0;) {
    size_t end = i;
    while (end < text.len && text.data[end] != '\n')
      end++;
    pen_begin(&p, t->indent);
    while (i < end && !pen_is_full(&p, 1))
      i += pen_character(&p, slice_of(text.data + i, end - i));
    pen_style(&p, 0);
    pen_end(&p);
    i = end + 1;
  }
}

/* Returns the columns. */
static size_t terminal_strong(struct page_terminal *t, struct slice name) {
  if (name.len == 0)
    return 0;
  buf_add_str(t->out, t->colour ? style_head : "");
  buf_add_masked(t->out, name);
  buf_printf(t->out, "%s ", t->colour ? style_plain : "");
  return screen_text_columns(name) + 1;
}

static void terminal_block(struct page_terminal *t, const struct page_marks *m, const struct page_block *b) {
  struct terminal_pen p = {.t = t, .marks = m, .style = b->kind == PAGE_HEADING ? style_head : NULL};
  if (b->kind == PAGE_TABLE) {
    terminal_table(t, m, b->text);
    return;
  }
  if (b->kind == PAGE_FIXED) {
    terminal_fixed(t, m, b->text);
    return;
  }
  pen_begin(&p, t->indent + (b->kind == PAGE_ITEM ? 2 * (size_t)b->level : 0));
  if (b->kind == PAGE_ITEM) {
    size_t before = p.column - t->indent;
    buf_add_slice(t->out, b->label);
    p.hang = before + b->label.len;
    p.column += b->label.len;
    p.column += terminal_strong(t, b->strong);
  }
  pen_text(&p, b->text);
}

void page_terminal_passage(struct page_terminal *t, struct slice text, const struct page_marks *m) {
  struct page_block b;
  size_t at = 0;
  while (t->lines > 0 && page_next_block(text, &at, &b))
    terminal_block(t, m, &b);
  if (page_next_block(text, &at, &b))
    buf_printf(t->out, "%*s" ELLIPSIS "\n", (int)t->indent, "");
}

/* ---- addresses and sizes ---- */

void page_terminal_link(struct page_terminal *t, struct slice url) {
  int link = t->colour && page_may_link(url) && url.len < 2000;
  buf_printf(t->out, "%*s%s", (int)t->indent, "", t->colour ? style_dim : "");
  if (link)
    buf_printf(t->out, "\033]8;;%.*s\033\\", (int)url.len, url.data);
  buf_add_masked(t->out, url);
  buf_printf(t->out, "%s%s\n", link ? "\033]8;;\033\\" : "", t->colour ? style_plain : "");
}

size_t page_terminal_width(void) {
  size_t n = screen_columns();
  return n == 0 ? 80 : n < 40 ? 40 : n > 160 ? 160 : n;
}

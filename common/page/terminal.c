#include "page/terminal_table.h"

#include "base/mask.h"
#include "base/screen.h"
#include "page/page_table.h"

#include <stdlib.h>
#include <unistd.h>

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
  while (blanks < line.len && line.data[blanks] == ' ')
    blanks++;
  blanks = blanks < room / 2 ? blanks : 0;
  terminal_pen_begin(p, p->t->indent + blanks);
  for (int n = 0; page_cell_line(line, room - blanks, &at, &part) && p->t->lines > 0; n++) {
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
    terminal_table(t, m, b);
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

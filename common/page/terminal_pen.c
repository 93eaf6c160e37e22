#include "page/terminal_pen.h"

#include "base/mask.h"
#include "base/screen.h"

static const char style_mark[] = "\033[1;33m";

void terminal_pen_style(struct terminal_pen *p, int marked) {
  if (!p->t->colour || p->marked == marked)
    return;
  buf_add_str(p->t->out, TERMINAL_PLAIN);
  if (marked)
    buf_add_str(p->t->out, style_mark);
  else if (p->style)
    buf_add_str(p->t->out, p->style);
  p->marked = marked;
}

void terminal_pen_begin(struct terminal_pen *p, size_t blanks) {
  buf_printf(p->t->out, "%*s", (int)blanks, "");
  if (p->t->colour && p->style)
    buf_add_str(p->t->out, p->style);
  p->column = blanks;
  p->marked = 0;
}

void terminal_pen_end(struct terminal_pen *p) {
  if (p->t->colour && (p->style || p->marked))
    buf_add_str(p->t->out, TERMINAL_PLAIN);
  p->marked = 0;
  buf_add_char(p->t->out, '\n');
  p->column = 0;
  if (p->t->lines > 0)
    p->t->lines--;
}

size_t terminal_pen_character(struct terminal_pen *p, struct slice text) {
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

void terminal_pen_text(struct terminal_pen *p, struct slice text) {
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

/* terminal_pen.h: a line of the terminal being filled; for terminal.c and terminal_table.c. */
#ifndef BID_TERMINAL_PEN_H
#define BID_TERMINAL_PEN_H

#include "page/terminal.h"

#define TERMINAL_ELLIPSIS "\xe2\x80\xa6"
#define TERMINAL_HEAD "\033[1m"
#define TERMINAL_DIM "\033[2m"
#define TERMINAL_PLAIN "\033[0m"

struct terminal_pen {
  struct page_terminal *t;
  const struct page_marks *marks;
  size_t next;       /* of marks */
  const char *style; /* of the text, or NULL */
  size_t column;     /* 0: nothing is on the line yet */
  size_t hang;       /* blanks more before further lines */
  int marked;
};

void terminal_pen_begin(struct terminal_pen *p, size_t blanks);
void terminal_pen_end(struct terminal_pen *p);
/* Whether what follows is one of the question's words. */
void terminal_pen_style(struct terminal_pen *p, int marked);
/* One character of somebody else's text; the bytes that it has. */
size_t terminal_pen_character(struct terminal_pen *p, struct slice text);

int terminal_pen_is_full(const struct terminal_pen *p, size_t columns);
/* Text wrapped at words, and the end of its last line. */
void terminal_pen_text(struct terminal_pen *p, struct slice text);

#endif

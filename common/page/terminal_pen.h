/* terminal_pen.h: the current output line; for terminal.c and terminal_table.c. */
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
  size_t next;       /* index in marks */
  const char *style; /* of the text, or NULL */
  size_t column;     /* 0: the line is empty */
  size_t hang;       /* additional indent of continuation lines */
  int marked;
};

void terminal_pen_begin(struct terminal_pen *p, size_t blanks);
void terminal_pen_end(struct terminal_pen *p);
/* Sets whether the following text is highlighted. */
void terminal_pen_style(struct terminal_pen *p, int marked);
/* Draws one character of external text; returns its length in bytes. */
size_t terminal_pen_character(struct terminal_pen *p, struct slice text);

/* Draws text wrapped at words, and ends its last line. */
void terminal_pen_text(struct terminal_pen *p, struct slice text);

#endif

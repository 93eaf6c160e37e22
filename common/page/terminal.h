/* terminal.h: passages drawn for a terminal: wrapped at words, tables in columns, the question's words marked, and
 * nothing of the text that could do anything to the terminal (mask.h).
 */
#ifndef BID_TERMINAL_H
#define BID_TERMINAL_H

#include "page/block.h"

struct page_terminal {
  struct buf *out;
  size_t width;  /* columns of a line, at least 20 */
  size_t indent; /* blanks before each line */
  size_t lines;  /* that may still be drawn; a text that has more ends with "…" */
  int colour;    /* escape sequences: bold, dim, color, and links (OSC 8) */
};

/* A whole passage.  m may be NULL. */
void page_terminal_passage(struct page_terminal *t, struct page_passage passage, const struct page_marks *m);

/* One text, wrapped, with a newline behind its last line; first: columns that its first line has already used. */
void page_terminal_text(struct page_terminal *t, struct slice text, const char *style, size_t first);

/* One line, never cut nor wrapped: an address, as a link where it is a plain http, https or file URL. */
void page_terminal_link(struct page_terminal *t, struct slice url);

/* Columns of the screen (base/screen.h): 80 where nothing says; 40 to 160. */
size_t page_terminal_width(void);

#endif

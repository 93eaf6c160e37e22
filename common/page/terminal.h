/* terminal.h: draws passages on a terminal: wraps words, aligns tables, highlights the question's words, and masks
 * control characters (mask.h). */
#ifndef BID_TERMINAL_H
#define BID_TERMINAL_H

#include "page/page_table.h"

struct page_terminal {
  struct buf *out;
  size_t width;  /* columns per line, at least 20 */
  size_t indent; /* blanks before each line */
  size_t lines;  /* lines left; a longer text ends with "…" */
  int colour;    /* escape sequences: bold, dim, color, and links (OSC 8) */
};

/* Draws a whole passage. m may be NULL. */
void page_terminal_passage(struct page_terminal *t, struct page_passage passage, const struct page_marks *m);

/* Draws a table: its header, a rule, and as many rows as fit.  Nothing is truncated: cells are wrapped, and columns that don't
 * fit follow below, repeating the first column. */
void page_terminal_table(struct page_terminal *t, const struct page_table *table, const struct page_marks *m);

/* Draws one text, wrapped, with a newline at its end; first: columns already used on its first line. */
void page_terminal_text(struct page_terminal *t, struct slice text, const char *style, size_t first);

/* Draws a URL on one line, never truncated or wrapped, as a link where it is a plain http, https or file URL. */
void page_terminal_link(struct page_terminal *t, struct slice url);

/* Width of the screen (base/screen.h): 80 where unknown; limited to 40 to 160. */
size_t page_terminal_width(void);

#endif

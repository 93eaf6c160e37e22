/* screen.h: the size of the terminal, and wrapping lines to fit it. */
#ifndef BID_SCREEN_H
#define BID_SCREEN_H

#include "base/buf.h"

/* Columns and rows: COLUMNS and LINES, else the size of the terminal on stdout or stderr; 0 where unknown. */
size_t screen_columns(void);
size_t screen_rows(void);

/* The number of columns that a text takes; sequences that set a color take none. */
size_t screen_text_columns(struct slice text);

#define SCREEN_HANG_AUTO ((size_t)-1)

/* Appends text with every line longer than `columns` wrapped at blanks; a longer word, such as a URL, stays whole.
 * Continuation lines are indented by `hang` blanks.  SCREEN_HANG_AUTO aligns them with the last column of an indented
 * table row (columns are separated by two blanks); that column moves to a line of its own where less than half of the
 * screen is left for it.  Other lines keep their own indent.  columns 0: the text unchanged. */
void screen_fold(struct buf *out, struct slice text, size_t columns, size_t hang);

#endif

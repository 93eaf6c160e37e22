/* screen.h: the terminal that people read on: its size, and lines broken at blanks to fit it. */
#ifndef BID_SCREEN_H
#define BID_SCREEN_H

#include "base/buf.h"

/* Columns and rows: COLUMNS and LINES, else what the terminal on stdout or stderr says; 0 where nothing says. */
size_t screen_columns(void);
size_t screen_rows(void);

/* Columns that a text takes. */
size_t screen_text_columns(struct slice text);

#define SCREEN_HANG_AUTO ((size_t)-1)

/* Appends text with every line of more columns broken at blanks; a word that is wider, such as an address, stays whole.
 * Lines that follow begin with `hang` blanks.  SCREEN_HANG_AUTO: below the last column of an indented line (it begins
 * behind two blanks), which moves to a line of its own where less than half of the screen is left for it; else with the
 * blanks that the line itself begins with.  columns 0: the text as it is. */
void screen_fold(struct buf *out, struct slice text, size_t columns, size_t hang);

#endif

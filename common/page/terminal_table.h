/* terminal_table.h: tables on a terminal. */
#ifndef BID_TERMINAL_TABLE_H
#define BID_TERMINAL_TABLE_H

#include "page/terminal_pen.h"

/* A table: its head, a line, and as many rows as there is room for, from one where the first mark is among them.  Nothing
 * is cut: cells are wrapped, and columns that don't fit follow below, behind the first one again. */
void terminal_table(struct page_terminal *t, const struct page_marks *m, const struct page_block *b);

#endif

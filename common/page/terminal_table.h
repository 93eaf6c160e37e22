/* terminal_table.h: draws tables on a terminal. */
#ifndef BID_TERMINAL_TABLE_H
#define BID_TERMINAL_TABLE_H

#include "page/terminal_pen.h"

/* Draws a table: its header, a rule, and as many rows as fit, starting so that the first row with a word
 * of the question is included, else the first highlighted one.  Nothing is truncated: cells are wrapped, and columns that don't fit follow below, repeating the first
 * column. */
void terminal_table(struct page_terminal *t, const struct page_marks *m, const struct page_block *b);

#endif

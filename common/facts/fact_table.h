/* fact_table.h: a grid drawn for a terminal: heads and names wrapped, and columns left out, where it is too narrow. */
#ifndef BID_FACT_TABLE_H
#define BID_FACT_TABLE_H

#include "facts/fact_grid.h"

/* Draws the grid, at most `screen` columns wide where it can be; 0: as wide as it comes.  Where it would be wider, heads and
 * the first column are broken at blanks; then the columns that may go (fact_grid) go, the last first, with a line that
 * says how many. */
void fact_table_write(struct buf *out, const struct fact_grid *g, size_t screen);

#endif

/* fact_table.h: draws a grid on a terminal: wraps headers and names, and drops columns where it is too narrow. */
#ifndef BID_FACT_TABLE_H
#define BID_FACT_TABLE_H

#include "facts/fact_grid.h"

/* Draws the grid, at most `screen` columns wide if possible; 0: no limit.  If it is too wide, headers and the first
 * column are wrapped at blanks; then droppable columns (fact_grid) are dropped, the last first, and a line tells how
 * many. */
void fact_table_write(struct buf *out, const struct fact_grid *g, size_t screen);

#endif

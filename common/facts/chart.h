/* chart.h: a sheet of facts drawn: bars for what flows over a span, lines for what stands on a day and for ratios,
 * gaps left open, a panel for each column.  SVG is written here; PNG and PDF are made of it by rsvg-convert(1);
 * for a terminal there are bars of block characters. */
#ifndef BID_CHART_H
#define BID_CHART_H

#include "facts/fact_sheet.h"
#include "record/program.h"

/* Appends what is wrong with a file's name for a chart; nothing where it is fine. */
void chart_check(const char *file, struct buf *why);

/* Draws into the file, or on stdout where it is "-"; raises p's status where that fails. */
void chart_draw(struct program *p, const struct fact_sheet *s, const char *file);

#endif

/* chart.h: charts of a sheet of facts: bars for flows, lines for balances and ratios, with gaps for missing values
 * and one panel per column.  SVG is written here and converted to PNG and PDF by rsvg-convert(1); terminals get bars
 * of block characters. */
#ifndef BID_CHART_H
#define BID_CHART_H

#include "base/helper.h"
#include "facts/fact_sheet.h"
#include "record/program.h"

/* Appends the reason why a file name is unsuitable for a chart; nothing where it is fine. */
void chart_check(const char *file, struct buf *why);

/* What the helper of a program that is held by then needs to write pictures: the file, set before it is started, and its
 * child, which reads the SVG. */
void chart_use(const char *file);
helper_run chart_run;

/* Draws into the file, or on stdout where it is "-"; raises p's status on failure. */
void chart_draw(struct program *p, const struct fact_sheet *s, const char *file);

/* Draws the panels as SVG elements in an HTML page (page/html_page.h), whose style sheet has their colors. */
void chart_figures(struct buf *out, const struct fact_sheet *s);

#endif

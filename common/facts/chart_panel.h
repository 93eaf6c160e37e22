/* chart_panel.h: the layout of chart panels (axes and units), and their drawing. */
#ifndef BID_CHART_PANEL_H
#define BID_CHART_PANEL_H

#include "facts/fact_sheet.h"

#define CHART_UNIT 64

/* Layout of one column's panel. */
struct chart_panel {
  const struct fact_column *column;
  int first, last, step;  /* row keys: first, last, and distance of neighbours */
  double divisor;         /* of values: 1e9 where the axis is in billions */
  double low, high, tick; /* of the axis, in its unit */
  int lines;              /* lines instead of bars */
  char unit[CHART_UNIT];  /* "$ billion" */
};

/* One panel per column; the same figure of several companies has the same axis, unless one's bars would be too small to be seen.  To be freed. */
struct chart_panel *chart_panels(const struct fact_sheet *s);

/* A row's value on its panel's axis: per-share amounts and share counts filed before a split are divided by its
 * ratio, so that all bars are comparable. */
double chart_value(const struct chart_panel *p, const struct fact_row *row);

/* Draws the SVG. */
void chart_svg(struct buf *out, const struct fact_sheet *s);

/* Draws the panels as SVG elements in an HTML page (page/html_page.h), whose style sheet has their colors. */
void chart_figures(struct buf *out, const struct fact_sheet *s);

/* Draws bars of block characters, `width` columns wide. */
void chart_blocks(struct buf *out, const struct fact_sheet *s, size_t width);

#endif

/* chart_panel.h: how columns of facts are drawn: axes and units; and the drawings themselves. */
#ifndef BID_CHART_PANEL_H
#define BID_CHART_PANEL_H

#include "facts/fact_sheet.h"

#define CHART_UNIT 64

/* How a column is drawn. */
struct chart_panel {
  const struct fact_column *column;
  int first, last, step;  /* keys of its slots: the first, the last, and what lies between neighbours */
  double divisor;         /* of values: 1e9 where the axis counts billions */
  double low, high, tick; /* of the axis, in its own unit */
  int lines;              /* a line, not bars */
  char unit[CHART_UNIT];  /* "$ billion" */
};

/* One for each column; the same figure of several companies has the same axis.  To be freed. */
struct chart_panel *chart_panels(const struct fact_sheet *s);

/* A row's value on its panel's axis: amounts a share and numbers of shares that were filed before a split are divided by
 * its ratio, so that all bars are of one kind. */
double chart_value(const struct chart_panel *p, const struct fact_row *row);

/* The SVG, for people and print. */
void chart_svg(struct buf *out, const struct fact_sheet *s);

/* The panels as SVG elements of a page (page/html_page.h), whose style has their colors: a figure. */
void chart_figures(struct buf *out, const struct fact_sheet *s);

/* Bars of block characters, `width` columns. */
void chart_blocks(struct buf *out, const struct fact_sheet *s, size_t width);

#endif

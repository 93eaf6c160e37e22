/* fact_page.h: figures in an HTML page (page/html_page.h): charts, the table, and the source of each figure. */
#ifndef BID_FACT_PAGE_H
#define BID_FACT_PAGE_H

#include "facts/fact_grid.h"
#include "facts/fact_sheet.h"

/* Appends a sheet with its charts, grid and notes. */
void fact_page_sheet(struct buf *out, const struct fact_sheet *s, const struct fact_grid *g);

/* Appends a statement or a screen: its grid under a title, followed by notes, one per line. */
void fact_page_grid(struct buf *out, struct slice title, const struct fact_grid *g, struct slice notes);

/* Appends a column's figures, each with its digits, span, concept and filing. */
void fact_page_column(struct buf *out, const struct fact_column *c, enum fact_span span, int with_company);

#endif

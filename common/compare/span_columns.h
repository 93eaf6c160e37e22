/* span_columns.h: the spans of time of a Markdown table's columns, by its heading: "Three Months Ended June 28, 2025".
 *
 * Quarterly reports have columns of the quarter and of the year to date; those of different lengths tell of no change.
 * A set of spans has bit N for N months.
 */
#ifndef BID_SPAN_COLUMNS_H
#define BID_SPAN_COLUMNS_H

#include "base/buf.h"

/* The spans in the headings of all tables of a text. */
unsigned span_columns_all(struct slice text);

/* Appends the text.  Tables that have a column of a span in `keep` lose their columns of other spans; returns those. */
unsigned span_columns_keep(struct buf *out, struct slice text, unsigned keep);

/* The months of all columns of a table with this heading row that have a span; 0 where they have none, or several. */
int span_columns_months(struct slice heading);

#endif

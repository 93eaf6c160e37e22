/* fact_write.h: writes a sheet of facts as a table for a terminal, as Markdown, HTML or NDJSON; records as CSV. */
#ifndef BID_FACT_WRITE_H
#define BID_FACT_WRITE_H

#include "facts/fact_sheet.h"

/* Of CSV the records.  screen: maximum width of a table in columns, 0: no limit. */
void fact_write(struct buf *out, const struct fact_sheet *s, enum fact_format format, size_t screen);

/* Appends records, a line each, as CSV; those of a statement with their values as it prints them. */
void fact_write_csv(struct buf *out, struct slice records);

/* Appends a row as a record, bid-records(5) "Facts", without its closing brace. */
void fact_write_row(struct buf *out, const struct fact_column *c, const struct fact_row *row);

/* Appends a statement or a screen: its grid under a title, followed by notes, one per line. */
void fact_page_grid(struct buf *out, struct slice title, struct page_table *g, struct slice notes);

#endif

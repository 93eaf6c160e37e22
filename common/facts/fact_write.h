/* fact_write.h: a sheet of facts as a table for a terminal, as Markdown, HTML, CSV or NDJSON. */
#ifndef BID_FACT_WRITE_H
#define BID_FACT_WRITE_H

#include "facts/fact_grid.h"
#include "facts/fact_sheet.h"

/* screen: columns that a table may take, 0: as many as it comes to. */
void fact_write(struct buf *out, const struct fact_sheet *s, enum fact_format format, size_t screen);

/* A row as a record, bid-records(5) "Facts", without its closing brace. */
void fact_write_row(struct buf *out, const struct fact_column *c, const struct fact_row *row);

#endif

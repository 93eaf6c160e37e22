/* fact_write.h: a sheet of facts as a table for a terminal, as Markdown, CSV or NDJSON. */
#ifndef BID_FACT_WRITE_H
#define BID_FACT_WRITE_H

#include "facts/fact_sheet.h"

enum fact_format { FACT_TABLE, FACT_JSON, FACT_CSV, FACT_MARKDOWN };

void fact_write(struct buf *out, const struct fact_sheet *s, enum fact_format format);

/* A row as a record, bid-records(5) "Facts", without its closing brace. */
void fact_write_row(struct buf *out, const struct fact_column *c, const struct fact_row *row);

/* The page of a filing: https://www.sec.gov/Archives/edgar/data/CIK/ACCESSION/…-index.htm. */
void fact_write_href(struct buf *out, struct slice cik, struct slice accession);

/* A table of cells for people: columns aligned, those from `numbers` on to the right; cells[line][column]. */
struct fact_grid {
  char **cells; /* line by line; owned; NULL is empty */
  size_t columns, lines, numbers;
};
void fact_grid_init(struct fact_grid *g, size_t columns, size_t lines, size_t numbers);
void fact_grid_set(struct fact_grid *g, size_t line, size_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void fact_grid_write(struct buf *out, const struct fact_grid *g, int markdown);
void fact_grid_release(struct fact_grid *g);

#endif

/* fact_grid.h: a table of cells for display, with links to the filings of its figures. */
#ifndef BID_FACT_GRID_H
#define BID_FACT_GRID_H

#include "facts/fact_rows.h"
#include "page/page_table.h"

enum fact_format { FACT_TABLE, FACT_JSON, FACT_CSV, FACT_MARKDOWN, FACT_HTML };

/* Appends the URL of a filing's index page: https://www.sec.gov/Archives/edgar/data/CIK/ACCESSION/…-index.htm. */
void fact_write_href(struct buf *out, struct slice cik, struct slice accession);

/* A table of figures: its texts and links are owned; columns from `numbers` on are aligned to the right; line 0 is the head. */
void fact_grid_init(struct page_table *g, size_t columns, size_t lines, size_t numbers);
void fact_grid_release(struct page_table *g);

/* Sets a cell, once. */
void fact_grid_set(struct page_table *g, size_t line, size_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Links a cell to the filing in a page, once; no link where accession is empty. */
void fact_grid_link(struct page_table *g, size_t line, size_t column, struct slice cik,
                    struct slice accession);

/* Formats: FACT_TABLE (screen: 0: no limit, else the columns of the terminal), FACT_MARKDOWN or, as a fragment of a page,
 * FACT_HTML.  Columns that are empty are taken out. */
void fact_grid_write(struct buf *out, struct page_table *g, enum fact_format format, size_t screen);

/* The filing of a row, or of the first part from which it is derived; NULL where unknown. */
const struct fact *fact_row_filing(const struct fact_row *row);

/* Appends the text on one line: control characters become blanks. */
void fact_prose_line(struct buf *out, struct slice text);

/* Appends lines of notes in that format.  In Markdown, URLs in lines of sources stay links. */
void fact_prose_notes(struct buf *out, struct slice lines, enum fact_format format);

/* Appends a field of CSV (RFC 4180).  Text that a spreadsheet would run as a formula begins with an apostrophe. */
void fact_prose_csv(struct buf *out, struct slice text, int last);

#endif

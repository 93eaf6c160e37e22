/* fact_sheet.h: columns of facts side by side, one line per period. */
#ifndef BID_FACT_SHEET_H
#define BID_FACT_SHEET_H

#include "facts/fact_rows.h"
#include "facts/measure.h"
#include "page/page_table.h"

struct fact_column {
  struct measure measure;
  const struct fact_splits *splits; /* of its company */
};

/* The letter after a value in a table: 's' filed before a split, 'c' of another concept than the column's newest value, 'r'
 * another value elsewhere, 'd' derived, or ' '.  fact_concept_notes(): appends the concepts of those marked 'c'.
 * fact_mark_notes(): appends what the letters in `marks` mean; fact_split_notes(): the splits. */
void fact_concept_notes(struct buf *out, const struct fact_column *c);
char fact_cell_mark(const struct fact_column *c, const struct fact_row *row);
void fact_mark_notes(struct buf *out, struct slice marks);
void fact_split_notes(struct buf *out, const struct fact_splits *splits);

struct fact_sheet {
  struct fact_column *columns;
  size_t column_count;
  int *keys; /* of the lines (fact_row_key), newest first */
  size_t key_count;
  enum fact_span span;
};

/* How a sheet is shown: each company's rows by themselves; side by side, where a line that is kept for one company has the
 * others' values, too; or along an axis of time, where no line between the first and the last is left out. */
enum fact_sheet_use { FACT_SHEET_APART, FACT_SHEET_BESIDE, FACT_SHEET_AXIS };

/* Determines the lines from the columns and keeps the newest `limit` of each company, whose years may end apart. */
void fact_sheet_settle(struct fact_sheet *s, size_t limit, enum fact_sheet_use use);
void fact_sheet_release(struct fact_sheet *s);

/* The row of a column in a line, or NULL. */
const struct fact_row *fact_sheet_cell(const struct fact_sheet *s, size_t column, size_t line);

/* Whether all columns are of one company. */
int fact_sheet_is_single(const struct fact_sheet *s);

/* fact_column_scale(): the largest power of ten, 0, 3, 6 or 9, by which a column's values can be divided and stay
 * whole.  fact_column_unit(): its unit with that scale, "USD million", in out. */
int fact_column_scale(const struct fact_column *c);
void fact_column_unit(const struct fact_column *c, int scale, char *out, size_t size);

/* Formats a value for display: divided by 10^scale, with commas; ratios as percent, or as a number with two decimals.
 * Returns out. */
#define FACT_CELL 64
/* Digits with a comma between thousands.  Returns out. */
char *fact_digits_group(const char *digits, char out[FACT_CELL]);
char *fact_value_text(const struct fact_row *row, enum measure_ratio ratio, int scale, char out[FACT_CELL]);

/* Appends a fact's value as filed (JSON) in readable form: "416,161 million USD", "7.46 USD/shares", "24.1%". */
void fact_amount_add(struct buf *out, struct slice value, struct slice unit);

/* Formats "FY2025", "Q3 2024", "TTM Q3 2024", or the day. */
void fact_period_text(const struct fact_row *row, enum fact_span span, char *out, size_t size);

/* Appends "Apple Inc. (AAPL); Tesla, Inc. (TSLA): Revenue, years (12 months)", or without the labels. */
void fact_sheet_title(const struct fact_sheet *s, int labels, struct buf *title);

/* Appends notes for display: discontinued or split series, formulas and sources; with `marks` also the meaning of the
 * letters after values. */
void fact_sheet_notes(const struct fact_sheet *s, int marks, struct buf *out);

/* ---- a table of cells for display, with links to the filings of its figures ---- */

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

#endif

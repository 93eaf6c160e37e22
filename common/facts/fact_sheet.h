/* fact_sheet.h: columns of facts side by side, a line for each period. */
#ifndef BID_FACT_SHEET_H
#define BID_FACT_SHEET_H

#include "facts/fact_split.h"
#include "facts/measure.h"

struct fact_column {
  struct measure measure;
  const struct fact_splits *splits; /* of its company */
};

struct fact_sheet {
  struct fact_column *columns;
  size_t column_count;
  int *keys; /* of the lines (fact_row_key), newest first */
  size_t key_count;
  enum fact_span span;
};

/* Finds the lines of the columns that are there, and keeps the newest `limit` of them. */
void fact_sheet_settle(struct fact_sheet *s, size_t limit);
void fact_sheet_release(struct fact_sheet *s);

/* The row of a column in a line, or NULL. */
const struct fact_row *fact_sheet_cell(const struct fact_sheet *s, size_t column, size_t line);

/* Whether all columns are of one company. */
int fact_sheet_is_single(const struct fact_sheet *s);

/* Whether no column before has the same label, or the same company. */
int fact_sheet_is_first(const struct fact_sheet *s, size_t column, int by_label);

/* By which power of ten a column's values can be divided and still be whole: 0, 3, 6 or 9; and its unit with
 * that, "USD million", into out. */
int fact_column_scale(const struct fact_column *c);
void fact_column_unit(const struct fact_column *c, int scale, char *out, size_t size);

/* A value as people read it: divided by 10^scale, with commas; ratios as percent, or as a number with two digits.  Returns
 * out. */
#define FACT_CELL 64
char *fact_value_text(const struct fact_row *row, enum measure_ratio ratio, int scale, char out[FACT_CELL]);

/* A fact's value as it was filed, in JSON, as people read it: "416,161 million USD", "7.46 USD/shares", "24.1%". */
void fact_amount_add(struct buf *out, struct slice value, struct slice unit);

/* "FY2025", "Q3 2024", "TTM Q3 2024", or the day. */
void fact_period_text(const struct fact_row *row, enum fact_span span, char *out, size_t size);

/* "Apple Inc., Tesla, Inc.: Revenue, fiscal years", appended. */
void fact_sheet_title(const struct fact_sheet *s, struct buf *title);

/* Lines for people on what the sheet holds: what ended or was split, formulas and sources; with `marks` what the letters
 * behind values mean. */
void fact_sheet_notes(const struct fact_sheet *s, int marks, struct buf *out);

#endif

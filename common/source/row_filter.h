/* row_filter.h: row conditions, bid-connectors(5) "Narrowing": compiled once from JSON, then evaluated for each row
 * of a CSV file, a JSON array or a list of lines. */
#ifndef BID_ROW_FILTER_H
#define BID_ROW_FILTER_H

#include "base/buf.h"
#include "base/diag.h"

struct row_filter;

/* Compiles an array of conditions (valid JSON; null or absent: none).  NULL with why where it is malformed.  Free
 * with row_filter_free(). */
struct row_filter *row_filter_new(struct slice conditions, struct error_text *why);
void row_filter_free(struct row_filter *w);

/* Assigns each field name its column number (-1 where no column has it), for row_filter_column(). */
void row_filter_bind(struct row_filter *w, const char *const *columns, size_t count);

/* Callback that reads a field of the current row; column is the number assigned, or -1.  1 with its text, 0 where it
 * is absent. */
typedef int row_filter_field(void *row, const char *field, int column, struct slice *text);

/* Whether a row meets all conditions; 1 where there are none. */
int row_filter_match(const struct row_filter *w, row_filter_field *get, void *row);

/* A field that matched no column in the last row_filter_bind(), or NULL. */
const char *row_filter_unbound(const struct row_filter *w);

#endif

/* json_projection.h: extracts the requested parts of a JSON body before libjq parses it; bid-connectors(5),
 * "Narrowing". */
#ifndef BID_JSON_PROJECTION_H
#define BID_JSON_PROJECTION_H

#include "base/buf.h"
#include "base/diag.h"

/* Appends an object with the parts of `body` (valid JSON) that `select` (valid JSON) requests, with numbers marked
 * (json_numbers.h).  0, or -1 with why where select is malformed. */
int json_projection_select(struct slice body, struct slice select, struct buf *out, struct error_text *why);

/* ---- numbers ---- */

/* Preserves the digits of numbers through libjq.
 *
 * libjq 1.6 stores numbers as doubles and prints them in its own format.  A number that would be changed is passed as
 * a string that begins with U+FDD0 (a non-character, which no valid text contains) and turned back into a number when
 * a payload is written.
 */

/* Appends a valid JSON text with such numbers marked.  out->overflow tells where it doesn't fit. */
void json_numbers_mark(struct slice json, struct buf *out);

/* Appends a JSON text with marked numbers restored. */
void json_numbers_restore(struct slice json, struct buf *out);

/* ---- row conditions, bid-connectors(5) "Narrowing": compiled once from JSON, then evaluated for each row
of a CSV file, a JSON array or a list of lines ---- */

struct json_filter;

/* Compiles an array of conditions (valid JSON; null or absent: none).  NULL with why where it is malformed.  Free
 * with json_filter_free(). */
struct json_filter *json_filter_new(struct slice conditions, struct error_text *why);
void json_filter_free(struct json_filter *w);

/* Assigns each field name its column number (-1 where no column has it), for json_filter_column(). */
void json_filter_bind(struct json_filter *w, const char *const *columns, size_t count);

/* Callback that reads a field of the current row; column is the number assigned, or -1.  1 with its text, 0 where it
 * is absent. */
typedef int json_filter_field(void *row, const char *field, int column, struct slice *text);

/* Whether a row meets all conditions; 1 where there are none. */
int json_filter_match(const struct json_filter *w, json_filter_field *get, void *row);

/* A field that matched no column in the last json_filter_bind(), or NULL. */
const char *json_filter_unbound(const struct json_filter *w);

#endif

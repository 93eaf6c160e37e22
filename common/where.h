/* where.h: conditions on rows, bid-connectors(5) "Narrowing": compiled once from their JSON, then asked
 * for each row of a CSV file, a JSON array or a list of lines. */
#ifndef BID_WHERE_H
#define BID_WHERE_H

#include "buf.h"
#include "diag.h"

struct where;

/* Compiles an array of conditions (valid JSON; null or absent: none).  NULL with why where it is malformed.
 * Freed by where_free(). */
struct where *where_new(struct slice conditions, struct error_text *why);
void where_free(struct where *w);

/* Gives each named field its column number (-1 where it is no column), for where_column(). */
void where_bind(struct where *w, const char *const *columns, size_t count);

/* A field of the row at hand: column is as bound, or -1.  1 with its text, 0 where it is absent. */
typedef int where_field(void *row, const char *field, int column, struct slice *text);

/* Whether a row meets all conditions.  No conditions: 1. */
int where_match(const struct where *w, where_field *get, void *row);

/* A field that is no column of those bound last, or NULL. */
const char *where_unbound(const struct where *w);

#endif

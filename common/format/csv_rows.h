/* csv_rows.h: CSV (RFC 4180) row by row, by libcsv.  Fields are texts as they stand: leading zeros and blanks
 * inside stay; blanks around unquoted fields go. */
#ifndef BID_CSV_ROWS_H
#define BID_CSV_ROWS_H

#include "base/buf.h"

#define CSVROWS_COLUMNS 1024          /* fields of a row; further ones are dropped */
#define CSVROWS_ROW ((size_t)4 << 20) /* bytes of a row */

/* A row: its fields live during the call, and stand in one piece of memory, in their order.  0 to go on, -1
 * to stop. */
typedef int csv_rows_function(void *arg, const struct slice *fields, size_t count);

struct csv_rows;

struct csv_rows *csv_rows_new(csv_rows_function *f, void *arg);
void csv_rows_free(struct csv_rows *c);

/* Takes the next bytes.  0, or -1 where the function stopped it or a row is too large. */
int csv_rows_add(struct csv_rows *c, const void *data, size_t len);

/* Ends the input: a last row without a line end counts. */
int csv_rows_end(struct csv_rows *c);

#endif

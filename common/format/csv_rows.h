/* csv_rows.h: CSV (RFC 4180) row by row, with libcsv.  Fields are uninterpreted text: leading zeros and inner blanks
 * stay; blanks around unquoted fields are trimmed. */
#ifndef BID_CSV_ROWS_H
#define BID_CSV_ROWS_H

#include "base/buf.h"

#define CSVROWS_COLUMNS 1024          /* limit of fields in a row; further ones are dropped */
#define CSVROWS_ROW ((size_t)4 << 20) /* limit of a row in bytes */

/* Receives a row.  Its fields are valid during the call and adjacent in memory, in order.  Returns 0 to go on, -1 to
 * stop. */
typedef int csv_rows_function(void *arg, const struct slice *fields, size_t count);

struct csv_rows;

struct csv_rows *csv_rows_new(csv_rows_function *f, void *arg);
void csv_rows_free(struct csv_rows *c);

/* Parses the next bytes.  0, or -1 where the function stopped or a row is too large. */
int csv_rows_add(struct csv_rows *c, const void *data, size_t len);

/* Ends the input; a last row without a newline is delivered too.  0, or -1 as above. */
int csv_rows_end(struct csv_rows *c);

#endif

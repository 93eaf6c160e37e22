/* csvrows.h: CSV (RFC 4180) row by row, by libcsv.  Fields are texts as they stand: leading zeros and blanks
 * inside stay; blanks around unquoted fields go. */
#ifndef BID_CSVROWS_H
#define BID_CSVROWS_H

#include "buf.h"

#define CSVROWS_COLUMNS 1024          /* fields of a row; further ones are dropped */
#define CSVROWS_ROW ((size_t)4 << 20) /* bytes of a row */

/* A row: its fields live during the call, and stand in one piece of memory, in their order.  0 to go on, -1
 * to stop. */
typedef int csvrows_function(void *arg, const struct slice *fields, size_t count);

struct csvrows;

struct csvrows *csvrows_new(csvrows_function *f, void *arg);
void csvrows_free(struct csvrows *c);

/* Takes the next bytes.  0, or -1 where the function stopped it or a row is too large. */
int csvrows_add(struct csvrows *c, const void *data, size_t len);

/* Ends the input: a last row without a line end counts. */
int csvrows_end(struct csvrows *c);

#endif

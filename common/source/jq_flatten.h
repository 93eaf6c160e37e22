/* jq_flatten.h: a jq program with its libraries as one text of the definitions that it needs.
 *
 * libjq 1.6 binds every definition of every included library to the whole program, and then each of its
 * builtins.  What is left out here, it needn't bind: the step of sec-filings compiles in 0.16 s of processor time
 * instead of 0.21.
 */
#ifndef BID_JQ_FLATTEN_H
#define BID_JQ_FLATTEN_H

#include "base/buf.h"

/* Appends the definitions that `roots` (NULL at the end) need, out of the file and of what it includes from
 * the folders (NULL at the end), in their order.  0, or -1 where the file is not of that plain kind (anything
 * but includes and definitions at its top, a library that defines a name again, one not found): then libjq has to read
 * it itself. */
int jq_flatten(const char *path, const char *const *folders, const char *const *roots, struct buf *out);

/* Whether a jq text reads no file but libraries by their plain names: no import, no search path, no name with a folder in
 * it. */
int jq_includes_plainly(struct slice text);

#endif

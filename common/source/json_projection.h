/* json_projection.h: extracts the requested parts of a JSON body before libjq parses it; bid-connectors(5),
 * "Narrowing". */
#ifndef BID_JSON_PROJECTION_H
#define BID_JSON_PROJECTION_H

#include "base/buf.h"
#include "base/diag.h"

/* Appends an object with the parts of `body` (valid JSON) that `select` (valid JSON) requests, with numbers marked
 * (json_numbers.h).  0, or -1 with why where select is malformed. */
int json_projection_select(struct slice body, struct slice select, struct buf *out, struct error_text *why);

#endif

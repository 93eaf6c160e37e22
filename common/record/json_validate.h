/* json_validate.h: whether a text is JSON, as strictly as the record stream is read. */
#ifndef BID_JSON_VALIDATE_H
#define BID_JSON_VALIDATE_H

#include <stddef.h>

/* Validates one JSON text (any value, white space around it allowed) strictly after RFC 8259, with the
 * extra rules of record.h (UTF-8, no lone surrogate, no duplicate key, depth).  0, or -1 with the
 * byte offset of the fault and a static text that names it. */
int json_validate(const char *text, size_t len, size_t *at, const char **why);

#endif

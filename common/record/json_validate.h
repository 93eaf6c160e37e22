/* json_validate.h: validates JSON as strictly as the record reader. */
#ifndef BID_JSON_VALIDATE_H
#define BID_JSON_VALIDATE_H

#include <stddef.h>

/* Validates one JSON text (any value, surrounding white space allowed) by RFC 8259 and the extra rules of record.h
 * (UTF-8, no lone surrogate, no duplicate key, nesting).  0, or -1 with the byte offset of the fault in *at and a
 * static description in *why. */
int json_validate(const char *text, size_t len, size_t *at, const char **why);

#endif

/* schema_check.h: a JSON value held against a JSON Schema (2020-12), as far as tools' arguments need it: type,
 * enum, properties, required, additionalProperties, items, minimum, maximum, minLength, maxLength (bytes),
 * minItems, maxItems.  Other keywords say nothing here.
 */
#ifndef BID_SCHEMA_CHECK_H
#define BID_SCHEMA_CHECK_H

#include "base/diag.h"
#include "base/buf.h"

/* 0, or -1 with the place, what is wrong there and what was expected.  Both are valid JSON; `name` is what
 * the value is called in messages. */
int schema_check(struct slice schema, struct slice value, const char *name, struct error_text *e);

#endif

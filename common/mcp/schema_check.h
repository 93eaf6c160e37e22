/* schema_check.h: validates a JSON value against the part of JSON Schema (2020-12) that tool arguments need: type,
 * enum, properties, required, additionalProperties, items, minimum, maximum, minLength, maxLength (bytes), minItems,
 * maxItems.  Other keywords are ignored. */
#ifndef BID_SCHEMA_CHECK_H
#define BID_SCHEMA_CHECK_H

#include "base/diag.h"
#include "base/buf.h"

/* 0, or -1 with a message that has the location, the fault and what was expected.  Both arguments are valid JSON;
 * `name` denotes the value in messages. */
int schema_check(struct slice schema, struct slice value, const char *name, struct error_text *e);

#endif

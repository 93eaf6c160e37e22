/* json_scan.h: the validating scanner behind record.c and json_validate(); private to them.
 *
 * It makes one pass over a JSON text and builds no tree.  A fault is kept as a static text and a position.
 */
#ifndef BID_JSON_SCAN_H
#define BID_JSON_SCAN_H

#include "base/buf.h"

#include <stdint.h>

struct json_scan_key {
  uint64_t hash;
  const char *text; /* in the line; NULL: decoded, at `offset` of the arena */
  size_t offset, len;
  const char *at; /* position of the key, for the message */
};

struct json_scan {
  const char *end; /* after the last byte of the text */
  const char *why; /* the first fault, or NULL */
  const char *where;
  struct json_scan_key *keys; /* of all objects that are currently open */
  size_t key_count, key_cap;
  struct buf arena; /* decoded keys that had escapes */
};

void json_scan_init(struct json_scan *s);
void json_scan_release(struct json_scan *s);
void json_scan_start(struct json_scan *s, const char *end);

/* Each returns the position after what it scanned, or NULL with why and where set. */
const char *json_scan_value(struct json_scan *s, const char *p, int depth);
const char *json_scan_string(struct json_scan *s, const char *p); /* p is at the opening quote */
const char *json_scan_space(const struct json_scan *s, const char *p);

/* Records a key (with its quotes) of the object whose keys start at `base`.  -1 where it is a duplicate. */
int json_scan_add_key(struct json_scan *s, size_t base, const char *from, const char *to);
int json_scan_end_keys(struct json_scan *s, size_t base);

const char *json_scan_fail(struct json_scan *s, const char *where, const char *why);

#endif

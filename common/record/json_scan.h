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

/* What is wrong with an object that the text ends in. */
#define JSON_SCAN_OPEN "object without end"

struct json_scan {
  /* Or NULL.  Takes a member of the outermost object: its name, and both as they stand in the text.  NULL, or why it may
   * not be there. */
  const char *(*member)(void *arg, struct slice name, struct slice key, struct slice value);
  void *arg;
  const char *end; /* after the last byte of the text */
  const char *why; /* the first fault, or NULL */
  const char *where;
  struct json_scan_key *keys; /* of all objects that are currently open */
  size_t key_count, key_cap;
  struct buf arena; /* decoded keys that had escapes */
};

void json_scan_init(struct json_scan *s);
void json_scan_release(struct json_scan *s);

/* 0, or -1 with why and where set. */
int json_scan(struct json_scan *s, struct slice text);

#endif

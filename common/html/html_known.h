/* html_known.h: a cache of start tags.
 *
 * Nine in ten start tags of a filing repeat an earlier one byte by byte ("<td style=...>").  The effect of such a tag
 * is cached by the hash of its bytes, so that its attributes and style are not parsed again.
 */
#ifndef BID_HTML_KNOWN_H
#define BID_HTML_KNOWN_H

#include "base/buf.h"
#include "html/html_style.h"

#define KNOWN_SLOTS 1024 /* one entry per hash value; a newer tag replaces an older one */
#define KNOWN_LONGEST 2048

struct html_known_tag {
  uint64_t hash;
  struct html_style style;
  uint16_t len;           /* 0: empty */
  uint16_t columns, rows; /* spans of a cell; at most 65535 */
  uint8_t tag, level;     /* enum html_tag; level of a heading */
};

struct html_known_tags {
  struct html_known_tag slots[KNOWN_SLOTS];
};

/* A 64-bit hash of a tag.  Tags of the same hash and length are assumed to be equal: a page crafted to collide only
 * affects how it is read itself. */
uint64_t html_known_hash(struct slice bytes);

/* The entry for this hash; it is a hit where its hash and length match. */
static inline struct html_known_tag *html_known_slot(struct html_known_tags *k, uint64_t hash) {
  return &k->slots[hash % KNOWN_SLOTS];
}

#endif

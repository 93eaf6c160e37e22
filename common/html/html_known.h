/* html_known.h: start tags that were met before.
 *
 * Nine in ten start tags of a filing repeat an earlier one byte by byte ("<td style=...>").  What such a tag
 * does is kept by the hash of its bytes, so that neither its attributes nor its style are read again.
 */
#ifndef BID_HTML_KNOWN_H
#define BID_HTML_KNOWN_H

#include "base/buf.h"
#include "html/html_style.h"

#define KNOWN_SLOTS 1024 /* one entry a hash value: a newer tag takes the place of an older one */
#define KNOWN_LONGEST 2048

struct known_tag {
  uint64_t hash;
  struct html_style style;
  uint16_t len;           /* 0: empty */
  uint16_t columns, rows; /* of a cell; at most 65535 */
  uint8_t tag, level;     /* enum html_tag; of a heading */
};

struct known_tags {
  struct known_tag slots[KNOWN_SLOTS];
};

/* Bytes of a tag to 64 bits.  Tags of the same hash and length are taken for the same: a page that were made
 * to have two such tags would only change how it reads itself. */
uint64_t known_hash(struct slice bytes);

/* The entry for a tag of this hash, which holds it where hash and length are its own. */
static inline struct known_tag *known_slot(struct known_tags *k, uint64_t hash) {
  return &k->slots[hash % KNOWN_SLOTS];
}

#endif

/* found_items.h: the items found in a document. */
#ifndef BID_FOUND_ITEMS_H
#define BID_FOUND_ITEMS_H

#include "document/doc.h"

struct found_item {
  size_t block, next_block; /* the heading is blocks [block, next_block), up to heading_end */
  size_t heading_end;       /* offset in text of the heading's end, in block next_block-1 */
  char item[16];            /* "1A"; "" for a part */
  char *title;              /* owned; as printed, one line */
  int is_part;
  double confidence;
};

struct found_items {
  struct found_item *list; /* in text order */
  size_t count;
  double confidence; /* in the items as a whole; 0 where there are none */
  int by_index;      /* found through a cross-reference index, not by headings */
};

#endif

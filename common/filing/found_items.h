/* found_items.h: the items that were found in a document. */
#ifndef BID_FOUND_ITEMS_H
#define BID_FOUND_ITEMS_H

#include "document/doc.h"

struct found_item {
  size_t block, next_block; /* the heading is blocks [block, next_block), up to heading_end */
  size_t heading_end;       /* byte of text where the heading ends, in block next_block-1 */
  char item[16];            /* "1A"; "" for a part */
  char *title;              /* owned; as printed, one line */
  int is_part;
  double confidence;
};

struct found_items {
  struct found_item *list; /* in order of the text */
  size_t count;
  double confidence; /* in the items as a whole; 0 where there are none */
  int by_index;      /* found through an index of items, not by headings that name them */
};

#endif

/* item_finder.h: where the items of a form start in a document. */
#ifndef BID_ITEM_FINDER_H
#define BID_ITEM_FINDER_H

#include "document/doc.h"
#include "filing/outline.h"

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

/* Fills *f; release it with item_finder_release(). */
void item_finder_find(const struct doc *d, enum outline_form form, struct found_items *f);
void item_finder_release(struct found_items *f);

#endif

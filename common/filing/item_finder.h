/* item_finder.h: finds where the items of a form start in a document. */
#ifndef BID_ITEM_FINDER_H
#define BID_ITEM_FINDER_H

#include "document/doc.h"
#include "filing/items.h"

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

/* Fills *f; release it with item_finder_release(). */
void item_finder_find(const struct doc *d, enum outline_form form, struct found_items *f);
void item_finder_release(struct found_items *f);

#endif

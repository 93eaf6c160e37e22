/* block_view.h: a short block of a document as a reader sees it: one line without Markdown's marks, with the way
 * back to the bytes of the text.  What heading, item and page furniture detection look at. */
#ifndef BID_BLOCK_VIEW_H
#define BID_BLOCK_VIEW_H

#include "document/doc.h"

#define PEEK_MAX 400 /* bytes that are looked at */

struct block_view {
  char text[PEEK_MAX + 1];  /* marks dropped, white space squeezed */
  char lower[PEEK_MAX + 1]; /* the same in ASCII lower case, curly quotes and dashes as ' and - */
  size_t len;               /* of text, and of lower */
  size_t at[PEEK_MAX + 1];  /* byte of d->text for each byte of text; at[len]: where the look ended */
  int whole;                /* the look reached the block's end */
};

/* Looks at text[start, end) of d. */
void block_view_at(struct block_view *p, const struct doc *d, size_t start, size_t end);

#endif

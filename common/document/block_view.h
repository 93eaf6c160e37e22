/* block_view.h: a short block of a document as its reader sees it: one line of text without Markdown marks, mapped to
 * byte offsets of the document.  Used to detect headings, items and page furniture. */
#ifndef BID_BLOCK_VIEW_H
#define BID_BLOCK_VIEW_H

#include "document/doc.h"

#define PEEK_MAX 400 /* limit of a view in bytes */

struct block_view {
  char text[PEEK_MAX + 1];  /* without marks, white space collapsed */
  char lower[PEEK_MAX + 1]; /* the same in lower-case ASCII, with curly quotes and dashes as ' and - */
  size_t len;               /* of text, and of lower */
  size_t at[PEEK_MAX + 1];  /* offset in d->text of each byte of text; at[len]: the end */
  int whole;                /* the view covers the whole block */
};

/* Fills p from text[start, end) of d. */
void block_view_at(struct block_view *p, const struct doc *d, size_t start, size_t end);

#endif

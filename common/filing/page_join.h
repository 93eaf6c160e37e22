/* page_join.h: rejoins paragraphs that a page break split. */
#ifndef BID_PAGE_JOIN_H
#define BID_PAGE_JOIN_H

#include "document/doc.h"

/* Joins the paragraphs around each break of d where the first doesn't end a sentence and the second begins with a
 * lower-case letter.  The break then lies inside the paragraph.  Call it after running headers have been removed. */
void page_join(struct doc *d);

#endif

/* page_join.h: paragraphs that a page break cut in two. */
#ifndef BID_PAGE_JOIN_H
#define BID_PAGE_JOIN_H

#include "document/doc.h"

/* Joins the paragraphs before and behind each break of d where the first does not end a sentence and the
 * second begins with a small letter.  The break then lies inside the paragraph, where its page starts.  Call
 * it when running headers have left. */
void page_join(struct doc *d);

#endif

/* page_furniture.h: what a printed page adds to a text leaves it: running headers and footers, bare page numbers.
 */
#ifndef BID_PAGE_FURNITURE_H
#define BID_PAGE_FURNITURE_H

#include "document/doc.h"

/* Removes from d, around its page breaks:
 * - blocks that are only a page number, where such numbers stand at two pages or more;
 * - short blocks that come back, digits aside, at three pages or more: all of them where they carry the
 * page's number or lead back to the table of contents, else all but the first, so that nothing is lost.
 * Breaks get the printed page number where the printed ones count up with the pages.  A document without
 * breaks gets them from bare numbers that count up by one. */
void page_furniture_remove(struct doc *d);

#endif

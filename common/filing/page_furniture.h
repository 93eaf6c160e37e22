/* page_furniture.h: removes what printing adds to a text: running headers and footers, page numbers. */
#ifndef BID_PAGE_FURNITURE_H
#define BID_PAGE_FURNITURE_H

#include "document/doc.h"

/* Removes from d, around its page breaks:
 * - blocks that are only a page number, where such numbers occur on at least two pages;
 * - short blocks that repeat, apart from digits, on at least three pages: all of them where they carry the page
 *   number or link to the table of contents, else all but the first, so that nothing is lost.
 *
 * Breaks get the printed page number where printed numbers increase with the pages.  A document without breaks gets
 * them from bare numbers that increase by one.
 */
void page_furniture_remove(struct doc *d);

/* Joins the paragraphs around each break of d where the first doesn't end a sentence and the second begins with a
 * lower-case letter.  The break then lies inside the paragraph.  Call it after running headers have been removed. */
void page_join(struct doc *d);

#endif

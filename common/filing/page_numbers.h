/* page_numbers.h: printed page numbers: recognised in a line, assigned to the breaks of a document. */
#ifndef BID_PAGE_NUMBERS_H
#define BID_PAGE_NUMBERS_H

#include "document/block_view.h"
#include "document/doc.h"

/* Parses a page number: "12", "- 12 -", "page 12", "page 12 of 40", "f-12", "a-3", "12 | page", "(12)", "iv".
 * Returns its value, 0 for separate numbering (roman, lettered), or -1 where the text is not a page number. */
long page_numbers_bare(const char *lower);

/* The outermost run of digits at either end of a line with words: "Apple Inc. | 2025 Form 10-K | 12". */
long page_numbers_shown(const struct block_view *p);

/* Gives the breaks of d their printed numbers where these increase with the pages.  printed[page], of which there is one more than
 * breaks: 0 for none; numbers that fit no neighbour are dropped from it. */
void page_numbers_assign(struct doc *d, long *printed);

/* Without breaks: makes breaks of blocks that are only a number, each one greater than the previous by one. */
void page_numbers_breaks(struct doc *d);

#endif

/* passage_place.h: on a page (page/html_page.h), a passage's place in its filing: the item opened around it, the passage
 * told apart. */
#ifndef BID_PASSAGE_PLACE_H
#define BID_PASSAGE_PLACE_H

#include "page/block.h"
#include "store/store.h"

/* Adds a <details> with the passages of the same item, eight on each side at most, and the passage itself with its marks
 * (which may be NULL).  text is that of the row, as store_get_text() gave it. */
void passage_place_add(struct buf *out, const struct store_snapshot *snap, const struct store_segment *seg,
                       uint32_t row, const struct store_text *text, const struct page_marks *marks);

#endif

/* passage_place.h: shows a passage in its context in the filing, in an HTML page (page/html_page.h). */
#ifndef BID_PASSAGE_PLACE_H
#define BID_PASSAGE_PLACE_H

#include "page/block.h"
#include "store/store.h"

/* Appends a <details> with the passages of the same item, at most eight on each side, and the passage itself
 * highlighted with its marks (which may be NULL).  text: the row's, from store_get_text(). */
void passage_place_add(struct buf *out, const struct store_snapshot *snap, const struct store_segment *seg,
                       uint32_t row, const struct store_text *text, const struct page_marks *marks);

#endif

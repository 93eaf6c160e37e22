/* markdown_reader.h: Markdown (CommonMark with the tables and strike-through of GitHub's) to HTML, which the reader of
 * pages takes. */
#ifndef BID_MARKDOWN_READER_H
#define BID_MARKDOWN_READER_H

#include "base/buf.h"

#define MARKDOWN_READER_GROWTH 16 /* ceiling of the HTML, in bytes a byte of Markdown */

/* Appends the HTML of UTF-8 text.  0; 1 where it was cut at the ceiling; -1 where there was no memory.  By libmd4c. */
int markdown_reader_html(struct slice text, struct buf *html);

#endif

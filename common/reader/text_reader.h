/* text_reader.h: converts plain text to a document: filings of the 1990s (<PAGE>, <TABLE> with <S> and <C>, form
 * feeds, indentation), letters, and the laid-out text of a PDF.
 *
 * Tags of such filings: "EDGAR Filer Manual", the SGML tags of ASCII documents.
 */
#ifndef BID_TEXT_READER_H
#define BID_TEXT_READER_H

#include "base/buf.h"
#include "document/doc.h"

/* Fills d (cleared first).  0, or -1 where the text exceeded max_text and was truncated at the end of a block. */
int text_reader_read(struct doc *d, struct slice bytes, const struct doc_options *o);

#define TEXT_READER_GROWTH 16 /* ceiling of the HTML, in bytes a byte of Markdown */

/* Appends the HTML of Markdown (CommonMark with the tables and strike-through of GitHub's) in UTF-8, for the HTML
 * reader.  0; 1 where it was cut at the ceiling; -1 where there was no memory.  By libmd4c. */
int text_reader_markdown(struct slice text, struct buf *html);

#endif

/* text_reader.h: plain text to a document: filings of the 1990s (<PAGE>, <TABLE> with <S> and <C>, form feeds,
 * indentation), letters, and the laid-out text of a PDF.
 *
 * Tags of such filings: "EDGAR Filer Manual", the SGML tags of ASCII documents.
 */
#ifndef BID_TEXT_READER_H
#define BID_TEXT_READER_H

#include "document/doc.h"
#include "html/html.h"

struct text_reader_options {
  enum doc_tables tables; /* of <TABLE> sections: Markdown where their columns can be read */
  int plain;              /* no Markdown marks */
  size_t max_text;
  int laid_out; /* a layout program set it (a PDF): a line that ends early ends its paragraph, a short one by
                   itself heads what follows, tables have no tags */
};

/* Fills d (cleared before).  0, or -1 where the text passed max_text (it ends at a block's end). */
int text_reader_read(struct doc *d, struct slice bytes, const struct text_reader_options *o);

#endif

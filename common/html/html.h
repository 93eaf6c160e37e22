/* html.h: HTML and inline XBRL to Markdown in one pass, without a tree.
 *
 * What is hidden (ix:header, display:none, scripts) is left out.  Headings get '#' marks, list items "- " or
 * "1. ", preformatted columns a fence, tables of data become Markdown tables, tables that only position text
 * paragraphs (DOC_FROM_TABLE); bold and italic text is not marked, the blocks' flags say it.  A paragraph
 * that starts with '#' or '|' gets a '\' before it.  In a table the header's rows are joined into one, signs
 * stand at their number, and where the header's first place is empty it takes the unit that the caption
 * names, "(in millions)".  A superscript between letters or digits is set apart with '^'.  Check boxes of
 * Wingdings become U+2610 to U+2612.
 */
#ifndef BID_HTML_H
#define BID_HTML_H

#include "document/doc.h"

#include <stddef.h>

struct html_options {
  enum doc_tables tables;
  int plain;           /* no Markdown marks at all */
  const char *charset; /* declared by the transport, or NULL */
  size_t max_text;     /* ceiling of doc->text */
};

/* What the filing says of itself in inline XBRL (dei:*), where present, as it is written there, but the
 * period's end as 2025-09-27; the first of several.  Slices of `own`. */
struct html_facts {
  struct buf own;
  struct slice registrant, ticker, cik, document_type, period_end, fiscal_year, fiscal_period;
  struct slice title; /* <title> */
};

/* Appends the document's text and blocks to d (cleared before).  facts may be NULL; else it is
 * initialised by the caller with {0} and released by html_facts_release().  Any bytes are HTML: malformed
 * input never fails.  0, or -1 where the text passed max_text (it is truncated at a block's end). */
int html_read(struct doc *d, struct slice bytes, const struct html_options *o, struct html_facts *facts);
void html_facts_release(struct html_facts *f);

#endif

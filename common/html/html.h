/* html.h: converts HTML and inline XBRL to Markdown in one pass, without building a tree.
 *
 * Hidden content (ix:header, display:none, scripts) is omitted.  Headings get '#' marks, list items "- " or "1.  ",
 * preformatted columns a fence.  Data tables become Markdown tables, layout tables paragraphs (DOC_FROM_TABLE).  Bold
 * and italic text is not marked in the text but in the blocks' flags.  A paragraph that starts with '#' or '|' is
 * escaped with '\'.  In a table, the header rows are joined into one, signs are joined to their numbers, and an empty
 * first header cell gets the unit stated in the caption, "(in millions)".  A superscript between letters or digits is
 * separated by '^'.  Check boxes in Wingdings become U+2610 to U+2612.
 */
#ifndef BID_HTML_H
#define BID_HTML_H

#include "document/doc.h"

#include <stddef.h>

/* What the filing says about itself in inline XBRL (dei:*): as written, except the period end, which is normalised to
 * 2025-09-27; the first value of each.  Slices of `own`. */
struct html_facts {
  struct buf own;
  struct slice registrant, ticker, cik, document_type, period_end, fiscal_year, fiscal_period;
  struct slice title; /* <title> */
};

/* Reads bytes into d, which is cleared first.  facts may be NULL; else the caller initialises it with {0} and
 * releases it with html_facts_release().  Malformed HTML never fails.  0, or -1 where the text exceeded max_text and
 * was truncated at the end of a block. */
int html_read(struct doc *d, struct slice bytes, const struct doc_options *o, struct html_facts *facts);
void html_facts_release(struct html_facts *f);

#endif

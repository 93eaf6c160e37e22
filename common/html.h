/* html.h: HTML and inline XBRL to Markdown in one pass, without a tree. */
#ifndef BID_HTML_H
#define BID_HTML_H

#include "doc.h"

#include <stddef.h>

enum html_tables { HTML_TABLES_MARKDOWN, HTML_TABLES_TEXT, HTML_TABLES_DROP };

struct html_options {
  enum html_tables tables;
  int plain;           /* no Markdown marks at all */
  const char *charset; /* declared by the transport, or NULL */
  size_t max_text;     /* ceiling of doc->text */
};

/* What the filing says of itself in inline XBRL (dei:*), where present; slices of `own`. */
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

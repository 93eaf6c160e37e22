/* outline.h: finding a document's parts, items and headings.
 *
 * A form that is cut into items (10-K, 10-Q, 20-F, 8-K, S-1 and their kin) has its items searched: every
 * block that may open one is a candidate, and the chain of candidates in the form's own order that explains
 * the document best is taken.  That keeps out the table of contents, references and running headers without a
 * rule for each.  Between them, short blocks set apart by their look are headings.
 */
#ifndef BID_OUTLINE_H
#define BID_OUTLINE_H

#include "document/doc.h"

/* An outline that lacks an item which such a report has (outline_doubt.h) or that goes by titles without the word
 * item is given, with no more confidence than this. */
#define OUTLINE_DOUBTED 0.5
#define OUTLINE_MIN_CONFIDENCE 0.5 /* below it a document stays whole: no items are given */

enum outline_form {
  OUTLINE_PLAIN, /* headings only */
  OUTLINE_10K,
  OUTLINE_10KSB, /* small businesses up to 2008: other numbers */
  OUTLINE_10Q,
  OUTLINE_20F,
  OUTLINE_8K,
  OUTLINE_OFFERING, /* S-1, S-3, F-1 ...: the items of part II */
  OUTLINE_SCHEDULE  /* SC 13D, SC 13G, SC TO: numbered items */
};

/* Form of a filing's or a part's type: "10-K405", "10-K/A", "8-K" ...; exhibits and all else are plain. */
enum outline_form outline_form_of(const char *type);

/* The form that a document says it is on its first page ("FORM 10-K"), as EDGAR writes it, or NULL. */
const char *outline_sniff(const struct doc *d);

/* Fills d->outline and, unless `plain`, gives the headings their Markdown marks in d->text (level 1 "#", 2
 * "##",
 * ...), which moves offsets of blocks and breaks along.  Returns the confidence, 0 to 1, in the items as a
 * whole; -1 where the form has none. */
double outline_find(struct doc *d, enum outline_form form, int plain);

#endif

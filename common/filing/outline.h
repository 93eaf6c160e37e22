/* outline.h: finds a document's parts, items and headings.
 *
 * For forms with items (10-K, 10-Q, 20-F, 8-K, S-1 and similar), every block that may start an item is a candidate,
 * and the best chain of candidates in the form's order is selected.  That excludes tables of contents, references and
 * running headers without a rule for each.  Between the items, short blocks that differ in appearance are headings.
 */
#ifndef BID_OUTLINE_H
#define BID_OUTLINE_H

#include "document/doc.h"
#include "filing/items.h"

/* The outline form for the type of a filing or part: "10-K405", "10-K/A", "8-K" ...; exhibits and everything else are
 * plain. */
enum outline_form outline_form_of(const char *type);

/* The form that a document names on its first page ("FORM 10-K"), in EDGAR's spelling, or NULL. */
const char *outline_sniff(const struct doc *d);

/* Fills d->outline and, unless `plain`, adds Markdown marks to the headings in d->text (level 1 "#", 2 "##", ...),
 * adjusting the offsets of blocks and breaks.  Returns the confidence, 0 to 1, in the items as a whole; -1 where the
 * form has none. */
double outline_find(struct doc *d, enum outline_form form, int plain);

#endif

/* html_sheet.h: <style> sheets: rules with simple selectors that affect how a page reads.
 *
 * Supported selectors are tag, .class, #id, and a tag with classes or an id, in comma-separated lists.  Rules with
 * other selectors (descendants, attributes, pseudo-classes) are ignored, which shows more rather than less.  Of
 * @media, rules for screens apply, as in a browser; of rules for print only page breaks do; conditions on width and
 * the like count as false.  Other at-rules are skipped.
 */
#ifndef BID_HTML_SHEET_H
#define BID_HTML_SHEET_H

#include "html/html_style.h"
#include "html/html_token.h"

#define SHEET_MAX ((size_t)1 << 20) /* limit of one <style> in bytes; the rest is ignored */
#define SHEET_RULES 8192            /* limit of selectors in a page */

struct html_sheet;

/* Adds a <style> element's text with its media attribute (empty: all) to *sheet, which is allocated when needed; it
 * stays NULL for a page without rules. */
void html_sheet_read(struct html_sheet **sheet, struct slice text, struct slice media);
void html_sheet_free(struct html_sheet *sheet);

/* Merges into *style the rules that match a start tag, the weakest first: ids beat classes, classes beat tags, and
 * later rules beat earlier ones. */
void html_sheet_apply(const struct html_sheet *sheet, const struct html_token *tag, struct html_style *style);

#endif

/* html_sheet.h: <style> sheets: what rules with simple selectors say of how a page reads.
 *
 * Read are tag, .class, #id, and a tag with classes or an id behind it, in lists separated by commas.  Rules
 * with other selectors (descendants, attributes, pseudo-classes) are left out, which shows more rather than
 * less.  Of
 * @media, what a screen shows holds, as a browser shows it; of print only page breaks count, which a screen
 * has none of; conditions on width and the like don't hold.  Other at-rules are skipped.
 */
#ifndef BID_HTML_SHEET_H
#define BID_HTML_SHEET_H

#include "html/html_style.h"
#include "html/html_token.h"

#define SHEET_MAX ((size_t)1 << 20) /* bytes of one <style>; what is behind is not read */
#define SHEET_RULES 8192            /* selectors of a page */

struct html_sheet;

/* Adds a <style> element's text with its media attribute (empty: all) to *sheet, which is made when it is
 * needed: a page without rules has NULL. */
void html_sheet_read(struct html_sheet **sheet, struct slice text, struct slice media);
void html_sheet_free(struct html_sheet *sheet);

/* Puts on *style what the rules that fit a start tag say, the weaker first: ids before classes before tags,
 * then the later one. */
void html_sheet_apply(const struct html_sheet *sheet, const struct html_token *tag, struct html_style *style);

#endif

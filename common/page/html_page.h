/* html_page.h: a page to hand on: one file of HTML, without scripts and without anything from elsewhere.
 *
 * Light and dark, printable, readable by keyboard and screen reader; its Content-Security-Policy forbids scripts and
 * loading.  Text from outside stays text: all of it is escaped and masked (mask.h), and only plain http, https and
 * file addresses become links.
 */
#ifndef BID_HTML_PAGE_H
#define BID_HTML_PAGE_H

#include "page/block.h"

/* The beginning, up to <main>: title (text) is the heading, too; lead is a line below it, or empty. */
void html_page_open(struct buf *out, struct slice title, struct slice lead);
void html_page_close(struct buf *out);

/* Text, escaped and masked. */
void html_page_text(struct buf *out, struct slice text);
void html_page_cstr(struct buf *out, const char *text);

/* A link where the address is fit for one, else the text alone. */
void html_page_link(struct buf *out, struct slice url, struct slice text);

/* Text in which plain addresses are links. */
void html_page_prose(struct buf *out, struct slice text);

/* Around a table's thead and tbody: it scrolls by itself where the page is narrower. */
void html_page_table_open(struct buf *out, const char *label);
void html_page_table_close(struct buf *out);

/* A passage: headings from <h3> on, paragraphs, lists, tables, the question's words in <mark>.  m may be NULL. */
void html_page_passage(struct buf *out, struct page_passage passage, const struct page_marks *m);

#endif

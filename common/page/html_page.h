/* html_page.h: self-contained HTML pages: one file without scripts or external resources.
 *
 * Light and dark, printable, accessible by keyboard and screen reader; the Content-Security-Policy forbids scripts
 * and loading.  All external text is escaped and masked (mask.h), and only plain http, https and file URLs become
 * links.
 */
#ifndef BID_HTML_PAGE_H
#define BID_HTML_PAGE_H

#include "page/page_table.h"

/* Writes the start, up to <main>: title (text) is also the heading; lead is a line below it, or empty. */
void html_page_open(struct buf *out, struct slice title, struct slice lead);
void html_page_close(struct buf *out);

/* Appends text, escaped and masked. */
void html_page_text(struct buf *out, struct slice text);
void html_page_cstr(struct buf *out, const char *text);

/* Appends a link where the URL is suitable, else the text only. */
void html_page_link(struct buf *out, struct slice url, struct slice text);

/* Appends text and turns plain URLs in it into links. */
void html_page_prose(struct buf *out, struct slice text);

/* Enclose a table's thead and tbody; the table scrolls by itself where the page is narrower. */
void html_page_table_open(struct buf *out, const char *label);
void html_page_table_close(struct buf *out);

/* Appends a table.  m: the marks in its rows, in_head: those in its head; NULL for none. */
void html_page_table(struct buf *out, const struct page_table *t, const char *label,
                     const struct page_marks *m, const struct page_marks *in_head);

/* Appends a passage's place (page_place()) to a heading: company, form, year and day; below them, the place in
 * the filing. */
void html_page_place(struct buf *out, struct slice place);

/* Appends a passage: headings from <h3> on, paragraphs, lists, tables, and the question's words in <mark>.  m may be
 * NULL. */
void html_page_passage(struct buf *out, struct page_passage passage, const struct page_marks *m);

#endif

/* fact_prose.h: words of a source, such as a company's name, in what people and spreadsheets read: they are no line, markup
 * or formula there. */
#ifndef BID_FACT_PROSE_H
#define BID_FACT_PROSE_H

#include "facts/fact_grid.h"

/* Appends the text on one line: control characters become blanks. */
void fact_prose_line(struct buf *out, struct slice text);

/* The same as Markdown in which nothing is markup or a link (CommonMark 0.31, section 2.4, and GFM's autolinks). */
void fact_prose_markdown(struct buf *out, struct slice text);

/* Appends lines of notes in that format.  In Markdown, URLs in lines of sources stay links. */
void fact_prose_notes(struct buf *out, struct slice lines, enum fact_format format);

/* Appends a field of CSV (RFC 4180).  Text that a spreadsheet would run as a formula begins with an apostrophe. */
void fact_prose_csv(struct buf *out, struct slice text, int last);

#endif

/* doc_builder.h: building a document's text block by block, for the readers of all formats but HTML. */
#ifndef BID_DOC_BUILDER_H
#define BID_DOC_BUILDER_H

#include "document/doc.h"

/* Starts a block at the end of the text, after the blank line that parts it from the one before; the caller
 * appends to d->text and calls doc_builder_end(), which drops blanks at the block's end, drops an empty block,
 * finds DOC_UPPERCASE and adds the newline.  Once d->text has overflowed, a block of kind DOC_TABLE is cut at
 * its last whole row and any other goes away: a reader stops when it sees d->text.overflow. */
void doc_builder_begin(struct doc *d, enum doc_kind kind, unsigned flags);
void doc_builder_end(struct doc *d);

/* Whether at least two letters stand in it, and no small one (of ASCII). */
int doc_builder_capitals(struct slice text);

/* A whole block of text; runs of white space become one space. */
void doc_builder_add(struct doc *d, enum doc_kind kind, unsigned flags, struct slice text);

/* A heading of this level: "## text", the marks left out where `plain`. */
void doc_builder_heading(struct doc *d, int level, int plain, struct slice text);

/* Appends text with runs of white space as one space, none at its ends. */
void doc_builder_squeeze(struct buf *out, struct slice text);

/* Appends a cell of a Markdown table: squeezed, '|' escaped. */
void doc_builder_cell(struct buf *out, struct slice text);

/* A table row by row: begin, cells of the first (header) row, doc_builder_row(), cells, doc_builder_row(), ..., end.
 * As Markdown; as lines of cells separated by tabs where `plain` or DOC_TABLES_TEXT; as nothing where dropped.
 * Rows stop once the text's ceiling is passed. */
struct doc_builder_table {
  struct doc *d;
  enum doc_tables mode;
  int plain;
  size_t row, column, columns;
};
void doc_builder_table_begin(struct doc_builder_table *t, struct doc *d, enum doc_tables mode, int plain);
void doc_builder_table_cell(struct doc_builder_table *t, struct slice text);
void doc_builder_table_row(struct doc_builder_table *t);
void doc_builder_table_end(struct doc_builder_table *t);

/* "- **Label:** value", without the marks where `plain`. */
void doc_builder_labelled(struct doc *d, int plain, struct slice label, struct slice value);

/* Appends a name in camelCase, snake_case or kebab-case as words: "issuerTradingSymbol" gives "Issuer trading
 * symbol". */
void doc_builder_words(struct buf *out, struct slice name);

/* A new page starts with the next block; page is its printed number, or 0 to count on. */
void doc_builder_break(struct doc *d, int page);

#endif

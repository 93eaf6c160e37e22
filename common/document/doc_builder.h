/* doc_builder.h: builds a document's text block by block, for readers of all formats except HTML. */
#ifndef BID_DOC_BUILDER_H
#define BID_DOC_BUILDER_H

#include "document/doc.h"

/* Starts a block at the end of the text, after a separating blank line.  The caller appends to d->text and calls
 * doc_builder_end(), which trims the block, drops an empty one, detects DOC_UPPERCASE and adds the newline.  Where
 * d->text has overflowed, a DOC_TABLE is cut after its last complete row and any other block is dropped; readers
 * should stop when d->text.overflow is set. */
void doc_builder_begin(struct doc *d, enum doc_kind kind, unsigned flags);
void doc_builder_end(struct doc *d);

/* Whether text has at least two letters and no lower-case one (of ASCII). */
int doc_builder_capitals(struct slice text);

/* Adds a block of text with white space collapsed. */
void doc_builder_add(struct doc *d, enum doc_kind kind, unsigned flags, struct slice text);

/* Adds a heading of this level: "## text", without the marks where `plain`. */
void doc_builder_heading(struct doc *d, int level, int plain, struct slice text);

/* Appends a run of text with marks (DOC_RAISED, DOC_STRUCK) after one with *last; ends with one of no text and no marks. */
void doc_builder_run(struct buf *out, unsigned *last, unsigned marks, struct slice text);

/* Appends text with white space collapsed and trimmed, ligatures as letters, without soft hyphens. */
void doc_builder_squeeze(struct buf *out, struct slice text);

#define DOC_BUILDER_COLUMNS 512 /* columns whose merged cells are known */

/* Writes a table row by row: begin, cells of the header row, doc_builder_table_row(), cells of the next row, ...,
 * end.  As Markdown; as tab-separated lines where `plain` or DOC_TABLES_TEXT; not at all where dropped.  Stops adding
 * rows once the text's ceiling is reached. */
struct doc_builder_table {
  struct doc *d;
  enum doc_tables mode;
  int plain;
  size_t row, column, columns;
  size_t from[DOC_BUILDER_COLUMNS],
      len[DOC_BUILDER_COLUMNS]; /* the last cell with text of each column, as written */
};
void doc_builder_table_begin(struct doc_builder_table *t, struct doc *d, enum doc_tables mode, int plain);
void doc_builder_table_cell(struct doc_builder_table *t, struct slice text);

/* The same with blanks before it: two for each level of a row's label. */
void doc_builder_table_label(struct doc_builder_table *t, size_t blanks, struct slice text);
/* A cell that is merged with the one above: its text again, so that each row, and each passage, has it. */
void doc_builder_table_repeat(struct doc_builder_table *t);
void doc_builder_table_row(struct doc_builder_table *t);
void doc_builder_table_end(struct doc_builder_table *t);

/* Adds "- **Label:** value", without the marks where `plain`. */
void doc_builder_labelled(struct doc *d, int plain, struct slice label, struct slice value);

/* Appends a name in camelCase, snake_case or kebab-case as words: "issuerTradingSymbol" gives "Issuer trading
 * symbol". */
void doc_builder_words(struct buf *out, struct slice name);

/* Starts a new page with the next block; page is its printed number, or 0 for the next one. */
void doc_builder_break(struct doc *d, int page);

#endif

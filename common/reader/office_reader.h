/* office_reader.h: DOCX, XLSX and PPTX files to documents.
 *
 * A text document: headings by their styles, lists, tables, footnotes at the end; its page breaks as last laid
 * out.  A workbook: a heading a sheet with the sheet's name, its cells as tables (an empty row parts two), dates
 * and percentages as they are shown.  A presentation: a page a slide, its title as heading, tables, notes.
 *
 * Format: ECMA-376 part 1, "WordprocessingML", "SpreadsheetML", "PresentationML".
 */
#ifndef BID_OFFICE_READER_H
#define BID_OFFICE_READER_H

#include "base/diag.h"
#include "format/content_type.h"
#include "reader/office_options.h"
#include "record/metadata.h"

/* Fills d (cleared before) and what m does not know yet (title, company, filing date: the file's own).  kind is
 * CONTENT_DOCX, CONTENT_XLSX or CONTENT_PPTX.  0, 1 where the text passed max_text, -1 with why. */
int office_reader_read(struct doc *d, struct slice bytes, enum content_kind kind,
                       const struct office_reader_options *o, struct metadata *m, struct error_text *why);

#endif

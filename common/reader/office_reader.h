/* office_reader.h: converts DOCX, XLSX and PPTX files to documents.
 *
 * Word processing: headings by style, lists, tables, footnotes at the end, page breaks as last laid out.
 * Spreadsheets: a heading with the name of each sheet, cells as tables (an empty row separates two), dates and
 * percentages as displayed.  Presentations: one page per slide with its title as heading, tables, notes.
 *
 * Format: ECMA-376 part 1, "WordprocessingML", "SpreadsheetML", "PresentationML".
 */
#ifndef BID_OFFICE_READER_H
#define BID_OFFICE_READER_H

#include "base/diag.h"
#include "format/content_type.h"
#include "reader/office_options.h"
#include "record/metadata.h"

/* Fills d (cleared first) and the unknown fields of m from the file's properties (title, company, filing date).  kind
 * is CONTENT_DOCX, CONTENT_XLSX or CONTENT_PPTX.  0, 1 where the text exceeded max_text, or -1 with why. */
int office_reader_read(struct doc *d, struct slice bytes, enum content_kind kind,
                       const struct office_reader_options *o, struct metadata *m, struct error_text *why);

#endif

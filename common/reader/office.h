/* office.h: converts DOCX, XLSX and PPTX files, each a zip of XML parts, to documents.
 *
 * Word processing: headings by style, lists, tables, footnotes at the end, page breaks as last laid out.
 * Spreadsheets: a heading with the name of each sheet, cells as tables (an empty row separates two), dates and
 * percentages as displayed.  Presentations: one page per slide with its title as heading, tables, notes.
 *
 * Format: ECMA-376 part 1, "WordprocessingML", "SpreadsheetML", "PresentationML"; part 2, "Open Packaging Conventions".
 */
#ifndef BID_OFFICE_H
#define BID_OFFICE_H

#include "base/buf.h"
#include "base/diag.h"
#include "document/doc.h"
#include "format/xml.h"
#include "record/metadata.h"

#define OFFICE_PARTS 8192                /* limit of XML parts in a file, */
#define OFFICE_BYTES ((size_t)192 << 20) /* and of their total bytes */

struct office_part {
  char *name; /* "word/document.xml" */
  struct buf bytes;
};

struct office_file {
  struct office_part *parts;
  size_t count;
};

/* Reads all XML parts; images and other parts are skipped.  0, or -1 with why (damaged, encrypted, limit exceeded).
 * Release p in both cases. */
int office_open(struct office_file *p, struct slice bytes, struct error_text *why);
void office_close(struct office_file *p);

/* A part's bytes, or an empty slice. */
struct slice office_bytes(const struct office_file *p, const char *name);

/* The name of the part that the relationship `id` of the part `from` ("xl/workbook.xml") refers to, in out; NULL
 * where there is none or it is external. */
const char *office_target(const struct office_file *p, const char *from, struct slice id, char *out,
                          size_t size);

/* The same by the kind of relationship, the end of its type ("/chart"): the (skip + 1)th. */
const char *office_target_of(const struct office_file *p, const char *from, const char *kind, size_t skip,
                             char *out, size_t size);

/* Adds the charts of a part as tables of their cached values (one without them is counted as omitted), and the texts of its
 * diagrams. */
void office_charts(struct doc *d, const struct doc_options *o, const struct office_file *p, const char *from);

/* Adds the text of each element of that name in a part, a drawing's "txBody", as a paragraph. */
void office_texts(struct doc *d, const struct office_file *p, const char *part, const char *element);

/* Parses a part, keeping white space.  0, or -1 with why.  Release x in both cases. */
int office_xml(const struct office_file *p, const char *name, struct xml *x, struct error_text *why);

/* Reads a part as office_xml() does.  One that can't be read is noted as lost, an `optional` one only where it is there. */
int office_read_part(struct doc *d, const struct office_file *p, const char *name, int optional,
                     struct xml *x);

/* Notes a sheet, slide or string that another part refers to and that isn't there. */
void office_part_missing(struct doc *d, const char *what, int number);

/* Appends the text of a file to d.  0, or -1 with why where the main part is missing or broken. */
typedef int office_reader(struct doc *d, const struct office_file *p, const struct doc_options *o,
                          struct error_text *why);
office_reader docx_reader_read, xlsx_reader_read, pptx_reader_read;

/* Fills d (cleared first) by `read`, and the unknown fields of m from the file's properties (title, company, filing
 * date).  0, 1 where the text exceeded max_text, or -1 with why. */
int office_reader_read(struct doc *d, struct slice bytes, office_reader *read, const struct doc_options *o,
                       struct metadata *m, struct error_text *why);

#endif

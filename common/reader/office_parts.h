/* office_parts.h: the readers of the three office formats, for office_reader.c. */
#ifndef BID_OFFICE_PARTS_H
#define BID_OFFICE_PARTS_H

#include "format/package.h"
#include "reader/office_options.h"

/* Reads a part as package_xml() does.  One that can't be read is noted as lost, an `optional` one only where it is there. */
int office_part(const struct office_reader_options *o, const struct package *p, const char *name,
                int optional, struct xml *x);

/* Notes a sheet, slide or string that another part refers to and that isn't there. */
void office_part_absent(const struct office_reader_options *o, const char *what, int number);

/* Each appends to d.  0, or -1 with why where the main part is missing or broken. */
int docx_reader_read(struct doc *d, const struct package *p, const struct office_reader_options *o,
                     struct error_text *why);
int xlsx_reader_read(struct doc *d, const struct package *p, const struct office_reader_options *o,
                     struct error_text *why);
int pptx_reader_read(struct doc *d, const struct package *p, const struct office_reader_options *o,
                     struct error_text *why);

#endif

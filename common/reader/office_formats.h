/* office_formats.h: the readers of the three office formats, for office_reader.c. */
#ifndef BID_OFFICE_FORMATS_H
#define BID_OFFICE_FORMATS_H

#include "format/package.h"
#include "reader/office_options.h"

/* Each appends to d.  0, or -1 with why where the main part is missing or broken. */
int docx_reader_read(struct doc *d, const struct package *p, const struct office_reader_options *o,
                     struct error_text *why);
int xlsx_reader_read(struct doc *d, const struct package *p, const struct office_reader_options *o,
                     struct error_text *why);
int pptx_reader_read(struct doc *d, const struct package *p, const struct office_reader_options *o,
                     struct error_text *why);

#endif

/* office_part.h: the parts of an office file, and those that can't be read. */
#ifndef BID_OFFICE_PART_H
#define BID_OFFICE_PART_H

#include "format/package.h"
#include "reader/office_options.h"

/* Reads a part as package_xml() does.  One that can't be read is noted as lost, an `optional` one only where it is there. */
int office_part(const struct office_reader_options *o, const struct package *p, const char *name,
                int optional, struct xml *x);

/* Notes a sheet, slide or string that another part refers to and that isn't there. */
void office_part_absent(const struct office_reader_options *o, const char *what, int number);

#endif

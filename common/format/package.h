/* package.h: the parts of an office file (DOCX, XLSX, PPTX), which is a zip of XML files.
 *
 * Format: ECMA-376 part 2, "Open Packaging Conventions".
 */
#ifndef BID_PACKAGE_H
#define BID_PACKAGE_H

#include "base/buf.h"
#include "base/diag.h"
#include "format/xml.h"

#define PACKAGE_PARTS 8192                /* limit of XML parts in a file, */
#define PACKAGE_BYTES ((size_t)192 << 20) /* and of their total bytes */

struct package_part {
  char *name; /* "word/document.xml" */
  struct buf bytes;
};

struct package {
  struct package_part *parts;
  size_t count;
};

/* Reads all XML parts; images and other parts are skipped.  0, or -1 with why (damaged, encrypted, limit exceeded).
 * Release p in both cases. */
int package_read(struct package *p, struct slice bytes, struct error_text *why);
void package_release(struct package *p);

/* A part's bytes, or an empty slice. */
struct slice package_part(const struct package *p, const char *name);

/* The name of the part that the relationship `id` of the part `from` ("xl/workbook.xml") refers to, in out; NULL
 * where there is none or it is external. */
const char *package_target(const struct package *p, const char *from, struct slice id, char *out,
                           size_t size);

/* Parses a part, keeping white space.  0, or -1 with why.  Release x in both cases. */
int package_xml(const struct package *p, const char *name, struct xml *x, struct error_text *why);

#endif

/* pdf_reader.h: extracts the text of a PDF by running poppler's pdftotext as a child process.
 *
 * A PDF is untrusted input to a large C++ library, so it is parsed in isolation: the child has only its pipes,
 * limited address space, CPU time and run time, may neither write files nor use the network (sandbox.h), and its
 * output is limited.  A program in a sandbox of its own can't fork any more; base/helper.h starts the children for it.
 */
#ifndef BID_PDF_READER_H
#define BID_PDF_READER_H

#include "base/buf.h"
#include "base/diag.h"

#define PDF_SECONDS 60               /* limit of run time and of CPU time */
#define PDF_MEMORY ((size_t)2 << 30) /* limit of the child's address space, in bytes */
#define PDF_ERRORS 2048              /* bytes of its error messages that are kept */

enum pdf_reader_status {
  PDF_OK,
  PDF_EMPTY,     /* valid, but without text: probably scanned */
  PDF_ENCRYPTED, /* a password is needed */
  PDF_BROKEN,    /* not a readable PDF */
  PDF_LIMIT,     /* exceeded a limit of time, memory or output */
  PDF_NO_TOOL    /* pdftotext could not be started */
};

/* Appends the laid-out text (UTF-8, a form feed after each page) to out, up to its ceiling.  *e gets a message for
 * display unless the status is PDF_OK.  Runs the first "pdftotext" in PATH. */
enum pdf_reader_status pdf_reader_text(struct slice pdf, struct buf *out, struct error_text *e);

/* Reads the file's properties with poppler's pdfinfo in the same way: the title ("" where there is none or it is only
 * a file name) and the date of the last change, else of creation ("2026-02-24", or ""). */
struct pdf_reader_facts {
  char title[256], day[11];
};
void pdf_reader_facts_of(struct slice pdf, struct pdf_reader_facts *f);

/* Starts the helper; call before entering a sandbox.  0, or -1 with errno. */
int pdf_reader_prepare(void);

#endif

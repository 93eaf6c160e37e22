/* pdf_reader.h: the text of a PDF, through poppler's pdftotext as a child process.
 *
 * A PDF is hostile input to a large C++ library, so it is read apart: the child has its pipes and no other
 * descriptor, a bounded address space, CPU time and run time, may write no file nor reach a network (sandbox.h), and
 * its output is bounded.  A program that goes into a sandbox itself can start no child any more: pdf_helper.h starts
 * them for it.
 */
#ifndef BID_PDF_READER_H
#define BID_PDF_READER_H

#include "base/buf.h"
#include "base/diag.h"

#define PDF_SECONDS 60               /* run time, and CPU time */
#define PDF_MEMORY ((size_t)2 << 30) /* address space of the child, bytes */
#define PDF_ERRORS 2048              /* bytes of its messages that are kept */

enum pdf_reader_status {
  PDF_OK,
  PDF_EMPTY,     /* read, but no text in it: most likely scanned */
  PDF_ENCRYPTED, /* a password is needed */
  PDF_BROKEN,    /* not readable as PDF */
  PDF_LIMIT,     /* too much time, memory or text */
  PDF_NO_TOOL    /* pdftotext could not be started */
};

/* Appends the laid-out text (UTF-8, a form feed behind every page) to out, whose ceiling is kept.
 * *e is filled with a text for people where the status is not PDF_OK.  The program that is run is the
 * first "pdftotext" in PATH. */
enum pdf_reader_status pdf_reader_text(struct slice pdf, struct buf *out, struct error_text *e);

/* What the file says of itself: its title ("" where it has none, or one that only names a file) and the day of its
 * last change, else of its making ("2026-02-24", or ""), by poppler's pdfinfo in the same way. */
struct pdf_reader_facts {
  char title[256], day[11];
};
void pdf_reader_facts_of(struct slice pdf, struct pdf_reader_facts *f);

/* Before a sandbox: from then on a helper starts the children.  0, or -1 with errno. */
int pdf_reader_prepare(void);

#endif

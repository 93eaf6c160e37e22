/* pdf_tool.h: one run of a tool of poppler's as a child process, under limits; private to pdf_reader.c and pdf_tool.c.
 *
 *     struct pdf_tool c = {.tool = PDFINFO, .left = pdf, .text = &out, .deadline = clock_monotonic() + PDF_SECONDS};
 *     buf_init(&c.errors, PDF_ERRORS);
 *     if (pdf_tool_start(&c) == 0)
 *       status = pdf_tool_finish(&c, cut = pdf_tool_pump(&c));
 *     buf_release(&c.errors);
 */
#ifndef BID_PDF_TOOL_H
#define BID_PDF_TOOL_H

#include "reader/pdf_reader.h"

#include <sys/types.h>

/* The tools, by number. */
enum { PDFTOTEXT, PDFINFO };

struct pdf_tool {
  int tool;
  pid_t pid;         /* 0: a child of the helper */
  int in, out, err;  /* our ends; -1 once closed */
  struct slice left; /* rest of the PDF, still to be written */
  struct buf *text;  /* gets its output, up to its ceiling */
  struct buf errors;
  double deadline;
};

/* Starts it, through the helper where there is one.  0, or -1 with errno. */
int pdf_tool_start(struct pdf_tool *c);

/* Writes the PDF and reads until both outputs are closed.  0, or -1 where the limit of time or output is exceeded. */
int pdf_tool_pump(struct pdf_tool *c);

/* The child's status, as of waitpid(2); a child whose output was cut off is killed first. */
int pdf_tool_finish(struct pdf_tool *c, int cut);

/* Executes a tool with these descriptors as 0, 1, 2, without any other and under limits; doesn't return.  For a child
 * only. */
void pdf_tool_run(int tool, int in, int out, int err);

#endif

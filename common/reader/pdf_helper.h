/* pdf_helper.h: a process that starts poppler's tools for this one, once this one can't.
 *
 * It is forked before the sandbox is entered, executes nothing but poppler's tools, and ends with this process.  One request
 * at a time: three descriptors over a socket, a byte to end the child early, the child's wait status back.
 */
#ifndef BID_PDF_HELPER_H
#define BID_PDF_HELPER_H

#include <sys/types.h>

/* run: what the child does for a tool (0 to 255) with its stdin, stdout and stderr; doesn't return.  0, or -1 with errno. */
typedef void pdf_helper_run(int tool, int in, int out, int err);
int pdf_helper_start(pdf_helper_run *run);

/* Whether one was started. */
int pdf_helper_there(void);

/* Has a child started for the tool with these descriptors, which stay the caller's.  0, or -1 with errno. */
int pdf_helper_begin(int tool, int in, int out, int err);

/* Waits for the child, having ended it where `kill` is set; its status as of waitpid(2). */
int pdf_helper_end(int kill);

#endif

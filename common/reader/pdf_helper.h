/* pdf_helper.h: a helper process that starts poppler's tools after this process has entered the sandbox and can't
 * fork.
 *
 * It is forked before the sandbox is entered, executes only poppler's tools, and ends with this process.  It serves
 * one request at a time: three descriptors are sent over a socket, one byte kills the child early, and the child's
 * wait status is sent back.
 */
#ifndef BID_PDF_HELPER_H
#define BID_PDF_HELPER_H

#include <sys/types.h>

/* Starts the helper.  run: called in the child to execute a tool (0 to 255) with its stdin, stdout and stderr;
 * doesn't return.  0, or -1 with errno. */
typedef void pdf_helper_run(int tool, int in, int out, int err);
int pdf_helper_start(pdf_helper_run *run);

/* Whether the helper was started. */
int pdf_helper_there(void);

/* Requests a child for the tool with these descriptors, which the caller keeps.  0, or -1 with errno. */
int pdf_helper_begin(int tool, int in, int out, int err);

/* Waits for the child, after killing it where `kill` is set; returns its status as of waitpid(2). */
int pdf_helper_end(int kill);

#endif

/* progress.h: how far a program is, for whoever owns the row on the terminal.
 *
 * Alone a program draws its own row.  In a pipeline the row is the pipeline's: it sets BID_PROGRESS to the number of a
 * pipe's descriptor, all programs write lines there, each at most five times a second and whole (below PIPE_BUF), and
 * `bid progress` draws them as one.  A line: PROGRAM TAB records TAB bytes TAB records that are
 * to come in all, 0 where nobody knows, TAB what it is doing.  A pipeline that knows it says so itself, as PROGRAM "total".
 */
#ifndef BID_PROGRESS_H
#define BID_PROGRESS_H

#include <stdint.h>

/* The descriptor of BID_PROGRESS where it is open for writing, else -1. */
int progress_descriptor(void);

/* Writes one line; what nobody reads is lost. */
struct progress {
  const char *program, *doing;
  uint64_t records, bytes, expected;
};
void progress_tell(int fd, const struct progress *p);

#endif

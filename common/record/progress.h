/* progress.h: progress reports, drawn by the program or by the pipeline that runs it.
 *
 * A program that runs alone draws its own row on the terminal.  In a pipeline, the pipeline does: it sets
 * BID_PROGRESS to the number of a pipe's descriptor, all programs write lines to that pipe, each at most five times a
 * second and in one write below PIPE_BUF, and `bid progress` draws them as one row.  A line is PROGRAM TAB records
 * TAB bytes TAB total records expected (0 where unknown) TAB current activity.  A pipeline that knows the total
 * reports it as PROGRAM "total".
 */
#ifndef BID_PROGRESS_H
#define BID_PROGRESS_H

#include <stdint.h>

/* The descriptor of BID_PROGRESS where it is open for writing, else -1. */
int progress_descriptor(void);

/* Writes one line; it is dropped where the pipe is full or has no reader. */
struct progress {
  const char *program, *doing;
  uint64_t records, bytes, expected;
};
void progress_tell(int fd, const struct progress *p);

#endif

/* progress_row.h: bid progress: the one row of a pipeline's progress on stderr. */
#ifndef BID_PROGRESS_ROW_H
#define BID_PROGRESS_ROW_H

/* Reads the lines of record/progress.h from fd until it ends, draws the row at most five times a second from half a
 * second on, and takes it away at the end.  title: the pipeline; width: columns of the
 * terminal. */
void progress_row_run(int fd, const char *title, int width);

#endif

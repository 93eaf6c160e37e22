/* progress_row.h: bid progress: the progress row of a pipeline on stderr. */
#ifndef BID_PROGRESS_ROW_H
#define BID_PROGRESS_ROW_H

/* Reads lines of record/progress.h from fd until its end and draws the row at most five times a second, starting
 * after half a second; clears it at the end.  title: the pipeline's name; width: columns of the terminal. */
void progress_row_run(int fd, const char *title, int width);

#endif

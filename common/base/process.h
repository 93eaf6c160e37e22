/* process.h: process setup that every program does before it opens anything. */
#ifndef BID_PROCESS_H
#define BID_PROCESS_H

/* Makes the process safe to open files in:
 * - Descriptors 0, 1 and 2 that are closed are opened on /dev/null in the unusable direction, so that no file opened
 *   later gets their number; reading stdin or writing stdout still fails with EBADF.
 * - Files are created for their owner alone (umask 077), and crashes leave no core file, which would hold keys.
 * - SIGCHLD is not ignored, so that children can be waited for.
 * - Exceeding a file size limit (ulimit -f) fails with EFBIG like a full disk instead of killing the process.
 *
 * Exits with 71 (EX_OSERR) where /dev/null can't be opened.
 */
void process_init(void);

/* Sets a file's permissions by the user's umask, for files that are meant to be passed on; all other files are
 * readable by the user only. */
void process_publish(int fd);

/* open(2) for reading: a descriptor, or -1 with errno.  A FIFO that nobody opens for writing within 5 seconds fails with
 * ETIMEDOUT. */
int process_open(const char *name);

/* For a child that evaluates what is not trusted: 0, 1 and 2 become /dev/null, fd becomes the returned 3, and all other
 * descriptors are closed.  Exits with 71 where that fails. */
int process_keep_only(int fd);

#endif

/* guard.h: a program and all that it started end together, `bid guard`. */
#ifndef BID_GUARD_H
#define BID_GUARD_H

/* Runs argv[0] with its arguments and waits for it.  A shell that is ended by a signal leaves the programs of its
 * pipelines at work; here SIGTERM, SIGINT and SIGHUP end every descendant, also those whose parent is gone, with SIGTERM
 * and after two seconds with SIGKILL, and then this process by the same signal.  The same happens where argv[0] itself is
 * ended by a signal.  A signal that is ignored at the start stays ignored, as nohup(1) wants it.
 *
 * The exit status of argv[0], or 127 where it can't be started.  What it leaves in the background when it exits by itself
 * goes on. */
int guard_run(char *const argv[]);

#endif

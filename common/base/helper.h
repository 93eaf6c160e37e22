/* helper.h: a process that starts other programs for this one after it has entered the sandbox and can't fork.
 *
 * It is forked before the sandbox is entered, runs only the functions that were named then, each in a child, and ends with
 * this process.  It serves one request at a time: three descriptors are sent over a socket, one byte kills the child
 * early, and the child's wait status is sent back.
 */
#ifndef BID_HELPER_H
#define BID_HELPER_H

#include <stddef.h>

/* What a child does: executes a program with these descriptors as its stdin, stdout and stderr (helper_take()).  It doesn't
 * return.  Who asks for it may have been taken over: what is read from `in` is not trusted. */
typedef void helper_run(int in, int out, int err);

/* Starts the helper; `runs` must stay.  0, or -1 with errno. */
int helper_start(helper_run *const *runs, size_t count);

/* Whether the helper was started for this function. */
int helper_there(helper_run *run);

/* Requests a child with these descriptors, which the caller keeps.  0, or -1 with errno.  Another thread's request waits
 * until helper_end(). */
int helper_begin(helper_run *run, int in, int out, int err);

/* Waits for the child, after killing it where `kill` is set; returns its status as of waitpid(2). */
int helper_end(int kill);

/* In the child: makes the descriptors 0, 1 and 2, and closes all others.  Ends the child where that fails. */
void helper_take(int in, int out, int err);

#endif

/* store_fault.h: the end of a process that meets damage in a mapped store; private to store*.c.
 *
 * LMDB trusts its pages: on damaged ones it may follow a number out of the file, and a file that somebody cuts short while
 * it is mapped takes its pages away.  Either is a signal (SIGBUS, SIGSEGV), or an assertion of LMDB's.  Nothing can go on
 * behind it: the process says what happened in one line on stderr and ends with 65 (the file is damaged), 74 (it was cut
 * short) or 70 (a fault that may be bid's own).  What was committed is untouched, and no half answer gets out.  This is
 * the one place of common/ besides diag.h that ends the process. */
#ifndef BID_STORE_FAULT_H
#define BID_STORE_FAULT_H

#include <lmdb.h>

/* Watches over a store from before its file is mapped until store_fault_end(): path is kept by reference, fd is of the
 * file.  A handler that was there before gets every signal that has nothing to do with a store.  A number for the
 * functions below; -1 where too many stores are open to watch over this one too. */
int store_fault_begin(const char *path, int fd);
/* Tells where the file is mapped, by a value of a small entry in it. */
void store_fault_mapped(int number, MDB_env *env, const void *value);
void store_fault_end(int number);

#endif

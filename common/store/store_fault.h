/* store_fault.h: ends the process when it meets damage in a mapped store; private to store*.c.
 *
 * LMDB trusts its pages: on damaged ones it may access memory beyond the file, and a file that is truncated while
 * mapped loses its pages.  Either raises a signal (SIGBUS, SIGSEGV) or an assertion in LMDB.  The process can't
 * continue after that: it prints one line on stderr and exits with 65 (the file is damaged), 74 (it was truncated) or
 * 70 (possibly a bug in BID).  Committed data is unaffected, and no partial answer is output.  This is the only place
 * in common/ besides diag.h that ends the process.
 */
#ifndef BID_STORE_FAULT_H
#define BID_STORE_FAULT_H

#include <lmdb.h>

/* Starts watching a store; call before its file is mapped.  path is kept by reference; fd is the file's.  Signals
 * unrelated to a store are passed to the previous handler.  Returns a number for the functions below; -1 where too
 * many stores are open. */
int store_fault_begin(const char *path, int fd);
/* Sets the file's mapped address, given a value of a small entry in it. */
void store_fault_mapped(int number, MDB_env *env, const void *value);
void store_fault_end(int number);

#endif

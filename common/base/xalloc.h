/* xalloc.h: malloc and its relatives, by their customary names.  Running out of memory ends the program
 * (diag_oom()).  A size of 0 is taken as 1. Free with free(). */
#ifndef BID_XALLOC_H
#define BID_XALLOC_H

#include <stddef.h>

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);
void *xreallocarray(void *old, size_t count, size_t size);

/* An array of `count` elements with room for one more: its room doubles where count is a power of two.  It never shrinks, so that an
 * array that is emptied and filled again is not allocated again. */
void *xgrow(void *items, size_t count, size_t size);

char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t len);
char *xformat(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the program where so much memory can't be had now, before a call of a library that doesn't check its own. */
void xroom(size_t size);

/* ---- tuning malloc() for programs that allocate and free about the same memory repeatedly ---- */

/* Keeps freed memory for reuse instead of returning it to the kernel: allocations below `largest` bytes (at most 32
 * MiB), as long as no more than `kept` bytes at the top of the heap are free.  Call before threads are started. */
void xalloc_keep(size_t largest, size_t kept);

#endif

/* malloc_options.h: what malloc() is told by programs that take about the same memory again and again. */
#ifndef BID_MALLOC_OPTIONS_H
#define BID_MALLOC_OPTIONS_H

#include <stddef.h>

/* Before there are threads: memory that was freed is kept for the next pieces, where these have less than `largest`
 * bytes (at most 32 MiB), and as long as no more than `kept` bytes at the heap's end are free. */
void malloc_options_keep(size_t largest, size_t kept);

/* The next MALLOC_OPTIONS_LARGE bytes or so of the calling thread come in pages of 2 MiB, where the system has such:
 * one page fault instead of 512.  For work that will take some megabytes. */
#define MALLOC_OPTIONS_LARGE ((size_t)60 << 20)
void malloc_options_large_pages(void);

#endif

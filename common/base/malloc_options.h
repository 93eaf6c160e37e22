/* malloc_options.h: what malloc() is told by programs that take about the same memory again and again. */
#ifndef BID_MALLOC_OPTIONS_H
#define BID_MALLOC_OPTIONS_H

#include <stddef.h>

/* Before there are threads: memory that was freed is kept for the next pieces, where these have less than `largest`
 * bytes (at most 32 MiB), and as long as no more than `kept` bytes at the heap's end are free. */
void malloc_options_keep(size_t largest, size_t kept);

#endif

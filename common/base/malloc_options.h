/* malloc_options.h: tuning malloc() for programs that allocate and free about the same memory repeatedly. */
#ifndef BID_MALLOC_OPTIONS_H
#define BID_MALLOC_OPTIONS_H

#include <stddef.h>

/* Keeps freed memory for reuse instead of returning it to the kernel: allocations below `largest` bytes (at most 32
 * MiB), as long as no more than `kept` bytes at the top of the heap are free.  Call before threads are started. */
void malloc_options_keep(size_t largest, size_t kept);

#endif

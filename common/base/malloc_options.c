/* malloc_options.c: for glibc's malloc; does nothing with others. */
#include "base/malloc_options.h"

#include <malloc.h>

void malloc_options_keep(size_t largest, size_t kept) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, (int)largest);
  mallopt(M_TRIM_THRESHOLD, (int)kept);
#else
  (void)largest, (void)kept;
#endif
}

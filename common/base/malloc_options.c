/* malloc_options.c: glibc's malloc; others are left as they are. */
#include "base/malloc_options.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LARGE_PAGE ((uintptr_t)2 << 20)

void malloc_options_keep(size_t largest, size_t kept) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, (int)largest);
  mallopt(M_TRIM_THRESHOLD, (int)kept);
#else
  (void)largest, (void)kept;
#endif
}

/* Has the large pages of a piece that is about to be cut from the heap. */
static void *advised(size_t bytes) {
  char *piece = malloc(bytes);
#if defined __GLIBC__ && defined MADV_HUGEPAGE
  uintptr_t from = ((uintptr_t)piece + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
  uintptr_t until = ((uintptr_t)piece + bytes) & ~(LARGE_PAGE - 1);
  if (piece != NULL)
    (void)madvise((void *)from, until - from, MADV_HUGEPAGE);
#endif
  return piece;
}

/* Pieces that are freed at once stay in the thread's heap, and what comes next is cut from them.  Two: one of this
 * size would be a map of its own. */
void malloc_options_large_pages(void) {
  void *first = advised(MALLOC_OPTIONS_LARGE / 2), *second = advised(MALLOC_OPTIONS_LARGE / 2);
  free(second);
  free(first);
}

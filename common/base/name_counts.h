/* name_counts.h: how often each name has come, so that things of one name can be told apart. */
#ifndef BID_NAME_COUNTS_H
#define BID_NAME_COUNTS_H

#include "base/slice.h"

#include <stdint.h>

struct name_counts {
  struct name_count *slots; /* NULL: empty */
  size_t size, used;
};

/* 1 where no name like this came before, 2 for the second, and so on.  Names are told apart by 64 bits of hash: two that
 * share it count as one. */
unsigned name_counts_add(struct name_counts *n, struct slice name);

/* Forgets all names. */
void name_counts_release(struct name_counts *n);

#endif

/* claims_fuzz.c: any bytes as an answer and as the passage that it cites, parted by a zero: in bounds, ends, and the places
 * of numbers lie in the answer, in order. */
#include "verify/claims.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct slice answer = slice_of((const char *)data, size), passage = answer;
  const char *zero = size ? memchr(data, 0, size) : NULL;
  struct evidence e;
  struct claims claims;
  const struct owners nobody = {.list = NULL};
  size_t at = 0;
  if (zero) {
    answer.len = (size_t)(zero - answer.data);
    passage = slice_of(zero + 1, size - answer.len - 1);
  }
  evidence_init(&e, NULL);
  evidence_add_passage(&e, 1, passage, slice_of(passage.data, passage.len / 2));
  claims_check(&claims, &e, &nobody, answer);
  for (size_t i = 0; i < claims.count; i++) {
    const struct stated_number *n = &claims.claims[i].number;
    if (n->start >= n->end || n->end > answer.len || n->start < at)
      abort();
    at = n->start;
  }
  free(claims.claims);
  evidence_release(&e);
  return 0;
}

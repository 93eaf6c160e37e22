/* verify_write.h: verdicts on an answer as a record, bid-records(5) "Verification", and for people. */
#ifndef BID_VERIFY_WRITE_H
#define BID_VERIFY_WRITE_H

#include "verify/citation.h"
#include "verify/claims.h"

/* An answer with what it cites; texts are its own (kept). */
struct verify_case {
  struct cited *cited;
  size_t cited_count;
  struct citation *proofs; /* beside them */
  struct slice query, answer;
  struct evidence evidence;
  struct claims claims;
  char **kept;
  size_t kept_count;
};

void verify_write(struct buf *out, const struct verify_case *v, int people);

/* Whether all that was checked is proved and found. */
int verify_is_clean(const struct verify_case *v);

#endif

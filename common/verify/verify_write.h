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
  size_t number; /* among the cases of a run, from 1 */
};

void verify_write(struct buf *out, const struct verify_case *v, int people);

/* As a part of a page (page/html_page.h); snap, which may be NULL, shows citations in their place. */
void verify_page_add(struct buf *out, const struct verify_case *v, const struct store_snapshot *snap);

/* How many numbers have this verdict; its name. */
size_t verify_count(const struct verify_case *v, enum claim_verdict verdict);
const char *verify_verdict(enum claim_verdict verdict);

/* Whether all that was checked is proved and found. */
int verify_is_clean(const struct verify_case *v);

#endif

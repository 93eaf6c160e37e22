/* verify_write.h: writes verdicts on an answer as a record, bid-records(5) "Verification", and for display. */
#ifndef BID_VERIFY_WRITE_H
#define BID_VERIFY_WRITE_H

#include "verify/citation.h"
#include "verify/claims.h"

/* An answer with what it cites; its texts are in `kept`. */
struct verify_case {
  struct cited *cited;
  size_t cited_count;
  struct citation *proofs; /* parallel to the citations */
  struct slice query, answer;
  struct evidence evidence;
  struct claims claims;
  char **kept;
  size_t kept_count;
  size_t number; /* number of the case in this run, from 1 */
};

void verify_write(struct buf *out, const struct verify_case *v, int people);

/* Appends it as a part of a page (page/html_page.h); snap, which may be NULL, is used to show citations in context. */
void verify_page_add(struct buf *out, const struct verify_case *v, const struct store_snapshot *snap);

/* Appends the value of an item of the evidence for display: as its passage prints it, or "416,161 million" of a fact. */
void verify_add_value(struct buf *out, const struct evidence_item *item);

/* The figures from which a number was computed, or NULL. */
const struct claim_computation *verify_computation(const struct claim *c);

/* verify_count(): how many numbers have this verdict. verify_verdict(): its name. */
size_t verify_count(const struct verify_case *v, enum claim_verdict verdict);
const char *verify_verdict(enum claim_verdict verdict);

/* Whether a passage has the mark. */
int verify_has_mark(const struct verify_case *v, int mark);

/* Whether everything checked was proved and found. */
int verify_is_clean(const struct verify_case *v);

#endif

/* claims.h: checks each number of an answer against the evidence that it cites.
 *
 * A number is found where the evidence has the same value, possibly rounded, in another scale, or negative in
 * parentheses, or where it can be computed from its values as the sentence says (relation.h).  It is contradicted where the
 * evidence has another value for what the sentence names.  It is unsure where a figure has the value and another line is about
 * as near, or where figures give it by a relation that the sentence doesn't name.  Otherwise it is unsupported.
 */
#ifndef BID_CLAIMS_H
#define BID_CLAIMS_H

#include "verify/evidence.h"
#include "text/numbers.h"
#include "verify/owners.h"

enum claim_verdict { CLAIM_FOUND, CLAIM_CONTRADICTED, CLAIM_UNSUPPORTED, CLAIM_UNSURE };

/* A number of the answer, or a sentence that cites passages and has none. */
struct claim {
  struct stated_number
      number;    /* its offsets are relative to the whole answer; of a sentence no more than these */
  int statement; /* a sentence */
  enum claim_verdict verdict;
  const char *
      how; /* "same", "rounded", "scaled", "computed", "other year", "other period", "other sign", "other line",
                    "other company", "other currency", "other value"; of a sentence "other name", "other day", "other quantity", "negated",
                    "other sign"; NULL for none */
  const struct evidence_item *item;    /* the item that supports or contradicts it, or NULL */
  const struct evidence_item *against; /* of an unsure one: what speaks against it, or NULL */
  struct claim_computation computed;   /* where how is "computed" */
  struct slice
      near; /* of a sentence: the sentence or row of a passage that has most of its words; empty for none */
  int mark; /* of that passage */
};

struct claims {
  struct claim *claims; /* in the order of the answer */
  size_t count;
};

/* Checks the answer sentence by sentence.  Marks [1] in a sentence name the passages that it cites; without marks all
 * passages count.  claims_release() frees them. */
void claims_check(struct claims *c, const struct evidence *e, const struct owners *owners,
                  struct slice answer);
void claims_release(struct claims *c);

/* ---- claim_text.c ---- */

struct claim_sentence;

/* Judges a sentence without numbers that cites passages; its place in the answer is the caller's. */
void claim_text_judge(struct claim *c, const struct claim_sentence *s);

#endif

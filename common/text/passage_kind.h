/* passage_kind.h: classifies a passage by the labels that it contains.
 *
 *     struct passage_kinds *s = passage_kind_new(terms);
 *     passage_kind_begin(s);
 *     for each term of the text, without function words: passage_kind_add(s, hash, kind);
 *     unsigned flags = passage_kind_end(s);
 *
 * A balance sheet is recognised by its lines ("total current assets", "accounts payable", "retained earnings"), not
 * by its title, which is only in its first passage and also occurs in the table of contents and the auditor's report.
 */
#ifndef BID_PASSAGE_KIND_H
#define BID_PASSAGE_KIND_H

#include "text/terms.h"

#include <stdint.h>

/* Flags of a passage; 1 is STORE_BOILERPLATE of store.h. */
enum {
  SIGN_INCOME = 2,  /* an income statement or part of one */
  SIGN_BALANCE = 4, /* a balance sheet */
  SIGN_CASH = 8,    /* a statement of cash flows */
  SIGN_COVER = 16,  /* the cover page of a filing */
  SIGN_LIST = 32,   /* contents, index, exhibits, signatures: names things without describing them */
  SIGN_AUDIT = 64,  /* the auditor's report, certifications */
  SIGN_CAUSES = 128 /* explains an increase or decrease */
};

struct passage_kinds;

struct passage_kinds *passage_kind_new(struct terms *terms); /* out of memory ends the program */
void passage_kind_free(struct passage_kinds *s);

void passage_kind_begin(struct passage_kinds *s);
/* hash: terms_hash() of the term. */
void passage_kind_add(struct passage_kinds *s, uint64_t hash, enum term_kind kind);
unsigned passage_kind_end(const struct passage_kinds *s);

#endif

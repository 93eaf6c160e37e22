/* evidence_kinds.h: which kind of number a figure or a claim is, and which kinds can be held against each other. */
#ifndef BID_EVIDENCE_KINDS_H
#define BID_EVIDENCE_KINDS_H

#include "verify/evidence.h"
#include "verify/numbers.h"

enum evidence_kind evidence_kind_of(const struct evidence_item *item);

/* Of a number of a sentence; direction: 1 or -1 where it is told as an increase or a decrease. */
enum evidence_kind evidence_kind_told(const struct stated_number *n, struct slice text, int direction);

/* Whether a figure could be meant by a claim of a kind, so that it may contradict it: growth is neither a level nor a
 * share, an amount per share no total. */
int evidence_kind_rivals(enum evidence_kind told, enum evidence_kind item);

#endif

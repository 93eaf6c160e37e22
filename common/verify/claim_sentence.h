/* claim_sentence.h: what a sentence says as a whole. */
#ifndef BID_CLAIM_SENTENCE_H
#define BID_CLAIM_SENTENCE_H

#include "verify/claim_view.h"

/* Reads the numbers, words, marks, names and periods of a sentence, whose text and owners are set; about[i] gets how much it is about
 * item i. */
void claim_sentence_read(struct claim_sentence *s, const struct evidence *e, double *about);

#endif

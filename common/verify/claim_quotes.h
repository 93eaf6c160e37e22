/* claim_quotes.h: sentences that are literally in a passage. */
#ifndef BID_CLAIM_QUOTES_H
#define BID_CLAIM_QUOTES_H

#include "verify/claim_view.h"

/* The mark of a cited passage, or of any where the sentence cites none, that has the sentence up to its marks word by word; 0 where
 * none has it, or where it has few words. */
int claim_quoted(const struct claim_sentence *s);

/* Whether the number has the words beside it of a figure of a text: those before it up to the number before or some five, and the next
 * ones behind it. */
int claim_is_verbatim(const struct claim_view *v, const struct evidence_item *found);

#endif

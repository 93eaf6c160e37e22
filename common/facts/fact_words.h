/* fact_words.h: splits a question into words and says of each what kind it is (fact_clause.h). */
#ifndef BID_FACT_WORDS_H
#define BID_FACT_WORDS_H

#include "facts/fact_phrase.h"

/* Fills the words of p, whose query, brands and table are set; companies is the plan's list of them, JSON. */
void fact_words_read(struct fact_phrases *p, struct slice companies);

#endif

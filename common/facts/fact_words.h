/* fact_words.h: splits a question into words and says of each what kind it is (fact_clause.h). */
#ifndef BID_FACT_WORDS_H
#define BID_FACT_WORDS_H

#include "facts/fact_phrase.h"

/* Fills the words of p, whose query, brands and table are set; plan is that of bid-plan(1), JSON. */
void fact_words_read(struct fact_phrases *p, struct slice plan);

#endif

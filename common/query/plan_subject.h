/* plan_subject.h: the forms in which the SEC's rules have a question's subject disclosed, where these are not reports. */
#ifndef BID_PLAN_SUBJECT_H
#define BID_PLAN_SUBJECT_H

#include "query/plan.h"
#include "query/plan_text.h"
#include "query/plan_words.h"

#include <stdint.h>

/* Fills plan->disclosed_in: DEF 14A for the pay of leaders, the board, large holders and what is put to the vote; 4 for
 * trades of insiders.  word, taken: of each token; a company's words may name a person who leads it. */
void plan_disclosed_in(const struct plan_text *t, const struct plan_word *word, const uint8_t *taken,
                       struct plan *plan);

#endif

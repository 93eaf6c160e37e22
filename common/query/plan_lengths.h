/* plan_lengths.h: parses counts and lengths of time in a question. */
#ifndef BID_PLAN_LENGTHS_H
#define BID_PLAN_LENGTHS_H

#include "query/plan_text.h"

/* Each of these parses at token i and returns the number of tokens consumed, 0 where there is no match. */

/* A reporting unit, "quarter", "yrs", "months"; its length in months. */
size_t plan_unit_at(const struct plan_text *t, size_t i, int *months);

/* A length: "quarter", "nine months", "39 weeks", "two fiscal years"; in months. */
size_t plan_length_at(const struct plan_text *t, size_t i, int *months);

/* A small number in digits or words: "three", "3". */
size_t plan_count_at(const struct plan_text *t, size_t i, int *count);

#endif

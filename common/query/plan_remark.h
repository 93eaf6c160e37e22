/* plan_remark.h: what the reader of an answer has to know about a contradiction in its question. */
#ifndef BID_PLAN_REMARK_H
#define BID_PLAN_REMARK_H

#include "query/plan.h"
#include "query/plan_text.h"

/* Appends to plan->remark, masked (mask.h), behind a semicolon; what exceeds it is cut off. */
void plan_remark(struct plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Where the question names a form by its number, "10-K", and it is none of the plan's, which were given.  other: the forms
 * of the question; taken: enum plan_taken of each token. */
void plan_remark_form(const struct plan_text *t, const uint8_t *taken, const struct plan *other,
                      struct plan *plan);

/* Where none of the question's own periods, windows [given, count), is among the given ones, [0, given). */
void plan_remark_period(struct plan *plan, size_t given);

#endif

/* plan_untimed.h: questions about a time that they don't name. */
#ifndef BID_PLAN_UNTIMED_H
#define BID_PLAN_UNTIMED_H

#include "query/plan.h"
#include "query/plan_text.h"

/* Sets plan->untimed, which is also not understood, where a plan without windows is of a time "since the merger" or of a year
 * far ahead.  today: the year. */
void plan_find_untimed(const struct plan_text *t, const uint8_t *taken, int today, struct plan *plan);

#endif

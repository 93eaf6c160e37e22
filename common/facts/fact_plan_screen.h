/* fact_plan_screen.h: answers a question for all companies that meet a condition with a screen. */
#ifndef BID_FACT_PLAN_SCREEN_H
#define BID_FACT_PLAN_SCREEN_H

#include "facts/concepts.h"
#include "record/program.h"

#include <stdint.h>

/* If the plan has no company and the question asks for all that meet a condition on figures: writes the figures of those that
 * come first, and an error record that says how many there are and which command lists all.  Returns whether it does. */
int fact_plan_screen(struct program *p, const struct concept_table *table, struct slice plan,
                     struct slice question, struct slice job);

/* The newest calendar year on which all companies have reported by a day. */
int fact_screen_newest_year(int32_t today);

#endif

/* fact_plan.h: selects the figures that a question asks for, for an answer's bundle. */
#ifndef BID_FACT_PLAN_H
#define BID_FACT_PLAN_H

#include "query/concepts.h"
#include "record/program.h"

#include <stdint.h>

/* The newest calendar year on which all companies have reported by a day. */
int fact_screen_newest_year(int32_t today);

/* Reads jobs with a plan (bid-plan(1)) from the operands or stdin and writes a line for each fact that matches the
 * question's words, companies and windows. */
void fact_plan_run(struct program *p, const struct concept_table *table);

#endif

/* fact_plan.h: the figures that a question asks for, for the bundle of an answer. */
#ifndef BID_FACT_PLAN_H
#define BID_FACT_PLAN_H

#include "facts/concepts.h"
#include "record/program.h"

/* Reads jobs with a plan (bid-plan(1)) from the operands or stdin and writes a line for each fact that the question's
 * words, companies and windows name. */
void fact_plan_run(struct program *p, const struct concept_table *table);

#endif

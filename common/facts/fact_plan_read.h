/* fact_plan_read.h: what a plan, bid-plan(1), says on figures, and errors of a plan's job. */
#ifndef BID_FACT_PLAN_READ_H
#define BID_FACT_PLAN_READ_H

#include "record/program.h"

/* Whether the question's forms, if any, report a company's figures: not those on insiders' trades or holdings. */
int fact_plan_is_of_reports(struct slice plan);

/* Whether the question asks for figures, and of the companies that are given. */
int fact_plan_wants_figures(struct slice plan);

/* Reports an error of a job, whose number (JSON, or empty) the record carries. */
void fact_plan_say(struct program *p, struct slice job, const char *category, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif

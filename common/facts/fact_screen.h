/* fact_screen.h: applies conditions to all companies in a calendar period, using the SEC's frames. */
#ifndef BID_FACT_SCREEN_H
#define BID_FACT_SCREEN_H

#include "query/concepts.h"
#include "query/plan_screen.h"
#include "facts/fact_write.h"
#include "record/program.h"

/* text: conditions as plan_screen.h reads them.  Writes the `limit` companies that meet all of them, in the order of
 * the first one's values. */
void fact_screen_run(struct program *p, const struct concept_table *table, const char *text,
                     const char *period, size_t limit, enum fact_format format);

/* The records of a screen that a job's question asks for, with the job's number.  Returns the number of companies that meet
 * the conditions; *why says how many of them are written and how to get all, or why there are none. */
size_t fact_screen_answer(struct buf *out, const struct concept_table *table,
                          const struct screen_rules *rules, const char *period, size_t limit,
                          struct slice job, struct buf *why);

#endif

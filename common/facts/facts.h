/* facts.h: the core of bid-facts, after its options are parsed. */
#ifndef BID_FACTS_H
#define BID_FACTS_H

#include "facts/fact_period.h"
#include "facts/fact_write.h"
#include "record/program.h"

#include <stdint.h>

#define FACTS_LIMIT_DEFAULT SIZE_MAX

struct facts_options {
  struct option_list entities, files, operands;
  int annual, quarterly, trailing, first_reported, csv, markdown, fred, for_plan, segments, words;
  const char *as_of, *unit, *period, *since, *statement, *plot, *screen, *format;
  size_t limit;              /* FACTS_LIMIT_DEFAULT: the default */
  struct fact_windows asked; /* of a question, in place of a period and a span; or none */
};

/* Where no option names a company and there are words, reads them as a question (query/plan.h) and sets companies, figures,
 * windows and unit of it.  Appends to why what can't be answered; leaves the options alone where no company is named. */
void facts_question(struct facts_options *o, struct buf *why);

/* Checks the options: appends the fault to why, which stays empty where there is none. */
void facts_check(const struct facts_options *o, struct buf *why);

/* Runs, writes to p->out, and raises p's status on failure. */
void facts_run(struct program *p, const struct facts_options *o);

#endif

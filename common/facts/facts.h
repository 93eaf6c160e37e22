/* facts.h: what bid-facts does, once its options are known. */
#ifndef BID_FACTS_H
#define BID_FACTS_H

#include "facts/fact_write.h"
#include "record/program.h"

struct facts_options {
  struct option_list entities, files, operands;
  int annual, quarterly, trailing, first_reported, csv, markdown, fred, for_plan, segments;
  const char *as_of, *unit, *period, *since, *statement, *plot, *screen, *format;
  size_t limit; /* 0: the default */
};

/* What is wrong with the options: appended to why, which is empty where all is well. */
void facts_check(const struct facts_options *o, struct buf *why);

/* Runs, writes to p->out, and raises p's status. */
void facts_run(struct program *p, const struct facts_options *o);

#endif

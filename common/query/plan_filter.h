/* plan_filter.h: bid-plan's work: questions and job records in, job records with a plan out. */
#ifndef BID_PLAN_FILTER_H
#define BID_PLAN_FILTER_H

#include "query/plan.h"
#include "record/program.h"

/* What holds for every job that doesn't say otherwise. */
struct plan_filter {
  const struct planner *planner;
  const struct option_list *entities, *forms;
  const char *period, *since, *as_of;
  int explain; /* for people */
  struct plan plan;
};

/* Fields of a job that are read. */
extern const char *const plan_filter_fields[];

/* One job record; arg is the struct plan_filter. */
int plan_filter_record(struct program *p, const struct record *rec, void *arg);

/* The operands as one question. */
void plan_filter_question(struct program *p, struct plan_filter *f);

/* Reads a table of companies of one's own (CIK, tickers, name).  0, or -1 having said why. */
int plan_filter_add_file(struct program *p, struct planner *planner, const char *path);

#endif

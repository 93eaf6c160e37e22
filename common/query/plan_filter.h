/* plan_filter.h: the filter bid-plan: questions and job records in, job records with a plan out. */
#ifndef BID_PLAN_FILTER_H
#define BID_PLAN_FILTER_H

#include "query/plan.h"
#include "record/program.h"

/* Defaults for jobs that don't specify them. */
struct plan_filter {
  struct planner *planner;
  const struct option_list *entities, *forms;
  const char *period, *since, *as_of;
  int explain; /* print an explanation */
  int shipped; /* the shipped list alone: none is fetched */
  struct plan plan;
};

/* The fields of a job record that are read. */
extern const char *const plan_filter_fields[];

/* Plans one job record; arg is the struct plan_filter.  0: the next one is read, also after a job that is rejected, which
 * becomes an error record. */
int plan_filter_record(struct program *p, const struct record *rec, void *arg);

/* Plans the operands as one question. */
void plan_filter_question(struct program *p, struct plan_filter *f);

/* Reads a user's table of companies (CIK, tickers, name).  0, or -1 after an error message. */
int plan_filter_add_file(struct program *p, struct planner *planner, const char *path);

#endif

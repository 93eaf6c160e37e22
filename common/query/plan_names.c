/* plan_names.c: what bid-plan prints for the values of a plan. */
#include "query/plan.h"

const char *plan_how_name(enum plan_how how) {
  static const char *const names[] = {"ticker", "cik", "name", "alias", "former", "typo", "given"};
  return names[how];
}

const char *plan_period_name(enum plan_period period) {
  static const char *const names[] = {"", "Q1", "Q2", "Q3", "Q4", "H1", "H2", "9M", "FY"};
  return names[period];
}

const char *plan_asks_name(enum plan_asks asks) {
  static const char *const names[] = {"figure", "table", "narrative", "comparison", "filings"};
  return names[asks];
}

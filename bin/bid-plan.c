/* bid-plan: determines what questions ask for: companies, forms, periods, kind of answer. */
#include "base/diag.h"
#include "query/plan_filter.h"
#include "source/company_list.h"

static struct option_list entities, forms, tables;
static const char *period, *since, *as_of;
static int explain, shipped;

static const struct program_option options[] = {
    {OPTION_LIST, 0, "entity", "COMPANY", &entities, NULL},
    {OPTION_LIST, 'e', "company", "COMPANY", &entities, "ticker, CIK or name; may be given more than once"},
    {OPTION_LIST, 'f', "form", "FORM", &forms, "form by number or name; may be given more than once"},
    {OPTION_TEXT, 'p', "period", "PERIOD", &period, "FY-2024, Q3-2024, 2024-03, 2024-01-01..2024-06-30"},
    {OPTION_TEXT, 0, "since", "WHEN", &since, "filed on that day or later; also 6months, 90days"},
    {OPTION_TEXT, 0, "as-of", "DATE", &as_of, "as if it were that day"},
    {OPTION_LIST, 0, "companies", "FILE", &tables,
     "more companies: CIK, tickers and name, separated by tabs"},
    {OPTION_FLAG, 0, "shipped", NULL, &shipped,
     "use the shipped list of companies, not a newer one in the cache"},
    {OPTION_FLAG, 0, "explain", NULL, &explain, "print the plans as text, with reasons (as on a terminal)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static const struct program_spec spec = {
    "bid-plan", "[OPTION]... QUESTION...\n[OPTION]... <JOBS",
    "Understands questions: which companies, forms and periods they are about.", options,
    "Jobs on stdin are records {\"query\": \"...\"}; each comes back with \"plan\" added.\n"
    "Example: bid-plan \"Apple's gross margin in Q2 2025\" | jq .plan"};

static void bid_plan_run(struct program *p, struct planner *planner) {
  struct plan_filter f = {.planner = planner,
                          .entities = &entities,
                          .forms = &forms,
                          .period = period,
                          .since = since,
                          .as_of = as_of,
                          .explain = explain || p->people,
                          .shipped = shipped};
  plan_init(&f.plan);
  if (p->operand_count > 0)
    plan_filter_question(p, &f);
  else
    program_each_record(p, plan_filter_fields, plan_filter_record, &f);
  if (p->operand_count == 0 && p->records == 0 && !p->quiet)
    diag_warn("no question came on stdin");
  plan_release(&f.plan);
}

int main(int argc, char **argv) {
  struct program p;
  struct error_text why;
  struct buf list;
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0 || (status = program_refuse_file(&p)) != 0)
    return status;
  buf_init(&list, (size_t)64 << 20);
  struct planner *planner = planner_open(&why);
  if (planner == NULL) {
    diag_warn("%s", why.text);
    program_fail(&p, EX_CONFIG);
  } else {
    if (!shipped && company_list_cached(planner_date(planner), &list) == 0)
      planner_add_list(planner, buf_slice(&list));
    for (size_t i = 0; i < tables.count; i++)
      plan_filter_add_file(&p, planner, tables.items[i]);
    bid_plan_run(&p, planner);
  }
  planner_free(planner);
  buf_release(&list);
  return program_finish(&p);
}

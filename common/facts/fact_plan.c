/* fact_plan.c: answers the jobs of a plan: which companies, periods and figures, and what is said where one is missing. */
#include "facts/fact_plan.h"

#include "base/diag.h"
#include "facts/fact_last.h"
#include "facts/fact_plan_write.h"
#include "facts/fact_screen.h"
#include "filing/form.h"
#include "query/plan_json.h"
#include "query/plan_screen.h"
#include "record/error.h"

#include <stdio.h>
#include <stdlib.h>

/* Whether the question's forms, if any, report a company's figures: not those on insiders' trades or holdings. */
static int plan_is_of_reports(const struct plan *plan) {
  for (size_t i = 0; i < plan->form_count; i++)
    if (form_kind_of(plan->forms[i]) != FORM_OTHER)
      return 1;
  return plan->form_count == 0;
}

/* ---- screens ---- */

/* A year's annual reports are there by April of the next one. */
enum { SCREEN_COMPANIES = 25, SCREEN_FILED_BY_MONTH = 4, SCREEN_WHY_MAX = 65536 };

int fact_screen_newest_year(int32_t as_of) {
  int year, month, day;
  day_split(fact_plan_today(as_of), &year, &month, &day);
  return year - (month < SCREEN_FILED_BY_MONTH ? 2 : 1);
}

/* The period of the plan's first window, "CY2024" or "CY2024Q1"; else the newest year that all have reported on. */
static void screen_period(const struct plan *plan, char out[16]) {
  const struct plan_window *w = plan->window_count ? &plan->windows[0] : &(struct plan_window){0};
  int year = w->year, month, day, quarter = w->period <= PART_Q4 ? (int)w->period : 0;
  int32_t ends = fact_window_day(w->ends);
  if (!year && ends != DAY_NONE) {
    day_split(ends, &year, &month, &day);
    quarter = fact_window_day(w->from) > ends - 120 ? (month + 2) / 3 : 0;
  }
  year = year ? year : fact_screen_newest_year(fact_window_day(plan->as_of));
  snprintf(out, 16, quarter ? "CY%04dQ%d" : "CY%04d", year % 10000, quarter % 10);
}

/* Answers a question for all companies that meet a condition: writes the first of them, and an error record with their number
 * and the command that lists all. */
static void plan_screen(struct program *p, const struct concept_table *table, const struct plan *plan,
                        struct slice job) {
  struct screen_rules rules;
  struct slice rest;
  struct buf why;
  char period[16];
  buf_init(&why, SCREEN_WHY_MAX);
  if (plan_screen_read(&rules, table, slice_str(plan->screen), &rest) == 0) {
    screen_period(plan, period);
    fact_screen_answer(&p->out.buf, table, &rules, period, SCREEN_COMPANIES, job, &why);
    fact_plan_say(p, job, ERROR_NO_CONTENT, "%s", why.data);
  }
  plan_screen_release(&rules);
  buf_release(&why);
}

/* ---- figures ---- */

enum { PLAN_TEXT_MAX = 65536 };

enum { J_PLAN, J_JOB };
static const char *const plan_fields[] = {"plan", "job", NULL};

struct fact_plan_run {
  const struct concept_table *table;
  struct plan *plan;
  struct buf texts; /* of the plan */
  struct fact_last last;
};

static int is_of_part(const struct plan_figure *f) {
  return f->part_count || f->as == PLAN_AS_BREAKDOWN;
}

/* Whether it is a figure of the table: not a phrase that means another thing. */
static int is_figure(const struct plan_figure *f) {
  return f->as != PLAN_AS_OTHER && f->as != PLAN_AS_UNKNOWN;
}

/* Writes the figures of the whole company in a window; returns how many. */
static size_t plan_write_whole(struct fact_plan *f, const struct fact_company *c,
                               const struct fact_splits *splits, const struct fact_window *w) {
  size_t count = 0;
  for (size_t i = 0; i < f->plan->figure_count; i++)
    if (is_figure(&f->plan->figures[i]) && !is_of_part(&f->plan->figures[i]))
      count += fact_plan_write(f, c, splits, &f->plan->figures[i], w);
  return count;
}

/* Writes the figures of a window out of the filing that reports it; returns how many. */
static size_t plan_write_filing(struct fact_plan *f, const struct fact_window *w) {
  const struct fact_company *c = fact_last_filing(f->last, w, f->as_of);
  struct fact_splits none = {.count = 0};
  f->of_filing = 1;
  size_t count = c ? plan_write_whole(f, c, &none, w) : 0;
  f->of_filing = 0;
  return count;
}

/* Writes the figures of parts of the company that are asked for in a window; c may be NULL. */
static void plan_write_parts(struct fact_plan *f, const struct fact_company *c, const struct fact_window *w) {
  for (size_t i = 0; i < f->plan->figure_count; i++)
    if (is_figure(&f->plan->figures[i]) && is_of_part(&f->plan->figures[i]))
      fact_plan_write_part(f, c, &f->plan->figures[i], w);
}

/* Whether a figure of the whole company is among those asked for. */
static int plan_asks_whole(const struct fact_plan *f) {
  for (size_t i = 0; i < f->plan->figure_count; i++)
    if (is_figure(&f->plan->figures[i]) && !is_of_part(&f->plan->figures[i]))
      return 1;
  return 0;
}

/* Writes the figures of a window; a named period without any becomes an error record. */
static void plan_write_window(struct fact_plan *f, const struct fact_company *c,
                              const struct fact_splits *splits, const struct fact_window *w) {
  f->newest[0] = '\0';
  plan_write_parts(f, c, w);
  if (!plan_asks_whole(f))
    return;
  size_t count = plan_write_whole(f, c, splits, w);
  if (count)
    fact_plan_note_age(f, c, w);
  else
    count = plan_write_filing(f, w);
  if (count == 0 && f->plan->currency[0] && !f->newest[0])
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "%.*s: no figure in %s", (int)c->name.len, c->name.data,
                  f->plan->currency);
  if (count == 0 && w->named && f->newest[0])
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "%.*s: no figure of the period that the question names; the newest is of %s",
                  (int)c->name.len, c->name.data, f->newest);
}

/* Writes what the filings tag, for a company whose facts can't be loaded. */
static void plan_company_filings(struct fact_plan *f, const char *cik) {
  size_t found = 0;
  for (size_t k = 0; k < f->windows.count; k++) {
    found += plan_write_filing(f, &f->windows.list[k]);
    plan_write_parts(f, NULL, &f->windows.list[k]);
  }
  if (plan_asks_whole(f))
    fact_plan_say(f->p, f->job, ERROR_UNAVAILABLE, "the reported figures of CIK %s could not be had%s%s%s",
                  *cik ? cik : "?", f->last->why.text[0] ? ": " : "", f->last->why.text,
                  found ? "; those of one filing are given" : "");
}

static void plan_company(struct fact_plan *f, const struct plan_company *company) {
  struct fact_splits splits;
  const struct fact_company *c = fact_last_company(f->last, company->cik, company->ticker);
  f->written_count = 0;
  memset(f->unreported, 0, sizeof f->unreported);
  if (c == NULL) {
    plan_company_filings(f, company->cik);
    return;
  }
  fact_splits_find(&splits, c, f->as_of);
  for (size_t k = 0; k < f->windows.count; k++) {
    f->newest_end = DAY_NONE;
    plan_write_window(f, c, &splits, &f->windows.list[k]);
    fact_plan_compare_ends(f, c, k);
  }
  fact_plan_say_unreported(f, c);
}

/* Tries phrases that usually mean another thing as names of a part of the company.  Returns the number of figures written. */
static size_t plan_try_parts(struct fact_plan *f) {
  const struct plan *plan = f->plan;
  size_t count = 0;
  for (size_t n = 0; n < plan->company_count; n++) {
    const struct fact_company *c =
        fact_last_company(f->last, plan->companies[n].cik, plan->companies[n].ticker);
    f->written_count = 0;
    for (size_t k = 0; k < f->windows.count; k++)
      for (size_t i = 0; i < plan->figure_count; i++)
        if (plan->figures[i].part_count)
          count += fact_plan_try_part(f, c, &plan->figures[i], &f->windows.list[k]);
  }
  return count;
}

/* Writes the figures that the question asks for, of all companies of its plan. */
static void plan_answer(struct fact_plan *f) {
  const struct plan *plan = f->plan;
  size_t known = 0;
  fact_windows_read(&f->windows, plan);
  f->as_of = fact_window_day(plan->as_of);
  for (size_t i = 0; i < plan->figure_count; i++)
    known += (size_t)is_figure(&plan->figures[i]);
  if (!known && plan->figure_count && !plan_try_parts(f))
    for (size_t i = 0; i < plan->figure_count; i++)
      if (plan->figures[i].as == PLAN_AS_OTHER || plan->company_count)
        fact_plan_say_other(f, plan->figures[i].words);
  for (size_t i = 0; known && i < plan->company_count; i++)
    plan_company(f, &plan->companies[i]);
}

static int plan_record(struct program *p, const struct record *rec, void *arg) {
  struct fact_plan_run *run = arg;
  struct fact_plan f = {.p = p,
                        .table = run->table,
                        .plan = run->plan,
                        .last = &run->last,
                        .as_of = DAY_NONE,
                        .job = rec->field[J_JOB]};
  if (plan_read_json(rec->field[J_PLAN], run->plan, &run->texts))
    program_error(p, rec, ERROR_INVALID_REQUEST, slice_of(NULL, 0), slice_of(NULL, 0),
                  "no job with a plan (bid-plan writes them)");
  else if (run->plan->screen[0] && plan_is_of_reports(run->plan))
    plan_screen(p, run->table, run->plan, f.job);
  else if (plan_is_of_reports(run->plan))
    plan_answer(&f);
  return 0;
}

void fact_plan_run(struct program *p, const struct concept_table *table) {
  struct fact_plan_run run = {.table = table, .plan = xcalloc(1, sizeof *run.plan)};
  buf_init(&run.texts, PLAN_TEXT_MAX);
  fact_last_init(&run.last);
  program_each_record(p, plan_fields, plan_record, &run);
  buf_release(&run.texts);
  fact_last_release(&run.last);
  free(run.plan);
}

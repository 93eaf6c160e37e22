/* fact_plan.c: answers the jobs of a plan: which companies, periods and figures, and what is said where one is missing. */
#include "facts/fact_plan.h"

#include "base/diag.h"
#include "base/paths.h"
#include "facts/fact_asked.h"
#include "facts/fact_choose.h"
#include "facts/fact_last.h"
#include "facts/fact_plan_write.h"
#include "facts/fact_screen.h"
#include "facts/fact_window.h"
#include "filing/form.h"
#include "record/error.h"
#include "record/json.h"
#include "record/program.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* Whether the question's forms, if any, report a company's figures: not those on insiders' trades or holdings. */
static int fact_plan_is_of_reports(struct slice plan) {
  struct slice list = json_get(plan, "forms"), one;
  struct json_cursor at = {0};
  size_t count = 0;
  for (; json_kind(list) == '[' && json_next_element(list, &at, &one); count++)
    if (one.len > 2 && form_kind_of(slice_of(one.data + 1, one.len - 2)) != FORM_OTHER)
      return 1;
  return count == 0;
}

/* Whether the question is about a company that is not among those given. */
static int plan_names_another(struct slice plan) {
  struct slice list = json_get(plan, "others"), one;
  struct json_cursor at = {0};
  while (json_kind(list) == '[' && json_next_element(list, &at, &one))
    if (json_kind(json_get(one, "asked")) == 't')
      return 1;
  return 0;
}

/* Whether the question asks for figures, and of the companies that are given. */
static int fact_plan_wants_figures(struct slice plan) {
  if (plan_names_another(plan))
    return 0;
  struct slice asks = json_get(plan, "asks");
  return slice_is(asks, "\"figure\"") || slice_is(asks, "\"table\"") || slice_is(asks, "\"comparison\"");
}

/* A year's annual reports are there by April of the next one. */
enum { SCREEN_COMPANIES = 25, SCREEN_FILED_BY_MONTH = 4, SCREEN_WHY_MAX = 65536 };

int fact_screen_newest_year(int32_t today) {
  int year, month, day;
  day_split(today, &year, &month, &day);
  return year - (month < SCREEN_FILED_BY_MONTH ? 2 : 1);
}

/* The period of the plan's first window, "CY2024" or "CY2024Q1"; else the newest year that all have reported on. */
static void screen_period(struct slice plan, char out[16]) {
  struct slice list = json_get(plan, "windows"), window = slice_of(NULL, 0);
  struct json_cursor at = {0};
  int year, month, day, quarter = 0;
  if (json_kind(list) == '[')
    json_next_element(list, &at, &window);
  int named = (int)json_to_int(json_get(window, "fiscalYear"), 0);
  struct slice period = json_get(window, "fiscalPeriod");
  if (period.len == 4 && period.data[1] == 'Q')
    quarter = period.data[2] - '0';
  int32_t ends = fact_window_day(json_get(window, "ends"));
  if (!named && ends != DAY_NONE) {
    day_split(ends, &named, &month, &day);
    quarter = fact_window_day(json_get(window, "from")) > ends - 120 ? (month + 2) / 3 : 0;
  }
  year = fact_screen_newest_year(fact_pick_today(fact_window_day(json_get(plan, "asOf"))));
  snprintf(out, 16, quarter ? "CY%04dQ%d" : "CY%04d", (named ? named : year) % 10000, quarter % 10);
}

/* Answers a question for all companies that meet a condition, where the plan names no company. Writes the first companies,
 * and an error record with their number and the command that lists all. Returns whether the question is one. */
static int fact_plan_screen(struct program *p, const struct concept_table *table, struct slice plan,
                            struct slice question, struct slice job) {
  struct screen_rules rules;
  struct slice companies = json_get(plan, "companies");
  struct buf why;
  char period[16];
  if (json_kind(companies) == '[' && companies.len > 2)
    return 0;
  int asked = fact_screen_asked(&rules, table, question);
  if (asked) {
    buf_init(&why, SCREEN_WHY_MAX);
    screen_period(plan, period);
    fact_screen_answer(&p->out.buf, table, &rules, period, SCREEN_COMPANIES, job, &why);
    fact_plan_say(p, job, ERROR_NO_CONTENT, "%s", why.data);
    buf_release(&why);
  }
  fact_screen_rules_release(&rules);
  return asked;
}

#define PLAN_BRANDS_MAX ((size_t)8 << 20)

enum { PLAN_TEXT_MAX = 65536 };

enum { J_PLAN, J_QUERY, J_QUESTION, J_JOB };
static const char *const plan_fields[] = {"plan", "query", "question", "job", NULL};

struct fact_plan_run {
  const struct concept_table *table;
  struct buf brands; /* data/aliases.tsv */
  struct fact_last last;
};

/* Writes the figures of a window out of the filing that reports it; returns how many. */
static size_t plan_write_filing(struct fact_plan *f, const struct fact_window *w) {
  const struct fact_company *c = fact_last_filing(f->last, w, f->as_of);
  struct fact_splits none = {.count = 0};
  size_t count = 0;
  f->of_filing = 1;
  for (size_t i = 0; i < f->asked.word_count && c; i++)
    if (!f->asked.words[i].part.len)
      count += fact_plan_write(f, c, &none, &f->asked.words[i], w);
  f->of_filing = 0;
  return count;
}

/* Writes the figures of parts of the company that are asked for in a window; c may be NULL. */
static size_t plan_write_parts(struct fact_plan *f, const struct fact_company *c,
                               const struct fact_window *w) {
  size_t count = 0;
  for (size_t i = 0; i < f->asked.word_count; i++)
    if (f->asked.words[i].part.len)
      count += fact_plan_write_part(f, c, &f->asked.words[i], w);
  return count;
}

/* Whether a figure of the whole company is among those asked for. */
static int plan_asks_whole(const struct fact_plan *f) {
  for (size_t i = 0; i < f->asked.word_count; i++)
    if (!f->asked.words[i].part.len)
      return 1;
  return 0;
}

/* Writes the figures for all words in a window; a named period without any becomes an error record. */
static void plan_write_window(struct fact_plan *f, const struct fact_company *c,
                              const struct fact_splits *splits, const struct fact_window *w) {
  size_t count = 0;
  f->newest[0] = '\0';
  plan_write_parts(f, c, w);
  if (!plan_asks_whole(f))
    return;
  for (size_t i = 0; i < f->asked.word_count; i++)
    if (!f->asked.words[i].part.len)
      count += fact_plan_write(f, c, splits, &f->asked.words[i], w);
  if (count)
    fact_plan_note_age(f, c, w);
  else
    count = plan_write_filing(f, w);
  if (count == 0 && f->asked.unit.len && !f->newest[0])
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "%.*s: no figure in %.*s", (int)c->name.len, c->name.data,
                  (int)f->asked.unit.len, f->asked.unit.data);
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

/* Loads the facts of one of the plan's companies; NULL where they can't be had. */
static const struct fact_company *plan_load(struct fact_plan *f, struct slice company, struct buf *cik) {
  buf_clear(cik);
  json_decode(json_get(company, "cik"), cik);
  return fact_last_company(f->last, cik->len ? cik->data : "", json_get(company, "ticker"));
}

static void plan_company(struct fact_plan *f, struct slice company) {
  struct buf cik;
  struct fact_splits splits;
  buf_init(&cik, 4096);
  const struct fact_company *c = plan_load(f, company, &cik);
  f->written_count = 0;
  if (c == NULL) {
    plan_company_filings(f, cik.len ? cik.data : "");
  } else {
    fact_splits_find(&splits, c, f->as_of);
    for (size_t k = 0; k < f->windows.count; k++) {
      f->newest_end = DAY_NONE;
      plan_write_window(f, c, &splits, &f->windows.list[k]);
      fact_plan_compare_ends(f, c, k);
    }
    fact_plan_say_unreported(f, c);
  }
  buf_release(&cik);
}

/* Tries phrases that usually mean another thing as names of a part of the company. Returns the number of figures written. */
static size_t plan_try_maybe(struct fact_plan *f, struct slice companies) {
  struct json_cursor at = {0};
  struct slice one;
  struct buf cik;
  size_t count = 0;
  buf_init(&cik, 4096);
  while (!f->asked.word_count && f->asked.maybe_count && json_kind(companies) == '[' &&
         json_next_element(companies, &at, &one)) {
    const struct fact_company *c = plan_load(f, one, &cik);
    f->written_count = 0;
    for (size_t k = 0; k < f->windows.count; k++)
      for (size_t i = 0; i < f->asked.maybe_count; i++)
        count += fact_plan_try_part(f, c, &f->asked.maybe[i], &f->windows.list[k]);
  }
  buf_release(&cik);
  return count;
}

/* Writes the figures that the question asks for, of all companies of its plan. */
static void plan_answer(struct fact_plan *f, struct slice plan, struct slice query) {
  struct slice companies = json_get(plan, "companies"), one;
  struct json_cursor at = {0};
  fact_windows_read(&f->windows, plan, query);
  f->choose = fact_choose_read(query);
  f->as_of = fact_window_day(json_get(plan, "asOf"));
  if (!plan_try_maybe(f, companies))
    fact_plan_say_rejected(f);
  if (!f->asked.word_count && !f->asked.rejected_count && slice_is(json_get(plan, "asks"), "\"figure\"") &&
      json_kind(companies) == '[' && companies.len > 2)
    fact_plan_say_unknown(f);
  while (f->asked.word_count && json_kind(companies) == '[' && json_next_element(companies, &at, &one))
    plan_company(f, one);
}

static int plan_record(struct program *p, const struct record *rec, void *arg) {
  struct fact_plan_run *run = arg;
  struct fact_plan f = {
      .p = p, .table = run->table, .last = &run->last, .as_of = DAY_NONE, .job = rec->field[J_JOB]};
  struct slice plan = rec->field[J_PLAN];
  struct slice asked = rec->field[json_kind(rec->field[J_QUERY]) == '"' ? J_QUERY : J_QUESTION];
  struct buf query;
  if (json_kind(plan) != '{' || json_kind(asked) != '"') {
    program_error(p, rec, ERROR_INVALID_REQUEST, slice_of(NULL, 0), slice_of(NULL, 0),
                  "no job with a query and a plan (bid-plan writes them)");
    return 0;
  }
  if (!fact_plan_is_of_reports(plan))
    return 0;
  buf_init(&query, PLAN_TEXT_MAX);
  json_decode(asked, &query);
  if (fact_plan_screen(p, run->table, plan, buf_slice(&query), rec->field[J_JOB])) {
    buf_release(&query);
    return 0;
  }
  fact_asked_read(&f.asked, f.table, buf_slice(&query), plan, buf_slice(&run->brands));
  if (fact_plan_wants_figures(plan) || fact_asked_alone(&f.asked))
    plan_answer(&f, plan, buf_slice(&query));
  fact_asked_release(&f.asked);
  buf_release(&query);
  return 0;
}

void fact_plan_run(struct program *p, const struct concept_table *table) {
  struct fact_plan_run run = {.table = table};
  struct buf path;
  buf_init(&path, PLAN_TEXT_MAX);
  buf_init(&run.brands, PLAN_BRANDS_MAX);
  if (paths_data(&path, "aliases.tsv") == 0)
    buf_read_file(&run.brands, path.data);
  buf_release(&path);
  fact_last_init(&run.last);
  program_each_record(p, plan_fields, plan_record, &run);
  buf_release(&run.brands);
  fact_last_release(&run.last);
}

#include "facts/fact_plan.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/paths.h"
#include "facts/fact_asked.h"
#include "facts/fact_choose.h"
#include "facts/fact_last.h"
#include "facts/fact_period.h"
#include "facts/fact_pick.h"
#include "facts/fact_plan_notes.h"
#include "facts/fact_plan_read.h"
#include "facts/fact_plan_screen.h"
#include "facts/fact_window.h"
#include "facts/fact_write.h"
#include "facts/statement.h"
#include "record/error.h"
#include "record/json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

#define PLAN_BRANDS_MAX ((size_t)8 << 20)

enum { PLAN_TEXT_MAX = 65536 };

enum { J_PLAN, J_QUERY, J_QUESTION, J_JOB };
static const char *const plan_fields[] = {"plan", "query", "question", "job", NULL};

struct fact_plan_run {
  const struct concept_table *table;
  struct buf brands; /* data/aliases.tsv */
  struct fact_last last;
};

static void plan_note_newest(struct fact_plan *f, const struct fact_rows *rows) {
  const struct fact_row *r = rows->count ? &rows->rows[rows->count - 1] : NULL;
  char day[DAY_TEXT];
  if (r)
    snprintf(f->newest, sizeof f->newest, "%s %d, ended %s", r->fiscal_period, r->fiscal_year,
             day_write(r->end, day));
}

/* Where the question asks when, keeps the years that answer it; returns whether it does. */
static int plan_choose(struct fact_plan *f, struct fact_column *column, const struct fact_company *c) {
  const struct fact_choose *choose = &f->choose;
  struct fact_rows *rows = &column->measure.rows;
  if (choose->kind == FACT_CHOOSE_NEWEST || !rows->count)
    return 0;
  if (column->measure.growth) {
    rows->count = 0;
    return 1;
  }
  int first = rows->rows[0].fiscal_year, last = rows->rows[rows->count - 1].fiscal_year;
  if (fact_choose_rows(choose, column->splits, rows))
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "%.*s: no fiscal year from %d to %d has a %s %s that amount", (int)c->name.len,
                  c->name.data, first, last, column->measure.label, choose->below ? "below" : "above");
  if (choose->since.len)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "'%.*s' names no period that company facts know: the newest years are given",
                  (int)choose->since.len, choose->since.data);
  return 1;
}

/* Whether the same figure of the same span was given already, for another of the periods that were asked for; said once. */
static int plan_is_written(struct fact_plan *f, const struct fact_asked_word *word,
                           const struct fact_row *row) {
  char start[DAY_TEXT], end[DAY_TEXT];
  for (size_t i = 0; i < f->written_count; i++) {
    const struct fact_plan_span *w = &f->written[i];
    if (w->word != word || w->start != row->start || w->end != row->end)
      continue;
    if (!f->doubled)
      fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                    "two of the periods asked for are one here: %s %d, from %s to %s", row->fiscal_period,
                    row->fiscal_year, day_write(row->start, start), day_write(row->end, end));
    f->doubled = 1;
    return 1;
  }
  if (f->written_count < PLAN_WRITTEN_MOST)
    f->written[f->written_count++] = (struct fact_plan_span){word, row->start, row->end};
  return 0;
}

/* A question without a period wants what holds now: a figure that newer filings don't have is none, and that is said. */
static void plan_drop_old(struct fact_plan *f, const struct fact_company *c, const struct fact_window *w,
                          struct fact_column *column) {
  struct fact_rows *rows = &column->measure.rows;
  const struct fact_row *newest = rows->count ? &rows->rows[rows->count - 1] : NULL;
  char day[DAY_TEXT];
  if (!newest || w->named || f->choose.kind != FACT_CHOOSE_NEWEST ||
      fact_pick_today(f->as_of) - newest->end <= PLAN_OLD_DAYS)
    return;
  fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                "%.*s: the newest figure of '%s' that company facts have ended %s; a newer filing may have a "
                "newer one: "
                "name the year to get it",
                (int)c->name.len, c->name.data, column->measure.label, day_write(newest->end, day));
  rows->count = 0;
}

/* Writes the facts for a word in a window; returns how many. */
static size_t plan_write(struct fact_plan *f, const struct fact_company *c, const struct fact_splits *splits,
                         struct fact_asked_word *asked, const struct fact_window *w) {
  struct slice word = slice_str(asked->asked);
  struct measure_context x = {f->table, c, f->asked.unit, {w->span, 0, f->as_of}};
  struct fact_column column = {.splits = splits};
  struct fact_rows *rows = &column.measure.rows;
  const char *statement = statement_of_word(f->table, word);
  struct buf why;
  size_t count = 0;
  buf_init(&why, PLAN_TEXT_MAX);
  int failed = fact_pick_measure(&column.measure, &x, word, &why) != 0;
  if (!f->of_filing)
    asked->unreported = failed;
  if (!failed) {
    int fourths = fact_plan_lacks_fourths(rows);
    measure_adjust_growth(&column.measure, splits);
    plan_note_newest(f, rows);
    fact_pick_length(rows, w->months);
    if (w->span == FACT_TRAILING && !w->period.fiscal_year && w->period.from == DAY_NONE)
      fact_rows_narrow(rows, c->newest - FACT_WINDOW_END_DAYS, DAY_NONE, 1);
    fact_period_keep(&w->period, rows);
    if (w->named || !plan_choose(f, &column, c))
      fact_pick_before(rows, w->span, w->before, w->count);
    plan_drop_old(f, c, w, &column);
    if (fourths && !f->of_filing)
      fact_plan_say_fourths(f, c, w, &column.measure);
    count = rows->count;
    if (count)
      f->newest_end = rows->rows[count - 1].end;
    for (size_t i = 0; i < count; i++) {
      if (plan_is_written(f, asked, &rows->rows[i]))
        continue;
      fact_write_row(&f->p->out.buf, &column, &rows->rows[i]);
      if (statement)
        json_cstr(&f->p->out.buf, "statement", statement);
      if (asked->part.len)
        json_str(&f->p->out.buf, "notOf", asked->part);
      if (f->job.len)
        json_raw(&f->p->out.buf, "job", f->job);
      buf_add_str(&f->p->out.buf, "}\n");
    }
  }
  measure_release(&column.measure);
  buf_release(&why);
  return count;
}

/* Whether a figure is a balance, whose newest one is that of the newest quarter.  In a formula it keeps to the year, as what it
 * is compared with does. */
static int plan_is_balance(struct fact_plan *f, const struct fact_company *c,
                           const struct fact_asked_word *word) {
  struct measure_context x = {f->table, c, f->asked.unit, {FACT_QUARTERLY, 0, f->as_of}};
  for (size_t i = 0; i < f->asked.word_count; i++)
    if (!f->asked.words[i].to)
      return 0;
  if (fact_phrases_have_year(&f->asked.phrases))
    return 0;
  return fact_pick_is_balance(&x, slice_str(word->asked));
}

/* The span of the fiscal year so far: one, two or three quarters, or the whole year. */
static void plan_set_to_date(struct fact_window *w, const struct fact_company *c) {
  static const enum fact_span spans[] = {FACT_QUARTERLY, FACT_HALF, FACT_NINE_MONTHS, FACT_ANNUAL};
  char period[8];
  if (c->newest == DAY_NONE)
    return;
  fact_fiscal(c, DAY_NONE, c->newest, 0, period);
  int quarter = period[0] == 'Q' ? period[1] - '0' : 4;
  w->span = spans[quarter - 1];
  w->months = 3 * quarter;
}

/* A range of days in which no fiscal year ends may hold the end of a quarter. */
static size_t plan_write_any(struct fact_plan *f, const struct fact_company *c,
                             const struct fact_splits *splits, struct fact_asked_word *word,
                             const struct fact_window *w) {
  struct fact_window quarters = *w, to_date = *w;
  quarters.span = FACT_QUARTERLY;
  if (w->to_date) {
    plan_set_to_date(&to_date, c);
    return plan_write(f, c, splits, word, &to_date);
  }
  int newest = !w->named && w->span == FACT_ANNUAL && w->count == 1 && !w->months &&
               f->choose.kind == FACT_CHOOSE_NEWEST;
  size_t count = plan_write(f, c, splits, word, newest && plan_is_balance(f, c, word) ? &quarters : w);
  if (count == 0 && w->span == FACT_ANNUAL && !w->months && !w->period.fiscal_year &&
      w->period.from != DAY_NONE)
    count = plan_write(f, c, splits, word, &quarters);
  return count;
}

/* Writes the figures of a window out of the filing that reports it; returns how many. */
static size_t plan_write_filing(struct fact_plan *f, const struct fact_window *w) {
  const struct fact_company *c = fact_last_filing(f->last, w, f->as_of);
  struct fact_splits none = {.count = 0};
  size_t count = 0;
  f->of_filing = 1;
  for (size_t i = 0; i < f->asked.word_count && c; i++)
    count += plan_write_any(f, c, &none, &f->asked.words[i], w);
  f->of_filing = 0;
  return count;
}

/* Writes the figures for all words in a window; a named period without any becomes an error record. */
static void plan_write_window(struct fact_plan *f, const struct fact_company *c,
                              const struct fact_splits *splits, const struct fact_window *w) {
  size_t count = 0;
  f->newest[0] = '\0';
  for (size_t i = 0; i < f->asked.word_count; i++)
    count += plan_write_any(f, c, splits, &f->asked.words[i], w);
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

static void plan_company(struct fact_plan *f, struct slice company) {
  struct buf cik;
  struct fact_splits splits;
  buf_init(&cik, 4096);
  json_decode(json_get(company, "cik"), &cik);
  const struct fact_company *c =
      fact_last_company(f->last, cik.len ? cik.data : "", json_get(company, "ticker"));
  size_t found = 0;
  for (size_t k = 0; k < f->windows.count && !c; k++)
    found += plan_write_filing(f, &f->windows.list[k]);
  if (c == NULL) {
    fact_plan_say(f->p, f->job, ERROR_UNAVAILABLE, "the reported figures of CIK %s could not be had%s%s%s",
                  cik.len ? cik.data : "?", f->last->why.text[0] ? ": " : "", f->last->why.text,
                  found ? "; those of one filing are given" : "");
  } else {
    fact_splits_find(&splits, c, f->as_of);
    f->written_count = 0;
    for (size_t k = 0; k < f->windows.count; k++) {
      f->newest_end = DAY_NONE;
      plan_write_window(f, c, &splits, &f->windows.list[k]);
      fact_plan_compare_ends(f, c, k);
    }
    fact_plan_say_unreported(f, c);
  }
  buf_release(&cik);
}

static int plan_record(struct program *p, const struct record *rec, void *arg) {
  struct fact_plan_run *run = arg;
  struct fact_plan f = {
      .p = p, .table = run->table, .last = &run->last, .as_of = DAY_NONE, .job = rec->field[J_JOB]};
  struct slice plan = rec->field[J_PLAN], companies, one;
  struct slice asked = rec->field[json_kind(rec->field[J_QUERY]) == '"' ? J_QUERY : J_QUESTION];
  struct json_cursor at = {0};
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
  companies = json_get(plan, "companies");
  if (fact_plan_screen(p, run->table, plan, buf_slice(&query), rec->field[J_JOB])) {
    buf_release(&query);
    return 0;
  }
  fact_asked_read(&f.asked, f.table, buf_slice(&query), plan, buf_slice(&run->brands));
  if (!fact_plan_wants_figures(plan) && !fact_asked_alone(&f.asked)) {
    fact_asked_release(&f.asked);
    buf_release(&query);
    return 0;
  }
  fact_plan_say_rejected(&f);
  if (!f.asked.word_count && !f.asked.rejected_count && slice_is(json_get(plan, "asks"), "\"figure\"") &&
      json_kind(companies) == '[' && companies.len > 2)
    fact_plan_say_unknown(&f);
  fact_windows_read(&f.windows, plan, buf_slice(&query));
  f.choose = fact_choose_read(buf_slice(&query));
  f.as_of = fact_window_day(json_get(plan, "asOf"));
  while (f.asked.word_count && json_kind(companies) == '[' && json_next_element(companies, &at, &one))
    plan_company(&f, one);
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

#include "facts/fact_plan.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/paths.h"
#include "facts/fact_asked.h"
#include "facts/fact_choose.h"
#include "facts/fact_last.h"
#include "facts/fact_period.h"
#include "facts/fact_pick.h"
#include "facts/fact_window.h"
#include "facts/fact_write.h"
#include "facts/measure_near.h"
#include "facts/statement.h"
#include "filing/form.h"
#include "record/error.h"
#include "record/json.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

#define PLAN_BRANDS_MAX ((size_t)8 << 20)

enum { PLAN_WRITTEN_MOST = 256, PLAN_OLD_DAYS = 460, PLAN_YEARS_APART = 180, PLAN_TEXT_MAX = 65536 };

enum { J_PLAN, J_QUERY, J_QUESTION, J_JOB };
static const char *const plan_fields[] = {"plan", "query", "question", "job", NULL};

struct fact_plan_run {
  const struct concept_table *table;
  struct buf brands; /* data/aliases.tsv */
  struct fact_last last;
};

struct fact_plan_end {
  int32_t day; /* DAY_NONE: none yet */
  char company[128];
};

struct fact_plan_span {
  const struct fact_asked_word *word;
  int32_t start, end;
};

struct fact_plan {
  struct program *p;
  const struct concept_table *table;
  struct fact_last *last;
  struct fact_asked asked;
  struct fact_windows windows;
  struct fact_choose choose;                        /* where the question names no period */
  struct fact_plan_span written[PLAN_WRITTEN_MOST]; /* of this company, so that none comes twice */
  size_t written_count;
  int doubled; /* two windows had the same figure */
  int32_t as_of;
  struct fact_plan_end ends[FACT_WINDOWS_MOST]; /* of the first company's figures, for each window */
  struct slice job;                             /* the job's number, copied to its facts; or empty */
  int32_t newest_end;                           /* of the figures written last; DAY_NONE: none */
  char newest[64];                              /* the newest period reported for a figure, or empty */
};

/* Reports an error of the plan's job, whose number the record carries. */
static void __attribute__((format(printf, 3, 4)))
plan_error(struct fact_plan *f, const char *category, const char *format, ...) {
  struct buf *out = &f->p->out.buf;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  size_t start = out->len;
  program_error(f->p, NULL, category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", text);
  if (!f->job.len || out->len < start + 2)
    return;
  out->len -= 2; /* the brace and the line's end */
  json_raw(out, "job", f->job);
  buf_add_str(out, "}\n");
}

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
    plan_error(f, ERROR_NO_CONTENT, "%.*s: no fiscal year from %d to %d has a %s %s that amount",
               (int)c->name.len, c->name.data, first, last, column->measure.label,
               choose->below ? "below" : "above");
  if (choose->since.len)
    plan_error(f, ERROR_NO_CONTENT,
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
      plan_error(f, ERROR_NO_CONTENT, "two of the periods asked for are one here: %s %d, from %s to %s",
                 row->fiscal_period, row->fiscal_year, day_write(row->start, start),
                 day_write(row->end, end));
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
  plan_error(f, ERROR_NO_CONTENT,
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
  asked->unreported = fact_pick_measure(&column.measure, &x, word, &why) != 0;
  if (!asked->unreported) {
    measure_adjust_growth(&column.measure, splits);
    plan_note_newest(f, rows);
    fact_pick_length(rows, w->months);
    if (w->span == FACT_TRAILING && !w->period.fiscal_year && w->period.from == DAY_NONE)
      fact_rows_narrow(rows, c->newest - FACT_WINDOW_END_DAYS, DAY_NONE, 1);
    fact_period_keep(&w->period, rows);
    if (w->named || !plan_choose(f, &column, c))
      fact_pick_before(rows, w->span, w->before, w->count);
    plan_drop_old(f, c, w, &column);
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

/* A range of days in which no fiscal year ends may hold the end of a quarter. */
static size_t plan_write_any(struct fact_plan *f, const struct fact_company *c,
                             const struct fact_splits *splits, struct fact_asked_word *word,
                             const struct fact_window *w) {
  struct fact_window quarters = *w;
  quarters.span = FACT_QUARTERLY;
  int newest = !w->named && w->span == FACT_ANNUAL && w->count == 1 && !w->months &&
               f->choose.kind == FACT_CHOOSE_NEWEST;
  size_t count = plan_write(f, c, splits, word, newest && plan_is_balance(f, c, word) ? &quarters : w);
  if (count == 0 && w->span == FACT_ANNUAL && !w->months && !w->period.fiscal_year &&
      w->period.from != DAY_NONE)
    count = plan_write(f, c, splits, word, &quarters);
  return count;
}

/* Companies count their quarters and years differently: says where those of one name end far apart. */
static void plan_compare_ends(struct fact_plan *f, const struct fact_company *c, size_t window) {
  struct fact_plan_end *first = &f->ends[window];
  const struct fact_window *w = &f->windows.list[window];
  int most = w->span == FACT_ANNUAL ? PLAN_YEARS_APART : FACT_WINDOW_END_DAYS;
  char day[DAY_TEXT], other[DAY_TEXT];
  if (f->newest_end == DAY_NONE || !w->period.fiscal_year)
    return;
  if (!first->company[0]) {
    first->day = f->newest_end;
    snprintf(first->company, sizeof first->company, "%.*s", (int)c->name.len, c->name.data);
  } else if (abs(first->day - f->newest_end) > most) {
    plan_error(f, ERROR_NO_CONTENT, "the fiscal periods differ: that of %s ended %s, that of %.*s %s",
               first->company, day_write(first->day, day), (int)c->name.len, c->name.data,
               day_write(f->newest_end, other));
  }
}

/* Figures that are asked for without a period are the newest: says where company facts end long ago. */
static void plan_note_age(struct fact_plan *f, const struct fact_company *c, const struct fact_window *w) {
  char day[DAY_TEXT];
  if (!w->named && c->newest != DAY_NONE && fact_pick_today(f->as_of) - c->newest > PLAN_OLD_DAYS)
    plan_error(f, ERROR_NO_CONTENT, "%.*s: company facts end with %s; a newer filing may have a newer figure",
               (int)c->name.len, c->name.data, day_write(c->newest, day));
}

/* A figure that the question names and the company doesn't report. */
static void plan_say_unreported(struct fact_plan *f, const struct fact_company *c) {
  for (size_t i = 0; i < f->asked.word_count && !f->asked.unit.len; i++)
    if (f->asked.words[i].to && f->asked.words[i].unreported)
      plan_error(f, ERROR_NO_CONTENT, "%.*s: '%s' is not reported", (int)c->name.len, c->name.data,
                 f->asked.words[i].asked);
}

/* Writes the figures of a window out of the filing that reports it; returns how many. */
static size_t plan_write_filing(struct fact_plan *f, const struct fact_window *w) {
  const struct fact_company *c = fact_last_filing(f->last, w, f->as_of);
  struct fact_splits none = {.count = 0};
  size_t count = 0;
  for (size_t i = 0; i < f->asked.word_count && c; i++)
    count += plan_write_any(f, c, &none, &f->asked.words[i], w);
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
    plan_note_age(f, c, w);
  else
    count = plan_write_filing(f, w);
  if (count == 0 && f->asked.unit.len && !f->newest[0])
    plan_error(f, ERROR_NO_CONTENT, "%.*s: no figure in %.*s", (int)c->name.len, c->name.data,
               (int)f->asked.unit.len, f->asked.unit.data);
  if (count == 0 && w->named && f->newest[0])
    plan_error(f, ERROR_NO_CONTENT,
               "%.*s: no figure of the period that the question names; the newest is of %s", (int)c->name.len,
               c->name.data, f->newest);
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
    plan_error(f, ERROR_UNAVAILABLE, "the reported figures of CIK %s could not be had%s%s%s",
               cik.len ? cik.data : "?", f->last->why.text[0] ? ": " : "", f->last->why.text,
               found ? "; those of one filing are given" : "");
  } else {
    fact_splits_find(&splits, c, f->as_of);
    f->written_count = 0;
    for (size_t k = 0; k < f->windows.count; k++) {
      f->newest_end = DAY_NONE;
      plan_write_window(f, c, &splits, &f->windows.list[k]);
      plan_compare_ends(f, c, k);
    }
    plan_say_unreported(f, c);
  }
  buf_release(&cik);
}

/* A question for a figure that no word of the table names. */
static void plan_say_unknown(struct fact_plan *f) {
  struct slice asked = fact_phrases_unknown(&f->asked.phrases);
  struct buf reason;
  buf_init(&reason, PLAN_TEXT_MAX);
  measure_say_unreported(asked, &reason);
  if (reason.len)
    plan_error(f, ERROR_NO_CONTENT, "%s", reason.data);
  else if (asked.len)
    plan_error(f, ERROR_NO_CONTENT, "company facts have no figure of '%.*s'", (int)asked.len, asked.data);
  buf_release(&reason);
}

/* Figures of a phrase that means another thing are left out, and that is said. */
static void plan_say_rejected(struct fact_plan *f) {
  for (size_t i = 0; i < f->asked.rejected_count && !f->asked.word_count; i++)
    plan_error(f, ERROR_NO_CONTENT, "company facts have no figure of '%.*s'", (int)f->asked.rejected[i].len,
               f->asked.rejected[i].data);
}

/* Whether the question's forms, if any, report a company's figures: not those on insiders' trades or holdings. */
static int plan_is_of_reports(struct slice plan) {
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

static int plan_wants_figures(struct slice plan) {
  if (plan_names_another(plan))
    return 0;
  struct slice asks = json_get(plan, "asks");
  return slice_is(asks, "\"figure\"") || slice_is(asks, "\"table\"") || slice_is(asks, "\"comparison\"");
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
  if (!plan_is_of_reports(plan))
    return 0;
  buf_init(&query, PLAN_TEXT_MAX);
  json_decode(asked, &query);
  companies = json_get(plan, "companies");
  fact_asked_read(&f.asked, f.table, buf_slice(&query), companies, buf_slice(&run->brands));
  if (!plan_wants_figures(plan) && !fact_asked_alone(&f.asked)) {
    fact_asked_release(&f.asked);
    buf_release(&query);
    return 0;
  }
  plan_say_rejected(&f);
  if (!f.asked.word_count && !f.asked.rejected_count && slice_is(json_get(plan, "asks"), "\"figure\"") &&
      json_kind(companies) == '[' && companies.len > 2)
    plan_say_unknown(&f);
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

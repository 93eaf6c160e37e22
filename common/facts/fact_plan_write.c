/* fact_plan_write.c: writes the rows of a figure that a period of the question selects, and says what is missing. */
#include "facts/fact_plan_write.h"

#include "facts/fact_choose.h"
#include "facts/fact_period.h"
#include "facts/fact_write.h"
#include "facts/measure.h"
#include "facts/statement.h"
#include "record/error.h"
#include "record/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLAN_NOTE_MAX = 65536 };

void fact_plan_say(struct program *p, struct slice job, const char *category, const char *format, ...) {
  struct buf *out = &p->out.buf;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  size_t start = out->len;
  program_error(p, NULL, category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", text);
  if (!job.len || out->len < start + 2)
    return;
  out->len -= 2; /* the brace and the line's end */
  json_raw(out, "job", job);
  buf_add_str(out, "}\n");
}

/* Whether rows are of quarters of which the fourth can't be derived: amounts a share, averages. */
static int fact_plan_lacks_fourths(const struct fact_rows *rows) {
  const struct fact_row *newest = rows->count ? &rows->rows[rows->count - 1] : NULL;
  return newest && newest->months == 3 && newest->series && !fact_is_additive(newest->series);
}

/* Reports fourth quarters that are missing. Where the newest quarter is one, no row is left: the third isn't the newest. */
static void fact_plan_say_fourths(struct fact_plan *f, const struct fact_company *c,
                                  const struct fact_window *w, struct measure *m) {
  struct fact_rows *rows = &m->rows;
  buf_clear(&m->notes);
  measure_note_fourths(m, w->span);
  int newest = !w->named && w->count == 1 && !w->before && rows->count &&
               c->newest - rows->rows[rows->count - 1].end > FACT_WINDOW_END_DAYS;
  if (newest)
    rows->count = 0;
  if (m->notes.len)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "%.*s: %.*s", (int)c->name.len, c->name.data,
                  (int)m->notes.len - 1, m->notes.data);
  else if (newest || (!rows->count && w->period.quarter == 4))
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "%.*s: '%s' of a fourth quarter is not reported, and is not the year less nine months",
                  (int)c->name.len, c->name.data, m->label);
}

void fact_plan_compare_ends(struct fact_plan *f, const struct fact_company *c, size_t window) {
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
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "the fiscal periods differ: that of %s ended %s, that of %.*s %s", first->company,
                  day_write(first->day, day), (int)c->name.len, c->name.data,
                  day_write(f->newest_end, other));
  }
}

void fact_plan_note_age(struct fact_plan *f, const struct fact_company *c, const struct fact_window *w) {
  char day[DAY_TEXT];
  if (!w->named && c->newest != DAY_NONE && fact_pick_today(f->as_of) - c->newest > PLAN_OLD_DAYS)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "%.*s: company facts end with %s; a newer filing may have a newer figure", (int)c->name.len,
                  c->name.data, day_write(c->newest, day));
}

void fact_plan_say_unreported(struct fact_plan *f, const struct fact_company *c) {
  for (size_t i = 0; i < f->asked.word_count && !f->asked.unit.len; i++)
    if (f->asked.words[i].to && f->asked.words[i].unreported)
      fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "%.*s: '%s' is not reported", (int)c->name.len,
                    c->name.data, f->asked.words[i].asked);
}

void fact_plan_say_unknown(struct fact_plan *f) {
  struct slice asked = fact_phrases_unknown(&f->asked.phrases);
  struct buf reason;
  buf_init(&reason, PLAN_NOTE_MAX);
  measure_say_unreported(asked, &reason);
  if (reason.len)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "%s", reason.data);
  else if (asked.len)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "company facts have no figure of '%.*s'", (int)asked.len,
                  asked.data);
  buf_release(&reason);
}

void fact_plan_say_rejected(struct fact_plan *f) {
  for (size_t i = 0; i < f->asked.rejected_count && !f->asked.word_count; i++)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "company facts have no figure of '%.*s'",
                  (int)f->asked.rejected[i].len, f->asked.rejected[i].data);
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
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "%.*s: no fiscal year from %d to %d has a %s %s that amount", (int)c->name.len,
                  c->name.data, first, last, column->measure.label, choose->below ? "below" : "above");
  if (choose->since.len)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "'%.*s' names no period that company facts know: the newest years are given",
                  (int)choose->since.len, choose->since.data);
  return 1;
}

/* Whether the figure was written for another period of the question; reports it once. */
static int plan_is_written(struct fact_plan *f, const struct fact_asked_word *word,
                           const struct fact_row *row) {
  char start[DAY_TEXT], end[DAY_TEXT];
  for (size_t i = 0; i < f->written_count; i++) {
    const struct fact_plan_span *w = &f->written[i];
    if (w->word != word || w->start != row->start || w->end != row->end)
      continue;
    if (w->part != f->part && decimal_compare(w->number, row->number) != 0)
      continue;
    if (!f->doubled && w->part == f->part)
      fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                    "two of the periods asked for are one here: %s %d, from %s to %s", row->fiscal_period,
                    row->fiscal_year, day_write(row->start, start), day_write(row->end, end));
    f->doubled |= w->part == f->part;
    return 1;
  }
  if (f->written_count < PLAN_WRITTEN_MOST)
    f->written[f->written_count++] =
        (struct fact_plan_span){word, f->part, row->start, row->end, row->number};
  return 0;
}

/* Drops a figure that ended long ago, where the question names no period, and reports it. */
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

/* Names the part in the figure's label, "Revenue (Services)", and the year that a growth is counted from, or 0. */
static void plan_name(struct measure *m, const char *part, int since) {
  char year[32] = "", *label;
  if (since)
    snprintf(year, sizeof year, " since FY %d", since);
  label = part ? xformat("%s%s (%s)", m->label, year, part) : xformat("%s%s", m->label, year);
  free(m->label);
  m->label = label;
}

static void plan_write_row(struct fact_plan *f, struct fact_column *column,
                           const struct fact_asked_word *asked, const struct fact_row *row) {
  const char *statement = f->part ? "segments" : statement_of_word(f->table, slice_str(asked->asked));
  struct buf *out = &f->p->out.buf;
  fact_write_row(out, column, row);
  if (statement)
    json_cstr(out, "statement", statement);
  if (f->part) {
    json_cstr(out, "segment", f->part_title);
    json_str(out, "member", f->part->key);
  }
  if (f->job.len)
    json_raw(out, "job", f->job);
  buf_add_str(out, "}\n");
}

/* The growth over all years: the product of the growth of each, from the first year's base to the last value. */
static int plan_total_growth(const struct fact_rows *rows, struct fact_row *total) {
  const struct fact_row *first = &rows->rows[0], *last = &rows->rows[rows->count - 1];
  double growth = 1;
  for (size_t i = 1; i < rows->count; i++)
    growth *= 1 + decimal_to_double(rows->rows[i].number);
  *total = *last;
  if (fact_row_set(total, growth - 1, MEASURE_FORMULA_DIGITS))
    return -1;
  total->formula = "the last year's value / the first one's - 1";
  total->derived = 1;
  total->part_count = 0;
  if (last->part_count && first->part_count) {
    total->parts[0] = last->parts[0];
    total->parts[1] = first->parts[0];
    total->parts[1].sign = '/';
    total->part_count = 2;
  }
  return 0;
}

/* "How much did it grow between 2020 and 2025": writes the growth from the first year to the last. The growth of the years
 * between stays; the first year's is dropped. */
static void plan_write_growth(struct fact_plan *f, struct fact_column *column, const struct fact_window *w,
                              const struct fact_asked_word *asked) {
  struct fact_rows *rows = &column->measure.rows;
  struct fact_row total;
  if (!column->measure.growth || w->period.from == DAY_NONE || w->span != FACT_ANNUAL || rows->count < 2)
    return;
  if (rows->count > 2 && plan_total_growth(rows, &total) == 0) {
    char *label = xstrdup(column->measure.label);
    plan_name(&column->measure, f->part ? f->part_title : NULL, rows->rows[0].fiscal_year);
    plan_write_row(f, column, asked, &total);
    free(column->measure.label);
    column->measure.label = label;
  }
  memmove(rows->rows, rows->rows + 1, --rows->count * sizeof *rows->rows);
}

static void plan_write_rows(struct fact_plan *f, struct fact_column *column, const struct fact_window *w,
                            const struct fact_asked_word *asked) {
  plan_write_growth(f, column, w, asked);
  if (f->part)
    plan_name(&column->measure, f->part_title, 0);
  for (size_t i = 0; i < column->measure.rows.count; i++)
    if (!plan_is_written(f, asked, &column->measure.rows.rows[i]))
      plan_write_row(f, column, asked, &column->measure.rows.rows[i]);
}

/* Writes the facts for a word in a window; returns how many. */
static size_t plan_write(struct fact_plan *f, const struct fact_company *c, const struct fact_splits *splits,
                         struct fact_asked_word *asked, const struct fact_window *w) {
  struct slice word = slice_str(asked->asked);
  struct measure_context x = {f->table, c, f->asked.unit, {w->span, 0, f->as_of}};
  struct fact_column column = {.splits = splits};
  struct fact_rows *rows = &column.measure.rows;
  size_t count = 0;
  int failed = fact_pick_measure(&column.measure, &x, word) != 0;
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
    plan_write_rows(f, &column, w, asked);
  }
  measure_release(&column.measure);
  return count;
}

/* Whether the newest quarter's balance answers. In a formula the year's does, as for the figures that it is compared with. */
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

size_t fact_plan_write(struct fact_plan *f, const struct fact_company *c, const struct fact_splits *splits,
                       struct fact_asked_word *word, const struct fact_window *w) {
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

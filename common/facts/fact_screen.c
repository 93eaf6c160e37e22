#include "facts/fact_screen_rows.h"

#include "base/diag.h"
#include "facts/fact_screen_frames.h"
#include "facts/measure_near.h"

#include <stdio.h>
#include <stdlib.h>

enum { SCREEN_TEXT_MAX = 65536 };

struct screen {
  const struct concept_table *table;
  const struct screen_rules *rules;
  struct screen_frames frames;
  struct screen_rows rows;
  size_t measured; /* companies that have all figures, whether they meet the conditions or not */
  char frame[16];
};

/* ---- the companies that meet the conditions ---- */

static void screen_release_row(struct screen_row *row) {
  for (size_t i = 0; i < SCREEN_RULES; i++)
    measure_release(&row->figures[i]);
}

/* The newest row alone: others are only there for growth. */
static void screen_keep_newest(struct fact_rows *rows) {
  if (rows->count > 1)
    rows->rows[0] = rows->rows[rows->count - 1];
  rows->count = rows->count > 0;
}

/* Computes the figures of a company; returns whether it meets all conditions. */
static int screen_measure(struct screen *s, struct fact_company *c, struct screen_row *row) {
  struct measure_context x = {&s->frames.words, c, slice_of(NULL, 0), {FACT_ANNUAL, 0, DAY_NONE}};
  int holds = 1;
  x.choice.span = s->frames.quarter ? FACT_QUARTERLY : FACT_ANNUAL;
  *row = (struct screen_row){.company = c};
  for (size_t i = 0; i < s->rules->count; i++) {
    const struct screen_rule *rule = &s->rules->list[i];
    struct measure *m = &row->figures[i];
    if (measure_make(m, &x, slice_str(rule->what), NULL) || !m->rows.count)
      return 0;
    screen_keep_newest(&m->rows);
    holds &= fact_screen_holds(rule, decimal_to_double(m->rows.rows[0].number));
  }
  s->measured++;
  return holds;
}

static void screen_add(struct screen_rows *r, const struct screen_row *row) {
  if ((r->count & (r->count - 1)) == 0)
    r->rows = xreallocarray(r->rows, r->count ? 2 * r->count : 1, sizeof *r->rows);
  r->rows[r->count++] = *row;
}

static int screen_larger(const void *x, const void *y) {
  const struct screen_row *a = x, *b = y;
  double left = decimal_to_double(a->figures[0].rows.rows[0].number);
  double right = decimal_to_double(b->figures[0].rows.rows[0].number);
  if (left != right)
    return left < right ? 1 : -1;
  return memcmp(a->company->cik.data, b->company->cik.data, a->company->cik.len);
}

static void screen_reverse(struct screen_rows *r) {
  for (size_t i = 0; i < r->count / 2; i++) {
    struct screen_row row = r->rows[i];
    r->rows[i] = r->rows[r->count - 1 - i];
    r->rows[r->count - 1 - i] = row;
  }
}

static void screen_find(struct screen *s, const char *period) {
  struct screen_row row;
  fact_screen_frames_init(&s->frames, s->table, s->rules, period);
  fact_screen_frames_name(&s->frames, s->frame);
  fact_screen_frames_load(&s->frames);
  for (size_t i = 0; i < s->frames.count; i++)
    if (screen_measure(s, &s->frames.list[i], &row))
      screen_add(&s->rows, &row);
    else
      screen_release_row(&row);
  if (s->rows.count)
    qsort(s->rows.rows, s->rows.count, sizeof *s->rows.rows, screen_larger);
  if (s->rules->lowest)
    screen_reverse(&s->rows);
  for (size_t i = 0; i < s->frames.count; i++)
    s->frames.list[i].by_day = 1; /* a frame doesn't say how a company counts its fiscal years */
}

static void screen_release(struct screen *s) {
  for (size_t i = 0; i < s->rows.count; i++)
    screen_release_row(&s->rows.rows[i]);
  free(s->rows.rows);
  fact_screen_frames_release(&s->frames);
}

/* ---- what is said ---- */

/* A share that was written without its sign: "gross margin > 60". */
static void screen_say_percent(const struct screen *s, struct buf *why) {
  struct screen_row row;
  for (size_t i = 0; i < s->frames.count && s->measured; i++) {
    screen_measure((struct screen *)(uintptr_t)s, &s->frames.list[i], &row);
    int percent = row.figures[0].label && measure_is_ratio(&row.figures[0]) == MEASURE_PERCENT;
    screen_release_row(&row);
    if (percent && s->rules->list[0].bound > 1 && !s->rules->list[0].percent)
      buf_printf(why, "; a share is written with its sign, %.15g%%", s->rules->list[0].bound);
    if (percent)
      return;
  }
}

/* Why a screen has no result, and which data could not be checked. */
static void screen_say_none(const struct screen *s, const char *text, struct buf *why) {
  if (s->measured)
    buf_printf(why, "none of the %zu compan%s with such a figure in %s meets '%s'", s->measured,
               s->measured == 1 ? "y" : "ies", s->frame, text);
  else
    buf_printf(why, "no frame of '%s' for %s", s->rules->list[0].what, s->frame);
  screen_say_percent(s, why);
  if (s->frames.absent.len && !s->frames.failed)
    buf_printf(why, "; there is no frame of %s", s->frames.absent.data);
}

/* Frames that could not be fetched: the companies that only they have are missing. */
static void screen_say_failed(const struct screen *s, struct buf *why) {
  if (s->frames.failed == 1 || !s->frames.count)
    buf_printf(why, "%sone could not be had: %s", why->len ? "; " : "", s->frames.failure.text);
  else
    buf_printf(why, "%s%zu frames could not be had, so that companies may be missing: %s",
               why->len ? "; " : "", s->frames.failed, s->frames.failure.text);
}

/* Whether a text is a figure or formula, so that a condition could follow. */
static int screen_knows(const struct concept_table *table, struct slice what) {
  struct screen_rules rules;
  struct slice rest;
  struct buf whole;
  buf_init(&whole, SCREEN_TEXT_MAX);
  buf_printf(&whole, "%.*s> 1", (int)what.len, what.data);
  int known = fact_screen_rules_read(&rules, table, buf_slice(&whole), &rest) == 0 && rest.len == 0;
  fact_screen_rules_release(&rules);
  buf_release(&whole);
  return known;
}

/* The figure of a text without a condition that can be read, and names near to it. */
static void screen_say_unread(const struct concept_table *table, const char *text, struct slice rest,
                              struct buf *why) {
  if (rest.len < strlen(text) && rest.len) {
    buf_printf(why,
               "--screen: '%.*s' behind the condition is not understood; another one is written as 'and "
               "revenue > 1 billion'",
               (int)rest.len, rest.data);
    return;
  }
  buf_printf(why, "--screen: '%s' is no rule such as 'R&D / revenue > 20%%' or 'gross margin over 60%%'",
             text);
  size_t n = strcspn(text, "<>");
  if (!text[n] || n < 2)
    return;
  if (screen_knows(table, slice_of(text, n))) {
    buf_add_str(why, ": behind the sign a number is missing");
    return;
  }
  struct fact_company none;
  fact_company_init(&none);
  struct measure_context x = {table, &none, slice_of(NULL, 0), {FACT_ANNUAL, 0, DAY_NONE}};
  buf_add_str(why, ": ");
  measure_say_missing(&x, slice_of(text, n - (text[n - 1] == ' ')), 0, why);
}

void fact_screen_run(struct program *p, const struct concept_table *table, const char *text,
                     const char *period, size_t limit, enum fact_format format) {
  struct screen_rules rules;
  struct screen s = {.table = table, .rules = &rules};
  struct slice rest;
  struct buf why;
  buf_init(&why, SCREEN_TEXT_MAX);
  if (fact_screen_rules_read(&rules, table, slice_str(text), &rest) || rest.len) {
    screen_say_unread(table, text, rest, &why);
    program_fail(p, EX_USAGE);
  } else {
    screen_find(&s, period);
    if (s.rows.count)
      fact_screen_write(&p->out.buf, s.frame, &rules, &s.rows, limit, format, p->columns);
    else
      screen_say_none(&s, text, &why), program_fail(p, EXIT_NOTHING);
    if (s.frames.failed)
      screen_say_failed(&s, &why);
    if (s.frames.failed && s.rows.count)
      program_fail(p, EX_UNAVAILABLE);
    screen_release(&s);
  }
  if (why.len)
    diag_warn("%s", why.data);
  fact_screen_rules_release(&rules);
  buf_release(&why);
}

size_t fact_screen_answer(struct buf *out, const struct concept_table *table,
                          const struct screen_rules *rules, const char *period, size_t limit,
                          struct slice job, struct buf *why) {
  struct screen s = {.table = table, .rules = rules};
  struct buf text;
  buf_init(&text, SCREEN_TEXT_MAX);
  fact_screen_rules_write(rules, &text);
  screen_find(&s, period);
  size_t count = s.rows.count;
  if (count)
    buf_printf(why,
               "%zu of the %zu companies that meet it in %s are given; all: ", limit < count ? limit : count,
               count, s.frame);
  else
    screen_say_none(&s, text.data, why);
  if (s.frames.failed)
    screen_say_failed(&s, why);
  buf_printf(why, "%sbid facts --screen '%s' -p %s", count ? "" : "; ", text.data, s.frame);
  fact_screen_write_records(out, s.frame, rules, &s.rows, limit, job);
  screen_release(&s);
  buf_release(&text);
  return count;
}

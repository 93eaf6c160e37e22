#include "facts/fact_plan_notes.h"

#include "facts/fact_pick.h"
#include "facts/fact_plan_read.h"
#include "facts/measure_near.h"
#include "record/error.h"

#include <stdio.h>
#include <stdlib.h>

enum { PLAN_NOTE_MAX = 65536 };

int fact_plan_lacks_fourths(const struct fact_rows *rows) {
  const struct fact_row *newest = rows->count ? &rows->rows[rows->count - 1] : NULL;
  return newest && newest->months == 3 && newest->series && !fact_is_additive(newest->series);
}

void fact_plan_say_fourths(struct fact_plan *f, const struct fact_company *c, const struct fact_window *w,
                           struct measure *m) {
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

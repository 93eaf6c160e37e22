/* search_missing.c: what the store lacks for an answer, in words. */
#include "search/search_scope.h"
#include "search/search_company.h"

#include "base/clock.h"

#define SHOWN_PERIODS 4

/* Days in which the next annual or quarterly report is filed, late ones and the wait over a fourth quarter included. */
#define NEXT_ANNUAL 430
#define NEXT_QUARTERLY 215

static void add_forms(const struct plan *p, struct buf *out) {
  for (size_t i = 0; i < p->form_count; i++)
    buf_printf(out, "%s%.*s",
               i == 0                  ? ""
               : i + 1 < p->form_count ? ", "
                                       : " or ",
               (int)p->forms[i].len, p->forms[i].data);
  if (p->form_count == 0)
    buf_add_str(out, "document");
  if (p->amendments)
    buf_add_str(out, " amendment");
}

static void scope_add_window(const struct plan_window *w, struct buf *out) {
  if (w->year)
    buf_printf(out, " for %s %d", w->period == PART_FY ? "fiscal" : plan_period_name(w->period), w->year);
  else if (w->ends[0])
    buf_printf(out, " for the period ended %s", w->ends);
  else if (w->from[0] || w->until[0])
    buf_printf(out, "%s%s%s%s", w->from[0] ? " from " : "", w->from, w->until[0] ? " to " : " on", w->until);
}

/* Adds "; there are: 10-K, 8-K" for a company. */
static void add_stored(const struct search_scope *s, int owner, struct buf *out) {
  uint8_t seen[SCOPE_FORMS] = {0};
  size_t n = 0;
  for (size_t i = 0; i < s->seg_count; i++)
    for (uint32_t k = 0; k < s->segs[i].docs; k++) {
      const struct store_doc *d = &s->segs[i].doc[k];
      if (search_scope_owner(s, d) == owner && d->form > 0 && d->form < SCOPE_FORMS && !seen[d->form]++)
        buf_printf(out, "%s%s", n++ ? ", " : "; there are: ", s->known->forms[d->form]);
    }
}

/* Adds "; there are those of periods to 2025-09-27, 2024-09-28": the newest of the requested forms; 0 where their
 * periods are unknown. */
static int add_stored_periods(const struct search_scope *s, int owner, struct buf *out) {
  int32_t last = INT32_MAX;
  int n = 0;
  while (n < SHOWN_PERIODS) {
    int32_t best = STORE_NO_DAY;
    for (size_t i = 0; i < s->seg_count; i++)
      for (uint32_t k = 0; k < s->segs[i].docs; k++) {
        const struct store_doc *d = &s->segs[i].doc[k];
        if (search_scope_owner(s, d) == owner && search_scope_fits_form(s, d) &&
            d->reported != STORE_NO_DAY && d->reported < last && (best == STORE_NO_DAY || d->reported > best))
          best = d->reported;
      }
    if (best == STORE_NO_DAY)
      break;
    int month_day, year = search_scope_calendar(best, &month_day);
    buf_printf(out, "%s%04d-%02d-%02d", n++ ? ", " : "; there are those of periods to ", year,
               month_day / 100, month_day % 100);
    last = best;
  }
  return n;
}

static void scope_add_missing(const struct search_scope *s, size_t company, const struct plan_window *w,
                              struct buf *out) {
  buf_add_str(out, "no ");
  if (s->of[company].documents == 0)
    buf_add_str(out, "document");
  else
    add_forms(s->plan, out);
  buf_add_str(out, " of ");
  search_company_add(&s->plan->companies[company], out);
  if (w)
    scope_add_window(w, out);
  buf_add_str(out, " is in the store");
  if (s->of[company].documents > 0 && !(w && add_stored_periods(s, (int)company, out)))
    add_stored(s, (int)company, out);
  buf_add_char(out, '\n');
}

/* Whether discovery listed filings of the company and the store has all: then none is missing. */
static int has_all_chosen(const struct search_scope *s, size_t company) {
  size_t count = 0, stored = 0;
  for (size_t i = 0; i < s->filing_count; i++)
    if (strcmp(s->filings[i].cik, s->plan->companies[company].cik) == 0)
      count++, stored += (size_t)s->filings[i].stored;
  return count > 0 && stored == count;
}

size_t search_missing(const struct search_scope *s, struct buf *out) {
  size_t n = 0;
  for (size_t i = 0; i < s->plan->company_count; i++) {
    const struct scope_company *c = &s->of[i];
    if (has_all_chosen(s, i))
      continue;
    if (c->documents == 0 || c->of_form == 0) {
      scope_add_missing(s, i, NULL, out);
      n++;
      continue;
    }
    for (size_t w = 0; w < s->plan->window_count; w++)
      if (c->in_window[w] == 0) {
        scope_add_missing(s, i, &s->plan->windows[w], out);
        n++;
      }
  }
  return n;
}

/* Days after which the next report of the plan's forms is due; 0 where they are filed at no interval. */
static int days_to_next(const struct plan *p) {
  static const char *const annual[] = {"10-K", "20-F", "40-F"};
  int days = 0;
  for (size_t i = 0; i < p->form_count; i++) {
    if (slice_is(p->forms[i], "10-Q"))
      return NEXT_QUARTERLY;
    for (size_t k = 0; k < sizeof annual / sizeof *annual; k++)
      days = slice_is(p->forms[i], annual[k]) ? NEXT_ANNUAL : days;
  }
  return days;
}

size_t search_overdue(const struct search_scope *s, struct buf *out) {
  char today[CLOCK_TEXT];
  size_t n = 0;
  int latest = 0, days = s->plan->amendments ? 0 : days_to_next(s->plan);
  clock_format(clock_now(), today);
  int32_t now = search_scope_day(s->plan->as_of[0] ? s->plan->as_of : today);
  for (size_t w = 0; w < s->plan->window_count; w++)
    latest |= s->plan->windows[w].latest && !s->plan->windows[w].period;
  for (size_t i = 0; latest && days && s->filing_count == 0 && i < s->plan->company_count; i++) {
    int32_t newest = s->of[i].newest;
    if (s->of[i].of_form == 0 || newest == STORE_NO_DAY || now - newest <= days)
      continue;
    int month_day, year = search_scope_calendar(newest, &month_day);
    buf_add_str(out, "the newest ");
    add_forms(s->plan, out);
    buf_add_str(out, " of ");
    search_company_add(&s->plan->companies[i], out);
    buf_printf(out, " in the store was filed on %04d-%02d-%02d; a newer one is due\n", year, month_day / 100,
               month_day % 100);
    n++;
  }
  return n;
}

/* search_scope.c: matches documents of the store with a plan's companies, forms and windows. */
#include "search/search_scope.h"
#include "search/search_company.h"
#include "search/search_scope_parts.h"

#include <stdio.h>
#include <stdlib.h>

static void scope_find_companies(struct search_scope *s) {
  const struct query_known *known = s->known;
  for (size_t c = 1; c < known->company_count; c++)
    for (size_t i = 0; i < s->plan->company_count && s->company_count < SCOPE_NUMBERS; i++)
      if (search_company_is(&s->plan->companies[i], known, c)) {
        s->plan_company[s->company_count] = (uint8_t)i;
        s->companies[s->company_count++] = (uint32_t)c;
        break;
      }
}

int search_scope_owner(const struct search_scope *s, const struct store_doc *d) {
  for (size_t i = 0; i < s->company_count; i++)
    if (s->companies[i] == d->company)
      return s->plan_company[i];
  return -1;
}

/* ---- filings from discovery ---- */

static int is_filing(const struct search_scope *s, const struct scope_filing *f, int owner,
                     const struct store_doc *d) {
  if (strcmp(f->cik, s->plan->companies[owner].cik) != 0 || d->filed != search_scope_day(f->filed))
    return 0;
  return strcmp(f->form, s->known->forms[d->form]) == 0 &&
         (d->reported == STORE_NO_DAY || !f->reported[0] || d->reported == search_scope_day(f->reported));
}

/* Whether discovery listed it; *all: whether it listed filings of the company and the store has all of them. */
static int is_chosen(const struct search_scope *s, int owner, const struct store_doc *d, int *all) {
  int chosen = 0, count = 0;
  *all = 1;
  for (size_t i = 0; i < s->filing_count; i++) {
    if (strcmp(s->filings[i].cik, s->plan->companies[owner].cik) != 0)
      continue;
    count++;
    *all &= s->filings[i].stored;
    chosen |= is_filing(s, &s->filings[i], owner, d);
  }
  *all &= count > 0;
  return chosen;
}

/* ---- matching ---- */

/* Days before and after a report's own period that it covers: three years back in annual reports and prospectuses, a
 * year and a quarter in others; a year ahead for plans and expectations. */
#define TOLD_LONG (3 * 366)
#define TOLD_SHORT 460
#define EXPECTED 366

/* Whether the company has none of the named forms, and these are filed for an event (registrations, letters, current
 * reports): other documents describe the same event ("the shelf").  A report on a period has no substitute, nor has a
 * form given by an option. */
static int lacks_event(const struct search_scope *s, int owner) {
  char name[64];
  for (size_t i = 0; i < s->plan->form_count; i++) {
    snprintf(name, sizeof name, "%.*s", (int)s->plan->forms[i].len, s->plan->forms[i].data);
    enum scope_class is = search_scope_class_of(name);
    if (is != SCOPE_OTHER && is != SCOPE_CURRENT)
      return 0;
  }
  return s->plan->forms_named && !s->plan->forms_given && !s->plan->amendments && s->of[owner].of_form == 0;
}

/* Whether the company has none of the reports that follow from the question's words ("year end"), and no time is named:
 * what else it files (holdings, prospectuses) may answer. */
static int lacks_reports(const struct search_scope *s, int owner) {
  return !s->plan->forms_named && !s->plan->amendments && s->of[owner].of_form == 0;
}

/* Named forms exclude all others. */
static int may_tell(const struct search_scope *s, int owner, const struct store_doc *d) {
  return !(s->plan->forms_named || s->plan->amendments) || search_scope_fits_form(s, d) ||
         lacks_event(s, owner);
}

/* Whether a document outside of all windows may still mention one: an annual report shows earlier years, a prospectus
 * recent ones, any report expectations. */
static int tells_of_window(const struct search_scope *s, int owner, const struct store_doc *d) {
  enum scope_class is = search_scope_class(s, d);
  int32_t told = is == SCOPE_QUARTERLY || is == SCOPE_CURRENT ? TOLD_SHORT : TOLD_LONG, from, until;
  int32_t first = d->reported != STORE_NO_DAY ? d->reported : search_scope_newness(d),
          last = search_scope_newness(d);
  if (!may_tell(s, owner, d))
    return 0;
  if (s->plan->window_count == 0)
    return lacks_event(s, owner) || lacks_reports(s, owner);
  for (size_t w = 0; w < s->plan->window_count; w++)
    if (s->plan->windows[w].latest && !s->plan->forms_named && s->of[owner].of_form == 0)
      return 1; /* the newest one */
    else if (search_scope_days(s, owner, &s->plan->windows[w], &from, &until) &&
             (first == STORE_NO_DAY || (until >= first - told && from <= last + EXPECTED)))
      return 1;
  return 0;
}

/* Whether it may mention a window long before it (a year's notes that were sold, a suit that was filed) or long after
 * it (the day on which notes are due).  Not for quarters. */
static int recalls_window(const struct search_scope *s, int owner, const struct store_doc *d) {
  int32_t from, until, last = search_scope_newness(d);
  if (!may_tell(s, owner, d))
    return 0;
  for (size_t w = 0; w < s->plan->window_count; w++) {
    const struct plan_window *window = &s->plan->windows[w];
    if ((!window->year || window->period == PLAN_FY) && search_scope_days(s, owner, window, &from, &until) &&
        last != STORE_NO_DAY && (until < last || from > last))
      return 1;
  }
  return 0;
}

#define BESIDE 300 /* days */

/* A proxy statement or prospectus filed after the requested fiscal year, which covers it; only where no forms are
 * named. */
static int stands_beside(const struct search_scope *s, int owner, const struct store_doc *d) {
  if (s->plan->forms_named || s->plan->amendments || search_scope_class(s, d) != SCOPE_OTHER ||
      d->filed == STORE_NO_DAY)
    return 0;
  for (size_t w = 0; w < s->plan->window_count; w++) {
    const struct plan_window *window = &s->plan->windows[w];
    int32_t end = window->year && window->period == PLAN_FY ? search_scope_year_end(s, owner, window->year)
                                                            : STORE_NO_DAY;
    if (end != STORE_NO_DAY && d->filed > end && d->filed <= end + BESIDE)
      return 1;
  }
  return 0;
}

int search_scope_fits(const struct search_scope *s, const struct store_segment *seg, uint32_t doc) {
  const struct store_doc *d = &seg->doc[doc];
  int all, owner = s->plan->company_count ? search_scope_owner(s, d) : 0;
  if (owner < 0)
    return 0;
  if (s->reach != SCOPE_FITTING)
    return s->reach == SCOPE_TELLING ? tells_of_window(s, owner, d) : recalls_window(s, owner, d);
  if (s->plan->company_count > 0 && stands_beside(s, owner, d))
    return 1;
  if (!search_scope_fits_form(s, d))
    return 0;
  if (s->plan->window_count == 0)
    return 1;
  if (s->plan->company_count == 0) {
    for (size_t w = 0; w < s->plan->window_count; w++)
      if (search_scope_fits_window(s, 0, w, d))
        return 1;
    return 0;
  }
  if (is_chosen(s, owner, d, &all))
    return 1;
  if (all && search_scope_class(s, d) != SCOPE_UNKNOWN) /* then exactly those */
    return 0;
  for (size_t w = 0; w < s->plan->window_count; w++)
    if (search_scope_fits_window(s, owner, w, d))
      return 1;
  return 0;
}

typedef void scope_visit(struct search_scope *s, int owner, const struct store_doc *d);

/* Visits live documents of the plan's companies. */
static void each_document(struct search_scope *s, scope_visit *f) {
  for (size_t i = 0; i < s->seg_count; i++)
    for (uint32_t d = 0; d < s->segs[i].docs; d++) {
      int dead = s->segs[i].dead_docs && (s->segs[i].dead_docs[d / 64] >> (d % 64) & 1);
      int owner = dead ? -1 : search_scope_owner(s, &s->segs[i].doc[d]);
      if (owner >= 0)
        f(s, owner, &s->segs[i].doc[d]);
    }
}

/* Records the end of a company's fiscal years from its annual reports in the store, or else its quarterly ones. */
static void note_document(struct search_scope *s, int owner, const struct store_doc *d) {
  struct scope_company *c = &s->of[owner];
  int month_day, day = search_scope_newness(d);
  c->documents++;
  int annual = search_scope_class(s, d) == SCOPE_ANNUAL, quarter = annual ? 4 : d->fiscal_period;
  if (d->reported != STORE_NO_DAY && quarter >= 1 && quarter <= 4 && (annual || !c->annual)) {
    search_scope_calendar(d->reported + (4 - quarter) * 91, &month_day);
    c->year_end = (uint16_t)month_day;
    c->annual |= annual;
  }
  if (search_scope_fits_form(s, d)) {
    c->of_form += (size_t) !(s->plan->forms_named && search_scope_follows(s, d));
    c->newest = day > c->newest ? day : c->newest;
  }
}

/* Records the newest day before the last recorded one (`below`). */
static void note_latest(struct search_scope *s, int owner, const struct store_doc *d) {
  int32_t day = search_scope_newness(d);
  if (day == STORE_NO_DAY || !search_scope_fits_form(s, d))
    return;
  for (size_t w = 0; w < s->plan->window_count; w++)
    if (day < s->below[owner][w] && day > s->since_latest[owner][w] &&
        search_scope_fits_quarter(s, owner, &s->plan->windows[w], d))
      s->since_latest[owner][w] = day;
}

static int latest_count(const struct plan_window *w) {
  return !w->latest ? 0 : w->before + (w->count > 0 ? w->count : 1);
}

/* Each round finds one more day; all documents where there are fewer than requested. */
static void scope_find_latest(struct search_scope *s) {
  int rounds = 0;
  for (size_t w = 0; w < s->plan->window_count; w++)
    rounds = latest_count(&s->plan->windows[w]) > rounds ? latest_count(&s->plan->windows[w]) : rounds;
  for (int round = 0; round < rounds; round++) {
    for (size_t i = 0; i < PLAN_COMPANIES; i++)
      for (size_t w = 0; w < s->plan->window_count; w++) {
        s->below[i][w] = round == 0 ? INT32_MAX : s->since_latest[i][w];
        s->since_latest[i][w] = STORE_NO_DAY;
      }
    each_document(s, note_latest);
    for (size_t i = 0; i < PLAN_COMPANIES; i++)
      for (size_t w = 0; w < s->plan->window_count; w++)
        if (round >= latest_count(&s->plan->windows[w]) ||
            (round > 0 && s->since_latest[i][w] == STORE_NO_DAY))
          s->since_latest[i][w] = s->below[i][w];
    for (size_t i = 0; i < PLAN_COMPANIES; i++)
      for (size_t w = 0; w < s->plan->window_count; w++)
        if (round < s->plan->windows[w].before)
          s->before_latest[i][w] = s->since_latest[i][w];
  }
}

static void count_document(struct search_scope *s, int owner, const struct store_doc *d) {
  struct scope_company *c = &s->of[owner];
  int fits = 0;
  s->telling += (size_t)tells_of_window(s, owner, d);
  s->recalling += (size_t)recalls_window(s, owner, d);
  if (!search_scope_fits_form(s, d))
    return;
  for (size_t w = 0; w < s->plan->window_count; w++) {
    int in = search_scope_fits_window(s, owner, w, d);
    c->in_window[w] += (size_t)in;
    fits |= in;
  }
  c->fitting += (size_t)(fits || s->plan->window_count == 0);
}

void search_scope_make(struct search_scope *s, const struct plan *plan, const struct query_known *known,
                       const struct store_snapshot *snap, const struct scope_filing *filings,
                       size_t filing_count) {
  memset(s, 0, sizeof *s);
  s->plan = plan;
  s->known = known;
  s->seg_count = snap ? store_segments(snap, &s->segs) : 0;
  s->filings = filings;
  s->filing_count = filing_count;
  for (size_t i = 0; i < PLAN_COMPANIES; i++)
    s->of[i] = (struct scope_company){.year_end = 1231, .newest = STORE_NO_DAY};
  for (size_t i = 0; i < PLAN_COMPANIES * PLAN_WINDOWS; i++)
    s->before_latest[i / PLAN_WINDOWS][i % PLAN_WINDOWS] = INT32_MAX;
  scope_find_companies(s);
  search_scope_find_forms(s);
  each_document(s, note_document);
  scope_find_latest(s);
  each_document(s, count_document);
  for (size_t i = 0; i < plan->company_count; i++) {
    s->fitting += s->of[i].fitting;
    s->documents += s->of[i].documents;
  }
  for (size_t i = 0; i < filing_count; i++)
    s->fitting += (size_t)filings[i].stored;
}

int search_scope_wants_newest(const struct search_scope *s) {
  int newest = s->plan->window_count == 0;
  for (size_t w = 0; w < s->plan->window_count; w++)
    newest |= s->plan->windows[w].latest;
  return newest;
}

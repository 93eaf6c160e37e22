/* search_scope.c: the documents of the store that may answer a question: of the plan's forms and windows. */
#include "search/search_scope.h"

#include "base/clock.h"
#include "base/day.h"
#include "filing/form.h"
#include "search/search_company.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- forms ---- */

enum scope_class { SCOPE_UNKNOWN, SCOPE_ANNUAL, SCOPE_QUARTERLY, SCOPE_CURRENT, SCOPE_OTHER };

/* EDGAR's forms contain digits or are in capitals ("CORRESP"); other names are those of a user's own documents. */
static int is_edgars(const char *form) {
  for (const char *c = form; *c; c++)
    if (islower((unsigned char)*c))
      return strpbrk(form, "0123456789") != NULL;
  return *form != '\0';
}

static enum scope_class search_scope_class_of(const char *form) {
  if (!is_edgars(form))
    return SCOPE_UNKNOWN;
  switch (form_kind_of(slice_str(form))) {
  case FORM_ANNUAL:
    return SCOPE_ANNUAL;
  case FORM_QUARTERLY:
    return SCOPE_QUARTERLY;
  case FORM_CURRENT:
    return SCOPE_CURRENT;
  default:
    return SCOPE_OTHER;
  }
}

static int is_amended(const char *form) {
  size_t n = strlen(form);
  return n > 2 && strcmp(form + n - 2, "/A") == 0;
}

/* Sets the numbers of the plan's forms, and the classes of the store's. */
static void search_scope_find_forms(struct search_scope *s) {
  const struct query_known *known = s->known;
  char name[64];
  for (size_t i = 0; i < s->plan->form_count; i++) {
    struct slice form = s->plan->forms[i];
    if (!form.len || form.len >= sizeof name)
      continue;
    memcpy(name, form.data, form.len);
    name[form.len] = '\0';
    s->form_count += query_find_forms(known, name, s->forms + s->form_count, SCOPE_NUMBERS - s->form_count);
  }
  for (size_t f = 0; f < known->form_count && f < SCOPE_FORMS; f++)
    s->form_class[f] = (uint8_t)search_scope_class_of(known->forms[f]);
}

static enum scope_class search_scope_class(const struct search_scope *s, const struct store_doc *d) {
  return d->form < sizeof s->form_class ? (enum scope_class)s->form_class[d->form] : SCOPE_UNKNOWN;
}

/* Whether a document follows a named registration: its amendments and prospectuses are about it too. */
static int search_scope_follows(const struct search_scope *s, const struct store_doc *d) {
  for (size_t i = 0; i < s->plan->form_count; i++)
    if (form_follows(slice_str(s->known->forms[d->form]), s->plan->forms[i]))
      return 1;
  return 0;
}

int search_scope_fits_form(const struct search_scope *s, const struct store_doc *d) {
  const struct plan *p = s->plan;
  if (p->amendments && !is_amended(s->known->forms[d->form]))
    return 0;
  if (p->form_count == 0 || (!p->forms_named && slice_is(p->disclosed_in, s->known->forms[d->form])))
    return 1;
  for (size_t i = 0; i < s->form_count; i++)
    if (s->forms[i] == d->form)
      return 1;
  if (p->forms_named)
    return !p->forms_given && search_scope_follows(s, d);
  enum scope_class is = search_scope_class(s, d);
  if (is == SCOPE_UNKNOWN)
    return 1;
  for (size_t i = 0; i < p->form_count; i++) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)p->forms[i].len, p->forms[i].data);
    if (is == search_scope_class_of(name) && is != SCOPE_OTHER)
      return 1;
  }
  return 0;
}

/* ---- windows ---- */

#define RELEASE_FROM 4 /* days after a period's end in which a current report on it is filed */
#define RELEASE_TO 110

int32_t search_scope_day(const char *date) {
  int64_t t;
  return strlen(date) >= 10 && clock_parse(date, &t) == 0 ? day_of_time(t) : STORE_NO_DAY;
}

int search_scope_calendar(int32_t day, int *month_day) {
  int year, month, of_month;
  day_split(day, &year, &month, &of_month);
  *month_day = month * 100 + of_month;
  return year;
}

static int32_t scope_day_of(int year, int month_day) {
  int month = month_day / 100, day = month_day == 229 ? 28 : month_day % 100;
  return day_is_real(year, month, day) ? day_of(year, month, day) : 0;
}

/* The last day of a fiscal year of the company. */
static int32_t search_scope_year_end(const struct search_scope *s, int owner, int year) {
  int month_day = s->of[owner].year_end;
  return scope_day_of(month_day <= 110 ? year + 1 : year, month_day);
}

/* The period of a window of a fiscal year, by the company's calendar. */
static enum period_part scope_period_of(const struct search_scope *s, int owner,
                                        const struct plan_window *w) {
  return w->ends_month ? plan_quarter_ending(w->ends_month, s->of[owner].year_end) : w->period;
}

static int scope_quarter_of(enum period_part p) {
  return p == PART_Q1 ? 1 : p == PART_Q2 || p == PART_H1 ? 2 : p == PART_Q3 || p == PART_9M ? 3 : 4;
}

/* Whether only a fiscal year that the store doesn't tell says which quarter a report is on. */
static int is_of_any_quarter(const struct search_scope *s, int owner, const struct store_doc *d) {
  return search_scope_class(s, d) == SCOPE_QUARTERLY && !d->fiscal_year && !d->fiscal_period &&
         d->reported != STORE_NO_DAY && !s->of[owner].year_known;
}

/* The fiscal year of a document, and its quarter (5: the whole year); 0 where unknown. */
static int year_of(const struct search_scope *s, int owner, const struct store_doc *d, int *quarter) {
  int month_day, annual = search_scope_class(s, d) == SCOPE_ANNUAL;
  *quarter = d->fiscal_period ? d->fiscal_period : annual ? 5 : 0;
  if (d->fiscal_year)
    return d->fiscal_year;
  if (d->reported == STORE_NO_DAY || is_of_any_quarter(s, owner, d))
    return 0;
  if (annual)
    return search_scope_calendar(d->reported - 10, &month_day);
  int year = search_scope_calendar(d->reported - 10, &month_day);
  int32_t end = search_scope_year_end(s, owner, year);
  if (end < d->reported - 10)
    end = search_scope_year_end(s, owner, ++year);
  if (!*quarter)
    *quarter = 4 - (end - d->reported + 45) / 91;
  return year;
}

static int is_filed_after(const struct store_doc *d, int32_t end) {
  return d->filed == STORE_NO_DAY || (d->filed >= end + RELEASE_FROM && d->filed <= end + RELEASE_TO);
}

static int fits_period(const struct search_scope *s, int owner, const struct plan_window *w,
                       const struct store_doc *d) {
  enum scope_class is = search_scope_class(s, d);
  int wanted = scope_quarter_of(scope_period_of(s, owner, w)), quarter, month_day;
  if (is == SCOPE_CURRENT)
    return is_filed_after(d, search_scope_year_end(s, owner, w->year) - (4 - wanted) * 91);
  if (is == SCOPE_OTHER)
    return d->filed == STORE_NO_DAY || search_scope_calendar(d->filed, &month_day) == w->year;
  if (is_of_any_quarter(s, owner, d)) /* it is of that year if it is the quarter asked for */
    return search_scope_calendar(d->reported + (4 - wanted) * 91 - 10, &month_day) == w->year;
  int year = year_of(s, owner, d, &quarter);
  if (year == 0)
    return 1;
  if (year != w->year)
    return 0;
  if (quarter == 0 || (s->plan->forms_named && (w->period == PART_FY || is == SCOPE_ANNUAL)))
    return 1;
  return quarter == wanted || (wanted == 4 && quarter == 5);
}

/* "The latest second quarter" names no year, nor does "Q3 results, October 2024": whether a document is of the window's
 * quarter in any year.  A document without a quarter fits any. */
static int search_scope_fits_quarter(const struct search_scope *s, int owner, const struct plan_window *w,
                                     const struct store_doc *d) {
  int wanted = scope_quarter_of(w->period), quarter;
  if (w->period == PART_ANY || w->period == PART_FY || year_of(s, owner, d, &quarter) == 0 || quarter == 0)
    return 1;
  return quarter == wanted || (wanted == 4 && quarter == 5);
}

static int fits_end(const struct plan_window *w, const struct store_doc *d, enum scope_class is) {
  int32_t end = search_scope_day(w->ends);
  if (is == SCOPE_CURRENT || is == SCOPE_OTHER)
    return is_filed_after(d, end);
  if (d->reported != STORE_NO_DAY)
    return abs(d->reported - end) <= plan_window_days_apart(w);
  int month_day, year = search_scope_calendar(end - 10, &month_day);
  return d->fiscal_year == 0 || d->fiscal_year == year || d->fiscal_year == year + 1;
}

static int fits_range(const struct plan_window *w, const struct store_doc *d, enum scope_class is) {
  int32_t from = search_scope_day(w->from), until = search_scope_day(w->until);
  int filed = w->by_filing || is == SCOPE_CURRENT || is == SCOPE_OTHER;
  int32_t day = filed || d->reported == STORE_NO_DAY ? d->filed : d->reported;
  if (day == STORE_NO_DAY && d->fiscal_year)
    day = scope_day_of(d->fiscal_year, 1231);
  return day == STORE_NO_DAY ||
         ((from == STORE_NO_DAY || day >= from) && (until == STORE_NO_DAY || day <= until));
}

/* The day of filing, or the best substitute that a document has; STORE_NO_DAY where it has none. */
static int32_t search_scope_newness(const struct store_doc *d) {
  if (d->filed != STORE_NO_DAY || d->reported != STORE_NO_DAY)
    return d->filed != STORE_NO_DAY ? d->filed : d->reported;
  return d->fiscal_year ? scope_day_of(d->fiscal_year, 1231) + (d->fiscal_period % 5) * 91 : STORE_NO_DAY;
}

/* Whether a document is of a window, for windows of the latest filings as far as these are known (since_latest). */
static int search_scope_fits_window(const struct search_scope *s, int owner, size_t window,
                                    const struct store_doc *d) {
  const struct plan_window *w = &s->plan->windows[window];
  if (w->year)
    return fits_period(s, owner, w, d);
  if (w->ends[0])
    return fits_end(w, d, search_scope_class(s, d));
  if (w->latest) {
    int32_t day = search_scope_newness(d);
    return (day == STORE_NO_DAY ||
            (day >= s->since_latest[owner][window] && day < s->before_latest[owner][window])) &&
           search_scope_fits_quarter(s, owner, w, d);
  }
  enum scope_class is = search_scope_class(s, d);
  int report = is == SCOPE_ANNUAL || is == SCOPE_QUARTERLY;
  return fits_range(w, d, is) && (!report || search_scope_fits_quarter(s, owner, w, d));
}

/* The days of a window; 0 where it has none of its own ("latest"). */
static int search_scope_days(const struct search_scope *s, int owner, const struct plan_window *w,
                             int32_t *from, int32_t *until) {
  *from = INT32_MIN, *until = INT32_MAX;
  if (w->year) {
    int quarter = scope_quarter_of(scope_period_of(s, owner, w));
    *until = search_scope_year_end(s, owner, w->year) - (4 - quarter) * 91;
    *from = *until - (w->period == PART_FY ? 365 : w->period >= PART_H1 ? 274 : 91);
  } else if (w->ends[0]) {
    *until = search_scope_day(w->ends);
    *from = w->from[0] ? search_scope_day(w->from) : *until;
  } else if (w->from[0] || w->until[0]) {
    *from = w->from[0] ? search_scope_day(w->from) : INT32_MIN;
    *until = w->until[0] ? search_scope_day(w->until) : INT32_MAX;
  }
  return *from != INT32_MIN || *until != INT32_MAX;
}

/* ---- documents ---- */

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
#define COVERED_LONG (3 * 366)
#define COVERED_SHORT 460
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
  int32_t covered = is == SCOPE_QUARTERLY || is == SCOPE_CURRENT ? COVERED_SHORT : COVERED_LONG, from, until;
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
             (first == STORE_NO_DAY || (until >= first - covered && from <= last + EXPECTED)))
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
    if ((!window->year || window->period == PART_FY) && search_scope_days(s, owner, window, &from, &until) &&
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
    int32_t end = window->year && window->period == PART_FY ? search_scope_year_end(s, owner, window->year)
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
    c->year_known = 1;
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

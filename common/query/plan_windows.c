/* plan_windows.c: the windows that the periods of a question mean, alone or as a range. */
#include "query/plan_windows.h"

#include "base/clock.h"
#include "base/day.h"
#include "period/period.h"
#include "period/period_option.h"
#include "tables/period_words.h"

#include <stdio.h>
#include <stdlib.h>

#define VOTES_DAYS 6    /* four business days: within them the votes of a meeting are told */
#define LATEST_WORDS 4  /* after "latest", within which its form follows */
#define UNTIMED_WORDS 6 /* after "since", within which a date may follow */

/* The periods of a question while they become windows. */
struct window_scan {
  struct period_reading *r;
  struct plan_when *when;
};

static int word_in(const struct window_scan *s, size_t i, const char *const *list) {
  return i < s->r->text.t->count && plan_word_in(s->r->text.t->token[i].fold, list) >= 0;
}

/* ---- windows ---- */

static struct plan_window *add_window(struct plan *plan) {
  if (plan->window_count == PLAN_WINDOWS)
    return NULL;
  struct plan_window *w = &plan->windows[plan->window_count++];
  memset(w, 0, sizeof *w);
  return w;
}

static void set_day(char out[PLAN_DATE], int32_t day) {
  char text[DAY_TEXT];
  if (day != DAY_NONE)
    memcpy(out, day_write(day, text), PLAN_DATE);
}

static void set_range(struct plan_window *w, int32_t from, int32_t until) {
  set_day(w->from, from);
  set_day(w->until, until);
}

static void set_filed(struct plan_window *w, int32_t from, int32_t until) {
  set_range(w, from, until);
  w->by_filing = 1;
}

static void window_set_ends(struct plan_window *w, int32_t day, int months) {
  set_day(w->ends, day);
  if (months <= 0)
    return;
  /* a fiscal month may end in the first days of the next month */
  int whole = day_of_month(day) > 15 ? 1 - months : -months;
  set_range(w, day_month_start(day_year(day), day_month(day), whole), day);
}

static unsigned reports_of(enum period_part part) {
  return part == PART_FY || part == PART_Q4 || part == PART_H2 ? REPORTS_ANNUAL : REPORTS_QUARTER;
}

static void add_fiscal(struct plan_when *when, struct plan *plan, const struct period_item *item,
                       enum period_part part) {
  int first, last;
  period_part_months(part, &first, &last);
  struct plan_window *w = add_window(plan);
  if (w == NULL)
    return;
  when->reports |= reports_of(part);
  if (item->how == YEAR_CALENDAR || when->form == FORM_HOLDINGS) {
    when->reports |= REPORTS_QUARTER; /* a calendar year or quarter may end with any of the company's own */
    when->reports |= last == 12 ? REPORTS_ANNUAL : 0;
    window_set_ends(w, day_month_end(item->year, last, 0), last - first + 1);
    return;
  }
  w->year = item->year;
  w->period = part;
}

/* Each quarter of a year up to the last one. */
static void add_quarters(const struct window_scan *s, struct plan *plan, const struct period_item *item,
                         enum period_part last) {
  for (enum period_part part = PART_Q1; part <= last; part++)
    add_fiscal(s->when, plan, item, part);
}

/* Whether quarterly reports are asked for in the plural: "10-Qs", "quarterly filings". */
static int asks_for_several(const struct window_scan *s) {
  for (size_t i = 0; i < s->r->text.t->count && s->when->form == FORM_QUARTER; i++) {
    const char *fold = s->r->text.t->token[i].fold;
    if (s->r->taken[i] == TAKEN_FORM && fold[strlen(fold) - 1] == 's')
      return 1;
  }
  return 0;
}

static int is_for(const struct window_scan *s, const struct period_item *item) {
  static const char *const of[] = {"for", "on", "covering", "calendar", NULL};
  return item->from > 0 && word_in(s, item->from - 1, of);
}

/* "for the 10-K of 2024", "a notice for 2024", "the 2024 10-K": whether a year is that of the late report. */
static int is_of_late_report(const struct window_scan *s, const struct period_item *item) {
  static const char *const between[] = {"of", "for", "the", "from", "in", "s", NULL}, *const late[] = {
                                                                                          "k", "10k", "10",
                                                                                          NULL};
  const uint8_t *taken = s->r->taken;
  size_t before = item->from;
  if (is_for(s, item))
    return 1;
  while (before > 0 && word_in(s, before - 1, between) && !(s->r->text.t->token[before].gap & GAP_COMMA))
    before--;
  return (before > 0 && before < item->from && taken[before - 1] == TAKEN_FORM &&
          word_in(s, before - 1, late)) ||
         (word_in(s, item->to, late) && taken[item->to] == TAKEN_FORM);
}

/* Whether the year of a form that is filed after a year's end is the one that it tells of, not the one it was filed in: a fiscal
 * one, of most forms that which it is for, of a notice the year of the late report ("for the 10-K of 2024"). */
static int is_told_year(const struct window_scan *s, const struct period_item *item) {
  static const char *const of[] = {"for", "year", "fy", NULL};
  int fiscal = item->how == YEAR_FISCAL, span = item->months == 12; /* "last year" */
  if (item->filed)
    return 0;
  if (s->when->earnings && !span &&
      (fiscal || item->whole || item->at_end || (item->from > 0 && word_in(s, item->from - 1, of))))
    return 1; /* "earnings release for 2023" */
  if (s->when->late && is_of_late_report(s, item))
    return 1;
  return s->when->form >= FORM_FISCAL &&
         ((fiscal && !span) || (s->when->form == FORM_FISCAL && is_for(s, item)));
}

static void window_of_year(const struct window_scan *s, struct plan *plan, const struct period_item *item) {
  struct plan_window *w;
  int own = !item->filed && item->months != 12;
  if (own && s->when->form == FORM_QUARTER && item->how == YEAR_FISCAL) {
    add_quarters(s, plan, item, PART_Q3);
  } else if (s->when->form == FORM_HOLDINGS && item->at_end) {
    if ((w = add_window(plan)) != NULL)
      set_day(w->ends, day_of(item->year, 12, 31));
  } else if (s->when->form == FORM_CALENDAR && !item->filed && is_for(s, item)) {
    if ((w = add_window(plan)) != NULL)
      set_filed(w, day_of(item->year + 1, 1, 1), day_of(item->year + 1, 12, 31));
  } else if ((item->filed || s->when->event_form) && !is_told_year(s, item)) {
    if ((w = add_window(plan)) != NULL)
      set_filed(w, period_first_day(item), period_last_day(item));
  } else {
    add_fiscal(s->when, plan, item, PART_FY);
  }
}

static void window_of_part(const struct window_scan *s, struct plan *plan, const struct period_item *item) {
  struct plan_window *w;
  if (item->year && s->when->event_form && (item->filed || !(s->when->results || s->when->late))) {
    if ((w = add_window(plan)) != NULL)
      set_filed(w, period_first_day(item), period_last_day(item));
  } else if (item->year && (item->part == PART_H1 || item->part == PART_9M) && asks_for_several(s)) {
    add_quarters(s, plan, item, item->part == PART_H1 ? PART_Q2 : PART_Q3);
  } else if (item->year) {
    add_fiscal(s->when, plan, item, item->part);
  } else if ((w = add_window(plan)) != NULL) {
    w->latest = 1;
    w->count = 1;
    w->period = item->part;
    s->when->reports |= reports_of(item->part);
  }
}

static void window_of_ends(const struct window_scan *s, struct plan *plan, const struct period_item *item) {
  struct plan_window *w = add_window(plan);
  if (w != NULL && item->how == YEAR_FISCAL && s->when->form != FORM_HOLDINGS) {
    w->year = item->year;
    w->ends_month = day_month(item->day);
  } else if (w != NULL) {
    window_set_ends(w, item->day, item->months);
  }
  s->when->reports |= item->months == 12  ? REPORTS_ANNUAL | (item->count ? REPORTS_QUARTER : 0u)
                      : item->months == 3 ? REPORTS_QUARTER | REPORTS_ANNUAL
                                          : REPORTS_QUARTER;
}

/* Whether one of the words occurs at most `reach` tokens before or after an item. */
static int is_beside(const struct window_scan *s, const struct period_item *item, size_t reach,
                     const char *const *words) {
  for (size_t k = 0; k < reach; k++)
    if (word_in(s, item->to + k, words) || (item->from > k && word_in(s, item->from - 1 - k, words)))
      return 1;
  return 0;
}

/* A day or a month.  For a meeting: the proxy statement is filed in the months before it; for a notice of a late
 * report: the period that ended then. */
static void window_of_date(const struct window_scan *s, struct plan *plan, const struct period_item *item) {
  static const char *const meeting[] = {"meeting", "meetings", NULL}, *const period[] = {"for", "of", NULL};
  struct plan_window *w = add_window(plan);
  size_t i = item->from;
  if (w == NULL)
    return;
  int32_t from = period_first_day(item), until = period_last_day(item);
  if (s->when->event_form && !s->when->items && is_beside(s, item, 3, meeting))
    from = day_month_start(day_year(from), day_month(from), -3);
  until += s->when->votes ? VOTES_DAYS : 0;
  w->period = item->told ? item->part : PART_ANY;
  int week = i > 1 && period_is(s->r, i - 1, "of") && period_is(s->r, i - 2, "week");
  until += week ? 6 : 0;
  if (s->when->late && !item->filed && i > 0 && word_in(s, i - 1, period)) {
    set_day(w->ends, until);
  } else if (item->filed || s->when->event_form || week) {
    set_filed(w, from, until);
  } else if (s->when->told || item->told) { /* events of that time are reported in filings of that time */
    set_filed(w, from, until);
    s->when->reports |= REPORTS_ANNUAL | REPORTS_QUARTER | REPORTS_EVENTS;
  } else if (item->kind == ITEM_DAY || item->lead == LEAD_AS_OF || item->at_end) {
    set_day(w->ends, until);
    s->when->reports |= REPORTS_ANNUAL | REPORTS_QUARTER;
  } else {
    set_range(w, from, until);
    s->when->reports |= REPORTS_ANNUAL | REPORTS_QUARTER;
  }
}

static void window_of_latest(const struct window_scan *s, struct plan *plan, const struct period_item *item) {
  struct plan_window *w = add_window(plan);
  if (w == NULL)
    return;
  w->latest = 1;
  w->count = item->count;
  w->before = item->before;
  s->when->reports |= item->months == 12 ? REPORTS_ANNUAL
                      : item->months == 3
                          ? (item->count == 1 ? REPORTS_QUARTER | REPORTS_ANNUAL : REPORTS_QUARTER)
                          : REPORTS_LATEST;
}

static void window_of(const struct window_scan *s, struct plan *plan, const struct period_item *item) {
  struct plan_window *w;
  switch (item->kind) {
  case ITEM_YEAR:
    window_of_year(s, plan, item);
    break;
  case ITEM_PART:
    window_of_part(s, plan, item);
    break;
  case ITEM_ENDS:
    window_of_ends(s, plan, item);
    break;
  case ITEM_RANGE:
    if ((w = add_window(plan)) != NULL) {
      set_range(w, item->day, item->until);
      w->by_filing = item->filed || s->when->event_form;
    }
    s->when->reports |= item->filed ? 0 : REPORTS_QUARTER | REPORTS_ANNUAL;
    break;
  case ITEM_MONTH:
  case ITEM_DAY:
    window_of_date(s, plan, item);
    break;
  case ITEM_LATEST:
    window_of_latest(s, plan, item);
    break;
  case ITEM_NOTHING:
    s->when->reports |= item->months == 12 ? REPORTS_ANNUAL : item->months == 3 ? REPORTS_QUARTER : 0;
    break;
  default:
    break;
  }
}

/* "Q4 2023 to Q2 2024": each of these quarters, by the company's fiscal calendar.  0 where it is not such a range. */
static int add_parts(const struct window_scan *s, struct plan *plan, const struct period_item *a,
                     const struct period_item *b) {
  int from = a->year * 4 + (int)a->part - PART_Q1, until = b->year * 4 + (int)b->part - PART_Q1;
  if (a->kind != ITEM_PART || b->kind != ITEM_PART || a->part > PART_Q4 || b->part > PART_Q4 || a->filed ||
      s->when->event_form || until < from || until - from >= PLAN_WINDOWS)
    return 0;
  for (int q = from; q <= until; q++) {
    struct period_item one = *a;
    one.year = q / 4;
    add_fiscal(s->when, plan, &one, (enum period_part)(PART_Q1 + q % 4));
  }
  return 1;
}

/* The days of a range from item a, to item b where it is closed.  0 where a doesn't begin one. */
static int range_days(const struct period_item *a, const struct period_item *b, int32_t *from,
                      int32_t *until) {
  *from = *until = DAY_NONE;
  if (b)
    *from = period_first_day(a), *until = period_last_day(b);
  else if (a->lead == LEAD_SINCE)
    *from = period_first_day(a);
  else if (a->lead == LEAD_AFTER)
    *from = period_last_day(a) + 1;
  else if (a->lead == LEAD_UNTIL)
    *until = period_last_day(a);
  else if (a->lead == LEAD_BEFORE)
    *until = period_first_day(a) - 1;
  else
    return 0;
  return 1;
}

/* Item i starts a range: "since 2022", "2019-2023", "until March 2024".  Returns the number of items consumed, 0 for
 * none. */
static size_t window_add_range(const struct window_scan *s, struct plan *plan, size_t i) {
  const struct period_reading *r = s->r;
  const struct period_item *a = &r->items[i], *b = i + 1 < r->count ? a + 1 : NULL;
  int32_t from, until;
  if (a->kind == ITEM_LATEST || a->kind == ITEM_NOTHING || a->kind == ITEM_ENDS ||
      (a->kind == ITEM_RANGE && (a->filed || a->lead == LEAD_NONE)))
    return 0;
  int closed = b && (b->linked == 2 || (b->linked == 1 && a->lead == LEAD_BETWEEN)) && b->kind != ITEM_LATEST;
  if (!range_days(a, closed ? b : NULL, &from, &until))
    return 0;
  if (closed && add_parts(s, plan, a, b))
    return 2;
  struct plan_window *w = add_window(plan);
  if (w != NULL) {
    set_range(w, from, until);
    w->by_filing = a->filed || s->when->event_form;
  }
  s->when->reports |= a->kind == ITEM_YEAR ? REPORTS_ANNUAL : REPORTS_ANNUAL | REPORTS_QUARTER;
  return closed ? 2 : 1;
}

/* Whether the latest filing is asked for: "newest annual report", "latest 10-K". */
static int asks_latest_filing(const struct period_reading *r) {
  for (size_t i = 0; i < r->count; i++) {
    const struct period_item *item = &r->items[i];
    int filing = item->kind == ITEM_LATEST && period_in(r, item->to - 1, PERIOD_CLASS_FILING);
    for (size_t k = item->to; k < r->text.t->count && k < item->to + LATEST_WORDS; k++)
      filing |= item->kind == ITEM_LATEST && r->taken[k] == TAKEN_FORM;
    if (filing)
      return 1;
  }
  return 0;
}

/* "as of January 2025", "newest annual report as of March 2021": filings known then; but without a filing that is the latest, a
 * full date, or a month that ends a quarter, is a balance sheet date. */
static int take_as_of(const struct period_reading *r, struct plan *plan, const struct period_item *item) {
  int balance = item->kind == ITEM_DAY || (item->kind == ITEM_MONTH && day_month(item->day) % 3 == 0);
  if (item->lead != LEAD_AS_OF || (item->kind != ITEM_MONTH && item->kind != ITEM_DAY) ||
      (balance && !asks_latest_filing(r)))
    return 0;
  if (plan->as_of[0] == '\0')
    set_day(plan->as_of, period_last_day(item));
  return 1;
}

/* "Apple 2024 vs Nvidia 2024" names one year. */
static void drop_repeated(struct plan *plan, size_t given) {
  size_t kept = given;
  for (size_t i = given; i < plan->window_count; i++) {
    size_t k = given;
    while (k < kept && memcmp(&plan->windows[k], &plan->windows[i], sizeof *plan->windows) != 0)
      k++;
    if (k == kept)
      plan->windows[kept++] = plan->windows[i];
  }
  plan->window_count = kept;
}

/* The fourth quarter and its year are told in one release. */
static void drop_told_years(struct plan *plan) {
  size_t kept = 0;
  for (size_t i = 0; i < plan->window_count; i++) {
    const struct plan_window *w = &plan->windows[i];
    int told = 0;
    for (size_t k = 0; k < plan->window_count; k++)
      told |= w->period == PART_FY && plan->windows[k].year == w->year && plan->windows[k].period == PART_Q4;
    if (!told)
      plan->windows[kept++] = *w;
  }
  plan->window_count = kept;
}

static unsigned given_of(const struct plan_when *when) {
  return (when->event_form ? PERIOD_IF_EVENT : 0u) |
         (when->event_form && !when->items ? PERIOD_IF_SPAN : 0u) |
         (when->form == FORM_QUARTER ? PERIOD_IF_QUARTERLY : 0u) | (when->named ? PERIOD_IF_NAMED : 0u);
}

void plan_read_windows(const struct plan_text *t, uint8_t *taken, struct plan_when *when, struct plan *plan) {
  struct period_reading *r = period_read(t, taken, given_of(when), day_of_time(when->now));
  struct window_scan s = {r, when};
  size_t given = plan->window_count;
  period_link(r);
  when->bad = r->bad;
  if (when->bad && plan->unknown_count < PLAN_UNKNOWN)
    plan->unknown[plan->unknown_count++] = plan_text_span(t, r->bad_from, r->bad_to);
  for (size_t i = 0; i < r->count;) {
    size_t used = take_as_of(r, plan, &r->items[i]) ? 1 : window_add_range(&s, plan, i);
    if (used == 0)
      window_of(&s, plan, &r->items[i]);
    i += used ? used : 1;
  }
  drop_repeated(plan, given);
  if (when->results)
    drop_told_years(plan);
  period_free(r);
}

/* ---- times without a date ---- */

/* "since the merger": behind the word no date follows; *to is the end of the words. */
static int is_since_event(const struct plan_text *t, const uint8_t *taken, size_t i, size_t *to) {
  if (!plan_text_is(t, i, "since") || taken[i])
    return 0;
  *to = i + 1;
  while (*to < t->count && *to - i <= UNTIMED_WORDS && !(t->token[*to].gap & (GAP_SENTENCE | GAP_COMMA))) {
    if (taken[*to] == TAKEN_PERIOD)
      return 0;
    ++*to;
  }
  return *to > i + 1;
}

/* Whether the year at token i is alone at an end of the question, "Apple revenue 2029"; "2.9% notes 2031" is a name. */
static int is_bare_year(const struct period_text *pt, size_t i) {
  const struct plan_text *t = pt->t;
  unsigned parts = GAP_HYPHEN | GAP_DOT | GAP_DOLLAR | GAP_HASH | GAP_PERCENT;
  int last = i + 1 == t->count, first = i == 0;
  return (last || first) && !(t->token[i].gap & parts) && (last || !(t->token[i + 1].gap & parts)) &&
         (first || !period_word_is(pt, i - 1, PERIOD_CLASS_YEAR_OF_NAME)) &&
         !period_word_is(pt, i + 1, PERIOD_CLASS_YEAR_OF_NAME);
}

/* "in 2031": no report is of that year yet. */
static int is_far_year(const struct period_text *pt, size_t i, int today) {
  int slot[SLOTS] = {0};
  return !pt->taken[i] && pt->t->token[i].digits == 4 &&
         ((i > 0 && period_word_is(pt, i - 1, PERIOD_CLASS_UNTIMED_LEAD)) || is_bare_year(pt, i)) &&
         period_rule_at(pt, PERIOD_RULE_YEAR, i, slot) == 1 && slot[SLOT_YEAR] > today + 1;
}

void plan_find_untimed(const struct plan_text *t, const uint8_t *taken, const struct plan_when *when,
                       struct plan *plan) {
  if (plan->window_count > 0)
    return;
  struct period_text *pt = xmalloc(sizeof *pt);
  int today = day_year(day_of_time(when->now));
  period_text_read(pt, &period_grammar, t, taken);
  for (size_t i = 0; i < t->count && plan->untimed.len == 0; i++) {
    size_t to = i + 1;
    if (is_since_event(t, taken, i, &to) || is_far_year(pt, i, today))
      plan->untimed = plan_text_span(t, i, to);
  }
  if (plan->untimed.len && plan->unknown_count < PLAN_UNKNOWN)
    plan->unknown[plan->unknown_count++] = plan->untimed;
  free(pt);
}

/* ---- bid-fetch's periods ---- */

int plan_read_period(struct slice period, struct plan *plan) {
  char text[32];
  struct period_item item;
  int32_t from, until;
  int64_t when;
  if (period.len == 0 || period.len >= sizeof text)
    return -1;
  snprintf(text, sizeof text, "%.*s", (int)period.len, period.data);
  int filed = period_days(text, &from, &until) == 0;
  if (!filed && clock_when(text, &when) == 0) /* "6months" */
    filed = 1, from = day_of_time(when), until = DAY_NONE;
  if (filed) {
    struct plan_window *w = add_window(plan);
    if (w)
      set_filed(w, from, until);
    return 0;
  }
  if (strchr(text, ' ') || !period_of_code(text, &item)) /* words are read as those of a question */
    return -1;
  add_fiscal(&(struct plan_when){0}, plan, &item, item.kind == ITEM_YEAR ? PART_FY : item.part);
  return 0;
}

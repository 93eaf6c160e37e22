/* plan.c: understands a question: forms, periods, companies, the kind of answer. */
#include "query/plan.h"
#include "base/clock.h"
#include "base/day.h"
#include "base/mask.h"
#include "period/period_option.h"
#include "query/plan_forms.h"
#include "query/plan_screen.h"
#include "query/plan_windows.h"
#include "query/planner.h"
#include "query/query.h"
#include "tables/period_words.h"
#include "tables/question_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- remarks: what a question asks that its options or the calendar of filings rule out ---- */

/* Appends to plan->remark, masked (mask.h), behind a semicolon; what exceeds it is cut off. */
static void plan_remark(struct plan *plan, const char *format, ...) {
  size_t n = strlen(plan->remark);
  va_list args;
  if (n > 0)
    n += (size_t)snprintf(plan->remark + n, sizeof plan->remark - n, "; ");
  if (n >= sizeof plan->remark)
    return;
  va_start(args, format);
  vsnprintf(plan->remark + n, sizeof plan->remark - n, format, args);
  va_end(args);
  plan->remark[mask_in_place(plan->remark, strlen(plan->remark))] = '\0';
}

/* Where the question names a form by its number, "10-K", and it is none of the plan's, which were given.  other: the forms
 * of the question; taken: enum plan_taken of each token. */
static void plan_remark_form(const struct plan_text *t, const uint8_t *taken, const struct plan *other,
                             struct plan *plan) {
  int numbered = 0;
  for (size_t i = 0; i < t->count; i++)
    numbered |= taken[i] == TAKEN_FORM && t->token[i].digits;
  for (size_t i = 0; i < other->form_count; i++)
    for (size_t k = 0; k < plan->form_count; k++)
      numbered &= !slice_eq(other->forms[i], plan->forms[k]);
  if (numbered && other->form_count > 0)
    plan_remark(plan, "the question names form %.*s, but only %.*s is searched", (int)other->forms[0].len,
                other->forms[0].data, (int)plan->forms[0].len, plan->forms[0].data);
}

static void remark_window(const struct plan_window *w, char *out, size_t size) {
  int part = w->period && w->period != PART_FY;
  snprintf(out, size, "%s%sfiscal %d", part ? plan_period_name(w->period) : "", part ? " of " : "", w->year);
}

/* Where none of the question's own periods, windows [given, count), is among the given ones, [0, given). */
static void plan_remark_period(struct plan *plan, size_t given) {
  char asked[64], only[64];
  for (size_t i = given; i < plan->window_count; i++)
    for (size_t k = 0; k < given; k++) {
      const struct plan_window *a = &plan->windows[i], *b = &plan->windows[k];
      int parts = a->period && b->period && a->period != PART_FY && b->period != PART_FY;
      if (!a->year || !b->year || (a->year == b->year && (!parts || a->period == b->period)))
        return; /* a report filed in a year may be on any other */
    }
  if (plan->window_count == given)
    return;
  remark_window(&plan->windows[given], asked, sizeof asked);
  remark_window(&plan->windows[0], only, sizeof only);
  plan_remark(plan, "the question names %s, but only %s is searched", asked, only);
}

/* ---- plans ---- */

#define NOTES_MAX ((size_t)64 << 10)

void plan_init(struct plan *plan) {
  memset(plan, 0, sizeof *plan);
  buf_init(&plan->notes, NOTES_MAX);
}

void plan_release(struct plan *plan) {
  buf_release(&plan->notes);
}

static void plan_clear(struct plan *plan) {
  struct buf notes = plan->notes;
  memset(plan, 0, sizeof *plan);
  plan->notes = notes;
  buf_clear(&plan->notes);
}

/* ---- periods ---- */

static int set_as_of(struct plan_work *w, struct error_text *why) {
  char text[64], day[PERIOD_WHEN];
  struct slice s = w->ask->as_of;
  if (s.len == 0)
    return 0;
  snprintf(text, sizeof text, "%.*s", (int)(s.len < 63 ? s.len : 63), s.data);
  int64_t when;
  if (period_when(text, PERIOD_LAST, day) != 0 || clock_parse(day, &when) != 0 ||
      strlen(day) >= sizeof w->plan->as_of) {
    error_set(why, "asOf: '%.40s' is no date such as 2025-01-31 or 2025-01", text);
    return -1;
  }
  memcpy(w->plan->as_of, day, strlen(day) + 1);
  w->when.now = when;
  return 0;
}

static int set_since(struct plan_work *w, struct error_text *why) {
  char text[64], day[PERIOD_WHEN];
  struct slice s = w->ask->since;
  if (s.len == 0)
    return 0;
  snprintf(text, sizeof text, "%.*s", (int)(s.len < 63 ? s.len : 63), s.data);
  if (period_when(text, PERIOD_FIRST, day) != 0) {
    error_set(why, "since: '%.60s' is neither a date, a month or year, nor a span such as 6months", text);
    return -1;
  }
  snprintf(w->plan->since, sizeof w->plan->since, "%.10s", day);
  return 0;
}

/* A period given as an option: in bid-fetch's syntax, else in words. */
static int set_period(struct plan_work *w, struct error_text *why) {
  struct slice period = w->ask->period;
  if (period.len == 0)
    return 0;
  if (plan_read_period(period, w->plan) == 0) {
    for (size_t i = 0; i < w->plan->window_count; i++) {
      enum period_part part = w->plan->windows[i].period;
      if (w->plan->windows[i].year || w->plan->windows[i].ends[0])
        w->when.reports |=
            part == PART_FY || part == PART_Q4 || part == PART_H2 ? REPORTS_ANNUAL : REPORTS_QUARTER;
    }
    return 0;
  }
  struct plan_text *t = xmalloc(sizeof *t);
  uint8_t taken[PLAN_TOKENS] = {0};
  size_t understood = 0, left = 0; /* "Q7 2025" is not a period, although it contains a year */
  plan_text_read(t, period);
  plan_read_windows(t, taken, &w->when, w->plan);
  for (size_t i = 0; i < t->count; i++) {
    understood += taken[i] != 0;
    left += taken[i] == 0 && t->token[i].digits > 0;
  }
  free(t);
  if (w->plan->window_count > 0 && understood > 0 && left == 0)
    return 0;
  error_set(why,
            "period: '%.*s' is none of FY-2024, Q3-2024, CY2024Q1, 2024, 2024-03, 2024-01-01..2024-06-30",
            (int)(period.len < 60 ? period.len : 60), period.data);
  return -1;
}

/* ---- forms ---- */

static int all_events(const struct plan_work *w) {
  const struct plan *plan = w->plan;
  for (size_t i = 0; i < plan->form_count; i++) {
    if (plan_form_periodicity(w->planner->forms, plan->forms[i]) < FORM_EVENT)
      return 0;
  }
  return plan->form_count > 0;
}

/* "What happened at Tesla in June 2025?", "what did it report in July": asks for what was filed then. */
static int asks_events(const struct plan_work *w) {
  static const char *const told[] = {PERIOD_WORDS_TOLD, NULL}, *const with[] = {PERIOD_WORDS_TOLD_WITH, NULL},
                           *const did[] = {"did", NULL};
  int past = 0;
  for (size_t i = 0; i < w->text.count; i++) {
    const char *fold = w->text.token[i].fold;
    if (plan_word_in(fold, told) >= 0 || (past && plan_word_in(fold, with) >= 0))
      return 1;
    past |= plan_word_in(fold, did) >= 0;
  }
  return 0;
}

/* Forms given as options take precedence over those in the question. */
static void understand_forms(struct plan_work *w) {
  struct plan *plan = w->plan;
  for (size_t i = 0; i < w->ask->form_count; i++)
    plan_give_form(w->planner->forms, w->ask->forms[i], plan);
  if (plan->form_count > 0) {
    struct plan *other = xmalloc(sizeof *other);
    plan_init(other);
    plan_find_forms(w->planner->forms, &w->text, w->taken, other);
    if (slice_is(plan->forms[0], "8-K") && plan->items.len == 0) /* -f 8-K "item 2.05" */
      plan->items = other->items;
    memcpy(plan->terms, other->terms, sizeof plan->terms);
    plan->term_count = other->term_count;
    plan_remark_form(&w->text, w->taken, other, plan);
    free(other);
  } else {
    plan_find_forms(w->planner->forms, &w->text, w->taken, plan);
  }
  plan->forms_named = plan->form_count > 0;
  w->when.told = !plan->forms_named && asks_events(w);
  w->when.event_form = all_events(w);
  w->when.items = plan->items.len > 0;
  w->when.results =
      plan->form_count > 0 && (slice_is(plan->forms[0], "8-K") || slice_is(plan->forms[0], "6-K"));
  w->when.votes = slice_is(plan->items, "5.07");
  w->when.earnings = slice_is(plan->items, "2.02");
  w->when.named = plan->forms_named;
  struct slice first = plan->form_count > 0 ? plan->forms[0] : slice_of(NULL, 0);
  w->when.form = plan_form_periodicity(w->planner->forms, first);
  w->when.late = first.len > 3 && memcmp(first.data, "NT ", 3) == 0;
}

/* An 8-K for a fiscal period tells its results, where nothing else is named. */
static void add_results(const struct plan_work *w) {
  struct plan *plan = w->plan;
  for (size_t i = 0; i < plan->window_count && w->when.results && plan->items.len == 0; i++)
    if (plan->windows[i].year || plan->windows[i].ends[0])
      plan->items = slice_str("2.02");
}

/* There is no 10-Q for a fourth quarter. */
static void no_fourth_quarter(struct plan_work *w) {
  struct plan *plan = w->plan;
  int fourth = plan->window_count > 0;
  for (size_t i = 0; i < plan->window_count; i++)
    fourth &= plan->windows[i].period == PART_Q4 || plan->windows[i].period == PART_H2;
  if (fourth && plan->form_count > 0 && slice_is(plan->forms[0], "10-Q") && !plan->amendments) {
    plan->form_count = 0;
    plan_add_form(w->planner->forms, "10-K", 1, plan);
    plan_remark(plan, "a fourth quarter has no 10-Q: its figures are in the 10-K");
  }
}

/* "annual revenue", "quarterly dividends": any period of that length. */
static unsigned reports_of_words(const struct plan_work *w) {
  static const char *const annual[] = {"annual", "annually", "yearly", NULL}, *const quarter[] = {"quarterly",
                                                                                                  NULL};
  unsigned reports = 0;
  for (size_t i = 0; i < w->text.count; i++) {
    reports |= plan_word_in(w->text.token[i].fold, annual) >= 0 ? REPORTS_ANNUAL : 0;
    reports |= plan_word_in(w->text.token[i].fold, quarter) >= 0 ? REPORTS_QUARTER : 0;
  }
  return reports;
}

/* "the 10-Qs of 2024": reports during a year, not at its end. */
static void quarters_of_year(struct plan *plan) {
  int quarterly = plan->form_count > 0 && slice_is(plan->forms[0], "10-Q");
  for (size_t i = 0; i < plan->window_count && quarterly; i++) {
    struct plan_window *w = &plan->windows[i];
    if (w->year == 0 || w->period != PART_FY)
      continue;
    snprintf(w->from, sizeof w->from, "%04u-01-01", (unsigned)w->year % 10000);
    snprintf(w->until, sizeof w->until, "%04u-12-31", (unsigned)w->year % 10000);
    w->year = 0;
    w->period = PART_ANY;
  }
}

static void forms_of_windows(struct plan_work *w) {
  struct plan *plan = w->plan;
  const struct plan_forms *forms = w->planner->forms;
  if (plan->form_count > 0) {
    no_fourth_quarter(w);
    quarters_of_year(plan);
    add_results(w);
    return;
  }
  if (plan->window_count == 0)
    w->when.reports |= reports_of_words(w);
  if (w->when.reports & REPORTS_ANNUAL)
    plan_add_form(forms, "10-K", 1, plan);
  if (w->when.reports & REPORTS_QUARTER)
    plan_add_form(forms, "10-Q", 1, plan);
  if (w->when.reports & REPORTS_EVENTS)
    plan_add_form(forms, "8-K", 1, plan);
  if (plan->form_count == 0 && (w->when.reports & REPORTS_LATEST)) {
    plan_add_form(forms, "10-K", 1, plan);
    plan_add_form(forms, "10-Q", 1, plan);
  }
}

/* ---- kind of answer ---- */

static enum plan_asks asks_of(const struct plan_work *w) {
  unsigned kinds = 0;
  int compares = 0;
  static const char *const lists[] = {"list", "filings", "filed", "documents", NULL},
                           *const how[] = {"how", NULL},
                           *const much[] = {"much", "many", "large", "high", NULL};
  int wants_filings = 0;
  for (size_t i = 0; i < w->text.count; i++) {
    int amount = i + 1 < w->text.count && plan_word_in(w->text.token[i].fold, how) >= 0 &&
                 plan_word_in(w->text.token[i + 1].fold, much) >= 0; /* "how much" doesn't ask for prose */
    kinds |= amount ? KIND_FIGURE : w->taken[i] == TAKEN_COMPANY ? 0 : w->word[i].kinds;
    wants_filings |= plan_word_in(w->text.token[i].fold, lists) >= 0 && !w->taken[i];
  }
  compares = w->m.compares && (w->plan->company_count > 1 || w->plan->window_count > 1);
  if (compares || w->plan->company_count > 1)
    return PLAN_COMPARISON;
  if (wants_filings && !(kinds & KIND_FIGURE))
    return PLAN_FILINGS;
  if (kinds & KIND_TABLE)
    return PLAN_TABLE;
  if ((kinds & KIND_TELL) || !(kinds & KIND_FIGURE))
    return PLAN_NARRATIVE;
  return PLAN_FIGURE;
}

/* ---- names of companies that another one took over ---- */

/* The last day of a window; "" where it has none. */
static void last_day(const struct plan_window *w, char day[PLAN_DATE]) {
  char text[DAY_TEXT];
  const char *end = w->until[0] ? w->until : w->ends;
  if (w->year && !end[0])
    end = day_write(day_of(w->year, 12, 31), text);
  memcpy(day, end, strlen(end) + 1);
}

static int all_before(const struct plan *plan, const char *day) {
  size_t before = 0;
  for (size_t i = 0; i < plan->window_count; i++) {
    char last[PLAN_DATE];
    last_day(&plan->windows[i], last);
    before += last[0] && strcmp(last, day) < 0;
  }
  return plan->window_count > 0 && before == plan->window_count;
}

/* "SolarCity's revenue in 2015" is no figure of Tesla's: refused; for a later time the answer says whose it is. */
static int tell_parts(struct plan *plan, struct error_text *why) {
  for (size_t i = 0; i < plan->company_count; i++) {
    const struct plan_company *c = &plan->companies[i];
    if (c->since == NULL)
      continue;
    struct slice called = query_bare(c->matched);
    if (all_before(plan, c->since)) {
      error_set(
          why,
          "'%.*s' is part of %.*s only since %s: what was before is in its own filings; give its own CIK",
          (int)called.len, called.data, (int)c->name.len, c->name.data, c->since);
      plan->company_count = 0;
      plan->refused = 1;
      return -1;
    }
    plan_remark(plan, "'%.*s' is part of %.*s since %s", (int)called.len, called.data, (int)c->name.len,
                c->name.data, c->since);
  }
  return 0;
}

/* ---- what a search would look for ---- */

static int lies_in(const struct plan_work *w, size_t i, struct slice words) {
  const char *at = w->text.text.data + w->text.token[i].start;
  return words.len && at >= words.data && at < words.data + words.len;
}

/* Whether token i names a company that the plan doesn't search: a counterparty, or one that is part of another since. */
static int names_counterparty(const struct plan_work *w, size_t i) {
  const struct plan *plan = w->plan;
  int other = 0;
  for (size_t k = 0; k < plan->other_count; k++)
    other |= lies_in(w, i, plan->others[k].matched);
  for (size_t k = 0; k < plan->company_count; k++)
    other |= plan->companies[k].since && lies_in(w, i, plan->companies[k].matched);
  return other;
}

static int is_term(const struct plan_work *w, size_t i, const struct slice *told, size_t told_count) {
  static const char *const asks[] = {QUESTION_WORDS_ASKS, NULL};
  const struct plan_token *token = &w->text.token[i];
  int subject = 0;
  for (size_t k = 0; k < told_count; k++)
    subject |= lies_in(w, i, told[k]);
  if (subject)
    return token->digits == 0 && token->letters > 1 && !(w->word[i].kinds & KIND_DOCUMENT);
  if (w->taken[i] == TAKEN_COMPANY)
    return names_counterparty(w, i);
  return (w->taken[i] == TAKEN_NOT || w->taken[i] == TAKEN_FIGURE) &&
         (!token->amp || (token->gap == 0 && i > 0 && !token[-1].amp)) &&
         !(w->word[i].kinds & (KIND_FUNCTION | KIND_DOCUMENT)) && plan_word_in(token->fold, asks) < 0;
}

/* Sets plan->terms, which has the subjects of forms, to the runs of words that are left. */
static void find_terms(struct plan_work *w) {
  const unsigned parts = GAP_COMMA | GAP_STOP | GAP_SENTENCE | GAP_OPEN;
  struct plan *plan = w->plan;
  struct slice told[PLAN_TERMS];
  size_t told_count = plan->term_count, to;
  memcpy(told, plan->terms, sizeof told);
  plan->term_count = 0;
  for (size_t i = 0; i < w->text.count && plan->term_count<PLAN_TERMS; i = to> i ? to : i + 1) {
    for (to = i; to < w->text.count && is_term(w, to, told, told_count); to++)
      if (to > i && (w->text.token[to].gap & parts))
        break;
    if (to > i)
      plan->terms[plan->term_count++] = plan_text_span(&w->text, i, to);
  }
}

/* "Apple Q3 2024 results": besides the report on the quarter, its release. */
static void add_release(struct plan *plan) {
  static const char *const told[] = {"results", "earnings", "financial results", "earnings results", NULL};
  int periods = plan->window_count > 0;
  for (size_t i = 0; i < plan->window_count; i++)
    periods &= plan->windows[i].year || plan->windows[i].ends[0];
  if (periods && !plan->forms_named && !plan->disclosed_in.len && plan->term_count == 1 &&
      slice_among_nocase(plan->terms[0], told))
    plan->disclosed_in = slice_str("8-K");
}

/* ---- planning ---- */

/* "Septmber 2013", "quaterly report": words of no table and no company, with one typing error. */
static void correct_words(struct plan_work *w) {
  static const struct plan_word none;
  for (size_t i = 0; i < w->text.count; i++) {
    struct plan_token *token = &w->text.token[i];
    struct plan_word known = plan_words_of(w->planner->words, token->fold);
    if (token->letters != token->len || memcmp(&known, &none, sizeof known) != 0 ||
        directory_find(w->planner->directory, token->fold, token->len))
      continue;
    const char *meant = plan_forms_near_word(w->planner->forms, token->fold);
    if (meant)
      token->len = token->bare = token->letters =
          (uint8_t)snprintf(token->fold, sizeof token->fold, "%s", meant);
  }
}

static int understand(struct plan_work *w, struct error_text *why) {
  struct plan *plan = w->plan;
  plan_text_read(&w->text, w->ask->question);
  correct_words(w);
  w->when.now = w->ask->now ? w->ask->now : clock_now();
  if (w->planner->concepts)
    plan_screen_of_question(w->planner->concepts, w->ask->question, plan->screen, sizeof plan->screen);
  if (set_as_of(w, why) != 0 || set_since(w, why) != 0)
    return -1;
  understand_forms(w);
  if (set_period(w, why) != 0)
    return -1;
  size_t given = plan->window_count;
  unsigned reports = w->when.reports;
  plan_read_windows(&w->text, w->taken, &w->when, plan);
  if (given > 0) { /* the given one takes precedence */
    plan_remark_period(plan, given);
    plan->window_count = given;
    w->when.reports = reports;
  }
  if (w->when.bad) {
    error_set(why, "the period of the question: %s", w->when.bad);
    return -1;
  }
  plan_find_untimed(&w->text, w->taken, &w->when, plan);
  forms_of_windows(w);
  plan_companies_read_signs(w);
  int refused = 0;
  for (size_t i = 0; i < w->ask->entity_count && !refused; i++)
    refused = plan_companies_give(w, w->ask->entities[i], i == 0, why) != 0;
  refused = refused || plan_companies_ask(w, why) != 0 || tell_parts(plan, why) != 0;
  if (!refused) {
    plan_companies_find_unknown(w);
    plan_companies_add_left_out(w);
  }
  plan->asks = asks_of(w); /* the caller may know the company better */
  if (!plan->forms_named)
    plan_disclosed_in(&w->text, w->word, w->taken, plan);
  if (plan->company_count > 0)
    plan->screen[0] = '\0';
  if (w->planner->concepts && !plan->screen[0])
    plan_find_figures(w->planner->concepts, &w->text, w->taken, plan);
  find_terms(w);
  add_release(plan);
  return refused ? -1 : 0;
}

int plan_window_days_apart(const struct plan_window *w) {
  int year = strcmp(w->ends + 4, "-12-31") == 0 && strcmp(w->from + 4, "-01-01") == 0;
  return w->ends[0] && w->from[0] && year ? PLAN_YEAR_DAYS : PLAN_ENDS_DAYS;
}

enum period_part plan_quarter_ending(int month, int year_end) {
  int last = year_end / 100;
  if (year_end % 100 <= 10) /* a year of 52 or 53 weeks may end in the first days of the next month */
    last = last > 1 ? last - 1 : 12;
  int after = (month - last + 12) % 12, quarter = (after + 1) / 3 % 4;
  return quarter ? (enum period_part)(PART_Q1 + quarter - 1) : PART_Q4;
}

int plan_make(const struct planner *p, const struct plan_request *ask, struct plan *plan,
              struct error_text *why) {
  struct plan_work *w = xmalloc(sizeof *w);
  plan_clear(plan);
  w->planner = p;
  w->ask = ask;
  w->plan = plan;
  w->when = (struct plan_when){0};
  w->found.count = 0;
  memset(w->taken, 0, sizeof w->taken);
  int result = understand(w, why);
  free(w);
  return result;
}

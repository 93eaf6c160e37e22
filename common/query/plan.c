#include "query/plan.h"

#include "base/clock.h"
#include "query/plan_calendar.h"
#include "query/plan_identifiers.h"
#include "query/plan_resolve.h"
#include "query/plan_windows.h"
#include "query/planner.h"
#include "tables/period_words.h"

#include <stdio.h>
#include <stdlib.h>

#define NOTES_MAX ((size_t)64 << 10)
#define ASKED_MOST 8 /* of the largest companies: with the eleventh, "Visa requirements" is Visa's */
#define DOUBT 1.6    /* as in mentions.c: a smaller ratio between two companies is ambiguous */

/* State of planning one request. */
struct plan_work {
  const struct planner *planner;
  const struct plan_request *ask;
  struct plan *plan;
  struct plan_when when;
  struct mention_text m;
  struct mentions found;
  struct plan_text text;
  uint8_t taken[PLAN_TOKENS];
  struct plan_word word[PLAN_TOKENS];
  uint64_t trade[PLAN_TOKENS];
};

const char *plan_how_name(enum plan_how how) {
  static const char *const names[] = {"ticker", "cik", "name", "alias", "former", "typo", "given"};
  return names[how];
}

const char *plan_period_name(enum plan_period period) {
  static const char *const names[] = {"", "Q1", "Q2", "Q3", "Q4", "H1", "H2", "9M", "FY"};
  return names[period];
}

const char *plan_asks_name(enum plan_asks asks) {
  static const char *const names[] = {"figure", "table", "narrative", "comparison", "filings"};
  return names[asks];
}

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
  char text[40];
  struct slice s = w->ask->as_of;
  if (s.len == 0)
    return 0;
  snprintf(text, sizeof text, "%.*s", (int)(s.len < 39 ? s.len : 39), s.data);
  int64_t when;
  if (s.len >= sizeof w->plan->as_of || clock_parse(text, &when) != 0) {
    error_set(why, "asOf: '%.40s' is no date such as 2025-01-31", text);
    return -1;
  }
  memcpy(w->plan->as_of, text, s.len + 1);
  w->when.now = when;
  return 0;
}

static int set_since(struct plan_work *w, struct error_text *why) {
  char text[64], date[CLOCK_TEXT];
  struct slice s = w->ask->since;
  int64_t when;
  if (s.len == 0)
    return 0;
  snprintf(text, sizeof text, "%.*s", (int)(s.len < 63 ? s.len : 63), s.data);
  if (clock_when(text, &when) != 0) {
    error_set(why, "since: '%.60s' is neither a date nor a span such as 6months", text);
    return -1;
  }
  clock_format_date(when, date);
  snprintf(w->plan->since, sizeof w->plan->since, "%.10s", date);
  return 0;
}

/* A period given as an option: in bid-fetch's syntax, else in words. */
static int set_period(struct plan_work *w, struct error_text *why) {
  struct slice period = w->ask->period;
  if (period.len == 0)
    return 0;
  if (plan_read_period(period, w->plan) == 0) {
    for (size_t i = 0; i < w->plan->window_count; i++) {
      enum plan_period part = w->plan->windows[i].period;
      if (w->plan->windows[i].year || w->plan->windows[i].ends[0])
        w->when.reports |=
            part == PLAN_FY || part == PLAN_Q4 || part == PLAN_H2 ? REPORTS_ANNUAL : REPORTS_QUARTER;
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
    enum plan_periodicity p = plan_form_periodicity(w->planner->forms, plan->forms[i]);
    if (p != FORM_EVENT)
      return 0;
  }
  return plan->form_count > 0;
}

static int is_holdings(const struct plan_work *w) {
  return w->plan->form_count > 0 &&
         plan_form_periodicity(w->planner->forms, w->plan->forms[0]) == FORM_HOLDINGS;
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
  w->when.holdings = is_holdings(w);
  w->when.votes = slice_is(plan->items, "5.07");
  struct slice first = plan->form_count > 0 ? plan->forms[0] : slice_of(NULL, 0);
  w->when.quarterly = slice_is(first, "10-Q");
  w->when.late = first.len > 3 && memcmp(first.data, "NT ", 3) == 0;
  w->when.tells_year = w->when.late || slice_is(first, "DEF 14A");
}

/* There is no 10-Q for a fourth quarter. */
static void no_fourth_quarter(struct plan_work *w) {
  struct plan *plan = w->plan;
  int fourth = plan->window_count > 0;
  for (size_t i = 0; i < plan->window_count; i++)
    fourth &= plan->windows[i].period == PLAN_Q4 || plan->windows[i].period == PLAN_H2;
  if (fourth && plan->form_count > 0 && slice_is(plan->forms[0], "10-Q") && !plan->amendments) {
    plan->form_count = 0;
    plan_add_form(w->planner->forms, "10-K", 1, plan);
    buf_add_str(&plan->notes, "a fourth quarter has no 10-Q: its figures are in the 10-K\n");
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
    if (w->year == 0 || w->period != PLAN_FY)
      continue;
    plan_day_text((struct plan_day){w->year, 1, 1}, w->from);
    plan_day_text((struct plan_day){w->year, 12, 31}, w->until);
    w->year = 0;
    w->period = PLAN_ANY;
  }
}

/* The 8-K for a fiscal quarter or year is the one with its results. */
static void results_of_period(struct plan_work *w) {
  struct plan *plan = w->plan;
  int period = 0;
  for (size_t i = 0; i < plan->window_count; i++)
    period |= plan->windows[i].year || (plan->windows[i].ends[0] && plan->windows[i].from[0]);
  if (period && plan->items.len == 0 && plan->form_count > 0 && slice_is(plan->forms[0], "8-K"))
    plan->items = slice_str("2.02");
}

/* "notice of late filing for fiscal 2012": of the two notices that of the annual report. */
static void notice_of_year(struct plan *plan) {
  int annual = plan->window_count > 0 && plan->form_count == 2 && slice_is(plan->forms[0], "NT 10-K");
  for (size_t i = 0; i < plan->window_count; i++)
    annual &= plan->windows[i].year > 0 && plan->windows[i].period == PLAN_FY;
  plan->form_count -= annual ? 1 : 0;
}

static void forms_of_windows(struct plan_work *w) {
  struct plan *plan = w->plan;
  const struct plan_forms *forms = w->planner->forms;
  if (plan->form_count > 0) {
    notice_of_year(plan);
    no_fourth_quarter(w);
    quarters_of_year(plan);
    results_of_period(w);
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

/* ---- companies ---- */

static void fill_company(const struct planner *p, const struct mention *found, struct slice matched,
                         struct plan_company *out) {
  memset(out, 0, sizeof *out);
  const struct directory_company *c = directory_company(p->directory, found->company);
  const char *comma = c->tickers.len ? memchr(c->tickers.data, ',', c->tickers.len) : NULL;
  snprintf(out->cik, sizeof out->cik, "%010u", c->cik);
  out->ticker = slice_of(c->tickers.data, comma ? (size_t)(comma - c->tickers.data) : c->tickers.len);
  out->name = c->name;
  out->matched = matched;
  out->how = found->how;
  double odds = found->score > 6 ? 6 : found->score;
  out->sure = 1 - 0.5 / (1 + odds * odds / 2);
  if (found->how == PLAN_TYPO && out->sure > 0.8)
    out->sure = 0.8;
}

/* A number that is on no list: the given digits, padded to ten. */
static void fill_given(struct slice text, struct plan_company *out) {
  unsigned long long number = 0;
  memset(out, 0, sizeof *out);
  for (size_t i = 0; i < text.len; i++)
    if (text.data[i] >= '0' && text.data[i] <= '9')
      number = number * 10 + (unsigned long long)(text.data[i] - '0');
  snprintf(out->cik, sizeof out->cik, "%010llu", number % 10000000000ull);
  out->matched = text;
  out->how = PLAN_GIVEN;
  out->sure = 1;
}

static void plan_put_company(const struct planner *p, const struct mention *found, struct slice matched,
                             struct plan_company *list, size_t *count, size_t max) {
  struct plan_company c;
  if (found->how == PLAN_GIVEN)
    fill_given(matched, &c);
  else
    fill_company(p, found, matched, &c);
  for (size_t i = 0; i < *count; i++)
    if (strcmp(list[i].cik, c.cik) == 0) {
      list[i].sure = c.sure > list[i].sure ? c.sure : list[i].sure;
      return;
    }
  if (*count < max)
    list[(*count)++] = c;
}

/* Rejects an ambiguous name: *why lists the candidates, most likely first. */
static int refuse_doubt(struct plan_work *w, const struct mention *found, struct slice text,
                        struct error_text *why) {
  struct plan *plan = w->plan;
  struct buf names;
  buf_init(&names, 400);
  plan->company_count = plan->candidate_count = 0;
  plan->doubtful = text;
  for (size_t i = 0; i < found->rival_count; i++) {
    struct mention one = *found;
    one.company = found->rivals[i];
    one.score = 0.5 / (double)(i + 1);
    plan_put_company(w->planner, &one, text, plan->candidates, &plan->candidate_count, PLAN_CANDIDATES);
  }
  for (size_t i = 0; i < plan->candidate_count && i < 4; i++) {
    const struct plan_company *c = &plan->candidates[i];
    buf_printf(&names, "%s%.*s (%.*s)", i ? ", " : "", (int)c->name.len, c->name.data,
               c->ticker.len ? (int)c->ticker.len : 10, c->ticker.len ? c->ticker.data : c->cik);
  }
  error_set(why, "'%.*s' may mean %s: give a ticker or a CIK", (int)(text.len < 80 ? text.len : 80),
            text.data, names.len ? names.data : "several companies");
  buf_release(&names);
  return -1;
}

/* Rejects an unknown name and suggests similar names and tickers. */
static int refuse_unknown(struct plan_work *w, struct slice name, struct error_text *why) {
  struct plan *plan = w->plan;
  const char *identifier = plan_identifier_kind(name);
  struct mention near;
  struct buf offer;
  const char *date = planner_date(w->planner);
  buf_init(&offer, 400);
  plan->doubtful = plan_resolve_near(w->planner->directory, name, &near) ? name : slice_of(NULL, 0);
  for (size_t i = 0; i < near.rival_count; i++) {
    struct mention one = near;
    one.company = near.rivals[i];
    one.how = PLAN_TYPO;
    one.score = 0.5 / (double)(i + 1);
    plan_put_company(w->planner, &one, name, plan->candidates, &plan->candidate_count, PLAN_CANDIDATES);
  }
  for (size_t i = 0; i < plan->candidate_count && i < 3; i++)
    buf_printf(&offer, "%s%.*s (%.*s)", i ? ", " : "; nearly: ", (int)plan->candidates[i].ticker.len,
               plan->candidates[i].ticker.data, (int)plan->candidates[i].name.len,
               plan->candidates[i].name.data);
  if (plan->unknown_count < PLAN_UNKNOWN)
    plan->unknown[plan->unknown_count++] = name;
  if (identifier)
    error_set(why, "'%.*s' is %s: give the company's ticker, CIK or name", (int)name.len, name.data,
              identifier);
  else
    error_set(why,
              "no company is called '%.*s' on the SEC's list of %s: give a ticker, a CIK or another name%s",
              (int)(name.len < 80 ? name.len : 80), name.data, date[0] ? date : "companies",
              offer.len ? offer.data : "");
  buf_release(&offer);
  return -1;
}

static int give_company(struct plan_work *w, struct slice name, int is_first, struct error_text *why) {
  const struct planner *p = w->planner;
  struct mention found;
  struct slice text = name;
  int result = plan_resolve_company(p->directory, p->words, name, &found);
  for (size_t i = 0; result == 0 && is_first && i < w->ask->alias_count; i++) {
    text = w->ask->aliases[i];
    result = plan_resolve_company(p->directory, p->words, text, &found);
  }
  if (result < 0)
    return refuse_doubt(w, &found, text, why);
  if (result > 0) {
    plan_put_company(p, &found, text, w->plan->companies, &w->plan->company_count, PLAN_COMPANIES);
    return 0;
  }
  return refuse_unknown(w, name, why);
}

static int is_content(const struct plan_work *w, size_t i) {
  const struct plan_token *token = &w->text.token[i];
  return token->letters >= 2 && !(w->word[i].kinds & KIND_FUNCTION) && !w->taken[i];
}

/* Whether capitals mark names in this text: some words inside sentences have them, and most don't. */
static int capitals_tell(const struct plan_work *w) {
  size_t capital = 0, small = 0, mixed = 0, grammar = 0;
  for (size_t i = 0; i < w->text.count; i++) {
    const struct plan_token *token = &w->text.token[i];
    grammar += (w->word[i].kinds & KIND_FUNCTION) && !token->first_capital;
    if (!is_content(w, i) || (token->gap & GAP_SENTENCE))
      continue;
    capital += token->first_capital;
    small += !token->first_capital;
    mixed += token->first_capital && token->capitals < token->letters &&
             !(token->letters > 2 && token->capitals + 1 == token->letters); /* "RSUs" */
  }
  if (small == 0) /* "Impact of Apple's ATT on Snap" */
    return mixed > 0 && grammar > 0 && capital <= 3;
  return mixed > 0 && capital <= 3 * small;
}

static int is_telegraphic(const struct plan_work *w) {
  size_t function = 0;
  for (size_t i = 0; i < w->text.count; i++)
    function += (w->word[i].kinds & KIND_FUNCTION) != 0;
  struct slice text = w->ask->question;
  return w->text.count > 1 && !(w->word[0].kinds & KIND_FUNCTION) && function * 3 <= w->text.count &&
         text.len && text.data[text.len - 1] != '?';
}

static void read_signs(struct plan_work *w) {
  struct mention_text *m = &w->m;
  *m = (struct mention_text){.directory = w->planner->directory,
                             .words = w->planner->words,
                             .t = &w->text,
                             .taken = w->taken,
                             .word = w->word,
                             .trades = w->planner->trades,
                             .trade = w->trade,
                             .signs = w->ask->signs};
  for (size_t i = 0; i < w->text.count; i++) {
    w->word[i] = plan_words_of(w->planner->words, w->text.token[i].fold);
    w->trade[i] = plan_trades_of_word(w->planner->trades, w->text.token[i].fold);
    if (w->text.token[i].bare < w->text.token[i].len) {
      char bare[PLAN_FOLD];
      snprintf(bare, sizeof bare, "%.*s", w->text.token[i].bare, w->text.token[i].fold);
      struct plan_word other = plan_words_of(w->planner->words, bare);
      if (other.ordinary && !w->word[i].ordinary)
        w->word[i].ordinary = other.ordinary;
      w->word[i].name = w->word[i].name ? w->word[i].name : other.name;
    }
    m->period |= w->taken[i] != 0;
    m->vocabulary += w->taken[i] == TAKEN_PERIOD || (w->word[i].kinds & (KIND_FIGURE | KIND_TOPIC)) ||
                     (w->taken[i] == TAKEN_FORM && (i == 0 || w->taken[i - 1] != TAKEN_FORM));
    m->compares |= (w->word[i].kinds & KIND_COMPARE) != 0 && (w->word[i].kinds & KIND_FUNCTION) == 0 &&
                   strcmp(w->text.token[i].fold, "against") != 0;
  }
  m->capitals_tell = capitals_tell(w);
  m->telegraphic = is_telegraphic(w);
}

static void note_mention(struct plan_work *w, const struct mention *a, const char *what) {
  struct slice text = plan_text_span(&w->text, a->from, a->to),
               name = directory_company(w->planner->directory, a->company)->name;
  buf_printf(&w->plan->notes, "'%.*s' names %.*s (%s, %.1f; next one %.1f less; subject %.1f): %s\n",
             (int)text.len, text.data, (int)name.len, name.data, plan_how_name(a->how), a->score, a->margin,
             a->subject, what);
}

/* Whether a mention is in an enumeration with a certain one: an enumeration is answered as a whole. */
static int is_listed_with_sure(const struct plan_work *w, const struct mention *a) {
  for (size_t i = 0; i < w->found.count; i++) {
    const struct mention *b = &w->found.list[i];
    if (b != a && b->group == a->group && b->score > MENTION_SURE && b->margin >= DOUBT)
      return 1;
  }
  return 0;
}

/* A lower score is enough for the largest companies, which are asked about most, and where a form is named,
 * since somebody must have filed it. */
static double sure_from(const struct plan_work *w, const struct mention *a) {
  int asked = directory_company(w->planner->directory, a->company)->rank < ASKED_MOST;
  return asked || w->plan->forms_named ? MENTION_MAYBE : MENTION_SURE;
}

/* Resolves the companies in the question; only counterparties where one was given. */
static int ask_companies(struct plan_work *w, struct error_text *why) {
  struct plan *plan = w->plan;
  const struct mention *doubtful = NULL;
  int given = plan->company_count > 0;
  mentions_find(&w->m, &w->found);
  mentions_weigh_subjects(&w->m, &w->found);
  for (size_t i = 0; i < w->found.count; i++) {
    const struct mention *a = &w->found.list[i];
    struct slice text = plan_text_span(&w->text, a->from, a->to);
    int is_subject = mention_is_subject(&w->found, i) && !(given && !w->m.compares),
        sure = a->margin >= DOUBT && a->score > sure_from(w, a);
    note_mention(w, a, !is_subject ? "not the subject" : sure ? "a subject" : "in doubt");
    if (is_subject && !sure && (doubtful == NULL || doubtful->score <= MENTION_SURE))
      doubtful = a;
    else if (is_subject && sure)
      plan_put_company(w->planner, a, text, plan->companies, &plan->company_count, PLAN_COMPANIES);
    else if (sure)
      plan_put_company(w->planner, a, text, plan->others, &plan->other_count, PLAN_COMPANIES);
    if (a->aside == ASIDE_OPEN &&
        plan->unknown_count < PLAN_UNKNOWN) /* the subject is whoever has that relation to it */
      plan->unknown[plan->unknown_count++] = plan_text_span(&w->text, 0, a->to);
    memset(w->taken + a->from, TAKEN_COMPANY, a->to - a->from);
  }
  if (doubtful && !given &&
      (plan->company_count == 0 || doubtful->score > MENTION_SURE || is_listed_with_sure(w, doubtful)))
    return refuse_doubt(w, doubtful, plan_text_span(&w->text, doubtful->from, doubtful->to), why);
  return 0;
}

/* ---- unknown names ---- */

/* Whether token i looks like part of a name. */
static int looks_like_name(const struct plan_work *w, size_t i) {
  const struct plan_token *token = &w->text.token[i];
  const struct plan_word *word = &w->word[i];
  if (w->taken[i] || token->letters < 2 || (word->kinds & ~(unsigned)(KIND_GENERIC | KIND_LEGAL)))
    return 0;
  if (word->ordinary == 0 && word->name == 0 && word->capital == 0 && token->letters >= 4 &&
      token->digits == 0)
    return 1;
  return token->first_capital && w->m.capitals_tell && (!(token->gap & GAP_SENTENCE) || word->ordinary == 0);
}

/* Adds words interpreted as ordinary ones although a company has that name. */
static void add_left_out(struct plan_work *w) {
  const struct mention *a = &w->found.left_out;
  struct plan *plan = w->plan;
  struct slice text;
  if (!w->found.has_left_out || plan->company_count > 0)
    return;
  note_mention(w, a, "taken for ordinary words");
  text = plan_text_span(&w->text, a->from, a->to);
  for (size_t i = 0; i < plan->unknown_count; i++)
    if (text.data < plan->unknown[i].data + plan->unknown[i].len &&
        plan->unknown[i].data < text.data + text.len)
      return;
  if (plan->unknown_count < PLAN_UNKNOWN)
    plan->unknown[plan->unknown_count++] = text;
}

static void find_unknown(struct plan_work *w) {
  struct plan *plan = w->plan;
  if (plan->company_count > 0)
    return;
  for (size_t i = 0; i < w->text.count; i++) {
    size_t from = i, to = i;
    while (to < w->text.count && looks_like_name(w, to) &&
           (to == from || !(w->text.token[to].gap & (GAP_COMMA | GAP_STOP | GAP_SENTENCE))))
      to++;
    if (to == from)
      continue;
    if (from > 0 && (w->text.token[from - 1].gap & GAP_SENTENCE) && w->text.token[from - 1].first_capital &&
        !w->taken[from - 1] && w->word[from - 1].kinds == 0 && w->text.token[from].first_capital &&
        !(w->text.token[from].gap & GAP_COMMA))
      from--; /* "Acme Widgets" */
    if (plan->unknown_count < PLAN_UNKNOWN)
      plan->unknown[plan->unknown_count++] = plan_text_span(&w->text, from, to);
    i = to;
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

/* ---- planning ---- */

static int understand(struct plan_work *w, struct error_text *why) {
  struct plan *plan = w->plan;
  plan_text_read(&w->text, w->ask->question);
  w->when.now = w->ask->now ? w->ask->now : clock_now();
  if (set_as_of(w, why) != 0 || set_since(w, why) != 0)
    return -1;
  understand_forms(w);
  if (set_period(w, why) != 0)
    return -1;
  size_t given = plan->window_count;
  unsigned reports = w->when.reports;
  plan_read_windows(&w->text, w->taken, &w->when, plan);
  if (given > 0) { /* the given one takes precedence */
    plan->window_count = given;
    w->when.reports = reports;
  }
  if (w->when.bad) {
    error_set(why, "the period of the question: %s", w->when.bad);
    return -1;
  }
  forms_of_windows(w);
  read_signs(w);
  for (size_t i = 0; i < w->ask->entity_count; i++)
    if (give_company(w, w->ask->entities[i], i == 0, why) != 0)
      return -1;
  if (ask_companies(w, why) != 0)
    return -1;
  find_unknown(w);
  add_left_out(w);
  plan->asks = asks_of(w);
  return 0;
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

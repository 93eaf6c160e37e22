/* fact_window.c: turns a plan's windows and a question's words into spans and ranges of days. */
#include "facts/fact_window.h"

#include "record/json.h"
#include "tables/figure_words.h"

#include <ctype.h>
#include <strings.h>

/* A report is filed so many days after its period, at most and at least. A calendar year is the year that ends in it or within a month of its end, as for the SEC's frames. */
enum {
  WINDOW_NEWEST = 2,
  WINDOW_QUARTERS = 4,
  WINDOW_YEAR_DAYS = 31,
  WINDOW_TOLD_DAYS = 110,
  WINDOW_FILED_FIRST = 80,
  WINDOW_FILED_LAST = 10
};

size_t fact_window_word_at(struct slice text, const char *word) {
  size_t n = strlen(word), i = 0;
  while (i + n <= text.len && ((i && isalnum((unsigned char)text.data[i - 1])) ||
                               (i + n < text.len && isalnum((unsigned char)text.data[i + n])) ||
                               strncasecmp(text.data + i, word, n) != 0))
    i++;
  return i + n <= text.len ? i : text.len;
}

int fact_window_has_any(struct slice text, const char *const *phrases) {
  for (; *phrases; phrases++)
    if (fact_window_word_at(text, *phrases) < text.len)
      return 1;
  return 0;
}

int32_t fact_window_day(struct slice json) {
  return json_kind(json) == '"' && json.len == 12 ? day_parse(slice_of(json.data + 1, 10)) : DAY_NONE;
}

static void window_name_period(struct fact_window *w, struct slice json, int year) {
  static const struct {
    const char *name;
    enum fact_span span;
    int quarter, months;
  } known[] = {{"\"Q1\"", FACT_QUARTERLY, 1, 3},   {"\"Q2\"", FACT_QUARTERLY, 2, 3},
               {"\"Q3\"", FACT_QUARTERLY, 3, 3},   {"\"Q4\"", FACT_QUARTERLY, 4, 3},
               {"\"H1\"", FACT_HALF, 2, 6},        {"\"H2\"", FACT_HALF, 4, 6},
               {"\"9M\"", FACT_NINE_MONTHS, 3, 9}, {"\"FY\"", FACT_ANNUAL, 5, 12}};
  w->period.fiscal_year = year;
  w->period.quarter = year ? 5 : 0;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (slice_is(json, known[i].name)) {
      w->span = known[i].span;
      w->period.quarter = known[i].quarter;
      w->months = known[i].months;
    }
}

/* A period with a last day.  Where its length is stated, twelve months are the fiscal year that ends there or the
 * sum of four quarters, and lengths of which no spans are reported leave balances alone. */
static void window_end_period(struct fact_window *w, int32_t ends, int32_t from) {
  int year, month, day;
  w->months = day_months(from, ends);
  w->span = w->months == 12  ? FACT_TRAILING
            : w->months == 9 ? FACT_NINE_MONTHS
            : w->months == 6 ? FACT_HALF
            : w->months      ? FACT_QUARTERLY
                             : w->span;
  day_split(ends, &year, &month, &day);
  int calendar = w->months == 12 && month == 12 && day == 31;
  w->period.from = ends - (calendar ? WINDOW_YEAR_DAYS : FACT_WINDOW_END_DAYS);
  w->period.until = ends + (calendar ? WINDOW_YEAR_DAYS : FACT_WINDOW_END_DAYS);
}

/* Twelve months to the end of the window, or to the newest quarter's. */
static void window_make_trailing(struct fact_window *w) {
  w->span = FACT_TRAILING;
  w->months = 12;
  w->count = 1;
  w->named = 1;
}

/* The quarters of a fiscal year. */
static void window_make_quarters(struct fact_window *w) {
  w->span = FACT_QUARTERLY;
  w->months = 3;
  w->count = WINDOW_QUARTERS;
  w->period.quarter = 0;
}

/* Windows that select the same figures are one: "Apple 2024 vs Nvidia 2024". */
static int window_is_known(const struct fact_windows *f, const struct fact_window *w) {
  for (size_t i = 0; i < f->count; i++) {
    const struct fact_window *v = &f->list[i];
    if (v->span == w->span && v->count == w->count && v->months == w->months &&
        v->period.fiscal_year == w->period.fiscal_year && v->period.quarter == w->period.quarter &&
        v->period.ends_month == w->period.ends_month && v->period.from == w->period.from &&
        v->period.until == w->period.until)
      return 1;
  }
  return 0;
}

static void window_add(struct fact_windows *f, struct slice json, enum fact_span span) {
  struct fact_window window, *w = &window;
  int year = (int)json_to_int(json_get(json, "fiscalYear"), 0);
  long long count = json_to_int(json_get(json, "count"), 0);
  int32_t ends = fact_window_day(json_get(json, "ends"));
  *w = (struct fact_window){.period = {.from = DAY_NONE, .until = DAY_NONE},
                            .span = span,
                            .count = count > 0 && count < 40 ? (size_t)count : 1,
                            .before = (size_t)json_to_int(json_get(json, "before"), 0) % 40,
                            .named = year || ends != DAY_NONE || json_kind(json_get(json, "from")) == '"' ||
                                     json_get(json, "before").data};
  int32_t told = json_kind(json_get(json, "by")) == '"' ? fact_window_day(json_get(json, "until")) : DAY_NONE;
  w->period.ends_month = (int)json_to_int(json_get(json, "endsMonth"), 0);
  if (w->period.ends_month) { /* a quarter, by the company's calendar */
    w->period.fiscal_year = year;
    w->span = FACT_QUARTERLY;
    w->months = 3;
  } else if (year || json_kind(json_get(json, "fiscalPeriod")) == '"') { /* without a year: the latest */
    window_name_period(w, json_get(json, "fiscalPeriod"), year);
    if (told != DAY_NONE) { /* "Q3 results, October 2024": the one before that day */
      w->period.from = told - WINDOW_TOLD_DAYS;
      w->period.until = told;
    }
  } else if (ends != DAY_NONE) {
    window_end_period(w, ends, fact_window_day(json_get(json, "from")));
  } else {
    w->period.from = fact_window_day(json_get(json, "from"));
    w->period.until = fact_window_day(json_get(json, "until"));
    if (w->period.from != DAY_NONE)
      w->count = 40;
    if (told != DAY_NONE && w->period.from != DAY_NONE) { /* days of filing: of the reports' own periods */
      w->period.from -= WINDOW_FILED_FIRST;
      w->period.until -= WINDOW_FILED_LAST;
    }
  }
  if (f->by_quarter && w->period.quarter == 5)
    window_make_quarters(w);
  if (f->trailing)
    window_make_trailing(w);
  if (!window_is_known(f, w))
    f->list[f->count++] = window;
}

/* Whether a question for the newest figure asks for that of a quarter: by its forms, or its words ("last quarter", whose report
 * may also be a 10-K). */
static int window_is_quarterly(struct slice forms, struct slice query) {
  int quarters = memmem(forms.data ? forms.data : "", forms.len, "10-Q", 4) != NULL;
  int years = memmem(forms.data ? forms.data : "", forms.len, "10-K", 4) != NULL;
  return (quarters && !years) ||
         (quarters >= years && fact_window_has_any(query, (const char *const[]){FIGURE_WORDS_QUARTER, NULL}));
}

/* The newest figure of the fiscal year so far. */
static void window_make_to_date(struct fact_window *w) {
  w->span = FACT_QUARTERLY;
  w->count = 1;
  w->to_date = 1;
}

void fact_windows_read(struct fact_windows *f, struct slice plan, struct slice query) {
  struct slice list = json_get(plan, "windows"), forms = json_get(plan, "forms"), one;
  struct json_cursor at = {0};
  int quarterly = window_is_quarterly(forms, query);
  f->trailing = fact_window_has_any(query, (const char *const[]){FIGURE_WORDS_TRAILING, NULL});
  f->by_quarter = fact_window_has_any(query, (const char *const[]){FIGURE_WORDS_EACH_QUARTER, NULL});
  enum fact_span span = quarterly || f->by_quarter ? FACT_QUARTERLY : FACT_ANNUAL;
  while (json_kind(list) == '[' && f->count < FACT_WINDOWS_MOST && json_next_element(list, &at, &one))
    window_add(f, one, span);
  if (!f->count)
    f->list[f->count++] = (struct fact_window){.period = {.from = DAY_NONE, .until = DAY_NONE},
                                               .span = span,
                                               .count = f->by_quarter ? WINDOW_QUARTERS
                                                        : quarterly   ? WINDOW_NEWEST
                                                                      : 1};
  if (f->trailing && f->count == 1 && !f->list[0].months)
    window_make_trailing(&f->list[0]);
  if (f->count == 1 && !f->list[0].named &&
      fact_window_has_any(query, (const char *const[]){FIGURE_WORDS_TO_DATE, NULL}))
    window_make_to_date(&f->list[0]);
}

/* plan_period_quarters.c: parts of a year in a question, by number, by month, or by their last day. */
#include "query/plan_period_items.h"

#include "text/number_words.h"
#include "tables/period_words.h"

/* Records an impossible period, which is rejected and reported. */
int plan_item_bad(struct plan_scan *s, size_t i, size_t to, const char *why) {
  if (s->when->bad == NULL) {
    s->when->bad = why;
    s->bad_from = i;
    s->bad_to = to;
  }
  return 0;
}

static const char *const ends_words[] = {PERIOD_WORDS_END_LEAD, NULL};

/* The latest possible day for a date without year or day, not after today. */
struct plan_day plan_item_whole_day(const struct plan_scan *s, struct plan_day d) {
  int day = d.day, year = d.year ? d.year : s->today.year;
  struct plan_day whole = {year, d.month, day ? day : plan_days_of_month(year, d.month)};
  if (d.year == 0 && plan_day_order(whole, s->today) > 0)
    whole.year--;
  if (!day)
    whole.day = plan_days_of_month(whole.year, whole.month);
  return whole;
}

/* The last day of a period of so many months that begins then. */
static struct plan_day end_of_begun(const struct plan_scan *s, struct plan_day day, int months) {
  if (day.year == 0)
    day.year = plan_item_whole_day(s, day).year;
  if (day.day <= 1)
    return plan_month_end(day.year, day.month, months - 1);
  struct plan_day end = plan_month_start(day.year, day.month, months);
  end.day =
      day.day < plan_days_of_month(end.year, end.month) ? day.day : plan_days_of_month(end.year, end.month);
  return plan_day_before(end);
}

/* The length of a period that is said to end on a day, by whatever name: "nine months", "second quarter", "Q3", "holiday
 * quarter". Returns its tokens. */
static size_t ended_length(const struct plan_scan *s, size_t i, int *months) {
  enum plan_period period;
  enum plan_year_kind kind;
  int year, first, last, month;
  size_t used = plan_length_at(s->t, i, months);
  if (used)
    return used;
  size_t named = plan_item_holiday_at(s, i) == 1 || plan_month_at(s->t, i, &month);
  if (named && plan_length_at(s->t, i + 1, months) == 1 && *months == 3)
    return 2;
  if ((used = plan_period_at(s->t, i, &period, &year, &kind)) == 0 || year || period == PLAN_ANY)
    return 0;
  plan_item_months(period, &first, &last);
  *months = last - first + 1;
  return used;
}

/* "quarter ended March 29, 2025", "three months ended ...", "year that ended on September 30, 1997", "fiscal year beginning July 1,
 * 2013". */
int plan_item_read_ended(struct plan_scan *s, size_t i, struct plan_item *item) {
  struct plan_day day;
  int months = 12;
  size_t used = plan_item_word_is(s, i, "fye") ? 1 : ended_length(s, i, &months), at = i + used;
  if (used == 0)
    return 0;
  if (plan_item_word_is(s, at, "period"))
    at++;
  if (plan_item_word_is(s, at, "that") || plan_item_word_is(s, at, "which"))
    at++;
  static const char *const begun[] = {"began",    "begun",   "beginning", "begins",
                                      "starting", "started", "starts",    NULL};
  int begins = plan_item_word_in(s, at, begun);
  if (!begins && !plan_item_word_in(s, at, ends_words) && !plan_item_word_is(s, i, "fye"))
    return 0;
  at += begins || plan_item_word_in(s, at, ends_words) ? 1 : 0;
  static const char *const between[] = {PERIOD_WORDS_ENDED_ON, NULL};
  while (plan_item_word_in(s, at, between))
    at++;
  used = plan_date_at(s->t, at, &day);
  if (used == 0)
    return 0;
  *item =
      (struct plan_item){.kind = ITEM_ENDS, .from = i, .to = at + used, .months = months < 12 ? months : 12};
  item->count =
      plan_item_word_is(s, i + 1, "months") || plan_item_word_is(s, i + 1, "month") ? item->months : 0;
  item->day = begins ? end_of_begun(s, day, item->months) : plan_item_whole_day(s, day);
  return 1;
}

/* Behind the first months of "the June and September quarters", the end of the last one; else i. */
static size_t behind_months(const struct plan_scan *s, size_t i) {
  size_t at = i, used;
  int month;
  for (;;) {
    while (at < s->t->count && (plan_item_word_is(s, at, "and") || s->t->token[at].amp))
      at++;
    if ((used = plan_month_at(s->t, at, &month)) == 0)
      return plan_item_word_is(s, at, "quarters") ? at : i;
    at += used;
  }
}

/* "June quarter of 2025", "the September 2024 quarter", "Mar-25 quarter", "June and September quarters", "holiday quarter". */
int plan_item_read_month_quarter(struct plan_scan *s, size_t i, struct plan_item *item) {
  struct plan_day day = {0, 0, 0}, dated;
  size_t at = i + plan_month_at(s->t, i, &day.month), used = plan_date_at(s->t, i, &dated), listed = 0;
  enum plan_year_kind kind = YEAR_PLAIN;
  size_t holiday = plan_item_holiday_at(s, i);
  if (used > 1 && dated.day == 0) {
    day = dated;
    at = i + used;
  } else {
    day.month = holiday ? 12 : day.month;
    at += holiday;
    used = plan_year_at(s->t, at, &day.year, &kind);
    kind = used ? kind : YEAR_PLAIN;
    at += used;
  }
  if (day.month != 0 && day.year == 0 && !holiday && behind_months(s, at) > at) {
    listed = at; /* the words behind belong to the last month of the list */
    at = behind_months(s, at);
  }
  if (day.month == 0 || (!plan_item_word_is(s, at, "quarter") && !plan_item_word_is(s, at, "qtr") &&
                         !plan_item_word_is(s, at, "quarters")))
    return 0;
  at++;
  if (day.year == 0) {
    size_t skip = plan_item_word_is(s, at, "of") || plan_item_word_is(s, at, "in") ? 1 : 0;
    skip += skip && plan_item_word_is(s, at + skip, "the") ? 1 : 0;
    used = plan_year_at(s->t, at + skip, &day.year, &kind);
    kind = used ? kind : YEAR_PLAIN;
    at += used ? skip + used : 0;
  }
  at = listed ? listed : at;
  *item = (struct plan_item){
      .kind = ITEM_ENDS, .from = i, .to = at, .months = 3, .day = plan_item_whole_day(s, day)};
  if (kind == YEAR_FISCAL) { /* which calendar year that is the company's fiscal year tells */
    item->how = kind;
    item->year = day.year;
  } else if (holiday) { /* the quarter that contains December, or ends soon after it */
    plan_item_set_holiday(item, item->day.year);
  }
  return 1;
}

int plan_item_read_part(struct plan_scan *s, size_t i, struct plan_item *item) {
  enum plan_period period;
  enum plan_year_kind kind;
  int year;
  size_t used = plan_period_at(s->t, i, &period, &year, &kind);
  if (used == 0)
    return 0;
  if (period == PLAN_ANY)
    return plan_item_bad(s, i, i + used, "a year has four quarters");
  *item = (struct plan_item){
      .kind = ITEM_PART, .from = i, .to = i + used, .year = year, .how = kind, .period = period};
  return 1;
}

/* "the third 10-Q of 2022", "first quarterly report of fiscal 2023": that quarter's, where the year is named too. */
int plan_item_read_counted_report(struct plan_scan *s, size_t i, struct plan_item *item) {
  int n = number_words_ordinal(slice_str(s->t->token[i].fold));
  if (!s->when->quarterly || n < 1 || n > 3 || i + 1 >= s->t->count || s->taken[i + 1] != TAKEN_FORM)
    return 0;
  *item = (struct plan_item){
      .kind = ITEM_PART, .from = i, .to = i + 1, .period = (enum plan_period)(PLAN_Q1 + n - 1), .counted = 1};
  return 1;
}

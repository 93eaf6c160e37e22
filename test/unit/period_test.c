/* period_test.c: the calendar, and what a period in words means on a day. */
#include "base/day.h"
#include "period/period.h"
#include "period/period_option.h"

#include "test.h"

#include <stdio.h>

/* The only item of a text as "KIND PART/YEAR DAY..UNTIL", read on 2025-07-15; "none", or "N items". */
static const char *item_in(const char *text) {
  static char out[96];
  static struct plan_text t;
  uint8_t taken[PLAN_TOKENS] = {0};
  char day[DAY_TEXT], until[DAY_TEXT];
  plan_text_read(&t, slice_str(text));
  struct period_reading *r = period_read(&t, taken, 0, day_of(2025, 7, 15));
  period_link(r);
  const struct period_item *item = r->items;
  if (r->bad)
    snprintf(out, sizeof out, "bad");
  else if (r->count == 1)
    snprintf(out, sizeof out, "%d %d/%d %s..%s", (int)item->kind, (int)item->part, item->year,
             day_write(item->day, day), day_write(item->until, until));
  else
    snprintf(out, sizeof out, r->count ? "%zu items" : "none", r->count);
  period_free(r);
  return out;
}

static const char *of_kind(enum period_kind kind, const char *rest) {
  static char out[96];
  snprintf(out, sizeof out, "%d %s", (int)kind, rest);
  return out;
}

TEST(dates_are_read_and_impossible_ones_are_not) {
  CHECK_STR(item_in("March 29, 2025"), of_kind(ITEM_DAY, "0/0 2025-03-29..-"));
  CHECK_STR(item_in("3/29/25"), of_kind(ITEM_DAY, "0/0 2025-03-29..-"));
  CHECK_STR(item_in("the 31st of March"), of_kind(ITEM_DAY, "0/0 2025-03-31..-"));
  CHECK_STR(item_in("30 November"), of_kind(ITEM_DAY, "0/0 2024-11-30..-"));
  CHECK_STR(item_in("2025-02-30"), "bad");
  CHECK_STR(item_in("February 30, 2025"), "bad");
  CHECK_STR(item_in("it may rise"), "none");
}

TEST(letters_and_digits_that_touch_are_apart) {
  static const struct {
    const char *text;
    enum period_part part;
    int year;
  } cases[] = {{"2q25", PART_Q2, 2025},   {"Q4FY24", PART_Q4, 2024}, {"FY24Q1", PART_Q1, 2024},
               {"2024Q3", PART_Q3, 2024}, {"1H25", PART_H1, 2025},   {"9M24", PART_9M, 2024},
               {"f3q24", PART_Q3, 2024},  {"Q1", PART_Q1, 0}};
  char expected[32];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    snprintf(expected, sizeof expected, "%d/%d -..-", (int)cases[i].part, cases[i].year);
    CHECK_STR(item_in(cases[i].text), of_kind(ITEM_PART, expected));
  }
  CHECK_STR(item_in("H200"), "none"); /* a chip */
  CHECK_STR(item_in("3M"), "none");   /* a company */
}

TEST(items_complete_each_other) {
  CHECK_STR(item_in("second quarter of fiscal 2023"), of_kind(ITEM_PART, "2/2023 -..-"));
  CHECK_STR(item_in("2024 revenue in the second quarter"), of_kind(ITEM_PART, "2/2024 -..-"));
  CHECK_STR(item_in("January to September 2024"), of_kind(ITEM_ENDS, "0/0 2024-09-30..-"));
  CHECK_STR(item_in("last summer"), of_kind(ITEM_RANGE, "0/0 2024-06-01..2024-08-31"));
}

TEST(codes_of_options_are_years_and_parts_of_years) {
  static const struct {
    const char *code;
    enum period_part part; /* PART_ANY: the year */
    int year;
    enum period_year_kind how;
  } cases[] = {{"FY-2024", PART_ANY, 2024, YEAR_FISCAL},   {"Q3-2024", PART_Q3, 2024, YEAR_FISCAL},
               {"Q3-FY2024", PART_Q3, 2024, YEAR_FISCAL},  {"CY2024Q1", PART_Q1, 2024, YEAR_CALENDAR},
               {"CY-2024", PART_ANY, 2024, YEAR_CALENDAR}, {"2q25", PART_Q2, 2025, YEAR_FISCAL},
               {"9M-2024", PART_9M, 2024, YEAR_FISCAL}};
  static const char *const bad[] = {"Q7-2024", "Q3", "2024..2025", "FY-2024 revenue", "", "March 2024"};
  struct period_item item;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK_INT(period_of_code(cases[i].code, &item), 1);
    CHECK_INT(item.part, cases[i].part);
    CHECK_INT(item.year, cases[i].year);
    CHECK_INT(item.how == YEAR_CALENDAR, cases[i].how == YEAR_CALENDAR);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK_INT(period_of_code(bad[i], &item), 0);
}

TEST(months_end_where_the_calendar_says) {
  CHECK_INT(day_month_end(2024, 2, 0), day_of(2024, 2, 29));
  CHECK_INT(day_month_end(2100, 2, 0), day_of(2100, 2, 28));
  CHECK_INT(day_month_end(2025, 1, -2), day_of(2024, 11, 30));
  CHECK_INT(day_add_months(day_of(2024, 2, 29), 12), day_of(2025, 2, 28));
  CHECK_INT(day_of(2024, 3, 1) - 1, day_of(2024, 2, 29));
  CHECK_INT(day_of_time(-1), day_of(1969, 12, 31));
}

int main(void) {
  RUN(dates_are_read_and_impossible_ones_are_not);
  RUN(letters_and_digits_that_touch_are_apart);
  RUN(items_complete_each_other);
  RUN(codes_of_options_are_years_and_parts_of_years);
  RUN(months_end_where_the_calendar_says);
  return test_done();
}

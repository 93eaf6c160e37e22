#include "facts/fact_plan_screen.h"

#include "facts/fact_pick.h"
#include "facts/fact_plan_read.h"
#include "facts/fact_screen.h"
#include "facts/fact_window.h"
#include "record/error.h"
#include "record/json.h"

#include <stdio.h>

/* A year's annual reports are there by April of the next one. */
enum { SCREEN_COMPANIES = 25, SCREEN_FILED_BY_MONTH = 4, SCREEN_WHY_MAX = 65536 };

int fact_screen_newest_year(int32_t today) {
  int year, month, day;
  day_split(today, &year, &month, &day);
  return year - (month < SCREEN_FILED_BY_MONTH ? 2 : 1);
}

/* The period of the plan's first window, "CY2024" or "CY2024Q1"; else the newest year that all have reported on. */
static void screen_period(struct slice plan, char out[16]) {
  struct slice list = json_get(plan, "windows"), window = slice_of(NULL, 0);
  struct json_cursor at = {0};
  int year, month, day, quarter = 0;
  if (json_kind(list) == '[')
    json_next_element(list, &at, &window);
  int named = (int)json_to_int(json_get(window, "fiscalYear"), 0);
  struct slice period = json_get(window, "fiscalPeriod");
  if (period.len == 4 && period.data[1] == 'Q')
    quarter = period.data[2] - '0';
  int32_t ends = fact_window_day(json_get(window, "ends"));
  if (!named && ends != DAY_NONE) {
    day_split(ends, &named, &month, &day);
    quarter = fact_window_day(json_get(window, "from")) > ends - 120 ? (month + 2) / 3 : 0;
  }
  year = fact_screen_newest_year(fact_pick_today(fact_window_day(json_get(plan, "asOf"))));
  snprintf(out, 16, quarter ? "CY%04dQ%d" : "CY%04d", (named ? named : year) % 10000, quarter % 10);
}

int fact_plan_screen(struct program *p, const struct concept_table *table, struct slice plan,
                     struct slice question, struct slice job) {
  struct screen_rules rules;
  struct slice companies = json_get(plan, "companies");
  struct buf why;
  char period[16];
  if (json_kind(companies) == '[' && companies.len > 2)
    return 0;
  int asked = fact_screen_asked(&rules, table, question);
  if (asked) {
    buf_init(&why, SCREEN_WHY_MAX);
    screen_period(plan, period);
    fact_screen_answer(&p->out.buf, table, &rules, period, SCREEN_COMPANIES, job, &why);
    fact_plan_say(p, job, ERROR_NO_CONTENT, "%s", why.data);
    buf_release(&why);
  }
  fact_screen_rules_release(&rules);
  return asked;
}

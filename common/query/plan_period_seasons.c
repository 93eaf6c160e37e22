/* plan_period_seasons.c: seasons, holidays and other parts of a year that are no quarters. */
#include "query/plan_period_items.h"

#include "tables/period_words.h"

#include <stdio.h>

#define SEASON_MONTHS 3

static const char *const last_words[] = {"last", "past", "previous", "prior", NULL};

size_t plan_item_holiday_at(const struct plan_scan *s, size_t i) {
  static const char *const names[] = {"holiday", "holidays", "christmas", "xmas", NULL};
  if (plan_item_word_is(s, i, "black") && plan_item_word_is(s, i + 1, "friday"))
    return 2;
  return (size_t)plan_item_word_in(s, i, names);
}

void plan_item_set_holiday(struct plan_item *item, int year) {
  item->kind = ITEM_RANGE;
  item->day = (struct plan_day){year, 12, 15};
  item->until = (struct plan_day){year + 1, 2, 8};
}

/* "last christmas", "over the holidays", "holiday season 2023": the quarter in which they were. */
int plan_item_read_holidays(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const within[] = {"over", "during", NULL},
                           *const units[] = {"season", "seasons", "period", NULL},
                           *const of[] = {"of", "in", NULL};
  enum plan_year_kind kind;
  int year = 0;
  size_t lead = (size_t)plan_item_word_in(s, i, last_words), at = i + lead, used;
  if (!lead && plan_item_word_in(s, i, within) && plan_item_word_is(s, i + 1, "the"))
    lead = 1, at = i + 2; /* not "opening hours over Christmas" */
  size_t words = plan_item_holiday_at(s, at);
  at += words;
  size_t season = words ? (size_t)plan_item_word_in(s, at, units) : 0;
  at += season;
  used = words ? plan_year_at(s->t, at + (size_t)plan_item_word_in(s, at, of), &year, &kind) : 0;
  at += used ? used + (size_t)plan_item_word_in(s, at, of) : 0;
  if (words == 0 || (!lead && !used) || plan_item_word_is(s, at, "quarter"))
    return 0; /* "holiday pay" */
  *item = (struct plan_item){.from = i, .to = at};
  plan_item_set_holiday(item, used ? year : s->today.year - (s->today.month < 12));
  return 1;
}

/* "last summer", "this past spring quarter": the last one that is over.  first: its first month. */
static int read_last_season(const struct plan_scan *s, size_t i, int first, struct plan_item *item) {
  if (i == 0 || !plan_item_word_in(s, i - 1, last_words))
    return 0;
  int year = s->today.year;
  while (plan_day_order(plan_month_end(year, first, SEASON_MONTHS - 1), s->today) >= 0)
    year--;
  size_t to = i + 1 + (size_t)plan_item_word_is(s, i + 1, "quarter");
  *item = (struct plan_item){.kind = ITEM_RANGE, .from = i, .to = to, .day = {year, first, 1}};
  item->until = plan_month_end(year, first, SEASON_MONTHS - 1);
  return 1;
}

/* "1990s"; "late 2023", "mid-2024"; "summer of 2023". */
int plan_item_read_part_of_year(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const struct {
    const char *word;
    int first, months;
  } parts[] = {PERIOD_WORDS_PART};
  size_t n = sizeof parts / sizeof *parts, k = 0, at = i + 1, used;
  enum plan_year_kind kind;
  int year;
  char decade[16];
  for (year = 1990; year < s->today.year; year += 10) {
    snprintf(decade, sizeof decade, "%ds", year);
    if (plan_item_word_is(s, i, decade)) {
      *item = (struct plan_item){
          .kind = ITEM_RANGE, .from = i, .to = at, .day = {year, 1, 1}, .until = {year + 9, 12, 31}};
      return 1;
    }
  }
  while (k < n && !plan_item_word_is(s, i, parts[k].word))
    k++;
  if (k < n && parts[k].months == SEASON_MONTHS && read_last_season(s, i, parts[k].first, item))
    return 1;
  at += plan_item_word_is(s, at, "year") || plan_item_word_is(s, at, "quarter") ? 1 : 0; /* "mid-year 2025" */
  at += plan_item_word_is(s, at, "of") || plan_item_word_is(s, at, "in");
  if (k == n || (used = plan_year_at(s->t, at, &year, &kind)) == 0)
    return 0;
  *item =
      (struct plan_item){.kind = ITEM_RANGE, .from = at, .to = at + used, .day = {year, parts[k].first, 1}};
  item->until = plan_month_end(year, parts[k].first, parts[k].months - 1);
  return 1;
}

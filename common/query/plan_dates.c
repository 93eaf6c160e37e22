#include "query/plan_dates.h"

#include "base/clock.h"
#include "query/plan_lengths.h"
#include "text/number_words.h"
#include "tables/period_words.h"

#include <ctype.h>
#include <stdlib.h>

size_t plan_month_at(const struct plan_text *t, size_t i, int *month) {
  if (i >= t->count)
    return 0;
  int m = clock_month(t->token[i].fold, t->token[i].bare);
  if (m == 0)
    return 0;
  *month = m;
  return 1;
}

/* A day of the month: "29", "29th"; or 0. */
static int day_number(const struct plan_token *token) {
  char *end;
  long day = strtol(token->fold, &end, 10);
  static const char *const endings[] = {"", "st", "nd", "rd", "th", NULL};
  return token->digits > 0 && token->digits <= 2 && day >= 1 && day <= 31 && plan_word_in(end, endings) >= 0
             ? (int)day
             : 0;
}

int plan_year_number(const struct plan_token *token) {
  long year = plan_token_number(token);
  int actual = token->len == 5 && (token->fold[4] == 'a' || token->fold[4] == 'e'); /* "2024A" */
  if (year < 0 && (token->possessive || actual))                                    /* "2024's" */
    year = token->len == 5 && token->digits == 4 ? strtol(token->fold, NULL, 10) : -1;
  return token->digits == 4 && year >= PLAN_YEAR_FIRST && year <= PLAN_YEAR_LAST ? (int)year : 0;
}

int plan_year_short(const char *digits, size_t n) {
  int value = 0;
  if (n != 2 && n != 4)
    return 0;
  for (size_t k = 0; k < n; k++) {
    if (!isdigit((unsigned char)digits[k]))
      return 0;
    value = value * 10 + digits[k] - '0';
  }
  if (n == 2)
    value += value >= PLAN_YEAR_FIRST % 100 ? 1900 : 2000;
  return value >= PLAN_YEAR_FIRST && value <= PLAN_YEAR_LAST ? value : 0;
}

/* "20231231" */
static size_t joined_date(const struct plan_token *token, struct plan_day *day) {
  long number = plan_token_number(token);
  if (token->len != 8 || number < 0)
    return 0;
  *day = (struct plan_day){(int)(number / 10000), (int)(number / 100 % 100), (int)(number % 100)};
  return day->year >= PLAN_YEAR_FIRST && day->year <= PLAN_YEAR_LAST && plan_day_is_real(*day);
}

/* "2025-03-29", "3/29/2025", and "29/3/2025" or "29.3.2025" where the first number can't be a month: otherwise the
 * order depends on the country. */
static size_t numeric_date(const struct plan_text *t, size_t i, struct plan_day *day) {
  if (i < t->count && joined_date(&t->token[i], day))
    return 1;
  if (i + 2 >= t->count)
    return 0;
  long a = plan_token_number(&t->token[i]), b = plan_token_number(&t->token[i + 1]),
       c = plan_token_number(&t->token[i + 2]);
  unsigned gap = t->token[i + 1].gap, next = t->token[i + 2].gap;
  if (a < 0 || b < 0 || c < 0 || gap != next)
    return 0;
  if (gap == GAP_HYPHEN && plan_year_number(&t->token[i]))
    *day = (struct plan_day){(int)a, (int)b, (int)c};
  else if (gap == GAP_DOT && plan_year_number(&t->token[i + 2]) && a > 12)
    *day = (struct plan_day){(int)c, (int)b, (int)a};
  else if (gap == GAP_SLASH && plan_year_short(t->token[i + 2].fold, t->token[i + 2].len))
    *day = (struct plan_day){plan_year_short(t->token[i + 2].fold, t->token[i + 2].len),
                             (int)(a > 12 ? b : a), (int)(a > 12 ? a : b)};
  else
    return 0;
  return plan_day_is_real(*day) ? 3 : 0;
}

/* "may" and "march" are also verbs: they are months only with a capital, a day, a year or a word of time before them. */
static int surely_month(const struct plan_text *t, size_t i, int month) {
  static const char *const leads[] = {PERIOD_WORDS_MONTH_LEAD, NULL};
  return (month != 5 && month != 3) || t->token[i].first_capital ||
         (i > 0 && plan_word_in(t->token[i - 1].fold, leads) >= 0) ||
         (i + 1 < t->count && (plan_year_number(&t->token[i + 1]) || day_number(&t->token[i + 1])));
}

/* The year after a month or day: "2025", ", 2025", "of 2025", "'25", "-25". */
static size_t year_behind(const struct plan_text *t, size_t i, int *year) {
  size_t at = i;
  if (at < t->count && strcmp(t->token[at].fold, "of") == 0)
    at++;
  if (at >= t->count)
    return 0;
  *year = plan_year_number(&t->token[at]);
  if (*year == 0 && (t->token[at].gap & (GAP_APOSTROPHE | GAP_HYPHEN)))
    *year = plan_year_short(t->token[at].fold, t->token[at].len);
  return *year ? at + 1 - i : 0;
}

/* Whether the number after a month is a day, not a year: "Mar 25", "Mar-25-2024"; not "Mar '25", "Mar-25". */
static int is_day_behind(const struct plan_text *t, size_t i) {
  int year;
  return !(t->token[i].gap & GAP_APOSTROPHE) &&
         (!(t->token[i].gap & GAP_HYPHEN) || year_behind(t, i + 1, &year) > 0);
}

size_t plan_date_at(const struct plan_text *t, size_t i, struct plan_day *day) {
  size_t n = numeric_date(t, i, day), used;
  if (n)
    return n;
  *day = (struct plan_day){0, 0, 0};
  size_t of = i + 1 < t->count && strcmp(t->token[i + 1].fold, "of") == 0 ? 1 : 0; /* "the 31st of March" */
  if (i + 1 < t->count && day_number(&t->token[i]) && plan_month_at(t, i + 1 + of, &day->month)) {
    day->day = day_number(&t->token[i]);
    used = 2 + of;
  } else if (plan_month_at(t, i, &day->month) && surely_month(t, i, day->month)) {
    used = 1;
    if (i + 1 < t->count && day_number(&t->token[i + 1]) && is_day_behind(t, i + 1)) {
      day->day = day_number(&t->token[i + 1]);
      used = 2;
    }
  } else {
    return 0;
  }
  used += year_behind(t, i + used, &day->year);
  if (day->day && !plan_day_is_real((struct plan_day){day->year ? day->year : 2024, day->month, day->day}))
    return 0;
  return used;
}

int plan_date_is_bad(const struct plan_text *t, size_t i) {
  struct plan_day day;
  int year;
  if (plan_date_at(t, i, &day))
    return 0;
  if (i + 2 < t->count && t->token[i + 1].gap == t->token[i + 2].gap &&
      plan_token_number(&t->token[i + 1]) >= 0 && plan_token_number(&t->token[i + 2]) >= 0 &&
      plan_token_number(&t->token[i]) >= 0)
    return t->token[i + 1].gap == GAP_SLASH || t->token[i + 1].gap == GAP_DOT
               ? plan_year_number(&t->token[i + 2]) > 0
               : t->token[i + 1].gap == GAP_HYPHEN && plan_year_number(&t->token[i]) > 0;
  if (!plan_month_at(t, i, &day.month) || i + 2 >= t->count || t->token[i + 1].digits > 2)
    return 0;
  return plan_token_number(&t->token[i + 1]) > 0 &&
         year_behind(t, i + 2, &year) > 0; /* "February 30, 2024" */
}

static int cardinal_at(const struct plan_text *t, size_t i) {
  return i < t->count ? number_words_cardinal(slice_str(t->token[i].fold)) : 0;
}

/* A number from 1 to 99 in words: "nine", "fifteen", "twenty-three"; returns the number of tokens. */
static size_t small_number_at(const struct plan_text *t, size_t i, int *number) {
  int unit = cardinal_at(t, i + 1);
  *number = cardinal_at(t, i);
  if (*number < 20 || unit == 0 || unit > 9)
    return *number > 0;
  *number += unit;
  return 2;
}

/* A year in words: "twenty twenty-three", "nineteen ninety-nine", "two thousand and eight"; returns the number of
 * tokens. */
static size_t spelt_year_at(const struct plan_text *t, size_t i, int *year) {
  int rest = 0, century = plan_text_is(t, i, "nineteen") ? 1900 : plan_text_is(t, i, "twenty") ? 2000 : 0;
  size_t at = i + 1;
  if (century == 0 && plan_text_is(t, i, "two") && plan_text_is(t, i + 1, "thousand")) {
    century = 2000;
    at = i + (plan_text_is(t, i + 2, "and") ? 3 : 2);
  } else if (century == 0 || at >= t->count || (t->token[at].gap & GAP_HYPHEN)) {
    return 0;
  }
  size_t used = small_number_at(t, at, &rest);
  *year = century + rest;
  return used && (rest > 9 || at > i + 1) && *year >= PLAN_YEAR_FIRST && *year <= PLAN_YEAR_LAST
             ? at + used - i
             : 0;
}

/* A year of four digits, or of two after an apostrophe or FY. */
static int any_year(const struct plan_text *t, size_t i, int after_fy) {
  if (i >= t->count)
    return 0;
  int year = plan_year_number(&t->token[i]);
  if (year == 0 && ((t->token[i].gap & GAP_APOSTROPHE) || after_fy) && t->token[i].letters == 0)
    year = plan_year_short(t->token[i].fold, t->token[i].len);
  return year;
}

/* "fy24", "fye2024", "cy23", "f2024", "fy24a": the year, or 0. */
static int prefixed_year(const char *fold) {
  static const char *const prefixes[] = {"fiscal", "calendar", "fye", "fy", "cy", "ye", "f", NULL};
  for (int k = 0; prefixes[k]; k++) {
    size_t n = strlen(prefixes[k]), len = strlen(fold);
    if (strncmp(fold, prefixes[k], n) != 0)
      continue;
    if (len > n + 2 && (fold[len - 1] == 'a' || fold[len - 1] == 'e')) /* actual, estimate */
      len--;
    return n == 1 && len != 5 ? 0 : plan_year_short(fold + n, len - n);
  }
  return 0;
}

size_t plan_year_at(const struct plan_text *t, size_t i, int *year, enum plan_year_kind *kind) {
  static const char *const names[] = {"fy", "fye", "cy", "ye", "fiscal", "calendar", NULL};
  int months;
  if (i >= t->count)
    return 0;
  const char *fold = t->token[i].fold;
  *kind = strncmp(fold, "cy", 2) == 0 || strcmp(fold, "calendar") == 0 ? YEAR_CALENDAR : YEAR_FISCAL;
  if ((*year = prefixed_year(fold)) != 0)
    return 1;
  if (plan_word_in(fold, names) >= 0) {
    size_t used = plan_unit_at(t, i + 1, &months) && months == 12 ? 2 : 1,
           spelt = spelt_year_at(t, i + used, year);
    if (spelt)
      return used + spelt;
    *year = any_year(t, i + used, 1);
    return *year ? used + 1 : 0;
  }
  *kind = YEAR_PLAIN;
  size_t spelt = spelt_year_at(t, i, year);
  if (spelt)
    return spelt;
  *year = any_year(t, i, 0);
  return *year != 0;
}

#include "query/plan_dates.h"

#include <ctype.h>
#include <stdlib.h>

static const char *const months[] = {"january", "february", "march",     "april",   "may",      "june",
                                     "july",    "august",   "september", "october", "november", "december"};

size_t plan_month_at(const struct plan_text *t, size_t i, int *month) {
  if (i >= t->count)
    return 0;
  const struct plan_token *token = &t->token[i];
  for (int m = 0; m < 12; m++) {
    size_t n = token->bare;
    if ((n == strlen(months[m]) || n == 3 || (m == 8 && n == 4)) && strncmp(token->fold, months[m], n) == 0) {
      *month = m + 1;
      return 1;
    }
  }
  return 0;
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

static int year_number(const struct plan_token *token) {
  long year = plan_token_number(token);
  if (year < 0 && token->possessive) /* "2024's" */
    year = token->bare == 4 && token->digits == 4 ? strtol(token->fold, NULL, 10) : -1;
  return token->digits == 4 && year >= PLAN_YEAR_FIRST && year <= PLAN_YEAR_LAST ? (int)year : 0;
}

/* "25" after an apostrophe or FY: 1993 to 2092. */
static int short_year(const char *digits, size_t n) {
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

/* "2025-03-29", "3/29/2025", "29/3/2025" where the first is no month; "29.3.2025" is not read: its order differs from place to place. */
static size_t numeric_date(const struct plan_text *t, size_t i, struct plan_day *day) {
  if (i + 2 >= t->count)
    return 0;
  long a = plan_token_number(&t->token[i]), b = plan_token_number(&t->token[i + 1]),
       c = plan_token_number(&t->token[i + 2]);
  unsigned gap = t->token[i + 1].gap, next = t->token[i + 2].gap;
  if (a < 0 || b < 0 || c < 0 || gap != next)
    return 0;
  if (gap == GAP_HYPHEN && year_number(&t->token[i]))
    *day = (struct plan_day){(int)a, (int)b, (int)c};
  else if (gap == GAP_SLASH && short_year(t->token[i + 2].fold, t->token[i + 2].len))
    *day = (struct plan_day){short_year(t->token[i + 2].fold, t->token[i + 2].len), (int)(a > 12 ? b : a),
                             (int)(a > 12 ? a : b)};
  else
    return 0;
  return plan_day_is_real(*day) ? 3 : 0;
}

/* "may" and "march" are verbs as well: without a capital, a day or a year they are none. */
static int surely_month(const struct plan_text *t, size_t i, int month) {
  return (month != 5 && month != 3) || t->token[i].first_capital ||
         (i + 1 < t->count && (year_number(&t->token[i + 1]) || day_number(&t->token[i + 1])));
}

/* The year behind a month or day: "2025", ", 2025", "of 2025", "'25". */
static size_t year_behind(const struct plan_text *t, size_t i, int *year) {
  size_t at = i;
  if (at < t->count && strcmp(t->token[at].fold, "of") == 0)
    at++;
  if (at >= t->count)
    return 0;
  *year = year_number(&t->token[at]);
  if (*year == 0 && (t->token[at].gap & GAP_APOSTROPHE))
    *year = short_year(t->token[at].fold, t->token[at].len);
  return *year ? at + 1 - i : 0;
}

size_t plan_date_at(const struct plan_text *t, size_t i, struct plan_day *day) {
  size_t n = numeric_date(t, i, day), used;
  if (n)
    return n;
  *day = (struct plan_day){0, 0, 0};
  if (i + 1 < t->count && day_number(&t->token[i]) && plan_month_at(t, i + 1, &day->month)) {
    day->day = day_number(&t->token[i]);
    used = 2;
  } else if (plan_month_at(t, i, &day->month) && surely_month(t, i, day->month)) {
    used = 1;
    if (i + 1 < t->count && day_number(&t->token[i + 1]) && !(t->token[i + 1].gap & GAP_APOSTROPHE)) {
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

static int is_word(const struct plan_text *t, size_t i, const char *word) {
  return i < t->count && strcmp(t->token[i].fold, word) == 0;
}

/* A year in four digits, or in two behind an apostrophe or FY. */
static int any_year(const struct plan_text *t, size_t i, int after_fy) {
  if (i >= t->count)
    return 0;
  int year = year_number(&t->token[i]);
  if (year == 0 && ((t->token[i].gap & GAP_APOSTROPHE) || after_fy) && t->token[i].letters == 0)
    year = short_year(t->token[i].fold, t->token[i].len);
  return year;
}

size_t plan_year_at(const struct plan_text *t, size_t i, int *year, enum plan_year_kind *kind) {
  if (i >= t->count)
    return 0;
  const char *fold = t->token[i].fold;
  *kind = strncmp(fold, "cy", 2) == 0 || strcmp(fold, "calendar") == 0 ? YEAR_CALENDAR : YEAR_FISCAL;
  if ((strncmp(fold, "fy", 2) == 0 || strncmp(fold, "cy", 2) == 0) && fold[2]) {
    *year = short_year(fold + 2, t->token[i].len - 2u);
    return *year != 0;
  }
  if (strcmp(fold, "fy") == 0 || strcmp(fold, "cy") == 0) {
    *year = any_year(t, i + 1, 1);
    return *year ? 2 : 0;
  }
  if (strcmp(fold, "fiscal") == 0 || strcmp(fold, "calendar") == 0) {
    size_t used = is_word(t, i + 1, "year") ? 2 : 1;
    *year = any_year(t, i + used, 1);
    return *year ? used + 1 : 0;
  }
  *kind = YEAR_PLAIN;
  *year = any_year(t, i, 0);
  return *year != 0;
}

/* ---- parts of a year ---- */

static enum plan_period quarter_of(long n) {
  return n >= 1 && n <= 4 ? (enum plan_period)(PLAN_Q1 + n - 1) : PLAN_ANY;
}

/* The part in front of a glued token: "q2", "2q", "h1", "1h", "9m"; its length, or 0. */
static size_t glued_part(const char *s, enum plan_period *period) {
  if (s[0] == '\0')
    return 0;
  char unit = isdigit((unsigned char)s[0]) ? s[1] : s[0], digit = unit == s[0] ? s[1] : s[0];
  if (!isdigit((unsigned char)digit) || (unit != s[0] && !unit))
    return 0;
  int n = digit - '0';
  if (unit == 'q')
    *period = quarter_of(n);
  else if (unit == 'h' && (n == 1 || n == 2))
    *period = n == 1 ? PLAN_H1 : PLAN_H2;
  else if (unit == 'm' && unit != s[0] && (n == 6 || n == 9))
    *period = n == 6 ? PLAN_H1 : PLAN_9M;
  else
    return 0;
  return 2;
}

/* "2q25", "q2fy25", "fy25q2", "2025q2", "1h25": the whole token. */
static int glued(const char *s, enum plan_period *period, int *year, enum plan_year_kind *kind) {
  size_t n = glued_part(s, period), digits;
  *year = 0;
  *kind = YEAR_FISCAL;
  if (n == 0 && s[0] == 'f' && s[1] == 'q') /* "FQ3" */
    return glued(s + 1, period, year, kind);
  if (n && s[n] == '\0')
    return 1;
  if (n) {
    if (strncmp(s + n, "fy", 2) == 0 || strncmp(s + n, "cy", 2) == 0)
      n += 2;
    *year = short_year(s + n, strlen(s + n));
    return *year >= 2000 + 8 * (s[0] == 'h') || (*year >= 1993 && s[0] != 'h');
  }
  n = strncmp(s, "fy", 2) == 0 || strncmp(s, "cy", 2) == 0 ? 2 : 0;
  *kind = s[0] == 'c' ? YEAR_CALENDAR : YEAR_FISCAL;
  for (digits = 0; isdigit((unsigned char)s[n + digits]); digits++)
    ;
  if (digits != 4 && !(digits == 2 && n == 2))
    return 0;
  *year = short_year(s + n, digits);
  size_t part = *year ? glued_part(s + n + digits, period) : 0;
  return part && s[n + digits + part] == '\0';
}

static int ordinal_of(const char *word) {
  static const char *const words[] = {"first", "second", "third", "fourth", "final", NULL};
  static const char *const digits[] = {"1st", "2nd", "3rd", "4th", NULL};
  int n = plan_word_in(word, words);
  if (n < 0)
    n = plan_word_in(word, digits);
  return n == 4 ? 4 : n + 1;
}

size_t plan_count_at(const struct plan_text *t, size_t i, int *count) {
  static const char *const words[] = {"one",   "two",  "three", "four",   "five",   "six", "seven",
                                      "eight", "nine", "ten",   "eleven", "twelve", NULL};
  if (i >= t->count)
    return 0;
  int n = plan_word_in(t->token[i].fold, words);
  long number = plan_token_number(&t->token[i]);
  *count = n >= 0 ? n + 1 : number >= 1 && number <= 53 ? (int)number : 0;
  return *count > 0;
}

/* "second quarter", "first fiscal quarter", "first half", "first nine months", "fourth-quarter". */
static size_t ordinal_part(const struct plan_text *t, size_t i, enum plan_period *period) {
  int n = ordinal_of(t->token[i].fold), count;
  size_t at = i + 1;
  if (n == 0)
    return 0;
  if (is_word(t, at, "fiscal"))
    at++;
  if (is_word(t, at, "quarter") || is_word(t, at, "quarters") || is_word(t, at, "qtr"))
    *period = quarter_of(n);
  else if (is_word(t, at, "half") && n <= 2)
    *period = n == 1 ? PLAN_H1 : PLAN_H2;
  else if (n == 1 && plan_count_at(t, at, &count) && (count == 6 || count == 9) &&
           is_word(t, at + 1, "months"))
    return *period = count == 6 ? PLAN_H1 : PLAN_9M, at + 2 - i;
  else
    return 0;
  return at + 1 - i;
}

size_t plan_period_at(const struct plan_text *t, size_t i, enum plan_period *period, int *year,
                      enum plan_year_kind *kind) {
  int count;
  if (i >= t->count)
    return 0;
  *year = 0;
  *kind = YEAR_FISCAL;
  if (glued(t->token[i].fold, period, year, kind))
    return 1;
  size_t n = ordinal_part(t, i, period);
  if (n)
    return n;
  if ((is_word(t, i, "quarter") || is_word(t, i, "q")) && plan_count_at(t, i + 1, &count) && count <= 9 &&
      !(t->token[i + 1].gap & ~(unsigned)(GAP_BLANK | GAP_HYPHEN)))
    return *period = quarter_of(count), 2;
  if (plan_count_at(t, i, &count) && (count == 9 || count == 6) && is_word(t, i + 1, "months") && count == 9)
    return *period = PLAN_9M, 2;
  return 0;
}

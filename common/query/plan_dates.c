#include "query/plan_dates.h"

#include "base/clock.h"
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

static int year_number(const struct plan_token *token) {
  long year = plan_token_number(token);
  int actual = token->len == 5 && (token->fold[4] == 'a' || token->fold[4] == 'e'); /* "2024A" */
  if (year < 0 && (token->possessive || actual))                                    /* "2024's" */
    year = token->len == 5 && token->digits == 4 ? strtol(token->fold, NULL, 10) : -1;
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
  if (gap == GAP_HYPHEN && year_number(&t->token[i]))
    *day = (struct plan_day){(int)a, (int)b, (int)c};
  else if (gap == GAP_DOT && year_number(&t->token[i + 2]) && a > 12)
    *day = (struct plan_day){(int)c, (int)b, (int)a};
  else if (gap == GAP_SLASH && short_year(t->token[i + 2].fold, t->token[i + 2].len))
    *day = (struct plan_day){short_year(t->token[i + 2].fold, t->token[i + 2].len), (int)(a > 12 ? b : a),
                             (int)(a > 12 ? a : b)};
  else
    return 0;
  return plan_day_is_real(*day) ? 3 : 0;
}

/* "may" and "march" are also verbs: they are months only with a capital, a day, a year or a word of time before them. */
static int surely_month(const struct plan_text *t, size_t i, int month) {
  static const char *const leads[] = {PERIOD_WORDS_MONTH_LEAD, NULL};
  return (month != 5 && month != 3) || t->token[i].first_capital ||
         (i > 0 && plan_word_in(t->token[i - 1].fold, leads) >= 0) ||
         (i + 1 < t->count && (year_number(&t->token[i + 1]) || day_number(&t->token[i + 1])));
}

/* The year after a month or day: "2025", ", 2025", "of 2025", "'25", "-25". */
static size_t year_behind(const struct plan_text *t, size_t i, int *year) {
  size_t at = i;
  if (at < t->count && strcmp(t->token[at].fold, "of") == 0)
    at++;
  if (at >= t->count)
    return 0;
  *year = year_number(&t->token[at]);
  if (*year == 0 && (t->token[at].gap & (GAP_APOSTROPHE | GAP_HYPHEN)))
    *year = short_year(t->token[at].fold, t->token[at].len);
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
               ? year_number(&t->token[i + 2]) > 0
               : t->token[i + 1].gap == GAP_HYPHEN && year_number(&t->token[i]) > 0;
  if (!plan_month_at(t, i, &day.month) || i + 2 >= t->count || t->token[i + 1].digits > 2)
    return 0;
  return plan_token_number(&t->token[i + 1]) > 0 &&
         year_behind(t, i + 2, &year) > 0; /* "February 30, 2024" */
}

static int is_word(const struct plan_text *t, size_t i, const char *word) {
  return i < t->count && strcmp(t->token[i].fold, word) == 0;
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
  int rest = 0, century = is_word(t, i, "nineteen") ? 1900 : is_word(t, i, "twenty") ? 2000 : 0;
  size_t at = i + 1;
  if (century == 0 && is_word(t, i, "two") && is_word(t, i + 1, "thousand")) {
    century = 2000;
    at = i + (is_word(t, i + 2, "and") ? 3 : 2);
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
  int year = year_number(&t->token[i]);
  if (year == 0 && ((t->token[i].gap & GAP_APOSTROPHE) || after_fy) && t->token[i].letters == 0)
    year = short_year(t->token[i].fold, t->token[i].len);
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
    return n == 1 && len != 5 ? 0 : short_year(fold + n, len - n);
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

size_t plan_unit_at(const struct plan_text *t, size_t i, int *months) {
  static const struct {
    const char *word;
    int months;
  } units[] = {PERIOD_WORDS_UNIT};
  for (size_t k = 0; i < t->count && k < sizeof units / sizeof *units; k++)
    if (plan_token_is(&t->token[i], units[k].word))
      return *months = units[k].months, units[k].months == 6 && is_word(t, i + 1, "year") ? 2 : 1;
  return 0;
}

size_t plan_length_at(const struct plan_text *t, size_t i, int *months) {
  int count = 1;
  size_t counted = plan_count_at(t, i, &count), at = i + counted, used;
  if (counted && (is_word(t, at, "weeks") || is_word(t, at, "week")))
    return *months = (count + 2) * 3 / 13, 2;
  if (is_word(t, at, "fiscal") || is_word(t, at, "full"))
    at++;
  if ((used = plan_unit_at(t, at, months)) == 0)
    return 0;
  *months *= counted ? count : 1;
  return at + used - i;
}

/* ---- parts of a year ---- */

static enum plan_period quarter_of(long n) {
  return n >= 1 && n <= 4 ? (enum plan_period)(PLAN_Q1 + n - 1) : PLAN_ANY;
}

/* The first part of a compound token: "q2", "2q", "h1", "1h", "9m"; its length, or 0. */
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

/* A whole compound token: "2q25", "q2fy25", "fy25q2", "2025q2", "25q2", "1h25". */
static int glued(const char *s, enum plan_period *period, int *year, enum plan_year_kind *kind) {
  size_t n = glued_part(s, period), digits;
  *year = 0;
  *kind = YEAR_FISCAL;
  if (n == 0 && (s[0] == 'f' || s[0] == 'c') && glued_part(s + 1, period)) { /* "FQ3", "F3Q24", "CQ1" */
    n = (size_t)glued(s + 1, period, year, kind);
    *kind = s[0] == 'c' ? YEAR_CALENDAR : *kind;
    return (int)n;
  }
  if (n && s[n] == '\0')
    return 1;
  if (n) {
    *kind = strncmp(s + n, "cy", 2) == 0 ? YEAR_CALENDAR : YEAR_FISCAL;
    if (*kind == YEAR_CALENDAR || strncmp(s + n, "fy", 2) == 0)
      n += 2;
    *year = short_year(s + n, strlen(s + n));
    return *year >= 2000 + 8 * (s[0] == 'h') || (*year >= 1993 && s[0] != 'h');
  }
  n = strncmp(s, "fy", 2) == 0 || strncmp(s, "cy", 2) == 0 ? 2 : 0;
  *kind = s[0] == 'c' ? YEAR_CALENDAR : YEAR_FISCAL;
  for (digits = 0; isdigit((unsigned char)s[n + digits]); digits++)
    ;
  if (digits != 4 && !(digits == 2 && (n == 2 || s[2] == 'q')))
    return 0;
  *year = short_year(s + n, digits);
  size_t part = *year ? glued_part(s + n + digits, period) : 0;
  return part && s[n + digits + part] == '\0';
}

/* "first", "2nd"; 5 for the last one of a year; 0 for none. */
static int ordinal_of(const char *word) {
  static const char *const ends[] = {"front", "back", NULL}, *const last[] = {"final", "last", NULL};
  int n = number_words_ordinal(slice_str(word));
  return n ? n : plan_word_in(word, last) >= 0 ? 5 : plan_word_in(word, ends) + 1;
}

size_t plan_count_at(const struct plan_text *t, size_t i, int *count) {
  if (i >= t->count)
    return 0;
  int n = cardinal_at(t, i);
  long number = plan_token_number(&t->token[i]);
  *count = n > 0 && n <= 12 ? n : number >= 1 && number <= 53 ? (int)number : 0;
  return *count > 0;
}

/* The n-th period of that many months in a year, PLAN_ANY for none; n is 5 for the last one. */
static enum plan_period stretch_of(int months, int n) {
  int parts = months > 0 ? 12 / months : 0;
  if (n == 5)
    n = months == 3 || months == 6 || months == 12 ? parts : 0;
  if (months == 9 && n == 1)
    return PLAN_9M;
  if (n < 1 || n > parts)
    return PLAN_ANY;
  return months == 3    ? quarter_of(n)
         : months == 6  ? (n == 1 ? PLAN_H1 : PLAN_H2)
         : months == 12 ? PLAN_FY
                        : PLAN_ANY;
}

/* Whether a year follows at i, possibly after "of" or "in". */
static int year_follows(const struct plan_text *t, size_t i) {
  static const char *const between[] = {"of", "in", "the", NULL};
  enum plan_year_kind kind;
  int year;
  while (i < t->count && plan_word_in(t->token[i].fold, between) >= 0)
    i++;
  return plan_year_at(t, i, &year, &kind) > 0;
}

/* Behind the other ordinals of a list, whose unit is that of the last one: "second and third quarters"; else i. */
static size_t behind_ordinals(const struct plan_text *t, size_t i) {
  size_t at = i;
  while (at < t->count) {
    size_t linked = at + (plan_token_is_and(&t->token[at]) || is_word(t, at, "or") || is_word(t, at, "to") ||
                          is_word(t, at, "vs") || is_word(t, at, "versus"));
    if (linked >= t->count || number_words_ordinal(slice_str(t->token[linked].fold)) == 0 ||
        (linked == at && !(t->token[at].gap & (GAP_COMMA | GAP_SLASH | GAP_HYPHEN))))
      break;
    at = linked + 1;
  }
  return at;
}

/* "second quarter", "first fiscal quarter", "first half", "first nine months", "first two quarters",
 * "fourth-quarter"; "last quarter" only before a year: otherwise it means the newest. */
static size_t ordinal_part(const struct plan_text *t, size_t i, enum plan_period *period,
                           enum plan_year_kind *kind) {
  int n = ordinal_of(t->token[i].fold), months;
  size_t at = i + 1, used;
  if (n == 0)
    return 0;
  if (is_word(t, at, "fiscal") || is_word(t, at, "calendar"))
    *kind = is_word(t, at++, "calendar") ? YEAR_CALENDAR : *kind;
  size_t first = at;
  at = behind_ordinals(t, at);
  used = plan_length_at(t, at, &months);
  if (is_word(t, at, "q"))
    used = 1, months = 3;
  if (used == 0 || (is_word(t, i, "last") && !year_follows(t, at + used)))
    return 0;
  if ((used > 1 && n > 1 && n < 5) || ((is_word(t, i, "front") || is_word(t, i, "back")) && months != 6))
    return 0; /* "second three months" */
  *period = stretch_of(months, n);
  return *period == PLAN_FY || *period == PLAN_ANY ? 0 : at > first ? 1 : at + used - i;
}

/* Whether the number at i counts something: "Q2 25 percent", "Q2 10-K"; a year is alone or before a topic. */
static int is_counted(const struct plan_text *t, size_t i) {
  static const char *const counted[] = {PERIOD_WORDS_COUNTED, NULL};
  const struct plan_token *next = i + 1 < t->count ? &t->token[i + 1] : NULL;
  if (t->token[i].gap & ~(unsigned)(GAP_HYPHEN | GAP_SLASH | GAP_BLANK | GAP_APOSTROPHE))
    return 1;
  return next && ((next->gap & (GAP_HYPHEN | GAP_DOT | GAP_PERCENT)) || next->digits ||
                  plan_word_in(next->fold, counted) >= 0);
}

/* "q13", "13q" */
static int is_odd_quarter(const char *fold) {
  size_t digits = strspn(fold + (fold[0] == 'q'), "0123456789");
  return digits > 1 && (fold[0] == 'q' ? fold[1 + digits] == '\0' : strcmp(fold + digits, "q") == 0);
}

/* "half-year report 2024", "semi-annual results". */
static size_t half_year_at(const struct plan_text *t, size_t i) {
  static const char *const reports[] = {"report",   "reports",   "results", "figures",
                                        "earnings", "statement", NULL};
  size_t n = is_word(t, i, "half") && (is_word(t, i + 1, "year") || is_word(t, i + 1, "yearly"))          ? 2
             : is_word(t, i, "semi") && is_word(t, i + 1, "annual") && (t->token[i + 1].gap & GAP_HYPHEN) ? 2
             : is_word(t, i, "semiannual") || is_word(t, i, "halfyear")                                   ? 1
                                                                                                          : 0;
  int beside =
      i + n < t->count && (year_follows(t, i + n) || plan_word_in(t->token[i + n].fold, reports) >= 0);
  return n && beside ? n : 0;
}

size_t plan_period_at(const struct plan_text *t, size_t i, enum plan_period *period, int *year,
                      enum plan_year_kind *kind) {
  int count, months;
  if (i >= t->count)
    return 0;
  *year = 0;
  *kind = YEAR_FISCAL;
  if (is_word(t, i, "calendar") && i + 1 < t->count && glued(t->token[i + 1].fold, period, year, kind))
    return *kind = YEAR_CALENDAR, 2; /* "calendar Q2 2024" */
  if (glued(t->token[i].fold, period, year, kind)) {
    const struct plan_token *next = i + 1 < t->count ? &t->token[i + 1] : NULL;
    if (*year || next == NULL || next->digits != 2 || next->letters || is_counted(t, i + 1))
      return 1;
    *year = short_year(next->fold, next->len); /* "Q2-25", "Q2/25", "Q2 25" */
    return *year ? 2 : 1;
  }
  if (is_odd_quarter(t->token[i].fold) && i + 1 < t->count && year_number(&t->token[i + 1]))
    return *period = PLAN_ANY, 1; /* "Q13 2024" */
  size_t n = ordinal_part(t, i, period, kind);
  if (n)
    return n;
  if ((n = half_year_at(t, i)) != 0)
    return *period = PLAN_H1, n;
  if ((is_word(t, i, "quarter") || is_word(t, i, "q")) && plan_count_at(t, i + 1, &count) && count <= 9 &&
      !(t->token[i + 1].gap & ~(unsigned)(GAP_BLANK | GAP_HYPHEN)))
    return *period = quarter_of(count), 2;
  if (plan_count_at(t, i, &count) && count <= 4 &&
      (is_word(t, i + 1, "quarter") || is_word(t, i + 1, "qtr")) && t->token[i + 1].gap == GAP_BLANK &&
      year_follows(t, i + 2))
    return *period = quarter_of(count), 2; /* "2 quarter 2024" */
  if (plan_count_at(t, i, &count) && (n = plan_length_at(t, i, &months)) != 0 &&
      (months == 9 || (months == 6 && year_follows(t, i + n))))
    return *period = stretch_of(months, 1), n;
  return 0;
}

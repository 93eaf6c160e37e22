#include "query/plan_parts.h"

#include "query/plan_lengths.h"
#include "text/number_words.h"
#include "tables/period_words.h"

#include <ctype.h>

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
    *year = plan_year_short(s + n, strlen(s + n));
    return *year >= 2000 + 8 * (s[0] == 'h') || (*year >= 1993 && s[0] != 'h');
  }
  n = strncmp(s, "fy", 2) == 0 || strncmp(s, "cy", 2) == 0 ? 2 : 0;
  *kind = s[0] == 'c' ? YEAR_CALENDAR : YEAR_FISCAL;
  for (digits = 0; isdigit((unsigned char)s[n + digits]); digits++)
    ;
  if (digits != 4 && !(digits == 2 && (n == 2 || s[2] == 'q')))
    return 0;
  *year = plan_year_short(s + n, digits);
  size_t part = *year ? glued_part(s + n + digits, period) : 0;
  return part && s[n + digits + part] == '\0';
}

/* "first", "2nd"; 5 for the last one of a year; 0 for none. */
static int ordinal_of(const char *word) {
  static const char *const ends[] = {"front", "back", NULL}, *const last[] = {"final", "last", NULL};
  int n = number_words_ordinal(slice_str(word));
  return n ? n : plan_word_in(word, last) >= 0 ? 5 : plan_word_in(word, ends) + 1;
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
    size_t linked =
        at + (plan_token_is_and(&t->token[at]) || plan_text_is(t, at, "or") || plan_text_is(t, at, "to") ||
              plan_text_is(t, at, "vs") || plan_text_is(t, at, "versus"));
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
  if (plan_text_is(t, at, "fiscal") || plan_text_is(t, at, "calendar"))
    *kind = plan_text_is(t, at++, "calendar") ? YEAR_CALENDAR : *kind;
  size_t first = at;
  at = behind_ordinals(t, at);
  used = plan_length_at(t, at, &months);
  if (plan_text_is(t, at, "q"))
    used = 1, months = 3;
  if (used == 0 || (plan_text_is(t, i, "last") && !year_follows(t, at + used)))
    return 0;
  if ((used > 1 && n > 1 && n < 5) ||
      ((plan_text_is(t, i, "front") || plan_text_is(t, i, "back")) && months != 6))
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
  size_t n =
      plan_text_is(t, i, "half") && (plan_text_is(t, i + 1, "year") || plan_text_is(t, i + 1, "yearly")) ? 2
      : plan_text_is(t, i, "semi") && plan_text_is(t, i + 1, "annual") && (t->token[i + 1].gap & GAP_HYPHEN)
          ? 2
      : plan_text_is(t, i, "semiannual") || plan_text_is(t, i, "halfyear") ? 1
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
  if (plan_text_is(t, i, "calendar") && i + 1 < t->count && glued(t->token[i + 1].fold, period, year, kind))
    return *kind = YEAR_CALENDAR, 2; /* "calendar Q2 2024" */
  if (glued(t->token[i].fold, period, year, kind)) {
    const struct plan_token *next = i + 1 < t->count ? &t->token[i + 1] : NULL;
    if (*year || next == NULL || next->digits != 2 || next->letters || is_counted(t, i + 1))
      return 1;
    *year = plan_year_short(next->fold, next->len); /* "Q2-25", "Q2/25", "Q2 25" */
    return *year ? 2 : 1;
  }
  if (is_odd_quarter(t->token[i].fold) && i + 1 < t->count && plan_year_number(&t->token[i + 1]))
    return *period = PLAN_ANY, 1; /* "Q13 2024" */
  size_t n = ordinal_part(t, i, period, kind);
  if (n)
    return n;
  if ((n = half_year_at(t, i)) != 0)
    return *period = PLAN_H1, n;
  if ((plan_text_is(t, i, "quarter") || plan_text_is(t, i, "q")) && plan_count_at(t, i + 1, &count) &&
      count <= 9 && !(t->token[i + 1].gap & ~(unsigned)(GAP_BLANK | GAP_HYPHEN)))
    return *period = quarter_of(count), 2;
  if (plan_count_at(t, i, &count) && count <= 4 &&
      (plan_text_is(t, i + 1, "quarter") || plan_text_is(t, i + 1, "qtr")) &&
      t->token[i + 1].gap == GAP_BLANK && year_follows(t, i + 2))
    return *period = quarter_of(count), 2; /* "2 quarter 2024" */
  if (plan_count_at(t, i, &count) && (n = plan_length_at(t, i, &months)) != 0 &&
      (months == 9 || (months == 6 && year_follows(t, i + n))))
    return *period = stretch_of(months, 1), n;
  return 0;
}

/* periods.c: reads the durations and directions that words give to a number. */
#include "verify/periods.h"
#include "base/day.h"
#include "tables/changes.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

#define MONTHS_TO_DATE (-1) /* since the year's beginning: by the quarter that is named beside it */
#define BEHIND_REACH 20     /* bytes between a number and "more than" */
#define BEFORE_REACH 24     /* bytes between "after" and a number, or a number and "a year earlier" */

static int period_begins_word(struct slice t, size_t i) {
  return !i || !isalnum((unsigned char)t.data[i - 1]);
}

/* Length in months of the period named at i; 0 for none. */
static int months_at(struct slice t, size_t i) {
  static const struct {
    const char *words;
    int months;
  } known[] = {CHANGES_LENGTH};
  if ((t.data[i] == 'Q' || t.data[i] == 'q') && i + 1 < t.len && t.data[i + 1] >= '1' &&
      t.data[i + 1] <= '4' && (i + 2 >= t.len || !isalnum((unsigned char)t.data[i + 2])))
    return 3;
  if (slice_at_nocase(t, i, "year to date") || slice_at_nocase(t, i, "year-to-date"))
    return MONTHS_TO_DATE;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (slice_at_nocase(t, i, known[k].words))
      return known[k].months;
  return 0;
}

static int months_follow(struct slice t, size_t i, const char *const *words) {
  for (int k = 0; words[k]; k++) {
    size_t n = strlen(words[k]);
    if (i >= n && slice_at_nocase(t, i - n, words[k]))
      return 1;
  }
  return 0;
}

/* Whether the length at i is not the number's: "the next 12 months" and "less than three months" are when something
 * falls due, "quarter of fiscal year 2023" names the year of a shorter period. */
static int months_are_other(struct slice t, size_t i) {
  static const char *const due[] = {CHANGES_TERM, NULL};
  static const char *const whole[] = {CHANGES_PART_OF_YEAR, NULL};
  return months_follow(t, i, due) || months_follow(t, i, whole);
}

/* "May 5" or "5/5/2025" at i as 505. */
static int day_at(struct slice t, size_t i) {
  size_t end = i;
  int day = 0;
  if (isdigit((unsigned char)t.data[i])) {
    unsigned m = 0, d = 0, y = 0;
    char date[12];
    snprintf(date, sizeof date, "%.*s", (int)(t.len - i < 11 ? t.len - i : 11), t.data + i);
    return sscanf(date, "%2u/%2u/%4u", &m, &d, &y) == 3 && m && m < 13 && d && d < 32 ? (int)(100 * m + d)
                                                                                      : 0;
  }
  while (end < t.len && isalpha((unsigned char)t.data[end]))
    end++;
  int month = end > i ? day_month_named(t.data + i, end - i) : 0;
  end += month > 0 && end < t.len && t.data[end] == '.'; /* "Jun. 30" */
  while (end < t.len && t.data[end] == ' ')
    end++;
  for (; month && end < t.len && isdigit((unsigned char)t.data[end]) && day < 32; end++)
    day = 10 * day + (t.data[end] - '0');
  return month > 0 && day > 0 && day < 32 ? 100 * month + day : 0;
}

static int quarter_at(struct slice t, size_t i) {
  static const struct {
    const char *words;
    int quarter;
  } known[] = {CHANGES_QUARTER};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (slice_at_nocase(t, i, known[k].words))
      return known[k].quarter;
  int digit = i + 1 < t.len ? t.data[i + 1] - '0' : 0;
  return (t.data[i] == 'Q' || t.data[i] == 'q') && digit >= 1 && digit <= 4 &&
                 (i + 2 >= t.len || !isalnum((unsigned char)t.data[i + 2]))
             ? digit
             : 0;
}

/* What a reader finds nearest to byte `at`, behind it rather than before it by `before`, and behind a comma less by `parted`. */
static int period_near(struct slice text, size_t at, int (*read)(struct slice, size_t), double before,
                       double parted) {
  int nearest_is = 0;
  double nearest = INFINITY;
  for (size_t i = 0; i < text.len; i++) {
    int found = period_begins_word(text, i) ? read(text, i) : 0;
    double off = i <= at ? before * (double)(at - i) : (double)(i - at);
    if (found && i > at && parted > 1 && memchr(text.data + at, ',', i - at))
      off *= parted;
    if (found && off < nearest) {
      nearest = off;
      nearest_is = found;
    }
  }
  return nearest_is;
}

static int months_of_number_at(struct slice t, size_t i) {
  return months_are_other(t, i) ? 0 : months_at(t, i);
}

int period_quarter_near(struct slice text, size_t at) {
  return period_near(text, at, quarter_at, 2, 1);
}

int period_months_near(struct slice text, size_t at) {
  int months = period_near(text, at, months_of_number_at, 2, 1);
  return months == MONTHS_TO_DATE ? 3 * period_quarter_near(text, at) : months;
}

int period_day_near(struct slice text, size_t at) {
  return period_near(text, at, day_at, 1.5, 4);
}

/* Whether the word at i belongs to a phrase that tells of no change: "fall due", "made up". */
static int direction_is_none(struct slice t, size_t i) {
  static const char *const phrases[] = {CHANGES_DUE, NULL};
  for (int k = 0; phrases[k]; k++) {
    const char *second = strchr(phrases[k], ' ');
    size_t off = second ? (size_t)(second + 1 - phrases[k]) : 0;
    if (slice_at_nocase(t, i, phrases[k]) || (off && off <= i && slice_at_nocase(t, i - off, phrases[k])))
      return 1;
  }
  return 0;
}

/* 1 where a word of `up` stands at i, -1 for one of `down`, else 0. */
static int direction_of(struct slice t, size_t i, const char *const *up, const char *const *down) {
  for (; *up; up++)
    if (slice_at_nocase(t, i, *up))
      return 1;
  for (; *down; down++)
    if (slice_at_nocase(t, i, *down))
      return -1;
  return 0;
}

/* "Greater China", "Lower Manhattan": the word is of a name. */
static int direction_is_name(struct slice t, size_t i) {
  size_t next = i;
  while (next < t.len && isalpha((unsigned char)t.data[next]))
    next++;
  return isupper((unsigned char)t.data[i]) && next + 1 < t.len && t.data[next] == ' ' &&
         isupper((unsigned char)t.data[next + 1]) &&
         (next + 2 >= t.len || !isupper((unsigned char)t.data[next + 2]));
}

static int direction_at(struct slice t, size_t i) {
  static const char *const up[] = {CHANGES_RISE, NULL};
  static const char *const down[] = {CHANGES_FALL, NULL};
  return direction_is_none(t, i) || direction_is_name(t, i) ? 0 : direction_of(t, i, up, down);
}

/* "$6 million more than", "9% above". */
static int direction_behind(struct slice t, size_t to) {
  static const char *const up[] = {" more than", " more in", " more for", " higher",
                                   " above ",    " deeper",  NULL};
  static const char *const down[] = {" less than", " less in", " less for", " lower",
                                     " below ",    " fewer",   " smaller",  NULL};
  for (size_t i = to; i < t.len && i < to + BEHIND_REACH; i++) { /* "20 miles a day more than" */
    int direction = direction_of(t, i, up, down);
    if (direction)
      return direction;
    if (!isalpha((unsigned char)t.data[i]) && t.data[i] != ' ')
      break;
  }
  return 0;
}

int period_direction(struct slice text, size_t from, size_t to) {
  static const char *const levels[] = {"to ", "from ", "and ", "but ", "while ", NULL};
  int behind = direction_behind(text, to);
  if (behind)
    return behind;
  for (size_t i = from < text.len ? from : text.len; i-- > 0 && text.data[i] != ';';) {
    if (!period_begins_word(text, i))
      continue;
    for (int k = 0; levels[k]; k++)
      if (slice_at_nocase(text, i, levels[k]))
        return 0;
    int direction = direction_at(text, i);
    if (direction)
      return direction;
  }
  return 0;
}

/* "up 14% from", "grew to $109 billion from": whether what ends at `end` is a number, its unit or a per cent. */
static int period_ends_number(struct slice text, size_t end) {
  static const char *const units[] = {"percent", "points",   "thousand", "million",
                                      "billion", "trillion", NULL};
  if (end > 0 && (text.data[end - 1] == '%' || isdigit((unsigned char)text.data[end - 1])))
    return 1;
  for (int k = 0; units[k]; k++)
    if (end >= strlen(units[k]) && slice_at_nocase(text, end - strlen(units[k]), units[k]))
      return 1;
  return 0;
}

int period_is_range(struct slice text, size_t from) {
  static const char *const ranges[] = {CHANGES_RANGE, NULL};
  size_t end = from, start;
  while (end > 0 && text.data[end - 1] == ' ')
    end--;
  for (start = end; start > 0 && isalpha((unsigned char)text.data[start - 1]); start--)
    ;
  return slice_among_nocase(slice_of(text.data + start, end - start), ranges);
}

int period_is_before(struct slice text, size_t from, size_t to) {
  static const char *const front[] = {"after ",  "up from ",       "down from ",   "against ",
                                      "versus ", "compared with ", "compared to ", NULL};
  static const char *const behind[] = {
      "a year before", "a year earlier", "a year ago",        "the year before",
      "a year prior",  "the prior",      "the previous year", NULL};
  static const char *const links[] = {"of ", "in ", "seen ", NULL};
  for (size_t i = from > BEFORE_REACH ? from - BEFORE_REACH : 0; i < from; i++)
    for (int k = 0; front[k] && period_begins_word(text, i); k++)
      if (slice_at_nocase(text, i, front[k]) && i + strlen(front[k]) + 4 >= from)
        return 1;
  if (from >= 6 && slice_at_nocase(text, from - 6, " from ") && !period_is_range(text, from - 6) &&
      (slice_at_nocase(text, to, " to ") || period_ends_number(text, from - 6)))
    return 1;
  while (to < text.len && (text.data[to] == ' ' || text.data[to] == ','))
    to++;
  for (int k = 0; links[k]; k++)
    if (slice_at_nocase(text, to, links[k])) {
      to += strlen(links[k]);
      break;
    }
  for (int k = 0; behind[k]; k++)
    if (slice_at_nocase(text, to, behind[k]))
      return 1;
  return 0;
}

/* periods.c: reads the periods that a text names, and the directions that words give to a number.
 *
 * Periods are what the rule `told` of data/tables/period_grammar.tsv finds, with the years that the text states; each question asks
 * for the nearest to a number. */
#include "verify/periods.h"
#include "period/period.h"
#include "tables/changes.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define MONTHS_TO_DATE                                                                                       \
  (-1) /* since the year's beginning, of unknown length where no quarter is named beside it */
#define BEHIND_REACH 20 /* bytes between a number and "more than" */
#define BEFORE_REACH 24 /* bytes between "after" and a number, or a number and "a year earlier" */

static int period_begins_word(struct slice t, size_t i) {
  return !i || !isalnum((unsigned char)t.data[i - 1]);
}

/* What a row of the grammar has found. */
static struct period_told period_of_slots(const int slot[SLOTS]) {
  int first = 1, last = 0, part = slot[SLOT_PART];
  if (part)
    period_part_months((enum period_part)part, &first, &last);
  return (struct period_told){.months = slot[SLOT_TO_DATE] ? MONTHS_TO_DATE
                                        : part             ? last - first + 1
                                                           : slot[SLOT_MONTHS],
                              .quarter = part >= PART_Q1 && part <= PART_Q4 ? part - PART_Q1 + 1 : 0,
                              .day = slot[SLOT_DAY] ? 100 * slot[SLOT_MONTH] + slot[SLOT_DAY] : 0,
                              .month = slot[SLOT_MONTH],
                              .year = slot[SLOT_YEAR]};
}

/* Gives a year to the period of which it is a part, "June 30, 2025", or adds it as one of its own. */
static void period_add_year(struct periods *p, const struct stated_year *y) {
  size_t k = p->count;
  while (k > 0 && p->of[k - 1].start > y->start)
    k--;
  struct period_told *last = k ? &p->of[k - 1] : NULL;
  if (last && (y->start < last->end || (last->day && !last->year && y->start <= last->end + strlen(", ")))) {
    last->year = y->year;
    last->end = y->start + 4 > last->end ? y->start + 4 : last->end;
  } else if (p->count < PERIODS_MAX) {
    memmove(p->of + k + 1, p->of + k, (p->count++ - k) * sizeof *p->of);
    p->of[k] = (struct period_told){.start = y->start, .end = y->start + 4, .year = y->year};
  }
}

void periods_read(struct periods *p, struct slice text, const struct stated *stated) {
  struct plan_text tokens;
  struct period_text pieces;
  struct period_range range;
  *p = (struct periods){.text = text};
  plan_text_read(&tokens, text);
  period_text_read(&pieces, &period_grammar, &tokens, NULL);
  for (size_t i = 0; i < tokens.count && p->count < PERIODS_MAX; i++) {
    unsigned row = 0;
    int slot[SLOTS] = {0};
    if (!period_item_at(&pieces, PERIOD_RULE_TOLD, i, 0, &row, &range, slot))
      continue;
    p->of[p->count] = period_of_slots(slot);
    p->of[p->count].start = tokens.token[i].start;
    p->of[p->count].end = tokens.token[range.to - 1].end;
    p->count++;
    i = range.to - 1;
  }
  for (size_t i = 0; stated && i < stated->year_count; i++)
    period_add_year(p, &stated->years[i]);
  for (size_t i = 0, quarter; i < p->count; i++)
    if (p->of[i].months == MONTHS_TO_DATE && (quarter = (size_t)period_quarter_near(p, p->of[i].start)) > 0)
      p->of[i].months = 3 * (int)quarter;
}

/* What the periods tell nearest to byte `at`, in the member at an offset, behind it rather than before it by `before`, and behind a comma
 * less by `parted`. */
static int period_near(const struct periods *p, size_t at, size_t member, double before, double parted) {
  int nearest_is = 0, told;
  double nearest = INFINITY;
  for (const struct period_told *of = p->of; of < p->of + p->count; of++) {
    double off = of->start <= at ? before * (double)(at - of->start) : (double)(of->start - at);
    if (of->start > at && parted > 1 && memchr(p->text.data + at, ',', of->start - at))
      off *= parted;
    memcpy(&told, (const char *)of + member, sizeof told);
    if (told && off < nearest) {
      nearest = off;
      nearest_is = told;
    }
  }
  return nearest_is;
}

int period_months_near(const struct periods *p, size_t at) {
  int months = period_near(p, at, offsetof(struct period_told, months), 2, 1);
  return months == MONTHS_TO_DATE ? 0 : months;
}

int period_quarter_near(const struct periods *p, size_t at) {
  return period_near(p, at, offsetof(struct period_told, quarter), 2, 1);
}

int period_day_near(const struct periods *p, size_t at) {
  return period_near(p, at, offsetof(struct period_told, day), 1.5, 4);
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
  if (from >= 6 && slice_at_nocase(text, from - 6, " from ") &&
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

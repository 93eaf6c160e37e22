/* evidence_lists.c: the lists of a sentence, and which of its numbers is of which entry.
 *
 * Numbers that only commas and "and" part are a list.  A list of as many periods gives each its period, "$5 and $4 in 2009 and 2008"; a list of
 * as many other parts, before "respectively", each its part. */
#include "verify/evidence_lists.h"

#include "base/day.h"
#include "tables/changes.h"
#include "text/number_words.h"
#include "verify/periods.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct evidence_period { /* 0 for what isn't told */
  int months, year;
  int day; /* 100 for each month, and the day */
};

/* "McKesson and Cardinal had 18.0% and 14.1%, respectively": the part of the list that a number belongs to, and the whole
 * list; both empty where there is none. */
struct evidence_respective {
  struct slice part, list;
};

/* Whether only "," and "and" separate two positions in a list. */
static int evidence_is_listed(struct slice text, size_t from, size_t to) {
  static const char *const between[] = {CHANGES_JOINT};
  for (size_t k = 0; from < to && k < sizeof between / sizeof *between; k++)
    if (to - from == strlen(between[k]) && memcmp(text.data + from, between[k], to - from) == 0)
      return 1;
  return 0;
}

/* The number of numbers in the list that ends with the one at `last`. */
static size_t evidence_number_list(const struct stated *s, struct slice text, size_t last) {
  size_t first = last;
  while (first && evidence_is_listed(text, s->numbers[first - 1].end, s->numbers[first].start))
    first--;
  return last - first + 1;
}

static void evidence_list_of(const struct stated *s, struct slice text, size_t at, size_t *first,
                             size_t *count) {
  size_t last = at;
  while (last + 1 < s->number_count &&
         evidence_is_listed(text, s->numbers[last].end, s->numbers[last + 1].start))
    last++;
  *count = evidence_number_list(s, text, last);
  *first = last + 1 - *count;
}

/* ---- lists of periods ---- */

static const char list_word[] = "respectively";

enum { LIST_PERIODS = 8, LIST_LENGTHS = 4, LIST_MAX = 32, LIST_RESPECTIVELY = 24 };

struct period_list {
  size_t start, end, count;
  struct evidence_period of[LIST_PERIODS];
};

static int list_begins_word(struct slice t, size_t i) {
  return !i || !isalnum((unsigned char)t.data[i - 1]);
}

/* The length of the first of `words` that stands at i; 0 for none. */
static size_t list_any_at(struct slice t, size_t i, const char *const *words) {
  for (; *words; words++)
    if (slice_at_nocase(t, i, *words))
      return strlen(*words);
  return 0;
}

static size_t list_joint_at(struct slice t, size_t i) {
  static const char *const joints[] = {CHANGES_JOINT, NULL};
  return list_any_at(t, i, joints);
}

static size_t list_article_at(struct slice t, size_t i) {
  static const char *const words[] = {CHANGES_BEFORE_PERIOD, NULL};
  size_t n = 0;
  for (size_t word; (word = list_any_at(t, i + n, words)) > 0; n += word)
    ;
  return n;
}

static int list_year_at(const struct stated *s, size_t i) {
  for (size_t k = 0; k < s->year_count; k++)
    if (s->years[k].start == i)
      return s->years[k].year;
  return 0;
}

/* A number in words or digits; returns its length. */
static size_t list_cardinal_at(struct slice t, size_t i, int *value) {
  size_t end = i;
  while (end < t.len && isalnum((unsigned char)t.data[end]))
    end++;
  *value = number_words_or_digits(slice_of(t.data + i, end - i));
  return *value > 0 && *value < 60 ? end - i : 0;
}

static int list_months_of(int value, int weeks) {
  return weeks ? (value + 2) * 3 / 13 : value;
}

/* "three and six months ended ", "three- and nine-month periods ended ", "years ended "; fills months[*count].  Returns
 * its length, 0 for none. */
static size_t list_lengths_at(struct slice t, size_t i, int months[LIST_LENGTHS], size_t *count) {
  static const char *const units[] = {"months", "month", "weeks", "week", NULL};
  static const char *const alone[] = {"fiscal years", "years",   "fiscal year", "year",
                                      "quarters",     "quarter", NULL};
  static const char *const ends[] = {CHANGES_BEHIND_LENGTH, NULL};
  size_t at = i, n, unit = 0;
  for (*count = 0; *count < LIST_LENGTHS && (n = list_cardinal_at(t, at, &months[*count])) > 0; at += n) {
    at += n;
    ++*count;
    n = at < t.len && (t.data[at] == '-' || t.data[at] == ' ');
    if ((unit = list_any_at(t, at + n, units)) > 0) {
      for (size_t k = 0; k < *count; k++)
        months[k] = list_months_of(months[k], tolower((unsigned char)t.data[at + n]) == 'w');
      at += n + unit;
      break;
    }
    n = at < t.len && t.data[at] == '-';
    n += list_joint_at(t, at + n);
  }
  if (!unit) {
    at = i + (unit = list_any_at(t, i, alone));
    months[0] = unit && strchr("qQ", t.data[i]) ? 3 : 12;
    *count = unit > 0;
  }
  while (unit && (n = list_any_at(t, at, ends)) > 0)
    at += n;
  return unit ? at - i + (at < t.len && t.data[at] == ' ') : 0;
}

/* "June 30, 2025", "December 31", "2024"; returns its length, 0 for none. */
static size_t list_date_at(const struct stated *s, struct slice t, size_t i, struct evidence_period *p) {
  size_t at = i, day = 0;
  while (at < t.len && isalpha((unsigned char)t.data[at]))
    at++;
  int month = at > i ? day_month_named(t.data + i, at - i) : 0;
  if (at > i && month <= 0)
    return 0;
  *p = (struct evidence_period){0};
  if (month > 0) {
    size_t from = at += at < t.len && t.data[at] == ' ';
    for (; at < t.len && at < from + 2 && isdigit((unsigned char)t.data[at]); at++)
      day = 10 * day + (size_t)(t.data[at] - '0');
    if (!day || day > 31 || list_year_at(s, from))
      at = from;
    else
      p->day = 100 * month + (int)day;
    size_t parted = at + (slice_at_nocase(t, at, ", ") ? 2 : slice_at_nocase(t, at, " ") != 0);
    at = list_year_at(s, parted) ? parted : at;
  }
  p->year = list_year_at(s, at);
  return p->year ? at + 4 - i : p->day ? at - i : 0;
}

/* "June 30, 2025 and 2024", "June 30 and December 31, 2024": what one entry lacks is its neighbor's. */
static size_t list_dates_at(const struct stated *s, struct slice t, size_t i, struct evidence_period *dates,
                            size_t *count) {
  size_t at = i, end = i, n;
  for (*count = 0; *count < LIST_PERIODS && (n = list_date_at(s, t, at, &dates[*count])) > 0; ++*count) {
    end = at + n;
    at = end + (end < t.len && t.data[end] == ',' && list_joint_at(t, end + 1) ? 1 : 0);
    size_t joint = list_joint_at(t, at);
    if (!joint) {
      ++*count;
      break;
    }
    at += joint;
    at += list_article_at(t, at);
  }
  for (size_t k = 1; k < *count; k++)
    dates[k].day = dates[k].day ? dates[k].day : dates[k - 1].day;
  for (size_t k = *count; k-- > 1;)
    dates[k - 1].year = dates[k - 1].year ? dates[k - 1].year : dates[k].year;
  return end - i;
}

static void list_add(struct period_list *l, struct evidence_period p) {
  if (l->count < LIST_PERIODS)
    l->of[l->count++] = p;
}

/* Reads one list of lengths or dates at i into *l, behind what it has; 0 where there is none. */
static int list_part_at(const struct stated *s, struct slice t, size_t i, struct period_list *l) {
  struct evidence_period dates[LIST_PERIODS] = {{0}};
  int months[LIST_LENGTHS] = {0};
  size_t lengths = 0, count = 0, at = i + list_article_at(t, i);
  size_t n = list_lengths_at(t, at, months, &lengths);
  at += n;
  at += list_article_at(t, at);
  size_t dated = list_dates_at(s, t, at, dates, &count);
  if (!dated && lengths < 2)
    return 0;
  l->end = dated ? at + dated : at;
  for (size_t k = 0; k < (lengths ? lengths : 1); k++)
    for (size_t d = 0; d < (count ? count : 1); d++)
      list_add(l, (struct evidence_period){lengths ? months[k] : 0, dates[d].year, dates[d].day});
  return 1;
}

static size_t list_read(const struct stated *s, struct slice t, struct period_list *lists) {
  size_t found = 0;
  for (size_t i = 0; i < t.len && found < LIST_MAX; i++) {
    struct period_list *l = &lists[found];
    *l = (struct period_list){.start = i};
    if (!list_begins_word(t, i) || !list_part_at(s, t, i, l))
      continue;
    for (size_t joint; (joint = list_joint_at(t, l->end)) > 0 && list_part_at(s, t, l->end + joint, l);)
      ;
    i = l->end - 1;
    found++;
  }
  return found;
}

static int list_has(const struct period_list *lists, size_t count, size_t at) {
  for (size_t i = 0; i < count; i++)
    if (at >= lists[i].start && at < lists[i].end)
      return 1;
  return 0;
}

/* Whether a number stands in [from, to), other than the lengths and days of the lists. */
static int list_number_between(const struct stated *s, const struct period_list *lists, size_t count,
                               size_t from, size_t to) {
  for (size_t i = 0; i < s->number_count; i++)
    if (s->numbers[i].start >= from && s->numbers[i].start < to &&
        !list_has(lists, count, s->numbers[i].start))
      return 1;
  return 0;
}

static int list_is_respective(struct slice t, const struct period_list *l) {
  size_t to = l->end + LIST_RESPECTIVELY;
  return slice_holds_nocase(slice_of(t.data + l->end, (to < t.len ? to : t.len) - l->end), list_word);
}

/* The list of as many periods as the numbers at bytes [from, to) that is theirs. */
static const struct period_list *list_of(const struct stated *s, struct slice t,
                                         const struct period_list *lists, size_t count, size_t numbers,
                                         size_t from, size_t to) {
  for (size_t i = 0; i < count; i++)
    if (lists[i].start >= to && lists[i].count == numbers)
      if (!list_number_between(s, lists, count, to, lists[i].start) || list_is_respective(t, &lists[i]))
        return &lists[i];
  for (size_t i = count; i-- > 0;)
    if (lists[i].end <= from && lists[i].count == numbers)
      return &lists[i];
  return NULL;
}

static int list_is_free(const struct evidence_period *of, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (of[k].year || of[k].months || of[k].day)
      return 0;
  return count > 1;
}

/* "A loss of $5 and a gain of $4 in 2009 and 2008, respectively": other words part the numbers, and "respectively" at `at`
 * tells that they are a list: those between it and the periods before it, or the last ones before these. */
static void list_give_respective(const struct stated *s, const struct period_list *lists, size_t count,
                                 size_t at, struct evidence_period *of) {
  const struct period_list *l = NULL;
  size_t end = s->number_count, first;
  for (size_t i = 0; i < count && lists[i].end <= at; i++)
    l = &lists[i];
  if (!l)
    return;
  while (end && s->numbers[end - 1].start >= at)
    end--;
  for (first = end; first && s->numbers[first - 1].start >= l->end; first--)
    ;
  if (first == end) { /* the periods stand right before the word */
    while (end && s->numbers[end - 1].start >= l->start)
      end--;
    first = end > l->count ? end - l->count : 0;
  }
  if (end - first == l->count && list_is_free(of + first, l->count))
    memcpy(of + first, l->of, l->count * sizeof *of);
}

static void evidence_listed_periods(const struct stated *s, struct slice text, struct evidence_period *of) {
  struct period_list lists[LIST_MAX];
  size_t found = list_read(s, text, lists), first, count;
  for (size_t i = 0; found && i < s->number_count; i += count) {
    evidence_list_of(s, text, i, &first, &count);
    while (first < i) { /* a number of a length, "three", may stand before */
      first++;
      count--;
    }
    const struct period_list *l =
        count < 2 ? NULL
                  : list_of(s, text, lists, found, count, s->numbers[i].start, s->numbers[i + count - 1].end);
    for (size_t k = 0; l && k < count; k++)
      of[i + k] = l->of[k];
  }
  for (size_t at = 0; found && at < text.len; at++)
    if (slice_at_nocase(text, at, list_word))
      list_give_respective(s, lists, found, at, of);
}

/* ---- lists of other things than years ---- */

enum { PARTS = 8 };

static int part_is_bound(struct slice word) {
  static const char *const words[] = {CHANGES_PART_BOUND, NULL};
  return slice_among_nocase(word, words);
}

/* The end of a word that begins at i: letters, digits and hyphens. */
static size_t part_word_end(struct slice t, size_t i) {
  while (i < t.len && (isalnum((unsigned char)t.data[i]) ||
                       (i + 1 < t.len && strchr("-&'", t.data[i]) && isalnum((unsigned char)t.data[i + 1]))))
    i++;
  return i;
}

/* The words that end at `end`, back to an article, a preposition or punctuation; how many in *count. */
static struct slice part_before(struct slice t, size_t from, size_t end, size_t *count) {
  size_t start = end;
  *count = 0;
  for (size_t i = end; i > from && t.data[i - 1] != ','; *count += start < end) {
    size_t word = i - (t.data[i - 1] == ' ');
    size_t to = word;
    while (word > from && part_word_end(t, word - 1) >= to && t.data[word - 1] != ' ')
      word--;
    if (word == to || part_is_bound(slice_of(t.data + word, to - word)))
      break;
    start = i = word;
  }
  return slice_of(t.data + start, end - start);
}

/* At most `most` words from i on. */
static struct slice part_behind(struct slice t, size_t i, size_t to, size_t most) {
  size_t end = i;
  for (size_t at = i; most > 0 && at < to; most--, at = end + 1) {
    size_t word = part_word_end(t, at);
    if (word == at || (end > i && part_is_bound(slice_of(t.data + at, word - at))))
      break;
    end = word;
    if (end >= to || t.data[end] != ' ')
      break;
  }
  return slice_of(t.data + i, end - i);
}

/* The list of `count` parts around the " and " at `at`: "A and B", "A, B and C"; 0 where it is no such list, or one of numbers. */
static int part_list_at(struct slice t, size_t from, size_t at, size_t to, size_t count,
                        struct slice *parts) {
  size_t end = at - (at && t.data[at - 1] == ','), behind = at + strlen(" and "), words = 1;
  for (size_t k = count - 1; k-- > 0;) {
    size_t had;
    parts[k] = part_before(t, from, end, &had);
    words = had > words ? had : words;
    end = (size_t)(parts[k].data - t.data);
    if (!had || isdigit((unsigned char)parts[k].data[0]) || (k && (end < from + 2 || t.data[end - 2] != ',')))
      return 0;
    end -= k ? 2 : 0;
  }
  for (const char *the = "the "; slice_at_nocase(t, behind, the); the = "its ")
    behind += 4;
  parts[count - 1] = part_behind(t, behind, to, words);
  return parts[count - 1].len && !isdigit((unsigned char)parts[count - 1].data[0]);
}

/* The last list of `count` parts in [from, to). */
static int part_list(struct slice t, size_t from, size_t to, size_t count, struct slice *parts) {
  for (size_t at = to; at-- > from;)
    if (slice_at_nocase(t, at, " and ") && part_list_at(t, from, at, to, count, parts))
      return 1;
  return 0;
}

/* Gives the numbers [first, first + count), a list before the word at `end`, their parts. */
static void parts_give(const struct stated *s, struct slice text, size_t first, size_t count, size_t end,
                       struct evidence_respective *of) {
  struct slice parts[PARTS];
  if (count < 2 || count > PARTS ||
      (!part_list(text, s->numbers[first + count - 1].end, end, count, parts) &&
       !part_list(text, 0, s->numbers[first].start, count, parts)))
    return;
  const char *to = parts[count - 1].data + parts[count - 1].len;
  for (size_t k = 0; k < count; k++)
    of[first + k] =
        (struct evidence_respective){parts[k], slice_of(parts[0].data, (size_t)(to - parts[0].data))};
}

static void evidence_respective_parts(const struct stated *s, struct slice text,
                                      const struct evidence_period *dated, struct evidence_respective *of) {
  for (size_t at = 0; at < text.len; at++) {
    size_t n = s->number_count, count;
    if (!slice_at_nocase(text, at, list_word))
      continue;
    while (n && s->numbers[n - 1].start > at)
      n--;
    if (!n || dated[n - 1].year || dated[n - 1].months || of[n - 1].list.len)
      continue;
    count = evidence_number_list(s, text, n - 1);
    parts_give(s, text, n - count, count, at, of);
  }
}

static int evidence_part_months(const struct evidence_respective *of) {
  int months = period_months_near(of->part, 0);
  if (months || !(slice_holds_nocase(of->part, "to date") || slice_holds_nocase(of->part, "to-date")))
    return months;
  return 3 * period_quarter_near(of->list, 0);
}

struct evidence_listed *evidence_lists_read(const struct stated *s, struct slice text) {
  size_t count = s->number_count;
  struct evidence_listed *of = xcalloc(count + 1, sizeof *of);
  struct evidence_period *dated = xcalloc(count + 1, sizeof *dated);
  struct evidence_respective *parts = xcalloc(count + 1, sizeof *parts);
  evidence_listed_periods(s, text, dated);
  evidence_respective_parts(s, text, dated, parts);
  for (size_t i = 0; i < count; i++) {
    int months = parts[i].list.len && !dated[i].months ? evidence_part_months(&parts[i]) : 0;
    of[i] = (struct evidence_listed){
        .months = months ? months : dated[i].months, .year = dated[i].year, .day = dated[i].day};
    of[i].part = parts[i].part;
    of[i].list = parts[i].list;
    evidence_list_of(s, text, i, &of[i].first, &of[i].count);
  }
  free(dated);
  free(parts);
  return of;
}

/* numbers_years.c: decides whether digits are a year, and finds the years that a sentence names. */
#include "text/numbers.h"

#include "tables/changes.h"
#include "text/numbers_units.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum {
  NUMBER_BRACKETED = 24,
  NUMBER_PARTED_NEXT = 16,
  NUMBER_OWN_YEAR = 24 /* bytes between a number and its year */
};

/* Whether a comma or semicolon separates a number from a year; one within a date before the year doesn't count. */
static int number_is_parted(struct slice between, int behind) {
  for (size_t i = 0; i < between.len; i++)
    if (between.data[i] == ';' || (between.data[i] == ',' && (!behind || i + 2 < between.len)))
      return 1;
  return 0;
}

/* "To $5 billion from $4 billion in 2024", "to 21.2 hours from 22.7 hours". */
static int number_is_from(struct slice t, size_t i) {
  static const char word[] = " from ";
  size_t n = sizeof word - 1;
  return slice_at_nocase(t, i, word) && i + n < t.len &&
         (isdigit((unsigned char)t.data[i + n]) || t.data[i + n] == '$' || t.data[i + n] == '(' ||
          (t.data[i + n] & 0x80));
}

static int number_is_compared(struct slice between) {
  static const char *const words[] = {"compar", "versus", "against", NULL};
  for (size_t i = 0; i < between.len; i++)
    for (int k = 0; words[k]; k++)
      if (slice_at_nocase(between, i, words[k]) || number_is_from(between, i))
        return 1;
  return 0;
}

/* "2009 over 2008", "more than in 2008", "from the year ended June 30, 2008": what is compared is the other year. */
int numbers_is_base_year(struct slice t, size_t at) {
  static const char *const words[] = {"from", "over", "than", NULL};
  static const char *const between[] = {CHANGES_BEFORE_YEAR, NULL};
  struct slice word = number_word_before(t, at);
  for (int day = 1; word.data > t.data; word = number_word_before(t, at)) {
    if (word.len == 0 && day--) { /* "June 30, " */
      for (at = (size_t)(word.data - t.data); at && strchr(" ,0123456789", t.data[at - 1]);)
        at--;
      if (!number_is_month(number_word_before(t, at))) /* "from $5 in 2008": the amount's own year */
        return 0;
    } else if (word.len && (slice_among_nocase(word, between) || number_is_month(word))) {
      at = (size_t)(word.data - t.data);
    } else {
      break;
    }
  }
  if (slice_is(word, "to") || slice_is(word, "with")) { /* "compared to 2008" */
    word = number_word_before(t, (size_t)(word.data - t.data));
    return slice_is(word, "compared");
  }
  return slice_among_nocase(word, words);
}

/* Whether a bracket opens or closes between a number and a year. */
static int number_is_bracketed(struct slice between) {
  int depth = 0, least = 0;
  for (size_t i = 0; i < between.len; i++) {
    depth += between.data[i] == '(' ? 1 : between.data[i] == ')' ? -1 : 0;
    least = depth < least ? depth : least;
  }
  return depth > 0 || least < 0;
}

/* Whether another number follows a year that stands behind this one. */
static int number_has_next(const struct stated *s, const struct stated_number *n, size_t year) {
  return n + 1 < s->numbers + s->number_count && n[1].start > year && n->end < year;
}

/* Whether a year before a number is the one behind the number before it: "$5 during 2024 and $6 through February 2025". */
static int number_is_of_last(const struct stated *s, struct slice text, const struct stated_number *n,
                             size_t i) {
  const struct stated_number *last = n > s->numbers ? n - 1 : NULL;
  const struct stated_year *year = &s->years[i], *next = i + 1 < s->year_count ? year + 1 : NULL;
  int parted = n + 1 < s->numbers + s->number_count && next && n[1].start < next->start;
  return last && next && !numbers_is_base_year(text, next->start) && year->start > last->end &&
         next->start > n->end && !parted && year->start - last->end <= NUMBER_OWN_YEAR &&
         next->start - n->end <= NUMBER_OWN_YEAR;
}

int numbers_year_of(const struct stated *s, struct slice text, const struct stated_number *n) {
  int year = 0;
  double nearest = INFINITY;
  for (size_t i = 0; i < s->year_count; i++) {
    const struct stated_year *y = &s->years[i];
    int behind = y->start > n->start;
    size_t from = behind ? n->end : y->start, to = behind ? y->start : n->start;
    struct slice between = slice_of(text.data + from, to > from ? to - from : 0);
    int other = (behind && number_is_compared(between)) ||
                ((s->year_count > 1 || (behind && slice_holds_nocase(between, " than "))) &&
                 numbers_is_base_year(text, y->start));
    int next = behind && number_has_next(s, n, y->start); /* "2022 sales were $5, 2023 sales $6" */
    double off = (behind ? 1 : 2) * (double)between.len *
                 (!number_is_parted(between, behind) ? 1
                  : next                             ? NUMBER_PARTED_NEXT
                                                     : 4);
    if (other && s->year_count == 1)
      continue;
    off *= !behind && number_is_of_last(s, text, n, i) ? 8 : 1;
    off *= (other ? 8 : 1) * (s->year_count > 1 && number_is_bracketed(between) ? NUMBER_BRACKETED : 1);
    off *= !behind && slice_holds_nocase(between, "respectively") ? NUMBER_BRACKETED : 1;
    if (off < nearest) {
      nearest = off;
      year = y->year;
    }
  }
  return year;
}

/* evidence_lists.c: matches the k-th number of a list with the k-th entry of another, "respectively". */
#include "verify/evidence_lists.h"

#include "tables/changes.h"
#include "verify/periods.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

void evidence_list_of(const struct stated *s, struct slice text, size_t at, size_t *first, size_t *count) {
  size_t last = at;
  while (last + 1 < s->number_count &&
         evidence_is_listed(text, s->numbers[last].end, s->numbers[last + 1].start))
    last++;
  *count = evidence_number_list(s, text, last);
  *first = last + 1 - *count;
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

void evidence_respective_parts(const struct stated *s, struct slice text, const struct evidence_period *dated,
                               struct evidence_respective *of) {
  static const char word[] = "respectively";
  for (size_t at = 0; at + sizeof word <= text.len; at++) {
    size_t n = s->number_count, count;
    if (!slice_at_nocase(text, at, word))
      continue;
    while (n && s->numbers[n - 1].start > at)
      n--;
    if (!n || dated[n - 1].year || dated[n - 1].months || of[n - 1].list.len)
      continue;
    count = evidence_number_list(s, text, n - 1);
    parts_give(s, text, n - count, count, at, of);
  }
}

int evidence_part_months(const struct evidence_respective *of) {
  int months = period_months_near(of->part, 0);
  if (months || !(slice_holds_nocase(of->part, "to date") || slice_holds_nocase(of->part, "to-date")))
    return months;
  return 3 * period_quarter_near(of->list, 0);
}

/* evidence_lists.c: the lists of a sentence, and which of its numbers is of which entry.
 *
 * Numbers that only commas and "and" part are a list.  A list of as many periods gives each its period, "$5 and $4 in 2009 and 2008"; a list of
 * as many other parts, before "respectively", each its part. */
#include "verify/evidence_lists.h"

#include "tables/changes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_ENTRIES = 8, LISTS_MAX = 16 };

static const char list_word[] = "respectively";

/* Entries that stand side by side: bytes [start, end). */
struct list {
  size_t start, end, count;
  struct period_told of[LIST_ENTRIES];
  struct slice part[LIST_ENTRIES]; /* of a list of other things than periods */
};

/* The length of what parts two entries at i, " and ", or 0. */
static size_t list_joint_at(struct slice t, size_t i) {
  static const char *const joints[] = {CHANGES_JOINT, NULL};
  for (int k = 0; joints[k]; k++)
    if (slice_at_nocase(t, i, joints[k]))
      return strlen(joints[k]);
  return 0;
}

static void list_of_numbers(const struct stated *s, struct slice t, size_t at, struct evidence_listed *of) {
  size_t first = at, last = at;
  const struct stated_number *n = s->numbers;
  while (first && n[first - 1].end + list_joint_at(t, n[first - 1].end) == n[first].start)
    first--;
  while (last + 1 < s->number_count && n[last].end + list_joint_at(t, n[last].end) == n[last + 1].start)
    last++;
  of->first = first;
  of->count = last + 1 - first;
}

/* ---- lists of periods ---- */

/* Whether only words that join periods stand between two, "ended", "and in the". */
static int list_is_joined(struct slice between) {
  static const char *const words[] = {CHANGES_PERIOD_JOINT, NULL};
  for (size_t i = 0, from; i < between.len; i++) {
    for (from = i; i < between.len && isalnum((unsigned char)between.data[i]); i++)
      ;
    if ((i > from && !slice_among_nocase(slice_of(between.data + from, i - from), words)) ||
        (i < between.len && !strchr(" ,-", between.data[i])))
      return 0;
  }
  return 1;
}

/* Appends each of the lengths [at, dates) in each of the dates [dates, end); what a date lacks is its neighbor's. */
static void list_add(struct list *l, const struct periods *p, size_t at, size_t dates, size_t end) {
  struct period_told date[PERIODS_MAX + 1] = {{0}};
  size_t count = end - dates;
  memcpy(date, p->of + dates, count * sizeof *date);
  for (size_t k = 1; k < count; k++)
    date[k].day = date[k].day ? date[k].day : date[k - 1].day;
  for (size_t k = count; k-- > 1;)
    date[k - 1].year = date[k - 1].year ? date[k - 1].year : date[k].year;
  for (size_t m = at; m < dates || m == at; m++)
    for (size_t d = 0; (d < count || d == 0) && l->count < LIST_ENTRIES; d++) {
      l->of[l->count] = date[d];
      l->of[l->count++].months = dates > at ? p->of[m].months : date[d].months;
    }
}

static int list_is_length(const struct period_told *p) {
  return !p->day && !p->year;
}

/* Reads the list that begins with period k; the index of the period behind it. */
static size_t list_of_periods(const struct periods *p, size_t k, struct list *l) {
  const struct period_told *of = p->of;
  size_t end = k + 1;
  while (end < p->count &&
         list_is_joined(slice_of(p->text.data + of[end - 1].end, of[end].start - of[end - 1].end)))
    end++;
  *l = (struct list){.start = of[k].start, .end = of[end - 1].end};
  for (size_t dates = k, next; k < end; k = dates = next) {
    while (dates < end && list_is_length(&of[dates]))
      dates++;
    for (next = dates; next < end && !list_is_length(&of[next]); next++)
      ;
    list_add(l, p, k, dates, next);
  }
  return end;
}

/* ---- lists of other things ---- */

static int part_is_bound(struct slice word) {
  static const char *const words[] = {CHANGES_PART_BOUND, NULL};
  return isdigit((unsigned char)word.data[0]) || slice_among_nocase(word, words);
}

/* The end of a word that begins at i: letters, digits and hyphens. */
static size_t part_word_end(struct slice t, size_t i) {
  while (i < t.len && (isalnum((unsigned char)t.data[i]) ||
                       (i + 1 < t.len && strchr("-&'", t.data[i]) && isalnum((unsigned char)t.data[i + 1]))))
    i++;
  return i;
}

/* Reads the last list of `count` parts in a text, "A, B and C": words without an article or a preposition, of the last part
 * no more than of the longest other one.  Returns 0 for none. */
static int list_of_parts(struct slice t, size_t count, struct list *l) {
  struct slice part[LIST_ENTRIES];
  size_t have = 0, start = 0, words = 0, most = 0; /* words of the longest part */
  int last = 0;                                    /* the part that begins at `start` is behind "and" */
  for (size_t i = 0, end; i <= t.len; i = end) {
    size_t joint = list_joint_at(t, i);
    end = part_word_end(t, i);
    if (end > i && !(last && words == most) && !part_is_bound(slice_of(t.data + i, end - i))) {
      start = words++ ? start : i;
      continue;
    }
    end = joint ? i + joint : end > i ? end : i + 1;
    if ((i < t.len && t.data[i] == ' ' && !joint) || (last && !words))
      continue;
    if (have == count)
      memmove(part, part + 1, --have * sizeof *part);
    if (words)
      part[have++] = slice_trimmed(slice_of(t.data + start, i - start));
    if (!joint && last && have == count) {
      memcpy(l->part, part, sizeof part);
      l->count = count;
    }
    most = !joint ? 0 : words > most ? words : most;
    have = joint ? have : 0;
    last = joint && memchr(t.data + i, 'n', joint);
    words = 0;
  }
  return l->count != 0;
}

/* ---- numbers and lists ---- */

/* Gives the numbers from `of` on the entries of a list, unless they have some. */
static void list_give(const struct list *l, struct evidence_listed *of) {
  const struct slice *last = &l->part[l->count - 1];
  for (size_t k = 0; k < l->count; k++)
    if (of[k].of.end || of[k].list.len)
      return;
  for (size_t k = 0; k < l->count; k++) {
    of[k].of = l->of[k];
    of[k].part = l->part[k];
    of[k].list =
        slice_of(l->part[0].data, last->len ? (size_t)(last->data + last->len - l->part[0].data) : 0);
  }
}

/* The list of as many periods as the numbers [first, last] that is theirs: behind them, or else before. */
static const struct list *list_beside(const struct stated *s, const struct list *lists, size_t count,
                                      size_t first, size_t last) {
  size_t from = s->numbers[first].start, to = s->numbers[last].end;
  const struct list *before = NULL;
  for (const struct list *l = lists; l < lists + count; l++) {
    if (l->count != last - first + 1)
      continue;
    if (l->start >= to)
      return l;
    before = l->end <= from ? l : before;
  }
  return before;
}

/* "McKesson and Cardinal had 18.0% and 14.1%, respectively": gives the last numbers before the word at `at` their parts. */
static void list_parts_give(const struct stated *s, struct slice t, size_t at, struct evidence_listed *of) {
  struct list l = {.count = 0};
  size_t n = s->number_count;
  while (n && s->numbers[n - 1].start > at)
    n--;
  size_t count = n ? of[n - 1].count : 0, first = n ? of[n - 1].first : 0,
         behind = n ? s->numbers[n - 1].end : 0;
  if (count > 1 && count <= LIST_ENTRIES &&
      (list_of_parts(slice_of(t.data + behind, at - behind), count, &l) ||
       list_of_parts(slice_of(t.data, s->numbers[first].start), count, &l)))
    list_give(&l, of + first);
}

struct evidence_listed *evidence_lists_read(const struct stated *s, const struct periods *p) {
  struct evidence_listed *of = xcalloc(s->number_count + 1, sizeof *of);
  struct slice text = p->text;
  struct list lists[LISTS_MAX];
  size_t count = 0;
  for (size_t i = 0; i < s->number_count; i++)
    list_of_numbers(s, text, i, &of[i]);
  for (size_t k = 0; k < p->count && count < LISTS_MAX;)
    k = list_of_periods(p, k, &lists[count++]);
  for (size_t i = 0; i < s->number_count; i = of[i].first + of[i].count) {
    const struct list *l = of[i].count > 1 ? list_beside(s, lists, count, i, i + of[i].count - 1) : NULL;
    if (l)
      list_give(l, of + i);
  }
  for (size_t at = 0; at < text.len; at++)
    if (slice_at_nocase(text, at, list_word))
      list_parts_give(s, text, at, of);
  for (size_t i = 0; i < s->number_count; i++) {
    struct period_told *told = &of[i].of;
    size_t at = s->numbers[i].start;
    told->months = told->months > 0 ? told->months : period_months_near(p, at);
    told->day = told->day ? told->day : period_day_near(p, at);
    told->quarter = period_quarter_near(p, at);
  }
  return of;
}

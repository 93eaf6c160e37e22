/* evidence_prose.c: reads the numbers of a sentence as items of the evidence, and which of them is of which entry of its lists.
 *
 * Numbers that only commas and "and" part are a list.  A list of as many periods gives each its period, "$5 and $4 in 2009 and 2008"; a list of
 * as many other parts, before "respectively", each its part. */
#include "verify/evidence_prose.h"

#include "tables/changes.h"
#include "verify/evidence_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

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

/* ---- sentences ---- */

enum { EVIDENCE_FEW = 1 };

struct evidence_item *evidence_push(struct evidence *e) {
  if ((e->count & (e->count - 1)) == 0)
    e->items = xreallocarray(e->items, e->count ? 2 * e->count : 1, sizeof *e->items);
  struct evidence_item *item = &e->items[e->count++];
  memset(item, 0, sizeof *item);
  item->scale.caption = item->scale.shares = 1;
  return item;
}

/* Whether a number stands alone behind the label of a form's field: "- **Aggregate market value:** 11588537.76". */
static int evidence_is_field(struct slice label, struct slice printed) {
  size_t at = (size_t)(printed.data - label.data), end = at + printed.len;
  return slice_begins_nocase(label, "- **") && end == label.len && at > 4 &&
         memcmp(printed.data - 4, ":** ", 4) == 0;
}

/* `in` is the text that the number's offsets refer to. */
void evidence_take(struct evidence *e, const struct stated_number *n, struct slice in, struct slice label,
                   const struct evidence_words *words, const struct concept_word *concept, int mark,
                   int year) {
  struct evidence_item *item = evidence_push(e);
  item->printed = slice_of(in.data + n->start, n->end - n->start);
  item->value = n->value;
  item->last = n->last;
  item->field = evidence_is_field(label, item->printed);
  item->percent = n->percent || (item->field && slice_holds_nocase(label, "percent"));
  item->points = n->points;
  item->currency = n->currency;
  item->label = label;
  item->words = *words;
  item->concept = concept;
  item->mark = mark;
  item->row = e->rows;
  item->when.year = year;
}

/* Length of a separator between two numbers' words at i: punctuation, except the comma of a date, or a word like
 * "and"; 0 for none. */
static size_t evidence_part_at(struct slice t, size_t i) {
  static const char *const words[] = {CHANGES_CLAUSE};
  if (strchr(":;", t.data[i]) ||
      (t.data[i] == ',' && !(i + 2 < t.len && isdigit((unsigned char)t.data[i + 2]))))
    return 1;
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (i + strlen(words[k]) <= t.len && memcmp(t.data + i, words[k], strlen(words[k])) == 0)
      return strlen(words[k]);
  return 0;
}

/* Whether only "and", "or" or "to" joins two numbers: they have one subject and one predicate. */
static int evidence_is_joined(struct slice between) {
  static const char *const words[] = {"and", "or", "to", NULL};
  while (between.len && !isalpha((unsigned char)between.data[0]) && !strchr(";:)", between.data[0]))
    between = slice_of(between.data + 1, between.len - 1);
  while (between.len && strchr(" $(", between.data[between.len - 1]))
    between.len--;
  return between.len == 0 || slice_among_nocase(between, words);
}

/* Finds a number's own words: before it, those after the last separator since the previous number, which ends at
 * `from`; where it has none, those before the `first` one; after it, those up to the first separator before the next
 * number, or the end of the sentence, at `to`. */
static void evidence_take_local(const struct evidence *e, struct evidence_item *item, struct slice text,
                                size_t first, size_t from, const struct stated_number *n, size_t to) {
  enum { LOCAL = 100 };
  size_t start = n->start > from + LOCAL ? n->start - LOCAL : from, end = n->end;
  for (size_t i = start; i < n->start; i++)
    if (evidence_part_at(text, i))
      start = i + 1;
  start = start < n->start ? start : n->start; /* a sign or a bracket may be the number's before, too */
  while (start > from && start < n->start && isalpha((unsigned char)text.data[start]) &&
         isalpha((unsigned char)text.data[start - 1]))
    start++;
  while (end < to && !evidence_part_at(text, end))
    end++;
  item->prose.front = slice_of(text.data + start, n->start - start);
  item->prose.behind = slice_of(text.data + n->end, end - n->end);
  evidence_words_add(e, &item->prose.local, item->prose.front);
  int joined = evidence_is_joined(item->prose.front) || (n->start && text.data[n->start - 1] == '(');
  if (from && item[-1].row == item->row && joined) { /* "$2 before tax and $3 after it" */
    item->prose.subject = item[-1].prose.subject;
    evidence_words_add(e, &item->prose.local, item->prose.subject);
  } else {
    item->prose.subject = item->prose.front;
  }
  evidence_words_add(e, &item->prose.local, item->prose.behind);
  if (item->prose.local.count <
      EVIDENCE_FEW) /* "decreased 3% to $5": the subject stands before the first number */
    evidence_words_add(e, &item->prose.local, slice_of(text.data, first));
}

/* Where the words behind a number end: "82% to 93% of cases" share theirs. */
static size_t evidence_local_end(const struct stated *s, struct slice text, size_t i) {
  while (i + 1 < s->number_count) {
    size_t from = s->numbers[i].end, to = s->numbers[i + 1].start;
    if (to <= from || !evidence_is_joined(slice_of(text.data + from, to - from)))
      return to;
    i++;
  }
  return text.len;
}

/* "Increased $5, from $10 to $15, or 50%": what is put in other words has the direction of the first number. */
static int evidence_direction_of(const struct stated *s, struct slice text, const struct stated_number *n) {
  int direction = n->change ? n->change : period_direction(text, n->start, n->end);
  int other = n->start >= 5 && slice_at_nocase(text, n->start - 5, ", or ");
  const struct stated_number *first = s->numbers;
  return direction || !other || !n->percent ? direction : period_direction(text, first->start, first->end);
}

/* "From $3.9 billion to $10.1 billion between 2022 and 2024": the year for either end; 0 where not stated. */
static int evidence_year_of_ends(const struct stated *s, struct slice text, const struct stated_number *n) {
  const struct stated_number *a = n, *end = s->numbers + s->number_count;
  int first = s->year_count == 2 ? s->years[0].year : 0, last = first ? s->years[1].year : 0;
  if (!first || first == last)
    return 0;
  if (a > s->numbers && a[-1].end + 4 == a->start && slice_at_nocase(text, a[-1].end, " to "))
    a--;
  if (a->start < 5 || !slice_at_nocase(text, a->start - 5, "from ") || a + 1 >= end ||
      a[1].start != a->end + 4 || !slice_at_nocase(text, a->end, " to "))
    return 0;
  return (n == a) == (first < last) ? first : last;
}

int evidence_year_of(const struct stated *s, struct slice text, const struct stated_number *n,
                     int direction) {
  static const char *const compared[] = {"compared", "versus", " against ", NULL};
  int year = evidence_year_of_ends(s, text, n);
  if (year)
    return year;
  year = numbers_year_of(s, text, n);
  if (!direction || s->year_count != 2 || year != s->years[1].year || s->years[1].year >= s->years[0].year)
    return year;
  if (numbers_is_base_year(text, s->years[1].start))
    return s->years[0].year;
  for (int k = 0; compared[k]; k++)
    if (slice_holds_nocase(slice_of(text.data, s->years[1].start), compared[k]) &&
        n->start > s->years[1].start)
      return s->years[0].year;
  return year;
}

/* Takes the part of a list that a number belongs to for the number's own words; those of the other parts aren't. */
static void evidence_take_part(const struct evidence *e, struct evidence_item *item,
                               const struct evidence_listed *of) {
  struct evidence_words own;
  if (!of->list.len)
    return;
  evidence_words_of(e, &own, of->part);
  evidence_words_of(e, &item->prose.others, of->list);
  item->prose.others = evidence_words_without(&item->prose.others, &own);
  item->words = evidence_words_without(&item->words, &item->prose.others);
  item->prose.local = evidence_words_without(&item->prose.local, &item->prose.others);
  evidence_words_add(e, &item->prose.local, of->part);
}

void evidence_sentence(struct evidence *e, int mark, struct slice text) {
  struct stated s;
  struct evidence_words words;
  numbers_read(&s, text, 1);
  if ((e->text_count & (e->text_count - 1)) == 0)
    e->texts = xreallocarray(e->texts, e->text_count ? 2 * e->text_count : 1, sizeof *e->texts);
  e->texts[e->text_count++] = (struct evidence_text){.text = text, .mark = mark};
  e->rows++;
  if (!s.number_count) {
    numbers_release(&s);
    return;
  }
  evidence_words_of(e, &words, text);
  const struct concept_word *concept = evidence_concept(e, text);
  struct periods periods;
  periods_read(&periods, text, &s);
  struct evidence_listed *lists = evidence_lists_read(&s, &periods);
  for (size_t i = 0, from = 0; i < s.number_count; i++) {
    const struct stated_number *n = &s.numbers[i];
    int direction = evidence_direction_of(&s, text, n);
    evidence_take(e, n, text, text, &words, concept, mark,
                  lists[i].of.year ? lists[i].of.year : evidence_year_of(&s, text, n, direction));
    struct evidence_item *item = &e->items[e->count - 1];
    item->when.months = lists[i].of.months;
    item->when.day = lists[i].of.day;
    item->direction = direction;
    item->shares = n->shares;
    evidence_take_local(e, item, text, s.numbers[0].start, from, n, evidence_local_end(&s, text, i));
    evidence_take_part(e, item, &lists[i]);
    item->prose.list = lists[i].count;
    item->prose.first = lists[i].first;
    item->prose.place = i - lists[i].first;
    from = n->end;
  }
  evidence_count_line(&e->all, &words);
  free(lists);
  numbers_release(&s);
}

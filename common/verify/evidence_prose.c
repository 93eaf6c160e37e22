/* evidence_prose.c: reads the numbers of a sentence as items of the evidence. */
#include "verify/evidence_prose.h"

#include "tables/changes.h"
#include "verify/evidence_lists.h"
#include "verify/evidence_words.h"
#include "verify/periods.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
    if (evidence_part_at(text, i)) {
      start = i + 1;
      item->prose.parted = 1;
    }
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

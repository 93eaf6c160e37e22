/* statement_segments.c: finds the parts of a figure in a document, and which of them add up to it. */
#include "facts/statement_lines.h"

#include "facts/member.h"
#include "tables/statement_marks.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

enum { SEGMENT_AXES = 3, SEGMENT_HEADING_MAX = 65536 };

/* Whether a fact belongs to one of a word's concepts, or to the concept itself. */
static int segment_is_asked(const struct statement_request *ask, const struct concept_word *word,
                            struct slice name) {
  struct slice local = fact_name_local(name, NULL), one;
  struct slice list = word ? word->alternatives : slice_str(ask->word);
  while (concept_list_next(&list, ',', &one))
    if (slice_eq(one, local) || slice_eq(one, name))
      return 1;
  return 0;
}

/* What the parts below one heading share: their axis, or their first axes and members and their last axis. */
static struct slice segment_axis(struct slice segment) {
  const char *equal = segment.len ? memrchr(segment.data, '=', segment.len) : NULL;
  return slice_of(segment.data, equal ? (size_t)(equal - segment.data) : segment.len);
}

/* An existing line for the same part. */
static int segment_is_there(const struct statement *s, struct slice segment) {
  for (size_t i = 0; i < s->count; i++)
    if (slice_eq(s->lines[i].segment, segment))
      return 1;
  return 0;
}

/* "By region"; "Streaming, by region" for the last of several axes. */
static char *segment_heading(struct slice axis) {
  static const struct { const char *axis, *name; } known[] = {STATEMENT_MARKS_AXIS};
  struct slice rest = axis, own = axis, one;
  struct buf whole;
  char *name = NULL;
  buf_init(&whole, SEGMENT_HEADING_MAX);
  while (concept_list_next(&rest, ';', &one)) {
    own = one;
    if (!rest.len)
      break;
    char *part = member_name(one);
    buf_printf(&whole, "%s, ", part);
    free(part);
  }
  for (size_t i = 0; i < sizeof known / sizeof *known && !name; i++)
    name = slice_is(own, known[i].axis) ? xstrdup(known[i].name) : NULL;
  name = name ? name : member_name(own);
  buf_printf(&whole, "%c%s", whole.len ? tolower((unsigned char)name[0]) : name[0], *name ? name + 1 : "");
  free(name);
  name = xstrndup(whole.data, whole.len);
  buf_release(&whole);
  return name;
}

/* ---- the parts in a document ---- */

struct segment_reader {
  struct statement *s;
  const struct statement_request *ask;
  const struct inline_document *d;
  const struct fact *filing;
  struct slice *parts; /* parallel to the document's facts: "axis=member", several of them, or empty */
};

static struct fact_company *segment_keeper(const struct segment_reader *r) {
  return (struct fact_company *)(uintptr_t)r->ask->company;
}

static int segment_same_axes(struct slice a, struct slice b) {
  return member_is_crossed(a) && member_is_crossed(b) &&
         slice_eq(segment_axis(member_side(a, 0)), segment_axis(member_side(b, 0))) &&
         slice_eq(segment_axis(member_side(a, 1)), segment_axis(member_side(b, 1)));
}

/* How many members the first or second axis of two has among the facts. */
static size_t segment_count_members(const struct segment_reader *r, struct slice crossed, int second) {
  size_t count = 0;
  for (size_t i = 0; i < r->d->fact_count; i++) {
    int is_new = segment_same_axes(r->parts[i], crossed);
    for (size_t k = 0; k < i && is_new; k++)
      is_new = !segment_same_axes(r->parts[k], crossed) ||
               !slice_eq(member_side(r->parts[k], second), member_side(r->parts[i], second));
    count += (size_t)is_new;
  }
  return count;
}

/* Of two axes the one with more members varies below a heading, the other stands in it. */
static void segment_turn(struct segment_reader *r, struct slice axes) {
  if (segment_count_members(r, axes, 0) <= segment_count_members(r, axes, 1))
    return;
  for (size_t i = r->d->fact_count; i-- > 0;) {
    struct slice part = r->parts[i];
    if (!segment_same_axes(part, axes))
      continue;
    struct slice first = member_side(part, 0), second = member_side(part, 1);
    char *turned = xformat("%.*s; %.*s", (int)second.len, second.data, (int)first.len, first.data);
    r->parts[i] = fact_company_keep(segment_keeper(r), slice_str(turned));
    free(turned);
  }
}

static void segment_find_parts(struct segment_reader *r) {
  const struct concept_word *word = concept_word_find(r->ask->table, slice_str(r->ask->word));
  struct slice axis = {NULL, 0};
  r->parts = xcalloc(r->d->fact_count + 1, sizeof *r->parts);
  for (size_t i = 0; i < r->d->fact_count; i++)
    if (segment_is_asked(r->ask, word, r->d->facts[i].name))
      r->parts[i] = member_key(r->d->facts[i].context->members, SEGMENT_AXES);
  for (size_t i = 0; i < r->d->fact_count && !axis.len; i++)
    if (!member_is_crossed(r->parts[i]) && slice_holds_nocase(r->parts[i], "SegmentsAxis="))
      axis = segment_axis(r->parts[i]);
  /* What segments sell to each other is a line of theirs. */
  for (size_t i = 0; i < r->d->fact_count && axis.len; i++) {
    struct slice eliminated = member_elimination(r->d->facts[i].context->members);
    if (!eliminated.len || !segment_is_asked(r->ask, word, r->d->facts[i].name))
      continue;
    char *part = xformat("%.*s=%.*s", (int)axis.len, axis.data, (int)eliminated.len, eliminated.data);
    r->parts[i] = fact_company_keep(segment_keeper(r), slice_str(part));
    free(part);
  }
  for (size_t i = 0; i < r->d->fact_count; i++) {
    int is_first = member_is_crossed(r->parts[i]);
    for (size_t k = 0; k < i && is_first; k++)
      is_first = !segment_same_axes(r->parts[k], r->parts[i]);
    if (is_first)
      segment_turn(r, r->parts[i]);
  }
}

/* The label of a fact's row, where it names the part: not the figure's own name, nor another line's. */
static char *segment_label(const struct segment_reader *r, size_t fact) {
  const struct inline_document *d = r->d;
  const struct inline_fact *f = &d->facts[fact];
  struct slice label = f->row == INLINE_NO_ROW ? slice_of(NULL, 0) : d->rows[f->row].label;
  int is_own = label.len > 0 && concept_distance(label, f->name) > 0.5;
  for (size_t i = 0; i < r->s->count; i++)
    is_own &= !slice_eq(slice_str(r->s->lines[i].column.measure.label), label);
  for (size_t i = 0; i < d->fact_count; i++) { /* the label is shared by several parts */
    const struct inline_fact *o = &d->facts[i];
    if (o->row != INLINE_NO_ROW && o->context->members.len && slice_eq(d->rows[o->row].label, label) &&
        slice_eq(o->name, f->name) && !slice_eq(r->parts[i], r->parts[fact]))
      is_own = 0;
  }
  return is_own ? xstrndup(label.data, label.len) : member_name(r->parts[fact]);
}

static struct statement_line *segment_add_line(const struct segment_reader *r, struct slice segment,
                                               char *label) {
  struct statement_line *l = statement_line_add(r->s);
  l->segment = segment;
  l->column.measure.company = r->ask->company;
  l->column.measure.label = label;
  l->column.measure.asked = xstrdup(r->ask->word);
  l->column.splits = r->ask->splits;
  return l;
}

static void segment_add(const struct segment_reader *r, size_t fact) {
  const struct inline_fact *f = &r->d->facts[fact];
  struct statement_line *l = segment_add_line(r, r->parts[fact], segment_label(r, fact));
  statement_line_name(l, f, segment_keeper(r));
  l->column.measure.unit = xstrndup(l->own.unit.data, l->own.unit.len);
  for (size_t i = 0; i < r->d->fact_count; i++) {
    if (!slice_eq(r->d->facts[i].name, f->name) || !slice_eq(r->parts[i], r->parts[fact]))
      continue;
    struct fact one = statement_line_fact(&r->d->facts[i], r->filing, segment_keeper(r));
    int seen = 0;
    for (size_t k = 0; k < l->own.count; k++)
      seen |= l->own.facts[k].start == one.start && l->own.facts[k].end == one.end;
    if (!seen)
      fact_series_add(&l->own, &one);
  }
}

static void segment_add_all(const struct segment_reader *r, size_t from) {
  struct slice axis = segment_axis(r->parts[from]);
  struct statement_line *heading = segment_add_line(r, axis, segment_heading(axis));
  heading->heading = 1;
  heading->crossed = member_is_crossed(axis);
  for (size_t i = from; i < r->d->fact_count; i++)
    if (slice_eq(segment_axis(r->parts[i]), axis) && !segment_is_there(r->s, r->parts[i]))
      segment_add(r, i);
}

static int segment_is_new_axis(const struct segment_reader *r, size_t fact) {
  for (size_t i = 0; i < fact; i++)
    if (r->parts[i].len && slice_eq(segment_axis(r->parts[i]), segment_axis(r->parts[fact])))
      return 0;
  return 1;
}

int statement_lines_segments(struct statement *s, const struct statement_request *ask,
                             const struct inline_document *d, const struct fact *filing) {
  struct segment_reader r = {.s = s, .ask = ask, .d = d, .filing = filing};
  segment_find_parts(&r);
  for (int crossed = 0; crossed < 2; crossed++)
    for (size_t i = 0; i < d->fact_count; i++)
      if (r.parts[i].len && member_is_crossed(r.parts[i]) == crossed && segment_is_new_axis(&r, i))
        segment_add_all(&r, i);
  for (size_t i = 0; i < s->count; i++)
    if (!s->lines[i].heading)
      statement_line_fill(&s->lines[i], ask, 0);
  free(r.parts);
  s->from_filing = 1;
  return s->count ? 0 : -1;
}

enum {
  SUMS_TEXT_MAX = 65536,
  SUMS_OPEN_MOST = 64,
  SUMS_NAMED_MOST = 4,
  SUMS_STEPS_LEAST = 100,
  SUMS_STEPS_SURE = 10000
};

/* Adds up the lines below the headings of a breakdown.  A whole is a line's number, or the number of lines for the
 * figure itself. */
struct sums_reader {
  struct statement *s;
  struct measure figure;
  size_t open[SUMS_OPEN_MOST], open_count; /* lines that are in no sum yet */
  struct buf notes;
};

static int sums_value(const struct sums_reader *r, size_t whole, size_t column, struct decimal *value) {
  if (whole < r->s->count)
    return statement_value(r->s, &r->s->lines[whole], column, value) == 0;
  const struct fact_row *row = fact_rows_find(&r->figure.rows, r->s->keys[column]);
  if (row)
    *value = row->number;
  return row != NULL;
}

/* One unit of the last digit that is not zero. */
static int64_t sums_step(struct decimal value) {
  int64_t step = 1;
  for (; value.units && value.units % 10 == 0 && step < 1000000000; value.units /= 10)
    step *= 10;
  return step;
}

static int64_t sums_size(struct decimal value) {
  return value.units < 0 ? -value.units : value.units;
}

/* Whether the last `count` open lines add up to a whole in a column: 2 where they do to the last of many digits, 1 where
 * they do but for rounding, 0, or -1 where one of them has no value there. */
static int sums_equal_in(const struct sums_reader *r, size_t count, size_t whole, size_t column) {
  struct decimal sum = {0, 0}, one, value;
  int64_t step;
  if (!sums_value(r, whole, column, &value))
    return -1;
  step = sums_step(value);
  for (size_t i = r->open_count - count; i < r->open_count; i++) {
    if (!sums_value(r, r->open[i], column, &one))
      return -1;
    if (decimal_add(sum, one, &sum))
      return 0;
    step = one.units && sums_step(one) < step ? sums_step(one) : step;
  }
  if (decimal_subtract(sum, value, &sum) || sums_size(value) / step < SUMS_STEPS_LEAST)
    return 0;
  if (sum.units == 0 && sums_size(value) / step >= SUMS_STEPS_SURE)
    return 2;
  return sums_size(sum) <= step * (int64_t)count / 2;
}

/* In the newest column surely, since parts come and go, or in all. */
static int sums_equal(const struct sums_reader *r, size_t count, size_t whole) {
  int equal = 0;
  if (count >= 2 && sums_equal_in(r, count, whole, 0) == 2)
    return 1;
  for (size_t column = 0; column < r->s->key_count; column++) {
    int here = sums_equal_in(r, count, whole, column);
    if (here == 0)
      return 0;
    equal |= here > 0;
  }
  return count >= 2 && equal;
}

static int sums_is_open(const struct sums_reader *r, size_t line) {
  for (size_t i = 0; i < r->open_count; i++)
    if (r->open[i] == line)
      return 1;
  return 0;
}

/* What all open lines add up to: the figure, or another line above the one at `end`; the number of lines plus one for
 * nothing. */
static size_t sums_whole(const struct sums_reader *r, size_t end) {
  if (sums_equal(r, r->open_count, r->s->count))
    return r->s->count;
  for (size_t i = end; i-- > 0;)
    if (!r->s->lines[i].heading && !sums_is_open(r, i) && sums_equal(r, r->open_count, i))
      return i;
  return r->s->count + 1;
}

/* Of lines that add up in some columns and not in others: where they do, " in FY2024". */
static void sums_note_where(struct sums_reader *r, size_t count, size_t whole) {
  size_t other = 0;
  for (size_t column = 0; column < r->s->key_count; column++)
    other += sums_equal_in(r, count, whole, column) == 0;
  for (size_t column = 0, said = 0; other && column < r->s->key_count; column++) {
    const struct statement_line *l = &r->s->lines[r->open[r->open_count - 1]];
    const struct fact_row *row = statement_row(r->s, l, column);
    if (!row || sums_equal_in(r, count, whole, column) <= 0)
      continue;
    buf_printf(&r->notes, "%s%s%s%d", said ? ", " : " in ", row->fiscal_period,
               strcmp(row->fiscal_period, "FY") == 0 ? "" : " ", row->fiscal_year);
    said++;
  }
}

static void sums_note(struct sums_reader *r, size_t count, size_t whole) {
  const struct statement_line *lines = r->s->lines;
  const size_t *open = r->open + r->open_count - count;
  buf_add_str(&r->notes, "sum: ");
  for (size_t i = 0; i < count && count <= SUMS_NAMED_MOST; i++)
    buf_printf(&r->notes, "%s%s", i ? " + " : "", lines[open[i]].column.measure.label);
  if (count > SUMS_NAMED_MOST)
    buf_printf(&r->notes, "%s to %s (%zu lines)", lines[open[0]].column.measure.label,
               lines[open[count - 1]].column.measure.label, count);
  buf_printf(&r->notes, " = %s", whole < r->s->count ? lines[whole].column.measure.label : r->figure.label);
  sums_note_where(r, count, whole);
  buf_add_char(&r->notes, '\n');
}

/* Takes the lines above that a line is the total of. */
static void sums_take_parts(struct sums_reader *r, size_t line) {
  for (size_t k = 2; k <= r->open_count; k++)
    if (sums_equal(r, k, line)) {
      sums_note(r, k, line);
      r->open_count -= k;
      return;
    }
}

/* Adds up the lines below a heading; returns the number of the next heading. */
static size_t sums_group(struct sums_reader *r, size_t heading) {
  struct statement *s = r->s;
  size_t line = heading + 1, found = 0;
  r->open_count = 0;
  for (; line < s->count && !s->lines[line].heading; line++) {
    sums_take_parts(r, line);
    if (r->open_count == SUMS_OPEN_MOST)
      continue;
    r->open[r->open_count++] = line;
    int more = line + 1 < s->count && !s->lines[line + 1].heading;
    size_t whole = more && sums_equal(r, r->open_count, line + 1) ? s->count + 1 : sums_whole(r, line);
    if (whole > s->count)
      continue;
    sums_note(r, r->open_count, whole);
    r->open_count = 0;
    found++;
    s->lines[line].apart = more;
  }
  for (size_t i = heading; i < line && !found && s->lines[heading].crossed; i++)
    s->lines[i].dropped = 1;
  return line;
}

void statement_segment_sums(struct statement *s, const struct statement_request *ask) {
  struct measure_context x = {ask->table, ask->company, slice_of(NULL, 0), ask->choice};
  struct sums_reader r = {.s = s};
  buf_init(&r.notes, SUMS_TEXT_MAX);
  if (measure_make(&r.figure, &x, slice_str(ask->word), NULL) == 0)
    for (size_t line = 0; line < s->count;)
      line = sums_group(&r, line);
  if (r.notes.len)
    s->sums = xstrndup(r.notes.data, r.notes.len);
  measure_release(&r.figure);
  buf_release(&r.notes);
}

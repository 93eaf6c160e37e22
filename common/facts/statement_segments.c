#include "facts/member.h"
#include "facts/statement_line.h"

#include "tables/statement_marks.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

/* Whether a fact belongs to one of a word's concepts, or to the concept itself. */
static int segment_is_asked(const struct statement_request *ask, const struct concept_word *word,
                            struct slice name) {
  const char *colon = memchr(name.data, ':', name.len);
  struct slice local = colon ? slice_of(colon + 1, name.len - (size_t)(colon + 1 - name.data)) : name, one;
  struct slice list = word ? word->alternatives : slice_str(ask->word);
  while (concept_list_next(&list, ',', &one))
    if (slice_eq(one, local) || slice_eq(one, name))
      return 1;
  return 0;
}

/* What the parts below one heading share: their axis, or their first axis and member and their second axis. */
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

/* "By region"; "Streaming, by region" for the second of two axes. */
static char *segment_heading(struct slice axis) {
  static const struct { const char *axis, *name; } known[] = {STATEMENT_MARKS_AXIS};
  const char *stop = member_is_crossed(axis) ? memchr(axis.data, ';', axis.len) : NULL;
  struct slice own = axis;
  if (stop)
    own = slice_of(stop + 2, axis.len - (size_t)(stop + 2 - axis.data));
  char *name = NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known && !name; i++)
    name = slice_is(own, known[i].axis) ? xstrdup(known[i].name) : NULL;
  if (!name)
    name = member_name(own);
  if (!stop)
    return name;
  char *part = member_name(slice_of(axis.data, (size_t)(stop - axis.data)));
  struct buf text;
  buf_init(&text, 4096);
  buf_printf(&text, "%s, %c%s", part, tolower((unsigned char)name[0]), name + 1);
  free(part);
  free(name);
  name = xstrndup(text.data, text.len);
  buf_release(&text);
  return name;
}

/* ---- the parts in a document ---- */

struct segment_reader {
  struct statement *s;
  const struct statement_request *ask;
  const struct inline_document *d;
  const struct fact *filing;
  struct slice
      *parts; /* parallel to the document's facts: "axis=member", "axis=member; axis=member" or empty */
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
  struct buf text;
  if (segment_count_members(r, axes, 0) <= segment_count_members(r, axes, 1))
    return;
  buf_init(&text, 65536);
  for (size_t i = r->d->fact_count; i-- > 0;) {
    struct slice part = r->parts[i];
    if (!segment_same_axes(part, axes))
      continue;
    struct slice first = member_side(part, 0), second = member_side(part, 1);
    buf_clear(&text);
    buf_printf(&text, "%.*s; %.*s", (int)second.len, second.data, (int)first.len, first.data);
    r->parts[i] = fact_company_keep(segment_keeper(r), buf_slice(&text));
  }
  buf_release(&text);
}

static void segment_find_parts(struct segment_reader *r) {
  const struct concept_word *word = concept_word_find(r->ask->table, slice_str(r->ask->word));
  r->parts = xcalloc(r->d->fact_count + 1, sizeof *r->parts);
  for (size_t i = 0; i < r->d->fact_count; i++)
    if (segment_is_asked(r->ask, word, r->d->facts[i].name))
      r->parts[i] = member_key(r->d->facts[i].context->members);
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

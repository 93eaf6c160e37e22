#include "facts/statement_line.h"

#include <stdlib.h>

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
  struct buf why;
  buf_init(&why, SUMS_TEXT_MAX);
  buf_init(&r.notes, SUMS_TEXT_MAX);
  if (measure_make(&r.figure, &x, slice_str(ask->word), &why) == 0)
    for (size_t line = 0; line < s->count;)
      line = sums_group(&r, line);
  if (r.notes.len)
    s->sums = xstrndup(r.notes.data, r.notes.len);
  measure_release(&r.figure);
  buf_release(&r.notes);
  buf_release(&why);
}

#include "facts/statement_line.h"

#include "tables/page_words.h"
#include "tables/statement_marks.h"

#include <ctype.h>
#include <stdlib.h>

enum { STATEMENT_ROWS_LEAST = 5 };

/* Concepts that identify a statement: a table must report one of each group. */
static const struct {
  const char *which;
  const char *groups[2][7];
} statement_marks[] = {
    {"income", {{STATEMENT_MARKS_INCOME_RESULT, NULL}, {STATEMENT_MARKS_INCOME_SHARE, NULL}}},
    {"balance", {{STATEMENT_MARKS_BALANCE_ASSETS, NULL}, {STATEMENT_MARKS_BALANCE_SUM, NULL}}},
    {"cash", {{STATEMENT_MARKS_CASH_OPERATING, NULL}, {STATEMENT_MARKS_CASH_FINANCING, NULL}}}};

static size_t statement_mark_of(const char *which) {
  size_t i = 0;
  while (i < 2 && strcmp(statement_marks[i].which, which) != 0)
    i++;
  return i;
}

static int statement_is_mark(struct slice name, const char *const *group) {
  for (; *group; group++)
    if (slice_is(name, *group))
      return 1;
  return 0;
}

/* Counts a table's facts; has tells which marks it has. */
static size_t statement_table_score(const struct inline_document *d, size_t table, size_t mark, int has[2]) {
  size_t count = 0;
  has[0] = has[1] = 0;
  for (size_t i = 0; i < d->fact_count; i++) {
    const struct inline_fact *f = &d->facts[i];
    if (f->hidden || f->row == INLINE_NO_ROW || d->rows[f->row].table != table)
      continue;
    count++;
    for (int g = 0; g < 2; g++)
      has[g] |= !f->context->members.len && statement_is_mark(f->name, statement_marks[mark].groups[g]);
  }
  return count;
}

/* A statement's tables: one, or two where a page break splits it. */
struct statement_tables {
  size_t first, second; /* 0 for none */
};

static struct statement_tables statement_find_tables(const struct inline_document *d, size_t mark) {
  struct statement_tables best = {0, 0}, parted = {0, 0};
  size_t most = STATEMENT_ROWS_LEAST, last = 0, upper = 0;
  for (size_t i = 0; i < d->fact_count; i++) {
    const struct inline_fact *f = &d->facts[i];
    if (f->row == INLINE_NO_ROW || d->rows[f->row].table == last)
      continue;
    int has[2];
    last = d->rows[f->row].table;
    size_t score = statement_table_score(d, last, mark, has);
    if (has[0] && has[1] && score > most) {
      most = score;
      best.first = last;
    } else if (has[0] && !has[1] && score > STATEMENT_ROWS_LEAST) {
      upper = last;
    } else if (has[1] && upper && last - upper <= 2 && !parted.first) {
      parted = (struct statement_tables){upper, last};
    }
  }
  return best.first ? best : parted;
}

/* Makes a series of the facts in a row that are similar to its first one. */
static void statement_own_series(struct statement_line *l, const struct inline_document *d, size_t row,
                                 const struct inline_fact *first, const struct fact *filing,
                                 struct fact_company *keep) {
  int against = 0;
  for (size_t i = (size_t)(first - d->facts); i < d->fact_count && d->facts[i].row == row; i++) {
    const struct inline_fact *f = &d->facts[i];
    if (!slice_eq(f->name, first->name) || !slice_eq(f->context->members, first->context->members))
      continue;
    struct fact fact = statement_line_fact(f, filing, keep);
    fact_series_add(&l->own, &fact);
    if (f->number.units)
      against += f->shown_negative != (f->number.units < 0) ? 1 : -1;
  }
  l->negated = against > 0;
}

/* Whether a balance in a statement of flows is the opening one: its first value is as of the day before the
 * document's main span. */
static int statement_is_opening(const struct inline_document *d, size_t table,
                                const struct inline_fact *first) {
  for (size_t i = 0; i < d->fact_count; i++) {
    const struct inline_fact *f = &d->facts[i];
    if (f->row != INLINE_NO_ROW && d->rows[f->row].table == table && f->context->start != DAY_NONE)
      return abs(f->context->start - 1 - first->context->end) <= 6;
  }
  return 0;
}

/* The main fact of a row: the first one beside its label, not inside it. */
static const struct inline_fact *statement_first(const struct inline_document *d, size_t from, size_t row) {
  for (size_t i = from; i < d->fact_count && d->facts[i].row == row; i++)
    if (!d->facts[i].in_label)
      return &d->facts[i];
  return NULL;
}

/* Rows above the first figures that name the columns' periods. */
static int statement_is_column_head(const struct statement *s, struct slice label) {
  static const char *const words[] = {PAGE_WORDS_COLUMN_HEAD};
  for (size_t i = 0; i < s->count; i++)
    if (!s->lines[i].heading)
      return 0;
  for (size_t i = 0; label.len && i < sizeof words / sizeof *words; i++)
    if (memmem(label.data, label.len, words[i], strlen(words[i])))
      return 1;
  return 0;
}

/* A row that repeats the unit, as on the second page of a statement. */
static int statement_is_caption(struct slice label) {
  static const char *const words[] = {PAGE_WORDS_UNIT_CAPTION};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(label.data, words[i]))
      return 1;
  return 0;
}

/* Whether the facts of a row are all in its label: "Shares issued: 2,284,546,988". */
static int statement_is_label_only(const struct inline_document *d, size_t from, size_t row) {
  return from < d->fact_count && d->facts[from].row == row && !statement_first(d, from, row);
}

/* Whether a label goes on in the row below: "1,113,174,759 and" before "1,113,018,733 issued". */
static int statement_goes_on(struct slice label) {
  static const char *const ends[] = {",", " and", " or", " of", " par value"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    size_t n = strlen(ends[i]);
    if (label.len > n && memcmp(label.data + label.len - n, ends[i], n) == 0)
      return 1;
  }
  return 0;
}

/* A row's label behind what the row above has of it. */
static char *statement_label(struct slice above, struct slice label) {
  struct buf text;
  buf_init(&text, 65536);
  if (above.len)
    buf_printf(&text, "%.*s ", (int)above.len, above.data);
  buf_add_slice(&text, label);
  char *whole = text.data ? xstrndup(text.data, text.len) : xstrdup("");
  buf_release(&text);
  return whole;
}

static void statement_read_row(struct statement *s, const struct statement_request *ask,
                               const struct inline_document *d, size_t row, struct slice above,
                               const struct inline_fact *first, const struct fact *filing) {
  struct slice label = d->rows[row].label;
  struct fact_company *keep = (struct fact_company *)(uintptr_t)ask->company;
  if (!first && (label.len == 0 || statement_is_column_head(s, label) || statement_is_caption(label)))
    return;
  struct statement_line *l = statement_line_add(s);
  struct measure *m = &l->column.measure;
  m->company = ask->company;
  m->label = statement_label(above, label);
  m->asked = xstrdup(ask->which);
  l->column.splits = ask->splits;
  l->heading = first == NULL;
  if (!first)
    return;
  statement_line_name(l, first, keep);
  statement_own_series(l, d, row, first, filing, keep);
  m->unit = xstrndup(l->own.unit.data, l->own.unit.len);
  if (first->context->start == DAY_NONE && strcmp(ask->which, "balance") != 0)
    l->shift = statement_is_opening(d, d->rows[row].table, first);
}

int statement_lines_read(struct statement *s, const struct statement_request *ask,
                         const struct inline_document *d, const struct fact *filing) {
  struct statement_tables tables = statement_find_tables(d, statement_mark_of(ask->which));
  size_t fact = 0;
  struct slice above = {NULL, 0};
  if (!tables.first)
    return -1;
  for (size_t row = 0; row < d->row_count; row++) {
    if (d->rows[row].table != tables.first && d->rows[row].table != tables.second)
      continue;
    while (fact < d->fact_count && (d->facts[fact].row == INLINE_NO_ROW || d->facts[fact].row < row))
      fact++;
    int label_only = statement_is_label_only(d, fact, row);
    if (!label_only)
      statement_read_row(s, ask, d, row, above, statement_first(d, fact, row), filing);
    above = label_only && statement_goes_on(d->rows[row].label) ? d->rows[row].label : slice_of(NULL, 0);
  }
  for (size_t i = 0; i < s->count; i++)
    if (!s->lines[i].heading)
      statement_line_fill(&s->lines[i], ask,
                          memchr(s->lines[i].own.concept.data, '[', s->lines[i].own.concept.len) == NULL);
  statement_add_former(s, ask);
  s->from_filing = 1;
  return 0;
}

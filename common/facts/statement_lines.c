#include "facts/statement.h"

#include "base/paths.h"
#include "tables/page_words.h"
#include "tables/statement_marks.h"

#include <ctype.h>
#include <stdlib.h>

#define STATEMENT_FILE_MAX ((size_t)1 << 20)
enum { STATEMENT_ROWS_LEAST = 5, STATEMENT_WHY_MAX = 65536 };

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

static struct statement_line *statement_add(struct statement *s) {
  if ((s->count & (s->count - 1)) == 0)
    s->lines = xreallocarray(s->lines, s->count ? 2 * s->count : 1, sizeof *s->lines);
  struct statement_line *l = &s->lines[s->count++];
  memset(l, 0, sizeof *l);
  buf_init(&l->column.measure.notes, 4096);
  return l;
}

static struct fact statement_fact(const struct inline_fact *f, const struct fact *filing,
                                  struct fact_company *keep) {
  char digits[DECIMAL_TEXT];
  struct fact fact = *filing;
  fact.start = f->context->start;
  fact.end = f->context->end;
  fact.number = f->number;
  fact.exact = 1;
  fact.months = (int16_t)day_months(fact.start, fact.end);
  fact.value = fact_company_keep(keep, slice_str(decimal_write(f->number, digits)));
  return fact;
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
    struct fact fact = statement_fact(f, filing, keep);
    fact_series_add(&l->own, &fact);
    if (f->number.units)
      against += f->shown_negative != (f->number.units < 0) ? 1 : -1;
  }
  l->negated = against > 0;
}

static void statement_name_series(struct statement_line *l, const struct inline_fact *f,
                                  struct fact_company *keep) {
  const char *colon = memchr(f->name.data, ':', f->name.len);
  size_t n = colon ? (size_t)(colon - f->name.data) : 0;
  struct slice concept = colon ? slice_of(colon + 1, f->name.len - n - 1) : f->name;
  struct buf name;
  buf_init(&name, 65536);
  buf_add_slice(&name, concept);
  if (f->context->members.len)
    buf_printf(&name, " [%.*s]", (int)f->context->members.len, f->context->members.data);
  l->own.taxonomy = fact_company_keep(keep, slice_of(f->name.data, n));
  l->own.concept = fact_company_keep(keep, buf_slice(&name));
  l->own.label = l->own.concept;
  l->own.unit = fact_company_keep(keep, f->unit);
  buf_release(&name);
}

/* Adds the company's rows of a line's concept, then those of the document for missing periods. */
static void statement_fill(struct statement_line *l, const struct statement_request *ask, int whole_company) {
  struct measure *m = &l->column.measure;
  struct fact_rows own;
  const struct fact_series *s =
      whole_company ? fact_company_find(ask->company, l->own.concept, l->own.unit) : NULL;
  if (s)
    fact_rows_of(&m->rows, ask->company, s, &ask->choice);
  fact_rows_of(&own, ask->company, &l->own, &ask->choice);
  for (size_t i = 0; i < own.count; i++)
    if (!fact_rows_find(&m->rows, fact_row_key(&own.rows[i])))
      fact_rows_add(&m->rows, &own.rows[i]);
  fact_rows_release(&own);
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

static void statement_read_row(struct statement *s, const struct statement_request *ask,
                               const struct inline_document *d, size_t row, const struct inline_fact *first,
                               const struct fact *filing) {
  struct slice label = d->rows[row].label;
  struct fact_company *keep = (struct fact_company *)(uintptr_t)ask->company;
  if (!first && (label.len == 0 || statement_is_column_head(s, label)))
    return;
  struct statement_line *l = statement_add(s);
  struct measure *m = &l->column.measure;
  m->company = ask->company;
  m->label = xstrndup(label.data, label.len);
  m->asked = xstrdup(ask->which);
  l->column.splits = ask->splits;
  l->heading = first == NULL;
  if (!first)
    return;
  statement_name_series(l, first, keep);
  statement_own_series(l, d, row, first, filing, keep);
  m->unit = xstrndup(l->own.unit.data, l->own.unit.len);
  if (first->context->start == DAY_NONE && strcmp(ask->which, "balance") != 0)
    l->shift = statement_is_opening(d, d->rows[row].table, first);
}

int statement_lines_read(struct statement *s, const struct statement_request *ask,
                         const struct inline_document *d, const struct fact *filing) {
  struct statement_tables tables = statement_find_tables(d, statement_mark_of(ask->which));
  size_t fact = 0;
  if (!tables.first)
    return -1;
  for (size_t row = 0; row < d->row_count; row++) {
    if (d->rows[row].table != tables.first && d->rows[row].table != tables.second)
      continue;
    while (fact < d->fact_count && (d->facts[fact].row == INLINE_NO_ROW || d->facts[fact].row < row))
      fact++;
    statement_read_row(s, ask, d, row, statement_first(d, fact, row), filing);
  }
  for (size_t i = 0; i < s->count; i++)
    if (!s->lines[i].heading)
      statement_fill(&s->lines[i], ask,
                     memchr(s->lines[i].own.concept.data, '[', s->lines[i].own.concept.len) == NULL);
  statement_add_former(s, ask);
  s->from_filing = 1;
  return 0;
}

/* ---- breakdown of a figure ---- */

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

/* The single axis and member of a fact's part; empty where there are several.  "Before consolidation" is not a part. */
static struct slice statement_lines_segment_of(struct slice members) {
  struct slice found = {NULL, 0}, one;
  while (concept_list_next(&members, ';', &one)) {
    if (memmem(one.data, one.len, "ConsolidationItemsAxis=", 23))
      continue;
    if (found.len)
      return slice_of(NULL, 0);
    found = one;
  }
  return found;
}

static struct slice segment_axis(struct slice segment) {
  const char *equal = segment.len ? memchr(segment.data, '=', segment.len) : NULL;
  return slice_of(segment.data, equal ? (size_t)(equal - segment.data) : segment.len);
}

/* An existing line for the same part. */
static int segment_is_there(const struct statement *s, struct slice segment) {
  for (size_t i = 0; i < s->count; i++)
    if (slice_eq(s->lines[i].segment, segment))
      return 1;
  return 0;
}

/* Whether a name goes on with a word that filings print in small letters: "RestOfAsiaPacific". */
static int segment_joins(struct slice rest) {
  static const char *const words[] = {"Of", "And", "The", "In", "For", "To", "Or"};
  size_t n = 1;
  while (n < rest.len && islower((unsigned char)rest.data[n]))
    n++;
  for (size_t i = 0; n < rest.len && i < sizeof words / sizeof *words; i++)
    if (slice_is(slice_of(rest.data, n), words[i]))
      return 1;
  return 0;
}

/* The words of a member's or axis' name: "aapl:GreaterChinaSegmentMember" is "Greater China". */
static char *segment_name(struct slice segment) {
  struct buf name;
  buf_init(&name, 4096);
  for (const char *at;
       (at = memchr(segment.data, '=', segment.len)) || (at = memchr(segment.data, ':', segment.len));)
    segment = slice_of(at + 1, segment.len - (size_t)(at + 1 - segment.data));
  static const char *const ends[] = {"Member", "Segment", "Axis"};
  for (size_t i = 0; i < 3; i++) {
    size_t n = strlen(ends[i]);
    if (segment.len > n && memcmp(segment.data + segment.len - n, ends[i], n) == 0)
      segment.len -= n;
  }
  for (size_t i = 0; i < segment.len; i++) {
    int begins = i && isupper((unsigned char)segment.data[i]) && islower((unsigned char)segment.data[i - 1]);
    if (begins)
      buf_add_char(&name, ' ');
    begins = begins && segment_joins(slice_of(segment.data + i, segment.len - i));
    buf_add_char(&name, begins ? (char)tolower((unsigned char)segment.data[i]) : segment.data[i]);
  }
  buf_add_str(&name, "");
  return name.data ? name.data : xstrdup("");
}

/* The label of a fact's row, where it names the part: not the figure's own name, nor another line's. */
static char *segment_label(const struct statement *s, const struct inline_document *d,
                           const struct inline_fact *f, struct slice segment) {
  struct slice label = f->row == INLINE_NO_ROW ? slice_of(NULL, 0) : d->rows[f->row].label;
  int is_own = label.len > 0 && concept_distance(label, f->name) > 0.5;
  for (size_t i = 0; i < s->count; i++)
    is_own &= !slice_eq(slice_str(s->lines[i].column.measure.label), label);
  for (size_t i = 0; i < d->fact_count; i++) { /* the label is shared by several parts */
    const struct inline_fact *o = &d->facts[i];
    if (o->row != INLINE_NO_ROW && o->context->members.len && slice_eq(d->rows[o->row].label, label) &&
        slice_eq(o->name, f->name) && !slice_eq(statement_lines_segment_of(o->context->members), segment))
      is_own = 0;
  }
  return is_own ? xstrndup(label.data, label.len) : segment_name(segment);
}

static void segment_add(struct statement *s, const struct statement_request *ask,
                        const struct inline_document *d, const struct inline_fact *f,
                        const struct fact *filing) {
  struct fact_company *keep = (struct fact_company *)(uintptr_t)ask->company;
  struct slice segment = statement_lines_segment_of(f->context->members);
  char *label = segment_label(s, d, f, segment);
  struct statement_line *l = statement_add(s);
  l->segment = segment;
  l->column.measure.company = ask->company;
  l->column.measure.label = label;
  l->column.measure.asked = xstrdup(ask->word);
  l->column.splits = ask->splits;
  statement_name_series(l, f, keep);
  l->column.measure.unit = xstrndup(l->own.unit.data, l->own.unit.len);
  for (size_t i = 0; i < d->fact_count; i++)
    if (slice_eq(d->facts[i].name, f->name) &&
        slice_eq(statement_lines_segment_of(d->facts[i].context->members), segment)) {
      struct fact fact = statement_fact(&d->facts[i], filing, keep);
      int seen = 0;
      for (size_t k = 0; k < l->own.count; k++)
        seen |= l->own.facts[k].start == fact.start && l->own.facts[k].end == fact.end;
      if (!seen)
        fact_series_add(&l->own, &fact);
    }
}

static void segment_add_axis(struct statement *s, const struct statement_request *ask, struct slice axis) {
  struct statement_line *l = statement_add(s);
  l->column.measure.company = ask->company;
  l->column.measure.label = segment_name(axis);
  l->column.measure.asked = xstrdup(ask->word);
  l->column.splits = ask->splits;
  l->heading = 1;
}

static int segment_is_new_axis(const struct inline_document *d, size_t until, struct slice axis) {
  for (size_t i = 0; i < until; i++)
    if (slice_eq(segment_axis(statement_lines_segment_of(d->facts[i].context->members)), axis))
      return 0;
  return 1;
}

static void segment_add_all(struct statement *s, const struct statement_request *ask,
                            const struct inline_document *d, size_t from, struct slice axis,
                            const struct fact *filing) {
  const struct concept_word *word = concept_word_find(ask->table, slice_str(ask->word));
  size_t before = s->count;
  segment_add_axis(s, ask, axis);
  for (size_t i = from; i < d->fact_count; i++) {
    struct slice segment = statement_lines_segment_of(d->facts[i].context->members);
    if (segment.len && slice_eq(segment_axis(segment), axis) &&
        segment_is_asked(ask, word, d->facts[i].name) && !segment_is_there(s, segment))
      segment_add(s, ask, d, &d->facts[i], filing);
  }
  if (s->count == before + 1) { /* nothing below the heading */
    measure_release(&s->lines[before].column.measure);
    s->count--;
  }
}

int statement_lines_segments(struct statement *s, const struct statement_request *ask,
                             const struct inline_document *d, const struct fact *filing) {
  for (size_t i = 0; i < d->fact_count; i++) {
    struct slice axis = segment_axis(statement_lines_segment_of(d->facts[i].context->members));
    if (axis.len && segment_is_new_axis(d, i, axis))
      segment_add_all(s, ask, d, i, axis, filing);
  }
  for (size_t i = 0; i < s->count; i++)
    if (!s->lines[i].heading)
      statement_fill(&s->lines[i], ask, 0);
  s->from_filing = 1;
  return s->count ? 0 : -1;
}

/* ---- standard lines ---- */

/* The next line of data/statements.tsv: statement, label, word. */
static int statement_next(struct slice *rest, struct slice fields[3]) {
  struct slice line;
  while (concept_list_next(rest, '\n', &line)) {
    size_t n = 0;
    while (line.data[0] != '#' && n < 3 && concept_list_next(&line, '\t', &fields[n]))
      n++;
    if (n == 3)
      return 1;
  }
  return 0;
}

static void statement_read_table(struct buf *text) {
  struct buf path;
  buf_init(&path, 65536);
  buf_init(text, STATEMENT_FILE_MAX);
  if (paths_data(&path, "statements.tsv") == 0)
    buf_read_file(text, path.data);
  buf_release(&path);
}

const char *statement_of_word(const struct concept_table *table, struct slice label) {
  struct buf text;
  struct slice fields[3];
  const char *found = NULL;
  const struct concept_word *word = concept_word_find(table, label);
  statement_read_table(&text);
  struct slice rest = buf_slice(&text);
  while (word && !found && statement_next(&rest, fields))
    if (concept_word_find(table, fields[2]) == word)
      found = statement_marks[slice_is(fields[0], "income")    ? 0
                              : slice_is(fields[0], "balance") ? 1
                                                               : 2]
                  .which;
  buf_release(&text);
  return found;
}

int statement_lines_standard(struct statement *s, const struct statement_request *ask) {
  struct measure_context x = {ask->table, ask->company, slice_of(NULL, 0), ask->choice};
  struct buf text, why;
  struct slice fields[3];
  buf_init(&why, STATEMENT_WHY_MAX);
  statement_read_table(&text);
  struct slice rest = buf_slice(&text);
  while (statement_next(&rest, fields)) {
    if (!slice_is(fields[0], ask->which))
      continue;
    struct statement_line *l = statement_add(s);
    l->column.splits = ask->splits;
    buf_clear(&why);
    if (measure_make(&l->column.measure, &x, fields[2], &why)) {
      measure_release(&l->column.measure);
      s->count--;
    }
  }
  buf_release(&text);
  buf_release(&why);
  return s->count ? 0 : -1;
}

/* statement_lines.c: the lines of a statement: of a table of the filing, with earlier years from company facts, else the standard ones. */
#include "facts/statement_lines.h"
#include "base/paths.h"
#include "tables/page_words.h"
#include "tables/statement_marks.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

#define OPENING_DAYS 3 /* between the end of a balance's day and the start of a span */

struct statement_line *statement_line_add(struct statement *s) {
  s->lines = xgrow(s->lines, s->count, sizeof *s->lines);
  struct statement_line *l = &s->lines[s->count++];
  memset(l, 0, sizeof *l);
  buf_init(&l->column.measure.notes, 4096);
  return l;
}

struct fact statement_line_fact(const struct inline_fact *f, const struct fact *filing,
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

void statement_line_name(struct statement_line *l, const struct inline_fact *f, struct fact_company *keep) {
  struct slice taxonomy, concept = fact_name_local(f->name, &taxonomy);
  struct slice part = f->context->members;
  char *name = part.len ? xformat("%.*s [%.*s]", (int)concept.len, concept.data, (int)part.len, part.data)
                        : xstrndup(concept.data, concept.len);
  l->own.taxonomy = fact_company_keep(keep, taxonomy);
  l->own.concept = fact_company_keep(keep, slice_str(name));
  l->own.label = l->own.concept;
  l->own.unit = fact_company_keep(keep, f->unit);
  free(name);
}

void statement_line_fill(struct statement_line *l, const struct statement_request *ask, int whole_company) {
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

void statement_line_release(struct statement_line *l) {
  measure_release(&l->column.measure);
  free(l->own.facts);
  free(l->checked);
}

void statement_release(struct statement *s) {
  for (size_t i = 0; i < s->count; i++)
    statement_line_release(&s->lines[i]);
  free(s->lines);
  free(s->keys);
  free(s->sums);
  free(s->missing);
  buf_release(&s->table);
  memset(s, 0, sizeof *s);
}

/* The first day of the flows of a column; DAY_NONE where there are none. */
static int32_t statement_start(const struct statement *s, size_t column) {
  for (size_t i = 0; i < s->count; i++) {
    const struct statement_line *l = &s->lines[i];
    const struct fact_row *row =
        l->heading || l->shift ? NULL : fact_rows_find(&l->column.measure.rows, s->keys[column]);
    if (row && row->months > 0 && row->start != DAY_NONE)
      return row->start;
  }
  return DAY_NONE;
}

/* The balance at the end of the day before `start`; of weeks that end on other days than months, the nearest. */
static const struct fact_row *statement_opening(const struct statement_line *l, int32_t start) {
  const struct fact_rows *rows = &l->column.measure.rows;
  const struct fact_row *best = NULL;
  for (size_t i = 0; start != DAY_NONE && i < rows->count; i++) {
    const struct fact_row *row = &rows->rows[i];
    int off = abs(row->end - (start - 1));
    if (row->months == 0 && off <= OPENING_DAYS && (!best || off < abs(best->end - (start - 1))))
      best = row;
  }
  return best;
}

const struct fact_row *statement_row(const struct statement *s, const struct statement_line *l,
                                     size_t column) {
  return l->shift ? statement_opening(l, statement_start(s, column))
                  : fact_rows_find(&l->column.measure.rows, s->keys[column]);
}

int statement_value(const struct statement *s, const struct statement_line *l, size_t column,
                    struct decimal *value) {
  const struct fact_row *row = l->heading ? NULL : statement_row(s, l, column);
  if (!row)
    return -1;
  *value = row->number;
  if (l->negated)
    value->units = -value->units;
  return 0;
}

static int former_is_taken(const struct statement *s, struct slice name) {
  for (size_t i = 0; i < s->count; i++)
    if (!s->lines[i].heading && fact_is_concept(&s->lines[i].own, name))
      return 1;
  return 0;
}

/* The first day that the filing itself prints: of the opening balances, or of the other lines. */
static int32_t former_until(const struct statement *s, int opening) {
  int32_t first = INT32_MAX;
  for (size_t i = 0; i < s->count; i++)
    for (size_t k = 0; k < s->lines[i].own.count && (s->lines[i].shift != 0) == opening; k++)
      if (s->lines[i].own.facts[k].end < first)
        first = s->lines[i].own.facts[k].end;
  return first;
}

/* Two concepts to which one filing gives different values for one span aren't the same line. */
static int former_differs(const struct fact_series *a, const struct fact_series *b) {
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < b->count; k++) {
      const struct fact *x = &a->facts[i], *y = &b->facts[k];
      if (x->end == y->end && x->months == y->months && slice_eq(x->accession, y->accession) &&
          decimal_compare(x->number, y->number) != 0)
        return 1;
    }
  return 0;
}

/* Whether a concept stood beside the line's own, or beside a broader one of its word, with other values: that of a note,
 * or of a part. */
static int former_is_other(const struct statement_line *l, const struct statement_request *ask,
                           const struct concept_word *word, struct slice concept,
                           const struct fact_series *then) {
  const struct fact_series *with = fact_company_find(ask->company, l->own.concept, l->own.unit);
  struct slice list = word ? word->alternatives : slice_of(NULL, 0), one;
  if (with && former_differs(with, then))
    return 1;
  while (concept_list_next(&list, ',', &one) && !slice_eq(one, concept)) {
    with = fact_company_find(ask->company, one, l->own.unit);
    if (with && with != then && former_differs(with, then))
      return 1;
  }
  return 0;
}

static void former_add(const struct statement *s, struct statement_line *l,
                       const struct statement_request *ask, const struct concept_word *word,
                       struct slice concept) {
  const struct fact_series *then = fact_company_find(ask->company, concept, l->own.unit);
  struct fact_rows rows, *into = &l->column.measure.rows;
  int32_t until = former_until(s, l->shift != 0);
  if (!then || former_is_taken(s, concept) || former_is_other(l, ask, word, concept, then))
    return;
  fact_rows_of(&rows, ask->company, then, &ask->choice);
  for (size_t i = 0; i < rows.count; i++)
    if (rows.rows[i].end < until && !fact_rows_find(into, fact_row_key(&rows.rows[i])))
      fact_rows_add(into, &rows.rows[i]);
  fact_rows_release(&rows);
}

/* The first word with a line's concept. */
static const struct concept_word *former_word(const struct concept_table *t, const struct statement_line *l) {
  for (size_t i = 0; i < t->word_count; i++) {
    struct slice list = t->words[i].alternatives, one;
    while (concept_list_next(&list, ',', &one))
      if (fact_is_concept(&l->own, one))
        return &t->words[i];
  }
  return NULL;
}

/* Of several lines with concepts of one word the broadest has the other concepts: the first in the word's list. */
static void former_by_word(const struct statement *s, struct statement_line *l,
                           const struct statement_request *ask, const struct concept_word *word) {
  struct slice list = word ? word->alternatives : slice_of(NULL, 0), one;
  while (concept_list_next(&list, ',', &one) && !fact_is_concept(&l->own, one))
    if (former_is_taken(s, one))
      return;
  list = word ? word->alternatives : list;
  while (concept_list_next(&list, ',', &one))
    if (one.data[0] != '=')
      former_add(s, l, ask, word, one);
}

static void former_by_succession(const struct statement *s, struct statement_line *l,
                                 const struct statement_request *ask, const struct concept_word *word) {
  for (size_t i = 0; i < ask->table->succession_count; i++) {
    struct slice list = ask->table->successions[i].successors, one;
    while (concept_list_next(&list, ',', &one))
      if (fact_is_concept(&l->own, one))
        former_add(s, l, ask, word, ask->table->successions[i].concept);
  }
}

/* Adds to the lines of a filing the values of earlier periods that were reported under other concepts: the other concepts
 * of the line's word (data/concepts.tsv) and those that its concept succeeds (data/concept_successions.tsv); not one that
 * another line has, or that a filing reports with another value beside the line's own or a broader one. */
static void statement_add_former(struct statement *s, const struct statement_request *ask) {
  for (size_t i = 0; i < s->count; i++) {
    struct statement_line *l = &s->lines[i];
    if (l->heading || memchr(l->own.concept.data, '[', l->own.concept.len))
      continue;
    const struct concept_word *word = former_word(ask->table, l);
    former_by_word(s, l, ask, word);
    former_by_succession(s, l, ask, word);
  }
}

int statement_is_former(const struct statement_line *l, const struct fact_row *row) {
  return row->series && l->own.concept.len && !slice_eq(row->series->concept, l->own.concept);
}

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
      has[g] |= !f->context->members.len && slice_among(f->name, statement_marks[mark].groups[g]);
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
  return xformat("%.*s%s%.*s", (int)above.len, above.data ? above.data : "", above.len ? " " : "",
                 (int)label.len, label.data ? label.data : "");
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

/* ---- standard lines, for a company whose filing has no statement, and what they lack of a total ---- */

#define STANDARD_FILE_MAX ((size_t)1 << 20)
enum { STANDARD_LEAST = 3, STANDARD_PARTS = 64, STANDARD_TEXT_MAX = 65536 };

/* ---- the table ---- */

/* A line of data/statements.tsv. */
struct standard_row {
  struct slice which, kind, label, word, how;
};

static int standard_next(struct slice *rest, struct standard_row *row) {
  struct slice line, fields[5];
  while (concept_list_next(rest, '\n', &line)) {
    size_t n = 0;
    while (line.data[0] != '#' && n < 5 && concept_list_next(&line, '\t', &fields[n]))
      n++;
    if (n < 5)
      continue;
    *row = (struct standard_row){fields[0], fields[1], fields[2], fields[3], fields[4]};
    return 1;
  }
  return 0;
}

static void standard_read_table(struct buf *text) {
  struct buf path;
  buf_init(&path, 65536);
  buf_init(text, STANDARD_FILE_MAX);
  if (paths_data(&path, "statements.tsv") == 0)
    buf_read_file(text, path.data);
  buf_release(&path);
}

const char *statement_of_word(const struct concept_table *table, struct slice label) {
  static const char *const names[] = {"income", "balance", "cash"};
  struct buf text;
  struct standard_row row;
  const char *found = NULL;
  const struct concept_word *word = concept_word_find(table, label);
  standard_read_table(&text);
  struct slice rest = buf_slice(&text);
  while (word && !found && standard_next(&rest, &row))
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
      if (slice_is(row.which, names[i]) && concept_word_find(table, row.word) == word)
        found = names[i];
  buf_release(&text);
  return found;
}

static int standard_reports(const struct statement_request *ask, struct slice word) {
  struct measure_context x = {ask->table, ask->company, slice_of(NULL, 0), ask->choice};
  struct measure m;
  int failed = measure_make(&m, &x, word, NULL);
  measure_release(&m);
  return !failed;
}

/* The first kind both of whose figures the company reports: "bank"; else "general". */
static struct slice standard_kind(const struct statement_request *ask, struct slice table) {
  struct standard_row row;
  while (standard_next(&table, &row))
    if (slice_is(row.which, "kind") && standard_reports(ask, row.label) && standard_reports(ask, row.word))
      return row.kind;
  return slice_str("general");
}

static int standard_has_kind(const char *which, struct slice kind, struct slice table) {
  struct standard_row row;
  while (standard_next(&table, &row))
    if (slice_is(row.which, which) && slice_eq(row.kind, kind))
      return 1;
  return 0;
}

/* ---- lines ---- */

static int standard_is_total(struct slice how) {
  return how.data[0] == '=' || how.data[0] == '~';
}

static void standard_drop(struct statement *s, size_t line) {
  statement_line_release(&s->lines[line]);
  memmove(&s->lines[line], &s->lines[line + 1], (s->count - line - 1) * sizeof *s->lines);
  s->count--;
}

static void standard_note_missing(struct statement *s, struct slice label) {
  char *missing =
      xformat("%s%s%.*s", s->missing ? s->missing : "", s->missing ? ", " : "", (int)label.len, label.data);
  free(s->missing);
  s->missing = missing;
}

/* A total that isn't reported stays as a hidden line, at which sums end. */
static void standard_add(struct statement *s, const struct statement_request *ask,
                         const struct standard_row *row) {
  struct measure_context x = {ask->table, ask->company, slice_of(NULL, 0), ask->choice};
  struct statement_line *l = statement_line_add(s);
  l->column.splits = ask->splits;
  l->how = row->how;
  if (measure_make(&l->column.measure, &x, row->word, NULL) == 0) {
    l->negated = slice_is(row->how, "out");
    l->shift = slice_is(row->how, "open");
    free(l->column.measure.label);
    l->column.measure.label = xstrndup(row->label.data, row->label.len);
  } else if (standard_is_total(row->how)) {
    l->dropped = 1;
    standard_note_missing(s, row->label);
  } else {
    standard_drop(s, s->count - 1);
  }
}

/* Whether a figure is in another one: never larger, with a value beside it. */
static int standard_is_inside(const struct measure *part, const struct measure *whole) {
  int shared = 0;
  for (size_t i = 0; i < part->rows.count; i++) {
    const struct fact_row *r = fact_rows_find(&whole->rows, fact_row_key(&part->rows.rows[i]));
    if (r && decimal_to_double(r->number) < decimal_to_double(part->rows.rows[i].number))
      return 0;
    shared |= r != NULL;
  }
  return shared;
}

/* So that the lines add up, drops a whole that is computed from the lines above it, or the parts of a whole that is
 * reported. */
static void standard_drop_doubles(struct statement *s) {
  for (size_t whole = 0; whole < s->count; whole++) {
    if (!slice_is(s->lines[whole].how, "-whole"))
      continue;
    const struct fact_rows *rows = &s->lines[whole].column.measure.rows;
    if (!rows->rows[rows->count - 1].series) {
      standard_drop(s, whole--);
      continue;
    }
    for (size_t i = whole; i-- > 0 && slice_is(s->lines[i].how, "-part");)
      if (standard_is_inside(&s->lines[i].column.measure, &s->lines[whole].column.measure)) {
        standard_drop(s, i);
        whole--;
      }
  }
}

/* ---- what the lines lack of a total ---- */

/* The lines since the last sum began anew, of which the next total consists. */
struct standard_sum {
  struct {
    size_t line;
    char how;    /* '+', '-', '=' or '~' */
    size_t from; /* of '~': the first of the lines that it is the sum of */
  } parts[STANDARD_PARTS];
  size_t count;
  size_t costs; /* the first part behind the last total or amount that is added */
};

static void standard_sum_add(struct standard_sum *sum, size_t line, char how) {
  if (sum->count == STANDARD_PARTS)
    return;
  sum->parts[sum->count].line = line;
  sum->parts[sum->count].from = sum->costs;
  sum->parts[sum->count++].how = how;
}

static const struct fact_row *standard_part_row(const struct statement *s, const struct standard_sum *sum,
                                                size_t part, int key) {
  return fact_rows_find(&s->lines[sum->parts[part].line].column.measure.rows, key);
}

/* The parts of a total in one period, newest first, into list: back to the last total that has a value then; in place of
 * those without one the lines above them.  `costs`: only the amounts taken away.  Returns how many. */
static size_t standard_parts(const struct statement *s, const struct standard_sum *sum, int costs, int key,
                             size_t list[STANDARD_PARTS]) {
  size_t n = 0, from = costs ? sum->costs : 0;
  for (size_t i = sum->count; i-- > from;) {
    if (!standard_part_row(s, sum, i, key))
      continue;
    list[n++] = i;
    if (sum->parts[i].how == '=')
      break;
    if (sum->parts[i].how == '~')
      i = sum->parts[i].from;
  }
  return n;
}

/* Whether a sum begins with an amount that is added, which costs alone don't make a total without. */
static int standard_begins(const struct standard_sum *sum, const size_t *list, size_t n) {
  int adds = 0;
  for (size_t i = 0; i < sum->count; i++)
    adds |= sum->parts[i].how == '+' || sum->parts[i].how == '=';
  for (size_t i = 0; i < n && adds; i++)
    if (sum->parts[list[i]].how == '+' || sum->parts[list[i]].how == '=')
      return 1;
  return !adds && n;
}

/* A total less its lines in one period; -1 where it has none of them then, or on overflow. */
static int standard_rest_row(const struct statement *s, const struct standard_sum *sum, int costs,
                             const struct fact_row *total, struct fact_row *row) {
  size_t list[STANDARD_PARTS], n = standard_parts(s, sum, costs, fact_row_key(total), list);
  if (costs ? !n : !standard_begins(sum, list, n))
    return -1;
  *row = *total;
  row->part_count = 0;
  row->fact = row->other = NULL;
  row->series = NULL;
  fact_row_add_parts(row, total, '+');
  while (n-- > 0) {
    const struct fact_row *part = standard_part_row(s, sum, list[n], fact_row_key(total));
    char how = sum->parts[list[n]].how, sign = costs || how == '+' || how == '=' ? '-' : '+';
    row->derived |= part->derived;
    fact_row_add_parts(row, part, sign);
    if (sign == '-' ? decimal_subtract(row->number, part->number, &row->number)
                    : decimal_add(row->number, part->number, &row->number))
      return -1;
  }
  decimal_write(row->number, row->value);
  return 0;
}

static void standard_name_rest(struct measure *m, const char *total) {
  m->label =
      xformat("Other, to %c%s",
              isupper((unsigned char)total[1]) ? total[0] : tolower((unsigned char)total[0]), total + 1);
  m->formula = xformat("%s less its lines above", total);
}

/* Adds a line with what a total has beside the lines shown, unless there is nothing. */
static void standard_add_rest(struct statement *s, const struct statement_request *ask,
                              const struct standard_sum *sum, int costs, const struct statement_line *total) {
  const struct fact_rows *rows = &total->column.measure.rows;
  struct measure m = {.company = ask->company, .asked = xstrdup(ask->which)};
  int some = 0;
  for (size_t i = 0; i < rows->count; i++) {
    struct fact_row row;
    if (standard_rest_row(s, sum, costs, &rows->rows[i], &row))
      continue;
    some |= row.number.units != 0;
    fact_rows_add(&m.rows, &row);
  }
  buf_init(&m.notes, STANDARD_TEXT_MAX);
  if (!some) {
    measure_release(&m);
    return;
  }
  m.unit = xstrdup(total->column.measure.unit);
  standard_name_rest(&m, total->column.measure.label);
  struct statement_line *l = statement_line_add(s);
  buf_release(&l->column.measure.notes);
  l->column.measure = m;
  l->column.splits = ask->splits;
  l->rest = 1;
}

/* Takes a line into the sum of the next total; before a total adds what its lines lack. */
static void standard_take(struct statement *s, const struct statement_request *ask, struct standard_sum *sum,
                          struct statement_line *line) {
  char how = slice_is(line->how, "out") ? '-' : line->how.data[0];
  int ends = slice_is(line->how, "=0");
  if (line->dropped) {
    statement_line_release(line);
  } else {
    if (how == '=' || how == '~')
      standard_add_rest(s, ask, sum, how == '~', line);
    *statement_line_add(s) = *line;
    if (strchr("+-=~", how))
      standard_sum_add(sum, s->count - 1, how);
  }
  if (ends)
    sum->count = 0;
  if (how == '+' || how == '=')
    sum->costs = sum->count;
}

static void standard_add_rests(struct statement *s, const struct statement_request *ask) {
  struct statement all = {0};
  struct standard_sum sum = {.count = 0};
  for (size_t i = 0; i < s->count; i++)
    standard_take(&all, ask, &sum, &s->lines[i]);
  free(s->lines);
  s->lines = all.lines;
  s->count = all.count;
}

static size_t standard_count(const struct statement *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->count; i++)
    n += !s->lines[i].dropped;
  return n;
}

int statement_lines_standard(struct statement *s, const struct statement_request *ask) {
  struct standard_row row;
  standard_read_table(&s->table);
  struct slice rest = buf_slice(&s->table), kind = standard_kind(ask, rest);
  if (!standard_has_kind(ask->which, kind, rest))
    kind = slice_str("general");
  while (standard_next(&rest, &row))
    if (slice_is(row.which, ask->which) && slice_eq(row.kind, kind))
      standard_add(s, ask, &row);
  s->kind = kind;
  standard_drop_doubles(s);
  /* One or two figures of a single document are no statement: a proxy's table of pay against performance. */
  while (ask->own_file && fact_is_document(ask->company) && s->count && standard_count(s) < STANDARD_LEAST)
    standard_drop(s, s->count - 1);
  standard_add_rests(s, ask);
  return s->count ? 0 : -1;
}

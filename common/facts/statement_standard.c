/* statement_standard.c: standard lines, for a company whose filing has no statement, and what they lack of a total. */
#include "facts/statement_lines.h"

#include "base/paths.h"

#include <ctype.h>
#include <stdlib.h>

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

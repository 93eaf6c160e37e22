#include "facts/fact_screen_rows.h"

#include "facts/fact_page.h"
#include "facts/fact_prose.h"
#include "record/json.h"

#include <stdio.h>
#include <stdlib.h>

enum { SCREEN_TAGS = 64, SCREEN_WRITE_MAX = 1 << 20, SCREEN_FIRST = 4 /* column of the first figure */ };

static const struct fact_splits screen_no_splits = {.count = 0};

static struct fact_column screen_column(const struct screen_row *row, size_t rule) {
  return (struct fact_column){row->figures[rule], &screen_no_splits};
}

/* The next condition from k on whose figure is not that of an earlier one, "between 1 and 2"; their count where none is. */
static size_t screen_next(const struct screen_rules *rules, size_t k) {
  for (; k < rules->count; k++) {
    size_t same = 0;
    while (same < k && strcmp(rules->list[same].what, rules->list[k].what) != 0)
      same++;
    if (same == k)
      return k;
  }
  return k;
}

void fact_screen_write_records(struct buf *out, const char *frame, const struct screen_rules *rules,
                               const struct screen_rows *rows, size_t limit, struct slice job) {
  for (size_t i = 0; i < limit && i < rows->count; i++)
    for (size_t k = 0; k < rules->count; k = screen_next(rules, k + 1)) {
      struct fact_column c = screen_column(&rows->rows[i], k);
      fact_write_row(out, &c, &c.measure.rows.rows[0]);
      json_cstr(out, "frame", frame);
      if (job.len)
        json_raw(out, "job", job);
      buf_add_str(out, "}\n");
    }
}

static void screen_csv(struct buf *out, const struct screen_rules *rules, const struct screen_rows *rows,
                       size_t limit) {
  fact_write_csv_head(out, 0);
  for (size_t i = 0; i < limit; i++)
    for (size_t k = 0; k < rules->count; k = screen_next(rules, k + 1)) {
      struct fact_column c = screen_column(&rows->rows[i], k);
      fact_write_csv_row(out, &c, &c.measure.rows.rows[0], NULL);
    }
}

/* ---- tags: which concepts a company's figures are of ---- */

struct screen_tags {
  char *list[SCREEN_TAGS];
  size_t count;
};

/* "ResearchAndDevelopmentExpense / Revenues": the concepts of a figure. */
static void screen_add_concepts(struct buf *out, const struct fact_row *row) {
  if (row->series)
    buf_add_slice(out, row->series->concept);
  for (size_t i = 0; i < row->part_count && !row->series; i++) {
    const struct fact_part *part = &row->parts[i];
    if (i)
      buf_printf(out, " %c ", part->sign);
    buf_add_slice(out, part->series->concept);
  }
}

/* The number, from 1, under which the concepts of a company's figures are told; 0 where there are too many. */
static size_t screen_tag(struct screen_tags *tags, const struct screen_rules *rules,
                         const struct screen_row *row) {
  struct buf text;
  size_t found = 0;
  buf_init(&text, SCREEN_WRITE_MAX);
  for (size_t i = 0; i < rules->count; i = screen_next(rules, i + 1)) {
    buf_add_str(&text, i ? "; " : "");
    screen_add_concepts(&text, &row->figures[i].rows.rows[0]);
  }
  while (found < tags->count && strcmp(tags->list[found], text.data) != 0)
    found++;
  if (found == tags->count && found < SCREEN_TAGS)
    tags->list[tags->count++] = xstrndup(text.data, text.len);
  buf_release(&text);
  return found < SCREEN_TAGS ? found + 1 : 0;
}

/* ---- the table ---- */

static void screen_heads(struct fact_grid *g, const struct screen_rules *rules,
                         const struct screen_rows *rows, const int scales[SCREEN_RULES]) {
  static const char *const heads[] = {"company", "CIK", "ends", "accession"};
  char unit[128];
  for (size_t i = 0; i < SCREEN_FIRST; i++)
    fact_grid_set(g, 0, i, "%s", heads[i]);
  size_t column = SCREEN_FIRST;
  for (size_t k = 0; k < rules->count; k = screen_next(rules, k + 1)) {
    struct fact_column c = screen_column(&rows->rows[0], k);
    fact_column_unit(&c, scales[k], unit, sizeof unit);
    fact_grid_set(g, 0, column++, "%s, %s", c.measure.label, unit);
  }
  fact_grid_set(g, 0, column, "tags");
}

static void screen_line(struct fact_grid *g, size_t line, const struct screen_rules *rules,
                        const struct screen_row *row, const int scales[SCREEN_RULES], size_t tag) {
  const struct fact_row *first = &row->figures[0].rows.rows[0];
  const struct fact *filing = fact_row_filing(first);
  char day[DAY_TEXT], value[FACT_CELL];
  fact_grid_set(g, line, 0, "%.*s", (int)row->company->name.len, row->company->name.data);
  fact_grid_set(g, line, 1, "%.*s", (int)row->company->cik.len, row->company->cik.data);
  fact_grid_set(g, line, 2, "%s", day_write(first->end, day));
  if (filing) {
    fact_grid_set(g, line, 3, "%.*s", (int)filing->accession.len, filing->accession.data);
    fact_grid_link(g, line, 3, row->company->cik, filing->accession);
  }
  size_t column = SCREEN_FIRST;
  for (size_t k = 0; k < rules->count; k = screen_next(rules, k + 1)) {
    const struct measure *m = &row->figures[k];
    fact_grid_set(g, line, column++, "%s",
                  fact_value_text(&m->rows.rows[0], measure_is_ratio(m), scales[k], value));
  }
  if (tag)
    fact_grid_set(g, line, column, "%zu", tag);
}

static void screen_notes(struct buf *out, const char *frame, const struct screen_tags *tags,
                         const struct screen_rows *rows, size_t limit) {
  for (size_t i = 0; i < tags->count; i++)
    buf_printf(out, "%zu: %s\n", i + 1, tags->list[i]);
  buf_printf(out, "Source: XBRL frames of data.sec.gov, %s; %zu of %zu companies shown\n", frame, limit,
             rows->count);
}

/* The scale that all values of a column have room in. */
static int screen_scale(const struct screen_rows *rows, size_t rule, size_t limit) {
  int least = 9;
  for (size_t i = 0; i < limit; i++) {
    struct fact_column c = screen_column(&rows->rows[i], rule);
    int scale = fact_column_scale(&c);
    least = scale < least ? scale : least;
  }
  return least;
}

static void screen_table(struct buf *out, const char *frame, const struct screen_rules *rules,
                         const struct screen_rows *rows, size_t limit, enum fact_format format,
                         size_t screen) {
  struct fact_grid g;
  struct screen_tags tags = {.count = 0};
  struct buf notes, title;
  int scales[SCREEN_RULES];
  size_t figures = 0;
  buf_init(&notes, SCREEN_WRITE_MAX);
  buf_init(&title, SCREEN_WRITE_MAX);
  for (size_t k = 0; k < rules->count; k = screen_next(rules, k + 1), figures++)
    scales[k] = screen_scale(rows, k, limit);
  fact_grid_init(&g, SCREEN_FIRST + figures + 1, limit + 1, SCREEN_FIRST);
  g.spare = 1;
  g.spare_end = SCREEN_FIRST;
  screen_heads(&g, rules, rows, scales);
  for (size_t i = 0; i < limit; i++)
    screen_line(&g, i + 1, rules, &rows->rows[i], scales, screen_tag(&tags, rules, &rows->rows[i]));
  screen_notes(&notes, frame, &tags, rows, limit);
  fact_screen_rules_write(rules, &title);
  if (format == FACT_HTML) {
    fact_page_grid(out, buf_slice(&title), &g, buf_slice(&notes));
  } else {
    fact_grid_write(out, &g, format, screen);
    buf_add_char(out, '\n');
    fact_prose_notes(out, buf_slice(&notes), format);
  }
  while (tags.count)
    free(tags.list[--tags.count]);
  buf_release(&notes);
  buf_release(&title);
  fact_grid_release(&g);
}

void fact_screen_write(struct buf *out, const char *frame, const struct screen_rules *rules,
                       const struct screen_rows *rows, size_t limit, enum fact_format format, size_t screen) {
  limit = limit < rows->count ? limit : rows->count;
  if (format == FACT_CSV)
    screen_csv(out, rules, rows, limit);
  else if (format == FACT_JSON)
    fact_screen_write_records(out, frame, rules, rows, limit, slice_of(NULL, 0));
  else
    screen_table(out, frame, rules, rows, limit, format, screen);
}

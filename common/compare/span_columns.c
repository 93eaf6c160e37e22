/* span_columns.c: the spans of time that a table's columns have, and tables without those of other spans. */
#include "compare/span_columns.h"

#include "page/page_table.h"
#include "verify/periods.h"

#define COLUMNS_MAX 64 /* columns of a table that are looked at; further ones have no span */
#define MONTHS_MAX 12

struct span_table {
  int months[COLUMNS_MAX]; /* per cell of a row, from 0; 0: no span */
  unsigned spans;          /* all of them */
};

static struct slice span_rest(struct slice text, struct slice line) {
  size_t n = line.len + (line.len < text.len);
  return slice_of(text.data + n, text.len - n);
}

static int span_of(struct slice cell) {
  struct periods periods;
  periods_read(&periods, cell, NULL);
  int months = period_months_near(&periods, 0);
  return months <= MONTHS_MAX ? months : 0;
}

/* Reads a heading row.  A span in the first cell is that of all columns, if they have none. */
static void span_table_read(struct span_table *t, struct slice heading) {
  *t = (struct span_table){{0}, 0};
  size_t column = 0, end;
  for (size_t from = 1; from < heading.len && column < COLUMNS_MAX; from = end + 1, column++) {
    end = page_cell_end(heading, from);
    t->months[column] = span_of(slice_of(heading.data + from, end - from));
    if (column && t->months[column])
      t->spans |= 1U << t->months[column];
  }
  int all = t->spans ? 0 : t->months[0];
  t->months[0] = 0;
  for (size_t i = 1; all && i < column; i++)
    t->months[i] = all;
  t->spans |= all ? 1U << all : 0;
}

int span_columns_months(struct slice heading) {
  struct span_table t;
  span_table_read(&t, heading);
  for (int m = 1; m <= MONTHS_MAX; m++)
    if (t.spans == 1U << m)
      return m;
  return 0;
}

/* Whether a table begins: a row above a rule. */
static int is_table_heading(struct slice line, struct slice rest) {
  return line.len && line.data[0] == '|' && page_is_rule(page_line(rest, 0));
}

unsigned span_columns_all(struct slice text) {
  struct span_table t;
  unsigned all = 0;
  while (text.len) {
    struct slice line = page_line(text, 0);
    text = span_rest(text, line);
    if (!is_table_heading(line, text))
      continue;
    span_table_read(&t, line);
    all |= t.spans;
  }
  return all;
}

static void add_kept_cells(struct buf *out, const struct span_table *t, struct slice row, unsigned keep) {
  size_t column = 0, end;
  buf_add_char(out, '|');
  for (size_t from = 1; from < row.len; from = end + 1, column++) {
    int months = column < COLUMNS_MAX ? t->months[column] : 0;
    end = page_cell_end(row, from);
    if (!months || (keep >> months & 1))
      buf_add(out, row.data + from, end + (end < row.len) - from);
  }
}

unsigned span_columns_keep(struct buf *out, struct slice text, unsigned keep) {
  struct span_table t = {{0}, 0};
  unsigned dropped = 0;
  while (text.len) {
    struct slice line = page_line(text, 0);
    int row = line.len && line.data[0] == '|', ended = line.len < text.len;
    text = span_rest(text, line);
    if (!row)
      t.spans = 0;
    else if (is_table_heading(line, text))
      span_table_read(&t, line);
    if (row && (t.spans & keep) && (t.spans & ~keep)) {
      add_kept_cells(out, &t, line, keep);
      dropped |= t.spans & ~keep;
    } else {
      buf_add_slice(out, line);
    }
    if (ended)
      buf_add_char(out, '\n');
  }
  return dropped;
}

#include "facts/fact_mark.h"

#include <stdio.h>
#include <string.h>

/* Whether a value is of another concept than the newest one of its column, or computed where that is reported. */
static int mark_is_other(const struct fact_column *c, const struct fact_row *row) {
  const struct fact_rows *rows = &c->measure.rows;
  const struct fact_row *newest = rows->count ? &rows->rows[rows->count - 1] : row;
  if (!row->series || !newest->series)
    return !row->series != !newest->series || row->formula != newest->formula;
  return !slice_eq(row->series->concept, newest->series->concept);
}

char fact_cell_mark(const struct fact_column *c, const struct fact_row *row) {
  if (fact_split_factor(c->splits, row) != 1)
    return 's';
  if (mark_is_other(c, row))
    return 'c';
  if (row->other)
    return 'r';
  return row->derived ? 'd' : ' ';
}

/* The concept or formula of a value that is marked 'c'; else empty. */
static struct slice mark_other_name(const struct fact_column *c, const struct fact_row *row) {
  if (fact_cell_mark(c, row) != 'c')
    return slice_of(NULL, 0);
  return row->series ? row->series->concept : row->formula ? slice_str(row->formula) : slice_of(NULL, 0);
}

void fact_concept_notes(struct buf *out, const struct fact_column *c) {
  const struct fact_rows *rows = &c->measure.rows;
  for (size_t i = rows->count; i-- > 0;) {
    struct slice name = mark_other_name(c, &rows->rows[i]);
    int said = !name.len;
    for (size_t k = i + 1; k < rows->count && !said; k++)
      said = slice_eq(mark_other_name(c, &rows->rows[k]), name);
    if (!said)
      buf_printf(out,
                 rows->rows[i].series ? "c: '%s' was reported as %.*s\n" : "c: '%s' was computed: %.*s\n",
                 c->measure.label, (int)name.len, name.data);
  }
}

void fact_mark_notes(struct buf *out, struct slice marks) {
  static const char *const notes[] = {
      "d: derived from other spans (a fourth quarter is the year less nine months)\n",
      "r: other filings gave another value for it; --as-first-reported, --as-of DAY\n",
      "s: as filed before a later split; not to be compared with what stands after it\n"};
  for (size_t i = 0; marks.len && i < sizeof notes / sizeof *notes; i++)
    if (memchr(marks.data, notes[i][0], marks.len))
      buf_add_str(out, notes[i]);
}

void fact_split_notes(struct buf *out, const struct fact_splits *splits) {
  char day[DAY_TEXT];
  for (size_t i = 0; i < splits->count; i++) {
    const struct fact_split *p = &splits->split[i];
    if (p->ratio > 1)
      buf_printf(out, "split: %g for 1", p->ratio);
    else
      buf_printf(out, "split: 1 for %g", 1 / p->ratio);
    buf_printf(out, ", first in %.*s of %s\n", (int)p->accession.len, p->accession.data,
               day_write(p->after, day));
  }
}

#include "facts/chart_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Draws a bar of `eighths` of a character cell, with a partial block at its end. */
static void chart_bar(struct buf *out, size_t eighths) {
  static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  for (; eighths >= 8; eighths -= 8)
    buf_add_str(out, "█");
  buf_add_str(out, parts[eighths]);
}

static void chart_spaces(struct buf *out, size_t n) {
  while (n-- > 0)
    buf_add_char(out, ' ');
}

/* The mark of a bar: 's' or 'd', or 0. */
static char chart_mark(const struct fact_column *c, const struct fact_row *row) {
  if (fact_split_factor(c->splits, row) != 1)
    return 's';
  return row->derived ? 'd' : 0;
}

/* Negative values extend to the left of the zero column; they are drawn in whole blocks. */
static void chart_block_row(struct buf *out, const struct chart_panel *p, const struct fact_row *row,
                            const char *period, size_t width) {
  char value[FACT_CELL];
  double v = row ? chart_value(p, row) : 0;
  double low = p->low < 0 ? p->low : 0, high = p->high > 0 ? p->high : 0;
  size_t zero = (size_t)lround((double)width * -low / (high - low));
  buf_printf(out, "%-13s", period);
  if (!row) {
    buf_add_str(out, " -\n");
    return;
  }
  size_t eighths = (size_t)lround(fabs(v) / (high - low) * (double)width * 8), blocks = (eighths + 7) / 8;
  if (v < 0) {
    blocks = blocks > zero ? zero : blocks;
    chart_spaces(out, zero - blocks);
    chart_bar(out, blocks * 8);
  } else {
    chart_spaces(out, zero);
    chart_bar(out, eighths);
  }
  snprintf(value, sizeof value, "%.*f", p->tick >= 10 ? 1 : 2, v);
  char mark = chart_mark(p->column, row);
  buf_printf(out, " %s", value);
  if (mark)
    buf_printf(out, " %c", mark);
  buf_add_char(out, '\n');
}

static void chart_block_panel(struct buf *out, const struct fact_sheet *s, const struct chart_panel *p,
                              size_t width) {
  const struct measure *m = &p->column->measure;
  buf_printf(out, "%.*s: %s, %s\n", (int)m->company->name.len, m->company->name.data, m->label, p->unit);
  for (size_t i = s->key_count; i-- > 0;) {
    const struct fact_row *row = fact_rows_find(&m->rows, s->keys[i]), *any = row;
    char period[64];
    for (size_t c = 0; c < s->column_count && !any; c++)
      any = fact_sheet_cell(s, c, i);
    fact_period_text(any, s->span, period, sizeof period);
    chart_block_row(out, p, row, period, width);
  }
  buf_add_char(out, '\n');
}

static void chart_block_marks(struct buf *out, const struct fact_sheet *s) {
  int derived = 0, split = 0;
  for (size_t c = 0; c < s->column_count; c++)
    for (size_t i = 0; i < s->key_count; i++) {
      const struct fact_row *row = fact_sheet_cell(s, c, i);
      char mark = row ? chart_mark(&s->columns[c], row) : 0;
      derived |= mark == 'd';
      split |= mark == 's';
    }
  buf_add_str(out, derived ? "d: derived from other spans\n" : "");
  buf_add_str(out, split ? "s: divided by the ratio of a later split\n" : "");
}

void chart_blocks(struct buf *out, const struct fact_sheet *s, size_t width) {
  struct chart_panel *panels = chart_panels(s);
  for (size_t i = 0; i < s->column_count; i++)
    chart_block_panel(out, s, &panels[i], width - 13 - 14);
  fact_sheet_notes(s, 0, out);
  chart_block_marks(out, s);
  free(panels);
}

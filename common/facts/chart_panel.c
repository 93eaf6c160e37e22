/* chart_panel.c: the axes, units and bounds of the panels of a chart, and a chart of block characters. */
#include "facts/chart_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHART_TICKS 5
#define CHART_FAR 1000
#define CHART_APART 12

static void chart_name_unit(struct chart_panel *p, double most) {
  static const char *const sizes[] = {"", "thousand", "million", "billion", "trillion"};
  const struct measure *m = &p->column->measure;
  const char *unit = m->unit ? m->unit : "";
  int size = 0;
  if (strcmp(unit, "pure") == 0) {
    int percent = measure_is_ratio(m) == MEASURE_PERCENT;
    p->divisor = percent ? 0.01 : 1;
    snprintf(p->unit, sizeof p->unit, "%s", percent ? "%" : "times");
    return;
  }
  const char *slash = strchr(unit, '/');
  int scaled = !slash && !m->company->by_day; /* a series may have a scaled unit, "Billions of Dollars" */
  for (p->divisor = 1; scaled && size < 4 && most / p->divisor >= 1000; size++)
    p->divisor *= 1000;
  const char *name = strcmp(unit, "USD") == 0 ? "$" : unit;
  if (slash)
    snprintf(p->unit, sizeof p->unit, "%s a %.*s", strncmp(unit, "USD/", 4) == 0 ? "$" : "amount",
             strcmp(slash, "/shares") == 0 ? 5 : 32, slash + 1);
  else
    snprintf(p->unit, sizeof p->unit, "%.40s%s%s", name, size ? " " : "", sizes[size]);
}

/* A round step that divides a range into about CHART_TICKS parts. */
static double chart_step(double range) {
  double raw = range > 0 ? range / CHART_TICKS : 1, power = pow(10, floor(log10(raw))), part = raw / power;
  return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 2.5 ? 2.5 : part <= 5 ? 5 : 10);
}

static void chart_range(struct chart_panel *p, double low, double high) {
  int tight = p->lines && (p->column->measure.company->by_day || measure_is_ratio(&p->column->measure));
  low /= p->divisor;
  high /= p->divisor;
  if (!tight || low > 0) {
    low = tight && low > high / 2 ? low : low < 0 ? low : 0;
    high = high > 0 ? high : 0;
  }
  p->tick = chart_step(high - low > 0 ? high - low : fabs(high) > 0 ? fabs(high) : 1);
  p->low = floor(low / p->tick + 1e-9) * p->tick;
  p->high = ceil(high / p->tick - 1e-9) * p->tick;
  if (p->high <= p->low)
    p->high = p->low + p->tick;
}

double chart_value(const struct chart_panel *p, const struct fact_row *row) {
  return decimal_to_double(row->number) / fact_split_factor(p->column->splits, row) / p->divisor;
}

static void chart_bounds(const struct fact_column *c, double *low, double *high) {
  for (size_t i = 0; i < c->measure.rows.count; i++) {
    const struct fact_row *row = &c->measure.rows.rows[i];
    double v = decimal_to_double(row->number) / fact_split_factor(c->splits, row);
    *low = v < *low ? v : *low;
    *high = v > *high ? v : *high;
  }
}

static void chart_slots(struct chart_panel *p, const struct fact_sheet *s) {
  const struct fact_rows *rows = &p->column->measure.rows;
  p->step = p->column->measure.company->by_day ? 1
            : s->span == FACT_ANNUAL           ? FACT_KEY_YEAR
                                               : FACT_KEY_QUARTER;
  p->first = s->key_count ? s->keys[s->key_count - 1] : 0;
  p->last = s->key_count ? s->keys[0] : 0;
  p->lines = rows->rows[0].months == 0 || measure_is_ratio(&p->column->measure);
}

/* The value that the size of a column's unit is chosen by: the largest of its unit in the picture, or the column's own
 * where it is far below. */
static double chart_size(const struct fact_sheet *s, size_t column, double own) {
  double most = own;
  for (size_t k = 0; k < s->column_count; k++) {
    double low = 0, high = 0;
    if (strcmp(s->columns[k].measure.unit, s->columns[column].measure.unit) != 0)
      continue;
    chart_bounds(&s->columns[k], &low, &high);
    most = fmax(most, fmax(-low, high));
  }
  return own * CHART_FAR < most ? own : most;
}

/* The bounds of a panel's axis: those of the figure for all companies, or its own where its bars would be too small.
 * Returns whether they are its own. */
static int chart_axis(const struct fact_sheet *s, size_t column, double *low, double *high) {
  double own_low = INFINITY, own_high = -INFINITY;
  chart_bounds(&s->columns[column], &own_low, &own_high);
  for (size_t k = 0; k < s->column_count; k++)
    if (strcmp(s->columns[k].measure.unit, s->columns[column].measure.unit) == 0 &&
        strcmp(s->columns[k].measure.label, s->columns[column].measure.label) == 0)
      chart_bounds(&s->columns[k], low, high);
  double own = fmax(fabs(own_low), fabs(own_high));
  if (own == 0 || own * CHART_APART >= fmax(fabs(*low), fabs(*high)))
    return 0;
  *low = own_low;
  *high = own_high;
  return 1;
}

struct chart_panel *chart_panels(const struct fact_sheet *s) {
  struct chart_panel *panels = xcalloc(s->column_count + 1, sizeof *panels);
  for (size_t i = 0; i < s->column_count; i++) {
    double low = INFINITY, high = -INFINITY;
    panels[i].column = &s->columns[i];
    chart_slots(&panels[i], s);
    int apart = chart_axis(s, i, &low, &high);
    chart_name_unit(&panels[i], chart_size(s, i, fabs(low) > fabs(high) ? fabs(low) : fabs(high)));
    chart_range(&panels[i], low, high);
    if (apart)
      snprintf(panels[i].unit + strlen(panels[i].unit), sizeof panels[i].unit - strlen(panels[i].unit),
               ", own scale");
  }
  return panels;
}

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

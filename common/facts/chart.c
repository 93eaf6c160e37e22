/* chart.c: draws figures as bars: blocks in a terminal, SVG, and pictures that rsvg-convert makes of it. */
#include "facts/chart.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/process.h"
#include "base/screen.h"
#include "facts/fact_sheet.h"
#include "page/html_page.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHART_UNIT 64

/* Layout of one column's panel. */
struct chart_panel {
  const struct fact_column *column;
  int first, last, step;  /* row keys: first, last, and distance of neighbours */
  double divisor;         /* of values: 1e9 where the axis is in billions */
  double low, high, tick; /* of the axis, in its unit */
  int lines;              /* lines instead of bars */
  char unit[CHART_UNIT];  /* "$ billion" */
};

/* ---- the axes, units and bounds of the panels of a chart, and a chart of block characters ---- */

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

/* A row's value on its panel's axis: per-share amounts and share counts filed before a split are divided by its
 * ratio, so that all bars are comparable. */
static double chart_value(const struct chart_panel *p, const struct fact_row *row) {
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

/* One panel per column; the same figure of several companies has the same axis, unless one's bars would be too small to be seen.  To be freed. */
static struct chart_panel *chart_panels(const struct fact_sheet *s) {
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

/* Draws bars of block characters, `width` columns wide. */
static void chart_blocks(struct buf *out, const struct fact_sheet *s, size_t width) {
  struct chart_panel *panels = chart_panels(s);
  for (size_t i = 0; i < s->column_count; i++)
    chart_block_panel(out, s, &panels[i], width - 13 - 14);
  fact_sheet_notes(s, 0, out);
  chart_block_marks(out, s);
  free(panels);
}

/* ---- the SVG of a chart ----
 *
 * Sizes are in pixels.  A letter is assumed to be 0.62 of its height wide, slightly more
 * than in the fonts that the file names, so that no text overflows. */

#define PANEL_HEIGHT 360
#define SMALL_HEIGHT 260
#define AXIS 64
#define TITLE 20
#define TEXT 13
#define SMALL 11
#define PANEL_TITLE 40
#define FIGURE_WIDE 900
#define FIGURE_NARROW 450
#define CHART_LETTER 0.62
#define CHART_WIDTH 1000
#define CHART_MARGIN 24
#define BAR_LEAST 1.0 /* a value near zero is seen, unlike a gap */

static void chart_text_write(struct buf *out, double x, double y, int size, const char *anchor,
                             const char *weight, struct slice text) {
  buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\" font-weight=\"%s\">", x, y,
             size, anchor, weight);
  html_page_text(out, text);
  buf_add_str(out, "</text>\n");
}

/* Number of bytes of a text that fit into a width, ending at a blank if possible. */
static size_t chart_text_fit(struct slice s, double width, int size) {
  size_t letters = (size_t)(width / (CHART_LETTER * size)), n = 0, at = 0;
  while (at < s.len && n < letters) {
    at++;
    while (at < s.len && ((unsigned char)s.data[at] & 0xC0) == 0x80)
      at++;
    n++;
  }
  if (at == s.len)
    return at;
  for (size_t i = at; i > at / 2; i--)
    if (s.data[i] == ' ')
      return i;
  return at;
}

/* Writes a text in as many lines as needed; returns the position of the next line. */
static double chart_text_wrapped(struct buf *out, double y, int size, const char *weight, struct slice text) {
  while (text.len) {
    size_t n = chart_text_fit(text, CHART_WIDTH - 2 * CHART_MARGIN, size);
    chart_text_write(out, CHART_MARGIN, y, size, "start", weight, slice_of(text.data, n));
    y += size * 1.4;
    n += n < text.len && text.data[n] == ' ';
    text = slice_of(text.data + n, text.len - n);
  }
  return y;
}

/* Colors of a standalone file; a page has them in its style sheet (html_page.c), light and dark. */
#define SVG_STYLE                                                                                            \
  "<style>svg{fill:#222}.grid{stroke:#d9d9d9}.zero{stroke:#222}.bar{fill:#2f5d8a}.derived{fill:#9db9d3}"     \
  ".line{fill:none;stroke:#b5482f}.dot{fill:#b5482f}.hollow{fill:white;stroke:#b5482f;stroke-width:1.5}</"   \
  "style>\n"

struct svg_place {
  double x, y, width, height; /* of the drawing area inside a panel */
};

static double svg_y(const struct chart_panel *p, const struct svg_place *at, double value) {
  return at->y + at->height * (p->high - value) / (p->high - p->low);
}

static double svg_slot_width(const struct chart_panel *p, const struct svg_place *at) {
  return at->width / ((double)(p->last - p->first) / p->step + 1);
}

static double svg_x(const struct chart_panel *p, const struct svg_place *at, int key) {
  return at->x + svg_slot_width(p, at) * ((double)(key - p->first) / p->step + 0.5);
}

/* Decimals that a step of the axis needs: 2 of 0.25. */
static int svg_decimals(double step) {
  int digits = 0;
  while (digits < 6 && fabs(step - round(step)) > 1e-6 * step) {
    step *= 10;
    digits++;
  }
  return digits;
}

/* With a comma between thousands. */
static void svg_number(double value, int digits, char out[FACT_CELL]) {
  char plain[48];
  snprintf(plain, sizeof plain, "%.*f", digits, value);
  fact_digits_group(plain, out);
}

static void svg_axis(struct buf *out, const struct chart_panel *p, const struct svg_place *at) {
  char text[FACT_CELL];
  int digits = svg_decimals(p->tick);
  for (double v = p->low; v <= p->high + p->tick / 2; v += p->tick) {
    double y = svg_y(p, at, v), shown = fabs(v) < p->tick / 1e6 ? 0 : v;
    buf_printf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", at->x, y,
               at->x + at->width, y, shown == 0 ? "zero" : "grid");
    svg_number(shown, digits, text);
    chart_text_write(out, at->x - 8, y + 4, SMALL, "end", "normal", slice_str(text));
  }
}

/* Every how many slots a label fits: of quarters one, two, or whole years. */
static int svg_label_step(const struct fact_sheet *s, const struct chart_panel *p, const struct svg_place *at,
                          double label) {
  int step = (int)ceil(label / svg_slot_width(p, at));
  step = step < 1 ? 1 : step;
  return p->step == FACT_KEY_YEAR || s->columns[0].measure.company->by_day || step <= 2 ? step
                                                                                        : (step + 3) / 4 * 4;
}

/* Labels at regular distances, from the newest period back. */
static void svg_periods(struct buf *out, const struct fact_sheet *s, const struct chart_panel *p,
                        const struct svg_place *at) {
  char text[64];
  double widest = 0;
  int step = 0;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < s->key_count; i++) {
      const struct fact_row *row = NULL;
      for (size_t c = 0; c < s->column_count && !row; c++)
        row = fact_sheet_cell(s, c, i);
      fact_period_text(row, s->span, text, sizeof text);
      double width = CHART_LETTER * SMALL * (double)strlen(text) + 8;
      widest = width > widest ? width : widest;
      if (pass && (s->keys[0] - s->keys[i]) / p->step % step == 0)
        chart_text_write(out, svg_x(p, at, s->keys[i]), at->y + at->height + 18, SMALL, "middle", "normal",
                         slice_str(text));
      if (!pass && i + 1 == s->key_count)
        step = svg_label_step(s, p, at, widest);
    }
}

static void svg_title_of(struct buf *out, const struct chart_panel *p, const struct fact_row *row,
                         const struct fact_sheet *s) {
  char period[64];
  fact_period_text(row, s->span, period, sizeof period);
  buf_add_str(out, "<title>");
  html_page_text(out, slice_str(period));
  buf_printf(out, ": %s %s", row->value, p->column->measure.unit);
  if (row->fact && row->fact->accession.len) {
    buf_add_str(out, ", ");
    html_page_text(out, row->fact->accession);
  } else if (!row->fact) {
    buf_add_str(out, ", derived");
  }
  buf_add_str(out, "</title>");
}

/* Computed from others, or adjusted for a split. */
static int svg_is_derived(const struct fact_column *c, const struct fact_row *r) {
  return r->derived || fact_split_factor(c->splits, r) != 1;
}

static void svg_bars(struct buf *out, const struct fact_sheet *s, const struct chart_panel *p,
                     const struct svg_place *at) {
  const struct fact_rows *rows = &p->column->measure.rows;
  double width = svg_slot_width(p, at) * 0.7, zero = svg_y(p, at, 0);
  width = width > 60 ? 60 : width;
  for (size_t i = 0; i < rows->count; i++) {
    const struct fact_row *r = &rows->rows[i];
    double y = svg_y(p, at, chart_value(p, r)), high = fabs(zero - y);
    int derived = svg_is_derived(p->column, r);
    /* A transition period has a narrow bar between two quarters or years. */
    int between = p->step > 1 ? fact_row_key(r) % FACT_KEY_QUARTER : 0;
    double x =
        svg_x(p, at, fact_row_key(r) + (between && p->step == FACT_KEY_YEAR ? p->step / 2 - between : 0));
    double wide = between ? width * 0.4 : width;
    high = high < BAR_LEAST ? BAR_LEAST : high;
    buf_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\">", x - wide / 2,
               y < zero ? zero - high : zero, wide, high, derived ? "derived" : "bar");
    svg_title_of(out, p, r, s);
    buf_add_str(out, "</rect>\n");
  }
}

/* A line is interrupted where a period is missing; daily values have no fixed periods. */
static void svg_line(struct buf *out, const struct fact_sheet *s, const struct chart_panel *p,
                     const struct svg_place *at) {
  const struct fact_rows *rows = &p->column->measure.rows;
  int by_day = p->column->measure.company->by_day, last = 0;
  buf_add_str(out, "<path class=\"line\" stroke-width=\"2\" d=\"");
  for (size_t i = 0; i < rows->count; i++) {
    int key = fact_row_key(&rows->rows[i]), joined = i > 0 && (by_day || key - last == p->step);
    buf_printf(out, "%s%.1f %.1f", joined ? "L" : "M", svg_x(p, at, key),
               svg_y(p, at, chart_value(p, &rows->rows[i])));
    last = key;
  }
  buf_add_str(out, "\"/>\n");
  for (size_t i = 0; i < rows->count && !by_day; i++) {
    const struct fact_row *r = &rows->rows[i];
    buf_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" class=\"%s\">", svg_x(p, at, fact_row_key(r)),
               svg_y(p, at, chart_value(p, r)), svg_is_derived(p->column, r) ? "hollow" : "dot");
    svg_title_of(out, p, r, s);
    buf_add_str(out, "</circle>\n");
  }
}

/* The figure, of several companies behind the ticker, and the unit, which is never cut. */
static void svg_panel_title(struct buf *out, const struct fact_sheet *s, const struct chart_panel *p,
                            double x, double y, double width) {
  const struct fact_company *c = p->column->measure.company;
  struct slice who = c->ticker.len ? c->ticker : c->name;
  struct buf title;
  buf_init(&title, 8192);
  if (!fact_sheet_is_single(s))
    buf_printf(&title, "%.*s: ", (int)who.len, who.data);
  buf_add_str(&title, p->column->measure.label);
  size_t room = strlen(p->unit) + 2, n;
  n = chart_text_fit(buf_slice(&title), width - AXIS - CHART_LETTER * TEXT * (double)room, TEXT);
  char *line = xformat("%.*s%s, %s", (int)n, title.data, n < title.len ? " …" : "", p->unit);
  chart_text_write(out, x + 8, y + 18, TEXT, "start", "bold", slice_str(line));
  free(line);
  buf_release(&title);
}

static void svg_panel(struct buf *out, const struct fact_sheet *s, const struct chart_panel *p, double x,
                      double y, double width, double height) {
  struct svg_place at = {x + AXIS, y + PANEL_TITLE, width - AXIS - 16, height - PANEL_TITLE - 34};
  svg_panel_title(out, s, p, x, y, width);
  svg_axis(out, p, &at);
  svg_periods(out, s, p, &at);
  if (p->lines)
    svg_line(out, s, p, &at);
  else
    svg_bars(out, s, p, &at);
}

enum { SVG_DERIVED = 1, SVG_SPLIT = 2 };

/* Which kinds of computed values are drawn as points, or as bars. */
static int svg_computed(const struct fact_sheet *s, const struct chart_panel *panels, int lines) {
  int found = 0;
  for (size_t c = 0; c < s->column_count; c++)
    for (size_t i = 0; panels[c].lines == lines && i < s->columns[c].measure.rows.count; i++) {
      const struct fact_row *r = &s->columns[c].measure.rows.rows[i];
      found |=
          (r->derived ? SVG_DERIVED : 0) | (fact_split_factor(s->columns[c].splits, r) != 1 ? SVG_SPLIT : 0);
    }
  return found;
}

/* Appends what the other shade of bars and hollow points mean. */
static void svg_note_derived(struct buf *out, const struct fact_sheet *s, const struct chart_panel *panels,
                             const char *shade) {
  static const char *const why[] = {"", "derived from other spans", "divided by the ratio of a later split",
                                    "derived from other spans, or divided by the ratio of a later split"};
  int bars = svg_computed(s, panels, 0), points = svg_computed(s, panels, 1);
  if (bars || points)
    buf_printf(out, "%s%s%s%s: %s\n", bars ? shade : "", bars ? " bars" : "", bars && points ? ", " : "",
               points ? "hollow points" : "", why[bars | points]);
}

/* The filings of a value's facts, each once. */
static void svg_note_filings(struct buf *out, const struct fact_row *r) {
  struct fact_part own = {.fact = r->fact};
  const struct fact_part *parts = r->fact ? &own : r->parts;
  size_t count = r->fact ? 1 : r->part_count, said = 0;
  for (size_t i = 0; i < count; i++) {
    const struct fact *f = parts[i].fact;
    int again = !f->accession.len;
    for (size_t k = 0; k < i; k++)
      again |= slice_eq(parts[k].fact->accession, f->accession);
    if (!again)
      buf_printf(out, "%s%.*s %.*s", said++ ? ", " : "", (int)f->form.len, f->form.data,
                 (int)f->accession.len, f->accession.data);
  }
}

/* Names the filings of the newest values, and the notes. */
static double svg_foot(struct buf *out, const struct fact_sheet *s, const struct chart_panel *panels,
                       double y) {
  struct buf notes;
  buf_init(&notes, 1 << 20);
  fact_sheet_notes(s, 0, &notes);
  svg_note_derived(&notes, s, panels, "lighter");
  for (size_t c = 0; c < s->column_count; c++) {
    const struct fact_rows *rows = &s->columns[c].measure.rows;
    const struct fact_row *r = &rows->rows[rows->count - 1];
    const struct fact *f = r->fact ? r->fact : r->part_count ? r->parts[0].fact : NULL;
    if (f && f->accession.len) {
      buf_printf(&notes, "%.*s, %s: newest value from ", (int)r->company->name.len, r->company->name.data,
                 s->columns[c].measure.label);
      svg_note_filings(&notes, r);
      buf_add_char(&notes, '\n');
    }
  }
  struct slice rest = buf_slice(&notes), line;
  while (concept_list_next(&rest, '\n', &line))
    y = chart_text_wrapped(out, y, SMALL, "normal", line);
  buf_release(&notes);
  return y;
}

/* Panels beside each other: two, or three where three companies are compared. */
static size_t svg_across(const struct fact_sheet *s) {
  size_t same = 1;
  while (same < s->column_count && strcmp(s->columns[same].measure.asked, s->columns[0].measure.asked) == 0)
    same++;
  return s->column_count == 1 ? 1 : same == 3 ? 3 : 2;
}

/* Draws the SVG. */
static void chart_svg(struct buf *out, const struct fact_sheet *s) {
  struct chart_panel *panels = chart_panels(s);
  struct buf body, title;
  size_t across = svg_across(s);
  double width = (CHART_WIDTH - 2.0 * CHART_MARGIN) / (double)across,
         height = across > 1 ? SMALL_HEIGHT : PANEL_HEIGHT;
  buf_init(&body, 8 << 20);
  buf_init(&title, 65536);
  fact_sheet_title(s, 1, &title);
  double y = chart_text_wrapped(&body, CHART_MARGIN + TITLE, TITLE, "bold", buf_slice(&title));
  for (size_t i = 0; i < s->column_count; i++)
    svg_panel(&body, s, &panels[i], CHART_MARGIN + (double)(i % across) * width,
              y + (double)(i / across) * height, width, height);
  y += (double)((s->column_count + across - 1) / across) * height + 24;
  y = svg_foot(&body, s, panels, y);
  buf_printf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\" "
      "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" "
      "style=\"fill:white\"/>\n" SVG_STYLE,
      CHART_WIDTH, y + 8, CHART_WIDTH, y + 8);
  buf_add_slice(out, buf_slice(&body));
  buf_add_str(out, "</svg>\n");
  buf_release(&body);
  buf_release(&title);
  free(panels);
}

/* ---- in a page ---- */

static void svg_figure(struct buf *out, const struct fact_sheet *s, const struct chart_panel *p,
                       const char *shown, int width, int height) {
  buf_printf(out, "<svg class=\"chart %s\" role=\"img\" viewBox=\"0 0 %d %d\" aria-label=\"Chart: ", shown,
             width, height);
  html_page_text(out, slice_str(p->column->measure.label));
  buf_printf(out, ", %s; the table has its figures\">\n", p->unit);
  svg_panel(out, s, p, 0, 0, width, height);
  buf_add_str(out, "</svg>\n");
}

void chart_figures(struct buf *out, const struct fact_sheet *s) {
  struct chart_panel *panels = chart_panels(s);
  struct buf note;
  buf_init(&note, 4096);
  buf_add_str(out, "<figure class=\"charts\">\n");
  for (size_t i = 0; i < s->column_count; i++) {
    if (s->column_count == 1)
      svg_figure(out, s, &panels[i], "wide", FIGURE_WIDE, PANEL_HEIGHT);
    svg_figure(out, s, &panels[i], s->column_count == 1 ? "narrow" : "", FIGURE_NARROW, SMALL_HEIGHT);
  }
  svg_note_derived(&note, s, panels, "paler");
  if (note.len) {
    buf_add_str(out, "<figcaption class=\"soft\">");
    html_page_text(out, slice_of(note.data, note.len - 1));
    buf_add_str(out, "</figcaption>\n");
  }
  buf_release(&note);
  buf_add_str(out, "</figure>\n");
  free(panels);
}

/* ---- writes a chart into a file, through a helper that converts SVG, or on the terminal ---- */

enum { CHART_MAX = 16 << 20, TERMINAL_WIDTH = 80, TERMINAL_LEAST = 40, TERMINAL_MOST = 160 };

extern char **environ;

static int chart_ends_with(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n > m && strcmp(name + n - m, end) == 0;
}

void chart_check(const char *file, struct buf *why) {
  if (strcmp(file, "-") != 0 && !chart_ends_with(file, ".svg") && !chart_ends_with(file, ".png") &&
      !chart_ends_with(file, ".pdf"))
    buf_printf(why, "--plot: '%s' is neither - nor a .svg, .png or .pdf file", file);
}

static size_t chart_terminal_width(void) {
  size_t width = screen_columns();
  return !width                   ? TERMINAL_WIDTH
         : width < TERMINAL_LEAST ? TERMINAL_LEAST
         : width > TERMINAL_MOST  ? TERMINAL_MOST
                                  : width;
}

/* ---- files ---- */

/* Opens the picture's file; -1 where it can't be written, which is said. */
static int chart_open(const char *file) {
  int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    diag_errno("%s", file);
  else
    process_publish(fd);
  return fd;
}

/* rsvg-convert reads the SVG from an unnamed file and writes to the open one. */
static int chart_convert(struct slice svg, const char *file, int to) {
  FILE *spool = tmpfile();
  const char *argv[] = {"rsvg-convert", "-f", file + strlen(file) - 3, NULL};
  posix_spawn_file_actions_t actions;
  pid_t pid;
  int status = 0;
  if (!spool || slice_write(svg, fileno(spool)) || lseek(fileno(spool), 0, SEEK_SET)) {
    diag_errno("cannot write a temporary file");
    if (spool)
      fclose(spool);
    return EX_IOERR;
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(spool), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
  int failed = posix_spawnp(&pid, "rsvg-convert", &actions, NULL, (char *const *)(uintptr_t)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  fclose(spool);
  if (failed) {
    diag_warn("rsvg-convert: %s (apt-get install librsvg2-bin); --plot FILE.svg works without it",
              strerror(failed));
    return EX_UNAVAILABLE;
  }
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EX_CANTCREAT;
}

/* Writes the picture; a file without one is not left there. */
static int chart_save(struct slice svg, const char *file) {
  int fd = chart_open(file), status = EX_CANTCREAT;
  if (fd < 0)
    return status;
  if (!chart_ends_with(file, ".svg"))
    status = chart_convert(svg, file, fd);
  else if (slice_write(svg, fd) == 0)
    status = 0;
  else
    diag_errno("%s", file);
  if (close(fd) && !status) {
    diag_errno("%s", file);
    status = EX_CANTCREAT;
  }
  if (status)
    unlink(file);
  return status;
}

static const char *chart_file; /* set before a helper is started */

void chart_use(const char *file) {
  chart_file = file;
}

void chart_run(int in, int out, int err) {
  struct buf svg;
  helper_take(in, out, err);
  buf_init(&svg, CHART_MAX);
  if (buf_read_fd(&svg, STDIN_FILENO) != 0) {
    diag_errno("the picture");
    _exit(EX_IOERR);
  }
  _exit(chart_save(buf_slice(&svg), chart_file));
}

/* Has the helper write the picture: a held program makes no file and starts no rsvg-convert. */
static int chart_pass(struct slice svg, const char *file) {
  struct helper_task t = {.run = chart_run, .left = svg};
  chart_use(file);
  int status = helper_task_do(&t);
  if (status == -1)
    diag_errno("%s", file);
  return status == -1 || !WIFEXITED(status) ? EX_CANTCREAT : WEXITSTATUS(status);
}

void chart_draw(struct program *p, const struct fact_sheet *s, const char *file) {
  struct buf svg;
  if (strcmp(file, "-") == 0) {
    chart_blocks(&p->out.buf, s, chart_terminal_width());
    program_fold(p, 0, SCREEN_HANG_AUTO);
    return;
  }
  buf_init(&svg, CHART_MAX);
  chart_svg(&svg, s);
  int status = chart_pass(buf_slice(&svg), file);
  buf_release(&svg);
  program_fail(p, status);
  if (!status && !p->quiet)
    diag_warn("wrote %s", file);
}

/* chart_svg.c: the SVG of a chart.  Sizes are in pixels.  A letter is assumed to be 0.62 of its height wide, slightly more
 * than in the fonts that the file names, so that no text overflows. */
#include "facts/chart_panel.h"

#include "base/buf.h"
#include "page/html_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

void chart_svg(struct buf *out, const struct fact_sheet *s) {
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

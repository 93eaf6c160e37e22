#include "verify/evidence_rows.h"

#include "verify/evidence_prose.h"
#include "verify/evidence_scales.h"
#include "tables/changes.h"
#include "tables/numbers.h"
#include "text/number_words.h"
#include "verify/evidence_words.h"
#include "verify/numbers_units.h"
#include "verify/periods.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* The scale of a unit of energy in a label, "Storage deployed (GWh)"; 0 where it names none, or a price, "$/MWh". */
static double evidence_energy(struct slice label) {
  static const struct {
    const char *unit;
    double scale;
  } known[] = {NUMBERS_ENERGY};
  for (size_t i = 0; i < sizeof known / sizeof *known && memchr(label.data, '/', label.len) == NULL; i++)
    if (slice_holds_nocase(label, known[i].unit))
      return known[i].scale;
  return 0;
}

/* The scale of a number in a row. */
static double evidence_scale(const struct evidence_table *t, const struct evidence_column *c,
                             struct slice label, int shares) {
  if (t->each || c->each || (evidence_of_each(label) && !shares) ||
      (t->heading == HEADING_EACH && !shares)) /* "in millions, except per share data" */
    return 1;
  double energy = evidence_energy(label), own = energy > 0 ? energy : numbers_caption(label);
  if (own != 1)
    return own;
  return t->some_captions ? c->caption : shares ? t->share_caption : t->caption;
}

/* For "net additions" or "increase (decrease) in cash": whether it is an increase. */
static int evidence_direction(struct slice label, double value) {
  static const char *const up[] = {"addition", "increase", NULL}, *const down[] = {"decrease", NULL};
  static const char *const turned[] = {"(increase", "decrease (", "decrease/(", NULL};
  static const char *const either[] = {"(loss", "(reduction", "(withdraw", NULL};
  int rose = evidence_has(label, up), fell = evidence_has(label, down);
  if (rose == fell)
    return !rose || evidence_has(label, turned) ? 0 : value < 0 ? -1 : 1;
  return rose && !(value < 0 && evidence_has(label, either)) ? 1 : -1;
}

static enum evidence_heading evidence_heading_of(const struct evidence *e, struct slice label) {
  static const char *const shares[] = {"shares used", "weighted-average shares", "weighted average shares",
                                       NULL};
  if (evidence_of_shares(label) || evidence_has(label, shares))
    return HEADING_SHARES;
  if (evidence_of_each(label))
    return HEADING_EACH;
  return e->table && concept_word_find(e->table, slice_of(label.data, label.len - 1)) ? HEADING_NONE
                                                                                      : HEADING_PART;
}

/* The heading of the rows behind a label without figures: one that ends with a colon, or is "Net income per share of common
 * stock" or "Weighted average shares used in ...", which otherwise end. */
static enum evidence_heading evidence_heading_under(const struct evidence *e, enum evidence_heading before,
                                                    struct slice label) {
  enum evidence_heading is = evidence_heading_of(e, label);
  if (label.data[label.len - 1] == ':' || is == HEADING_SHARES || is == HEADING_EACH)
    return is;
  return before == HEADING_PART ? before : HEADING_NONE;
}

/* Where all figures of a row are negative, losses or payments, an increase of their size is a negative change. */
static void evidence_turn_changes(struct evidence *e, size_t first) {
  int negative = 0, positive = 0;
  for (size_t i = first; i < e->count; i++) {
    negative |= !e->items[i].direction && e->items[i].value < 0;
    positive |= !e->items[i].direction && e->items[i].value > 0;
  }
  for (size_t i = first; i < e->count && negative && !positive; i++)
    e->items[i].direction = e->items[i].percent ? e->items[i].direction : -e->items[i].direction;
}

/* "Operating ratio (%)", not the rate in "3.7% notes". */
static int evidence_is_percent_label(struct slice label) {
  for (size_t i = 0; i < label.len; i++)
    if (label.data[i] == '%' && (!i || !isdigit((unsigned char)label.data[i - 1])))
      return 1;
  return 0;
}

/* "Percent of net sales:", not the "Five Percent Shareholders:". */
static int evidence_is_percent_heading(struct slice heading) {
  static const char word[] = "percent";
  size_t at = 0;
  while (at < heading.len && !slice_at_nocase(heading, at, word))
    at++;
  return at < heading.len && number_words_cardinal(number_word_before(heading, at)) == 0;
}

/* A column of changes with "4%" in one row has percentages in all rows. */
static void evidence_percent_column(struct evidence *e, struct evidence_table *t, size_t column) {
  for (size_t i = t->first; i < e->count; i++)
    if (e->items[i].in_table && e->items[i].column == column && !e->items[i].currency) {
      e->items[i].percent = 1;
      e->items[i].caption = 1;
    }
  t->columns[column].percent = 1;
}

/* The only year in a label. */
static int evidence_label_year(struct slice label) {
  struct stated s;
  numbers_read(&s, label, 0);
  int year = s.year_count == 1 ? s.years[0].year : 0;
  numbers_release(&s);
  return year;
}

/* Whether the first cell is a year alone. */
static int evidence_is_of_year(struct slice line) {
  struct slice cell;
  struct stated s;
  if (!evidence_next_cell(&line, &cell) || cell.len != 4)
    return 0;
  numbers_read(&s, cell, 0);
  int is = s.year_count == 1;
  numbers_release(&s);
  return is;
}

/* What a row's label and the headings above it say of all its figures. */
struct evidence_row {
  struct slice label;
  struct evidence_words words;
  size_t core; /* as in an item */
  const struct concept_word *concept;
  int whole, percent, year, shares, titled;
};

/* A total has no words of its own: "Total", or no label.  The table's title says what it is of. */
static void evidence_row_words(const struct evidence *e, const struct evidence_table *t,
                               struct evidence_row *row) {
  evidence_words_of(e, &row->words, evidence_core(row->label));
  row->core = row->words.count;
  evidence_words_add(e, &row->words, evidence_without_note(row->label));
  int total = !row->label.len || slice_begins_nocase(row->label, "total");
  if (row->words.count || !t->labels || !total)
    return;
  evidence_words_add(e, &row->words, t->title);
  row->core = row->words.count;
  row->titled = row->words.count > 0;
}

static void evidence_row_read(const struct evidence *e, const struct evidence_table *t,
                              struct evidence_row *row, struct slice label) {
  *row = (struct evidence_row){.label = label};
  evidence_row_words(e, t, row);
  row->concept = evidence_concept(e, label);
  row->whole = row->concept && evidence_whole_label(e->table, label) == row->concept;
  row->percent = evidence_is_percent_label(label) || evidence_is_percent_label(t->under) ||
                 evidence_is_percent_heading(t->under);
  row->year = evidence_label_year(label);
  row->year = row->year ? row->year : evidence_label_year(t->under);
  row->year = row->year ? row->year : t->section_year;
  row->shares = evidence_of_shares(label) || t->heading == HEADING_SHARES;
  /* "Shares used in computing net income per share" */
  row->concept = row->shares && !row->whole ? NULL : row->concept;
}

/* "Receivables uncollected at end of period": of a day, whatever the length of the period. */
static int evidence_is_balance(struct slice label) {
  static const char *const words[] = {CHANGES_BALANCE, NULL};
  return evidence_has(label, words);
}

/* A caption with exceptions, or of the column alone, is sure to be a figure's own; a count may be one of the exceptions. */
static void evidence_cell_caption(const struct evidence *e, const struct evidence_table *t,
                                  struct evidence_item *item) {
  int excepted = evidence_is_excepted(e, t, item->column, item->label);
  item->captioned = item->caption != 1 && !excepted && (t->some_captions || t->except.len);
  if (!item->currency && !item->shares && evidence_is_excepted(e, t, item->column, slice_of(NULL, 0)))
    item->caption = 1; /* "in millions, except units of digital assets", in the column "Units" */
}

/* A number of the cell in column c. */
static void evidence_cell(struct evidence *e, const struct evidence_table *t, const struct evidence_row *row,
                          const struct stated_number *n, struct slice cell, size_t c, int mark) {
  const struct evidence_column *column = &t->columns[c];
  evidence_take(e, n, cell, row->label, &row->words, row->concept, mark,
                column->year ? column->year : row->year);
  struct evidence_item *item = &e->items[e->count - 1];
  item->row_year = row->year;
  item->currency = item->currency && column->currency ? column->currency : item->currency;
  item->percent |= (row->percent || column->percent || t->percent) && !item->currency;
  item->in_table = 1;
  item->core = row->core;
  item->titled = row->titled;
  item->column = c;
  item->shares_caption = t->share_caption;
  item->under = t->under;
  item->head = column->head;
  item->ends = column->ends;
  item->day = column->day ? column->day : period_day_near(row->label, row->label.len);
  item->named = column->words.count > 0;
  item->place = column->words;
  evidence_words_add(e, &item->place, t->under);
  item->whole = row->whole;
  item->part = t->heading == HEADING_PART;
  item->months = evidence_is_balance(row->label) ? 0 : column->months;
  item->shares = !item->currency && !item->percent && (row->shares || column->shares);
  item->caption = item->percent ? 1 : evidence_scale(t, column, row->label, item->shares);
  evidence_cell_caption(e, t, item);
  item->any_scale = !n->scaled && fabs(n->value) < EVIDENCE_SCALE_MOST && !t->each &&
                    !evidence_of_each(row->label) && !t->headed && t->caption == 1;
  item->direction = column->change ? (item->value < 0 ? -1 : 1) : evidence_direction(row->label, item->value);
}

static void evidence_cells_read(struct evidence *e, struct evidence_table *t, struct evidence_row *row,
                                struct slice line, int mark) {
  struct slice cell;
  for (size_t c = 1; c < EVIDENCE_COLUMNS && evidence_next_cell(&line, &cell); c++) {
    struct stated s;
    numbers_read(&s, cell, 0);
    for (size_t i = 0; i < s.number_count && !t->columns[c].names; i++)
      evidence_cell(e, t, row, &s.numbers[i], cell, c, mark);
    if (s.year_count == 1 && cell.len == 4) /* "Maturities" */
      row->year = s.years[0].year;
    if (s.number_count && s.numbers[0].percent && t->columns[c].change && !t->columns[c].percent)
      evidence_percent_column(e, t, c);
    numbers_release(&s);
  }
}

/* "10 years" */
static int evidence_is_length(struct slice label) {
  size_t i = 0;
  while (i < label.len && isdigit((unsigned char)label.data[i]))
    i++;
  return i && (slice_at_nocase(label, i, " year") || slice_at_nocase(label, i, " month"));
}

/* "3,216 and 3,185 shares issued": a list of as many as there are columns of dates is of these, in turn. */
static void evidence_label_dates(struct evidence *e, const struct evidence_table *t, size_t first) {
  size_t dated = 0;
  for (size_t c = 1; c < t->cells && c < EVIDENCE_COLUMNS; c++)
    dated += t->columns[c].year != 0;
  for (size_t i = first; i < e->count; i++) {
    struct evidence_item *item = &e->items[i];
    if (dated < 2 || item->list != dated || item->year || item->place_in_list + 1 >= EVIDENCE_COLUMNS)
      continue;
    item->year = t->columns[item->place_in_list + 1].year;
    item->day = t->columns[item->place_in_list + 1].day;
  }
}

/* The figures of a label, "common stock, $0.01 par value, 3,216 shares issued": of the shares in the scale of the table's. */
static void evidence_label_figures(struct evidence *e, const struct evidence_table *t, int mark,
                                   struct slice label) {
  size_t first = e->count;
  evidence_sentence(e, mark, label);
  for (size_t i = first; i < e->count && slice_holds_nocase(label, " shares"); i++)
    if (!e->items[i].currency && !e->items[i].percent && e->items[i].last >= 1)
      e->items[i].caption = t->share_caption;
  evidence_label_dates(e, t, first);
}

void evidence_table_row(struct evidence *e, struct evidence_table *t, int mark, struct slice line) {
  struct slice label;
  struct evidence_row row;
  for (size_t cells = evidence_cells(line);
       !t->headed && t->cells && cells > t->cells && cells <= EVIDENCE_COLUMNS;)
    evidence_shift(t); /* empty corners were omitted */
  if (!evidence_next_cell(&line, &label))
    return;
  if (label.len == 0 && evidence_is_of_year(line)) /* "| Ada Lind, President | 2025 |" and "| | 2024 |" */
    label = t->label;
  t->label = label;
  if (!evidence_is_length(label))
    evidence_label_figures(e, t, mark, label);
  evidence_row_read(e, t, &row, label);
  e->rows++;
  size_t before = e->count;
  evidence_cells_read(e, t, &row, line, mark);
  evidence_turn_changes(e, before);
  if (e->count > before) {
    evidence_count_line(&e->lines, &row.words);
    evidence_count_line(&e->all, &row.words);
    t->labels += label.len > 0;
  } else if (label.len) {
    int year = evidence_label_year(label);
    t->under = label;
    t->section_year = year ? year : t->section_year;
    t->heading = evidence_heading_under(e, t->heading, label);
  }
  if (e->count > before && label.len > 5 && strncasecmp(label.data, "total", 5) == 0) {
    t->heading = HEADING_NONE;
    t->under = slice_of(NULL, 0);
  }
}

int evidence_is_rule(struct slice line) {
  for (size_t i = 0; i < line.len; i++)
    if (!strchr("|-: \r", line.data[i]) || !line.data[i])
      return 0;
  return 1;
}

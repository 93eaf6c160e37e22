/* evidence_rows.c: the figures of a table as items of the evidence.
 *
 * The caption gives scales and exceptions, the header gives columns their periods, units and words, a row gives its label.  A table without
 * a caption may take its scale from its largest amount. */
#include "verify/evidence_rows.h"
#include "base/day.h"
#include "tables/changes.h"
#include "verify/evidence_prose.h"
#include "verify/evidence_words.h"
#include "text/numbers.h"
#include "text/numbers_units.h"
#include "verify/periods.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* Numbers from here on are taken as printed: of a table without a caption they are neither thousands nor millions. */
#define EVIDENCE_SCALE_MOST 1e6

int evidence_has(struct slice text, const char *const *words) {
  for (; *words; words++)
    if (slice_holds_nocase(text, *words))
      return 1;
  return 0;
}

int evidence_of_each(struct slice label) {
  static const char *const words[] = {" per ", "per-share", "price paid", " / lb", NULL};
  return evidence_has(label, words);
}

/* "Shares used in computation of basic earnings per share": the shares, not what is earned per share. */
static int evidence_of_divisor(struct slice label) {
  static const char *const words[] = {"shares for", "shares in", NULL};
  static const char *const within[] = {"shares used in", "average shares", "average number of shares", NULL};
  for (int k = 0; words[k]; k++)
    if (slice_begins_nocase(label, words[k]))
      return 1;
  return evidence_has(label, within);
}

/* Whether a line or column counts shares; amounts paid for shares don't count. */
static int evidence_of_shares(struct slice label) {
  static const char *const words[] = {
      "shares outstanding", "number of shares", "shares used in",  "weighted average",
      "weighted-average",   "# of shares",      "common shares -", NULL};
  static const char *const other[] = {"price", "exercise", "fair value", "value of",
                                      "rate",  "life",     "interest",   NULL};
  static const char *const counts[] = {"shares", "shares or principal amount", "shrs or prn amt",
                                       "number of securities", NULL};
  return evidence_of_divisor(label) || slice_among_nocase(label, counts) ||
         (evidence_has(label, words) && !evidence_has(label, other) && !evidence_of_each(label));
}

/* The scale of share counts under a caption: "in millions, except number of shares, which are in thousands". */
static double evidence_share_caption(struct slice text, double caption) {
  static const char *const except[] = {"except share", "except for share", "except number", "and share",
                                       NULL};
  static const char shares[] = "shares";
  const char *at = text.len ? memmem(text.data, text.len, shares, sizeof shares - 1) : NULL;
  double own = at ? numbers_caption(slice_of(at, text.len - (size_t)(at - text.data))) : 1;
  return own != 1 ? own : evidence_has(text, except) ? 1 : caption;
}

/* What a caption excludes from its scale: "units" of "in millions, except units"; rows of amounts per share are told anyway. */
static void evidence_take_exceptions(const struct evidence *e, struct evidence_table *t, struct slice line) {
  static const char word[] = "except";
  static const char *const any[] = {"noted", "indicated", "specified", NULL};
  static const char *const each[] = {" per ", "percent", "ratio", NULL};
  const char *at = line.len ? memmem(line.data, line.len, word, sizeof word - 1) : NULL;
  struct slice rest = at ? slice_of(at, line.len - (size_t)(at - line.data)) : slice_of(NULL, 0);
  rest = slice_cut(&rest, ')');
  t->excepts = rest.len && !evidence_has(rest, any);
  t->except.count = 0;
  while (rest.len) {
    struct slice part = slice_cut(&rest, ',');
    if (!evidence_has(part, each))
      evidence_words_add(e, &t->except, part);
  }
}

/* Records a line that may be the caption of the following tables. */
void evidence_take_caption(const struct evidence *e, struct evidence_table *t, struct slice line) {
  static const char *const percent[] = {"(%)", "(in percent)", NULL};
  double caption = numbers_caption(line);
  t->percent |= evidence_has(line, percent);
  if (caption == 1)
    return;
  t->caption = caption;
  t->share_caption = evidence_share_caption(line, caption);
  evidence_take_exceptions(e, t, line);
}

/* The words of a header cell other than its date: "Fair value" in "December 31, 2023 Fair value". */
static void evidence_column_words(const struct evidence *e, struct evidence_column *c, struct slice cell) {
  static const char *const period[] = {CHANGES_PERIOD, NULL};
  for (size_t i = 0, from, skip = 0; i < cell.len; i++) {
    for (; c->caption != 1 && i < cell.len && (skip || cell.data[i] == '('); i++) /* "(in thousands)" */
      skip = cell.data[i] != ')';
    for (from = i; i < cell.len && isalpha((unsigned char)cell.data[i]); i++)
      ;
    for (size_t letters = i - from;
         letters && letters < 4 && i < cell.len && isdigit((unsigned char)cell.data[i]); i++)
      ; /* "R6" */
    struct slice word = slice_of(cell.data + from, i - from);
    int month = day_month_named(word.data, word.len), of_period = month > 0;
    c->ends = month > 0 ? month : c->ends;
    for (int k = 0; period[k]; k++)
      of_period |= slice_is(word, period[k]);
    if (!of_period)
      evidence_words_add(e, &c->words, word);
  }
}

static void evidence_column_read(const struct evidence *e, struct evidence_column *c, struct slice cell) {
  static const char *const changes[] = {"change",   "vs.",    "increase", "decrease",
                                        "variance", "effect", "impact",   NULL};
  static const char *const percent[] = {"%", "percent", NULL};
  static const char *const names[] = {CHANGES_IDENTIFIER, NULL};
  struct stated s;
  struct periods periods;
  numbers_read(&s, cell, 0);
  periods_read(&periods, cell, &s);
  *c = (struct evidence_column){.months = period_months_near(&periods, cell.len),
                                .caption = numbers_caption(cell)};
  c->change = evidence_has(cell, changes);
  for (size_t i = 0; i < s.year_count; i++) /* the later one in "2024 vs. 2023" */
    c->year = !c->change || s.years[i].year > c->year ? s.years[i].year : c->year;
  const char *except = cell.len ? memmem(cell.data, cell.len, "except", 6) : NULL;
  c->percent = evidence_has(slice_of(cell.data, except ? (size_t)(except - cell.data) : cell.len), percent);
  c->shares = evidence_of_shares(cell);
  c->currency = number_currency_of(cell);
  c->each = evidence_has(
      cell, (const char *const[]){" / lb", " per lb", " per pound", " per ton", " per ounce", NULL});
  c->names = slice_among_nocase(cell, names);
  evidence_column_words(e, c, cell);
  c->head = cell;
  c->day = period_day_near(&periods, cell.len);
  numbers_release(&s);
}

/* A second table without a header inherits the previous one's if it has as many columns. */
static int evidence_is_headless(const struct evidence_table *t, const struct slice *cells, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (cells[i].len)
      return 0;
  return t->cells && count == t->cells;
}

/* A corner such as "Freight revenues Millions" or "Millions, for the six months ended June 30,", or one that describes its figures: "Average revenue per car". */
static void evidence_take_corner(struct evidence_table *t, struct slice cell) {
  static const struct {
    const char *word;
    double scale;
  } known[] = {{"millions", 1e6}, {"thousands", 1e3}, {"billions", 1e9}};
  t->each = evidence_of_each(cell) && !evidence_has(cell, (const char *const[]){"except", NULL});
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    size_t n = strlen(known[k].word);
    int begins = slice_begins_nocase(cell, known[k].word) && cell.len > n && cell.data[n] == ',';
    if (begins || (cell.len >= n && strncasecmp(cell.data + cell.len - n, known[k].word, n) == 0))
      t->caption = t->share_caption = known[k].scale;
  }
}

void evidence_table_head(const struct evidence *e, struct evidence_table *t, struct slice line) {
  struct slice cells[PAGE_COLUMNS];
  size_t captions = 0, count = page_row_split(line, cells);
  if (evidence_is_headless(t, cells, count))
    return;
  t->cells = count;
  t->some_captions = 0;
  memset(t->columns, 0, sizeof t->columns);
  for (size_t c = 0; c < count; c++) {
    struct evidence_column *column = &t->columns[c];
    evidence_column_read(e, column, cells[c]);
    if (!column->months &&
        !column->day) /* a day is a balance's, or stands behind "months ended" in its own head */
      column->months = t->columns[0].months;
    captions += c > 0 && column->caption != 1;
    if (c == 0 || captions == 1)
      evidence_take_caption(e, t, cells[c]);
    if (c == 0)
      evidence_take_corner(t, cells[c]);
  }
  for (size_t c = 1; c < count; c++) /* "December 31, 2024 | Year ended December 31, 2023" */
    for (size_t k = 1; k < count && !t->columns[c].months && t->columns[c].day && t->columns[c].year; k++)
      if (t->columns[k].day == t->columns[c].day)
        t->columns[c].months = t->columns[k].months;
  t->some_captions = captions > 0 && captions + 1 < count && t->columns[0].caption == 1;
}

/* Inserts a corner cell before the columns. */
static void evidence_shift(struct evidence_table *t) {
  memmove(t->columns + 1, t->columns, (PAGE_COLUMNS - 1) * sizeof *t->columns);
  t->columns[0] = (struct evidence_column){0};
  t->cells++;
}

/* ---- tables without a caption ---- */

#define SCALE_LEAST 1e3 /* a table of smaller numbers may count anything */
#define SCALE_ROUND 100 /* amounts that are all multiples of it are rounded dollars */

static int scale_is_amount(const struct evidence_item *item) {
  return item->in_table && item->scale.caption == 1 && !item->percent && !item->shares &&
         item->kind != KIND_EACH && !evidence_of_each(item->label) && !evidence_of_each(item->cell.head);
}

void evidence_scales_find(struct evidence *e, size_t first) {
  double most = 0;
  int money = 0, odd = 0, cents = 0;
  for (size_t i = first; i < e->count; i++) {
    const struct evidence_item *item = &e->items[i];
    if (item->in_table && item->scale.caption != 1)
      return;
    if (!scale_is_amount(item))
      continue;
    most = fmax(most, fabs(item->value));
    money |= item->currency;
    odd |= fmod(fabs(item->value), SCALE_ROUND) != 0 && fabs(item->value) >= SCALE_LEAST;
    cents |= item->last < 0.1;
  }
  if (!money || !odd || cents || most < SCALE_LEAST || most >= EVIDENCE_SCALE_MOST)
    return;
  for (size_t i = first; i < e->count; i++)
    e->items[i].scale.any |= scale_is_amount(&e->items[i]);
}

/* ---- rows ---- */

/* The scale of a number in a row. */
static double evidence_scale(const struct evidence_table *t, const struct evidence_column *c,
                             struct slice label, int shares) {
  if (t->each || c->each || (evidence_of_each(label) && !shares) ||
      (t->heading == HEADING_EACH && !shares)) /* "in millions, except per share data" */
    return 1;
  double own = numbers_caption(label);
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
  label.len -= label.data[label.len - 1] == ':';
  return e->table && concept_word_find(e->table, label) ? HEADING_NONE : HEADING_PART;
}

/* "Operating ratio (%)", not the rate in "3.7% notes". */
static int evidence_is_percent_label(struct slice label) {
  for (size_t i = 0; i < label.len; i++)
    if (label.data[i] == '%' && (!i || !isdigit((unsigned char)label.data[i - 1])))
      return 1;
  return 0;
}

/* A column of changes with "4%" in one row has percentages in all rows. */
static void evidence_percent_column(struct evidence *e, struct evidence_table *t, size_t column) {
  for (size_t i = t->first; i < e->count; i++)
    if (e->items[i].in_table && e->items[i].cell.column == column && !e->items[i].currency) {
      e->items[i].percent = 1;
      e->items[i].scale.caption = 1;
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

/* What a row's label and the headings above it say of all its figures. */
struct evidence_row {
  struct slice label;
  struct evidence_words words;
  size_t core; /* as in an item */
  const struct concept_word *concept;
  int whole, percent, year, day, shares, titled;
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

static void evidence_row_read(const struct evidence *e, struct evidence_table *t, struct evidence_row *row,
                              struct slice label) {
  *row = (struct evidence_row){.label = label};
  evidence_row_words(e, t, row);
  row->concept = evidence_concept(e, label);
  row->whole = row->concept && evidence_whole_label(e->table, label) == row->concept;
  row->percent = evidence_is_percent_label(label) || evidence_is_percent_label(t->under) ||
                 slice_begins_nocase(t->under, "percent");
  row->year = evidence_label_year(label);
  if (row->year) {
    struct periods periods;
    periods_read(&periods, label, NULL);
    row->day = period_day_near(&periods, label.len);
  }
  if (t->last_year && slice_begins_nocase(label, "thereafter"))
    row->year = t->last_year + 1;
  t->last_year = row->year;
  for (size_t i = t->groups.count - (size_t)t->groups.label; i-- > 0 && !row->year;)
    row->year = evidence_label_year(t->headings[i]);
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
static void evidence_cell_caption(const struct evidence_table *t, struct evidence_item *item,
                                  const struct evidence_column *column, const struct evidence_row *row) {
  size_t in_column = 0, in_row = 0;
  if (!t->some_captions) {
    evidence_overlap(&t->except, &column->words, &in_column);
    evidence_overlap(&t->except, &row->words, &in_row);
  }
  item->scale.captioned =
      item->scale.caption != 1 && (t->some_captions || (t->excepts && !in_column && !in_row));
  if (!item->currency && !item->shares && in_column)
    item->scale.caption = 1; /* "in millions, except units of digital assets", in the column "Units" */
}

/* A number of the cell in column c. */
static void evidence_cell(struct evidence *e, const struct evidence_table *t, const struct evidence_row *row,
                          const struct stated_number *n, struct slice cell, size_t c, int mark) {
  const struct evidence_column *column = &t->columns[c];
  evidence_take(e, n, cell, row->label, &row->words, row->concept, mark,
                column->year ? column->year : row->year);
  struct evidence_item *item = &e->items[e->count - 1];
  item->when.row_year = row->year;
  item->currency = item->currency && column->currency ? column->currency : item->currency;
  item->percent |= (row->percent || column->percent || t->percent) && !item->currency;
  item->in_table = 1;
  item->cell.core = row->core;
  item->cell.titled = row->titled;
  item->cell.column = c;
  item->scale.shares = t->share_caption;
  item->cell.under = t->under;
  item->cell.head = column->head;
  item->when.ends = column->ends;
  item->when.day = column->day ? column->day : row->day;
  item->cell.named = column->words.count > 0;
  item->place = column->words;
  evidence_words_add(e, &item->place, t->under);
  item->whole = row->whole;
  item->cell.part = t->heading == HEADING_PART;
  item->when.months = evidence_is_balance(row->label) ? 0 : column->months;
  item->shares = !item->currency && !item->percent && (row->shares || column->shares);
  item->scale.caption = item->percent ? 1 : evidence_scale(t, column, row->label, item->shares);
  evidence_cell_caption(t, item, column, row);
  item->scale.any = !n->scaled && fabs(n->value) < EVIDENCE_SCALE_MOST && !t->each &&
                    !evidence_of_each(row->label) && !t->headed && t->caption == 1;
  item->direction = column->change ? (item->value < 0 ? -1 : 1) : evidence_direction(row->label, item->value);
}

static void evidence_cells_read(struct evidence *e, struct evidence_table *t, struct evidence_row *row,
                                const struct slice *cells, size_t count, int mark) {
  for (size_t c = 1; c < count; c++) {
    struct stated s;
    numbers_read(&s, cells[c], 0);
    for (size_t i = 0; i < s.number_count && !t->columns[c].names; i++)
      evidence_cell(e, t, row, &s.numbers[i], cells[c], c, mark);
    if (s.year_count == 1 && cells[c].len == 4) /* "Maturities" */
      row->year = s.years[0].year;
    if (s.number_count && s.numbers[0].percent && t->columns[c].change && !t->columns[c].percent)
      evidence_percent_column(e, t, c);
    numbers_release(&s);
  }
}

/* The figures of a label, "common stock, $0.01 par value, 3,216 shares issued": of the shares in the scale of the table's. */
static void evidence_label_figures(struct evidence *e, const struct evidence_table *t, int mark,
                                   struct slice label) {
  size_t first = e->count;
  evidence_sentence(e, mark, label);
  for (size_t i = first; i < e->count && slice_holds_nocase(label, " shares"); i++)
    if (!e->items[i].currency && !e->items[i].percent && e->items[i].last >= 1)
      e->items[i].scale.caption = t->share_caption;
}

void evidence_table_row(struct evidence *e, struct evidence_table *t, int mark, struct slice line) {
  struct slice cells[PAGE_COLUMNS], label;
  struct evidence_row row;
  size_t count = page_row_split(line, cells);
  while (!t->headed && t->cells && count > t->cells)
    evidence_shift(t); /* empty corners were omitted */
  if (count == 0)
    return;
  label = cells[0];
  size_t headings = page_groups_row(&t->groups, line, 0);
  if (t->groups.label)
    t->headings[headings] = label;
  t->under = headings > 0 ? t->headings[headings - 1] : slice_of(NULL, 0);
  t->heading = headings > 0 ? evidence_heading_of(e, t->under) : HEADING_NONE;
  evidence_label_figures(e, t, mark, label);
  evidence_row_read(e, t, &row, label);
  e->rows++;
  size_t before = e->count;
  evidence_cells_read(e, t, &row, cells, count, mark);
  if (e->count > before) {
    evidence_count_line(&e->lines, &row.words);
    evidence_count_line(&e->all, &row.words);
    t->labels += label.len > 0;
  }
  if (e->count > before && slice_begins_nocase(label, "total")) {
    for (size_t i = t->parts > t->first ? t->parts : t->first; i < before; i++)
      e->items[i].cell.of = label;
    t->parts = e->count;
  }
}

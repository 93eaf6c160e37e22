#include "verify/evidence_heads.h"

#include "base/clock.h"
#include "tables/changes.h"
#include "verify/evidence_words.h"
#include "verify/numbers.h"
#include "verify/numbers_units.h"
#include "verify/periods.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

int evidence_next_cell(struct slice *line, struct slice *cell) {
  if (!line->len)
    return 0;
  size_t n = 0;
  while (n < line->len && (line->data[n] != '|' || (n && line->data[n - 1] == '\\')))
    n++;
  *cell = slice_of(line->data, n);
  n += n < line->len;
  *line = slice_of(line->data + n, line->len - n);
  while (cell->len && cell->data[0] == ' ')
    *cell = slice_of(cell->data + 1, cell->len - 1);
  while (cell->len && (cell->data[cell->len - 1] == ' ' || cell->data[cell->len - 1] == '\r'))
    cell->len--;
  return 1;
}

int evidence_has(struct slice text, const char *const *words) {
  for (; *words; words++)
    if (slice_holds_nocase(text, *words))
      return 1;
  return 0;
}

int evidence_of_each(struct slice label) {
  static const char *const words[] = {" per ", "per-share", "price paid", NULL};
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
int evidence_of_shares(struct slice label) {
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

/* ---- exceptions from a caption ---- */

struct evidence_row_names {
  struct slice label, head;
};

/* What a caption excludes from its scale; empty where it names nothing. */
static struct slice evidence_exceptions(struct slice line) {
  static const char word[] = "except";
  const char *at = line.len ? memmem(line.data, line.len, word, sizeof word - 1) : NULL;
  size_t from = at ? (size_t)(at - line.data) + sizeof word - 1 : line.len, to = from;
  while (to < line.len && line.data[to] != ')')
    to++;
  return slice_of(line.data + from, to - from);
}

/* Removes and returns the first of a caption's exceptions: they are parted by commas, "and" and "or". */
static struct slice exception_cut(struct slice *rest) {
  static const char *const parts[] = {" and ", ", ", " or "};
  struct slice all = *rest;
  for (size_t i = 0; i < all.len; i++)
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
      if (slice_at_nocase(all, i, parts[k])) {
        *rest = slice_of(all.data + i + strlen(parts[k]), all.len - i - strlen(parts[k]));
        return slice_of(all.data, i);
      }
  *rest = slice_of(all.data, 0);
  return all;
}

/* Whether an exception, "per share data" or "number of employees", is a row's. */
static int exception_is_of(const struct evidence *e, struct slice exception,
                           const struct evidence_row_names *row) {
  static const char *const any[] = {"noted", "indicated", "specified", NULL};
  static const char *const each[] = {" per ", "percent", "ratio", NULL};
  static const char *const own[] = {" per ", "percent", " ratio", NULL}; /* not "operations" */
  struct evidence_words of, names;
  size_t common;
  if (evidence_has(exception, any))
    return 1;
  if (evidence_has(exception, each))
    return evidence_of_each(row->label) || evidence_has(row->label, own) ||
           slice_begins_nocase(row->label, "ratio");
  evidence_words_of(e, &of, exception);
  evidence_words_of(e, &names, row->label);
  evidence_words_add(e, &names, row->head);
  evidence_overlap(&of, &names, &common);
  return common > 0;
}

int evidence_is_excepted(const struct evidence *e, const struct evidence_table *t, size_t column,
                         struct slice label) {
  const struct evidence_column *c = &t->columns[column];
  struct slice rest = t->except;
  struct evidence_row_names row = {label, c->words.count ? c->head : slice_of(NULL, 0)};
  while (!t->some_captions && rest.len)
    if (exception_is_of(e, exception_cut(&rest), &row))
      return 1;
  return 0;
}

/* Records a line that may be the caption of the following tables. */
void evidence_take_caption(struct evidence_table *t, struct slice line) {
  static const char *const percent[] = {"(%)", "(in percent)", NULL};
  double caption = numbers_caption(line);
  t->percent |= evidence_has(line, percent);
  if (caption == 1)
    return;
  t->caption = caption;
  t->except = evidence_exceptions(line);
  t->share_caption = evidence_share_caption(line, caption);
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
    int month = clock_month(word.data, word.len), of_period = month > 0;
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
  numbers_read(&s, cell, 0);
  *c = (struct evidence_column){.months = period_months_near(cell, cell.len),
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
  c->day = period_day_near(cell, cell.len);
  numbers_release(&s);
}

size_t evidence_cells(struct slice line) {
  struct slice cell;
  size_t count = 0;
  while (evidence_next_cell(&line, &cell))
    count++;
  return count;
}

/* A second table without a header inherits the previous one's if it has as many columns. */
static int evidence_is_headless(const struct evidence_table *t, struct slice line) {
  for (size_t i = 0; i < line.len; i++)
    if (line.data[i] != '|' && line.data[i] != ' ')
      return 0;
  return t->cells && evidence_cells(line) == t->cells;
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
  struct slice cell;
  size_t captions = 0;
  if (evidence_is_headless(t, line))
    return;
  t->cells = 0;
  t->some_captions = 0;
  memset(t->columns, 0, sizeof t->columns);
  for (size_t c = 0; c < EVIDENCE_COLUMNS && evidence_next_cell(&line, &cell); c++) {
    struct evidence_column *column = &t->columns[c];
    t->cells++;
    evidence_column_read(e, column, cell);
    if (!column->months &&
        !column->day) /* a day is a balance's, or stands behind "months ended" in its own head */
      column->months = t->columns[0].months;
    captions += c > 0 && column->caption != 1;
    if (c == 0 || captions == 1)
      evidence_take_caption(t, cell);
    if (c == 0)
      evidence_take_corner(t, cell);
  }
  t->some_captions = captions > 0 && captions + 1 < t->cells && t->columns[0].caption == 1;
}

/* Inserts a corner cell before the columns. */
void evidence_shift(struct evidence_table *t) {
  memmove(t->columns + 1, t->columns, (EVIDENCE_COLUMNS - 1) * sizeof *t->columns);
  t->columns[0] = (struct evidence_column){0};
  t->cells++;
}

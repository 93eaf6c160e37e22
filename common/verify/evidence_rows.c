#include "verify/evidence_rows.h"

#include "verify/evidence_prose.h"
#include "verify/evidence_words.h"
#include "verify/periods.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* The scale of a number in a row. */
static double evidence_scale(const struct evidence_table *t, const struct evidence_column *c,
                             struct slice label, int shares) {
  if (t->each || (evidence_of_each(label) && !shares) ||
      (t->heading == HEADING_EACH && !shares)) /* "in millions, except per share data" */
    return 1;
  return t->some_captions ? c->caption : shares ? t->share_caption : t->caption;
}

/* For "net additions" or "increase (decrease) in cash": whether it is an increase. */
static int evidence_direction(struct slice label, double value) {
  static const char *const up[] = {"addition", "increase", NULL}, *const down[] = {"decrease", NULL};
  static const char *const turned[] = {"(increase", "decrease (", "decrease/(", NULL};
  int rose = evidence_has(label, up), fell = evidence_has(label, down);
  if (rose == fell)
    return !rose || evidence_has(label, turned) ? 0 : value < 0 ? -1 : 1;
  return rose ? 1 : -1;
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

void evidence_table_row(struct evidence *e, struct evidence_table *t, int mark, struct slice line) {
  struct slice label, cell;
  struct evidence_words words;
  for (size_t cells = evidence_cells(line);
       !t->headed && t->cells && cells > t->cells && cells <= EVIDENCE_COLUMNS;)
    evidence_shift(t); /* empty corners were omitted */
  if (!evidence_next_cell(&line, &label))
    return;
  if (label.len == 0 && evidence_is_of_year(line)) /* "| Ada Lind, President | 2025 |" and "| | 2024 |" */
    label = t->label;
  t->label = label;
  evidence_sentence(e, mark, label); /* "common stock, $0.01 par value" */
  evidence_words_of(e, &words, evidence_core(label));
  size_t core = words.count;
  evidence_words_add(e, &words, evidence_without_note(label));
  const struct concept_word *concept = evidence_concept(e, label);
  int whole = concept && evidence_whole_label(e->table, label) == concept;
  static const char *const percent[] = {"percent", NULL};
  int percent_row = evidence_is_percent_label(label) || evidence_is_percent_label(t->under) ||
                    evidence_has(t->under, percent);
  int year = evidence_label_year(label);
  year = year ? year : evidence_label_year(t->under);
  int share_row = evidence_of_shares(label) || t->heading == HEADING_SHARES;
  e->rows++;
  size_t before = e->count;
  for (size_t c = 1; c < EVIDENCE_COLUMNS && evidence_next_cell(&line, &cell); c++) {
    struct stated s;
    numbers_read(&s, cell, 0);
    for (size_t i = 0; i < s.number_count && !t->columns[c].names; i++) {
      const struct evidence_column *column = &t->columns[c];
      evidence_take(e, &s.numbers[i], cell, label, &words, concept, mark, column->year ? column->year : year);
      struct evidence_item *item = &e->items[e->count - 1];
      item->row_year = year;
      item->percent |= (percent_row || column->percent || t->percent) && !item->currency;
      item->in_table = 1;
      item->core = core;
      item->column = c;
      item->shares_caption = t->share_caption;
      item->under = t->under;
      item->head = column->head;
      item->ends = column->ends;
      item->day = column->day ? column->day : period_day_near(label, label.len);
      item->named = column->words.count > 0;
      item->place = column->words;
      evidence_words_add(e, &item->place, t->under);
      item->whole = whole;
      item->part = t->heading == HEADING_PART;
      item->months = column->months;
      item->shares = !item->currency && !item->percent && (share_row || column->shares);
      item->caption = item->percent ? 1 : evidence_scale(t, column, label, item->shares);
      item->any_scale = !t->each && !evidence_of_each(label) && !t->headed && t->caption == 1;
      item->direction = column->change ? (item->value < 0 ? -1 : 1) : evidence_direction(label, item->value);
    }
    if (s.year_count == 1 && cell.len == 4) /* "Maturities" */
      year = s.years[0].year;
    if (s.number_count && s.numbers[0].percent && t->columns[c].change && !t->columns[c].percent)
      evidence_percent_column(e, t, c);
    numbers_release(&s);
  }
  evidence_turn_changes(e, before);
  if (e->count > before)
    evidence_count_line(&e->lines, &words);
  if (e->count > before)
    evidence_count_line(&e->all, &words);
  if (e->count == before && label.len) {
    t->under = label;
    if (label.data[label.len - 1] == ':')
      t->heading = evidence_heading_of(e, label);
  } else if (label.len > 5 && strncasecmp(label.data, "total", 5) == 0) {
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

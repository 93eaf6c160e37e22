#include "verify/evidence_rolls.h"

#include "verify/evidence_heads.h"

#define ROLL_NEW_YEAR 101 /* January 1 */

/* The end of the row that begins at i. */
static size_t roll_row_end(const struct evidence *e, size_t i) {
  size_t row = e->items[i].row;
  while (i < e->count && e->items[i].row == row)
    i++;
  return i;
}

/* Whether a row has what was there when its period began. */
static int roll_is_opening(const struct evidence_item *item) {
  static const char *const words[] = {"beginning of",    "at beginning", "beginning balance",
                                      "opening balance", "start of",     NULL};
  static const char *const stock[] = {"balance", "outstanding", "nonvested", "unvested", "equity", NULL};
  return evidence_has(item->label, words) || (item->day == ROLL_NEW_YEAR && evidence_has(item->label, stock));
}

/* What a year begins with, the year before ended with: the figure is of either, and a quarter's of the year before only in
 * the first one. */
static void roll_open(struct evidence_item *item) {
  int year = item->year;
  if (!item->in_table || !year || item->row_year == year - 1 || !roll_is_opening(item))
    return;
  item->row_year = item->months == 3 ? year - 1 : year;
  item->year = item->months == 3 ? year : year - 1;
}

void evidence_rolls_find(struct evidence *e, size_t first) {
  size_t since = e->count; /* behind the last balance */
  int opened = 0;
  for (size_t i = first, end; i < e->count; i = end) {
    const struct evidence_item *item = &e->items[i];
    end = roll_row_end(e, i);
    if (!item->in_table)
      continue;
    int dated = item->row_year && item->day && item->year == item->row_year;
    if (!dated && item->year)
      since = e->count; /* its columns are of years */
    if (!dated)
      continue;
    for (size_t k = since; k < i && opened <= item->year; k++)
      if (e->items[k].in_table && !e->items[k].year)
        e->items[k].year = item->year;
    since = end;
    opened = item->year;
  }
  for (size_t i = first; i < e->count; i++)
    roll_open(&e->items[i]);
}

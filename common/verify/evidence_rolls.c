#include "verify/evidence_rolls.h"

/* The end of the row that begins at i. */
static size_t roll_row_end(const struct evidence *e, size_t i) {
  size_t row = e->items[i].row;
  while (i < e->count && e->items[i].row == row)
    i++;
  return i;
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
}

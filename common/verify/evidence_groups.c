#include "verify/evidence_groups.h"

#include "verify/evidence_words.h"

enum { GROUP_ROWS = 128 };

struct group_rows { /* of a table: the first item of each */
  size_t first[GROUP_ROWS];
  size_t count;
};

static struct group_rows group_rows_of(const struct evidence *e, size_t first) {
  struct group_rows rows = {.count = 0};
  for (size_t i = first; i < e->count && rows.count < GROUP_ROWS; i++)
    if (e->items[i].in_table && e->items[i].label.len &&
        (!rows.count || e->items[rows.first[rows.count - 1]].row != e->items[i].row))
      rows.first[rows.count++] = i;
  return rows;
}

static int group_is_same(const struct evidence *e, const struct group_rows *rows, size_t a, size_t b) {
  const struct evidence_item *x = &e->items[rows->first[a]], *y = &e->items[rows->first[b]];
  return slice_eq(x->label, y->label) && slice_eq(x->under, y->under);
}

static int group_is_repeated(const struct evidence *e, const struct group_rows *rows, size_t row) {
  for (size_t i = 0; i < rows->count; i++)
    if (i != row && group_is_same(e, rows, i, row))
      return 1;
  return 0;
}

/* The row to which a repeated one belongs: the last one before it that isn't repeated; rows->count where there is none, or
 * where another one of its name belongs to that. */
static size_t group_of(const struct evidence *e, const struct group_rows *rows, size_t row) {
  size_t group = row;
  while (group > 0 && group_is_repeated(e, rows, group - 1)) {
    group--;
    if (group_is_same(e, rows, group, row))
      return rows->count;
  }
  return group ? group - 1 : rows->count;
}

void evidence_groups_find(struct evidence *e, size_t first) {
  struct group_rows rows = group_rows_of(e, first);
  for (size_t k = 0; k < rows.count; k++) {
    size_t row = e->items[rows.first[k]].row, group;
    if (e->items[rows.first[k]].titled || slice_begins_nocase(e->items[rows.first[k]].label, "total") ||
        !group_is_repeated(e, &rows, k) || (group = group_of(e, &rows, k)) == rows.count)
      continue;
    for (size_t i = rows.first[k]; i < e->count && e->items[i].row == row; i++) {
      e->items[i].group = e->items[rows.first[group]].label;
      evidence_words_add(e, &e->items[i].place, e->items[i].group);
    }
  }
}

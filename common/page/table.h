/* table.h: tables of a passage: the bars and the line below the head that bid-strip writes, and how their columns share
 * the width of a screen. */
#ifndef BID_TABLE_H
#define BID_TABLE_H

#include "page/block.h"

#define PAGE_COLUMNS 40 /* of a table; cells behind are part of the last */

struct page_row {
  struct slice cell[PAGE_COLUMNS]; /* blanks at their ends taken away; "\|" stands for a bar */
  size_t count;
};

struct page_table {
  struct page_row head; /* no cell where there is none, or nothing stands in it */
  struct slice rows;    /* the lines below */
  struct slice above;   /* what all heads end with, or heads that nobody can tell to columns: "2025 | 2024" */
  size_t columns;       /* of the widest row */
  unsigned long long right; /* bit i: column i stands to the right */
};

/* A table's lines.  head: the head as its context has it (page_head()) where the table goes on from another passage, so
 * that no head stands in it; else empty. */
void page_table_read(struct page_table *t, struct slice lines, struct slice head);

/* The next row below the head. */
int page_next_row(const struct page_table *t, size_t *at, struct page_row *row);

/* A cell's next line of at most `width` columns: broken at blanks, a longer word where the line ends.  0 at its end. */
int page_cell_line(struct slice cell, size_t width, size_t *at, struct slice *line);

/* Blocks of columns, one below the other: block i has column 0 and the columns from[i] to from[i + 1]. */
struct page_layout {
  size_t width[PAGE_COLUMNS];
  size_t from[PAGE_COLUMNS + 1], blocks;
};

/* Columns between two cells. */
#define PAGE_GAP 2

/* Figures have the width that they need; then heads are wrapped, then labels and texts; what still doesn't fit `room`
 * goes to a further block. */
void page_layout_fit(struct page_layout *l, const struct page_table *t, size_t room);

/* Columns that a block takes. */
size_t page_layout_width(const struct page_layout *l, size_t block);

#endif

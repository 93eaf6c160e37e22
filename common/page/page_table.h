/* page_table.h: tables of a passage: parses the bars and the header rule that bid-strip writes, and fits the columns to
 * the width of a screen. */
#ifndef BID_PAGE_TABLE_H
#define BID_PAGE_TABLE_H

#include "page/block.h"

#define PAGE_COLUMNS 40 /* limit of columns; further cells are joined to the last */

struct page_row {
  struct slice cell[PAGE_COLUMNS]; /* trimmed; "\|" stands for a bar */
  size_t count;
};

struct page_table {
  struct page_row head; /* no cells where there is no header, or an empty one */
  struct slice rows;    /* the lines below */
  struct slice above;   /* common end of all headers, or headers that can't be assigned to columns: "2025 |
                           2024" */
  size_t columns;       /* of the longest row */
  unsigned long long right; /* bit i: column i is right-aligned */
};

/* Whether a line is the rule between a table's header and its rows. */
int page_is_rule(struct slice line);

/* The end of the cell of a row that begins at `from`, behind a bar: the next bar that isn't escaped, or the row's end. */
size_t page_cell_end(struct slice row, size_t from);

/* Parses a table's lines.  head: the header from its context (page_head()) where the table continues from another
 * passage and so has none of its own; else empty. */
void page_table_read(struct page_table *t, struct slice lines, struct slice head);

/* Reads the next row below the header; start with *at 0.  1, or 0 after the last. */
int page_next_row(const struct page_table *t, size_t *at, struct page_row *row);

/* Whether a row has a label alone, which extends over all columns. */
int page_row_is_label(const struct page_row *row);

/* Reads a cell's next line of at most `width` columns, wrapped at blanks; a longer word is split.  0 at the end. */
int page_cell_line(struct slice cell, size_t width, size_t *at, struct slice *line);

/* Blocks of columns, one below another: block i has column 0 and the columns from[i] to from[i + 1]. */
struct page_layout {
  size_t width[PAGE_COLUMNS];
  size_t from[PAGE_COLUMNS + 1], blocks;
};

/* Columns between two cells. */
#define PAGE_GAP 2

/* Fits the table to `room` columns: figures are never wrapped; headers are wrapped first, then labels and texts;
 * columns that still don't fit go to further blocks. */
void page_layout_fit(struct page_layout *l, const struct page_table *t, size_t room);

/* Width of a block in columns. */
size_t page_layout_width(const struct page_layout *l, size_t block);

#endif

/* page_table.h: tables of a passage as a grid of cells: read from the bars and the header rule that bid-strip writes, or
 * filled by its user. */
#ifndef BID_PAGE_TABLE_H
#define BID_PAGE_TABLE_H

#include "page/block.h"

#define PAGE_COLUMNS 40 /* limit of columns that are read; further cells are joined to the last */

struct page_table {
  struct slice *
      cells; /* `columns` for the head, empty where there is none, then for each row, whose label keeps the blanks of its level;
                "\|" stands for a bar */
  unsigned char *right; /* by column: right-aligned */
  char **links;         /* of a table of figures, by cell: URLs, or NULL; else NULL */
  size_t columns;       /* of the longest row */
  size_t rows;          /* below the head */
  int headed;           /* the head has words */
  struct slice
      above; /* common start or end of all headers, or headers that can't be assigned to columns: "2025 | 2024" */
};

/* Whether a line is the rule between a table's header and its rows. */
int page_is_rule(struct slice line);

/* The end of the cell of a row that begins at `from`, behind a bar: the next bar that isn't escaped, or the row's end. */
size_t page_cell_end(struct slice row, size_t from);

/* Splits a row, or a header from the context (page_head()), into its trimmed cells; returns how many there are. */
size_t page_row_split(struct slice line, struct slice cells[PAGE_COLUMNS]);

/* ---- the headings of groups ----
 *
 * bid-strip writes two blanks before a label for each level of its indentation.  A row with a label alone is the heading of the rows below
 * it, as far as they have no smaller level, and up to the next one of its level that follows deeper ones. */

/* The level of a row's label. */
size_t page_row_level(struct slice row);

#define PAGE_GROUPS 8 /* headings that are open at once */

struct page_groups {
  struct page_group {
    size_t at; /* as its row was given */
    size_t level;
    int deeper; /* a row of a deeper level stood below it */
  } open[PAGE_GROUPS];
  size_t count;
  int label; /* the last row is a heading */
};

/* Takes a table's next row, its place as the caller counts; the first open[] are the headings above it.  Returns how many. */
size_t page_groups_row(struct page_groups *g, struct slice row, size_t at);

/* Makes a table of empty cells. */
void page_table_init(struct page_table *t, size_t columns, size_t rows);
void page_table_release(struct page_table *t);

/* Parses a table's lines.  head: the header from its context (page_head()) where the table continues from another
 * passage and so has none of its own; else empty. */
void page_table_read(struct page_table *t, struct slice lines, struct slice head);

/* The cells of row i; row 0 is the head. */
struct slice *page_table_row(const struct page_table *t, size_t i);

/* Whether a row has a label alone, which extends over all columns. */
int page_cells_are_label(const struct slice *cells, size_t count);
int page_row_is_label(const struct page_table *t, size_t i);

/* Whether a cell is a number, an amount, a percentage or a dash. */
int page_is_figure(struct slice cell);

#endif

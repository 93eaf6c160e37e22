/* table.h: an HTML table, gathered cell by cell and written as a Markdown table, as aligned text, or, where
 * it only positions text, as paragraphs.
 *
 *     table_clear(t);
 *     table_row(t); table_cell(t, 1, 1, 0); table_add(t, text, &piece); table_cell_end(t); ...
 *     table_write(t, TABLE_MARKDOWN, emit, arg);
 *
 * A cell holds pieces: paragraphs, and what a table inside it was written as.  Memory is what the table's
 * text takes, some 60 bytes a cell that is not empty, and its matrix of rows and columns that are not empty.
 */
#ifndef BID_TABLE_H
#define BID_TABLE_H

#include "base/buf.h"
#include "document/doc.h"

#include <stdint.h>

/* A block of text on its way into a document or into a cell. */
struct piece {
  enum doc_kind kind;
  unsigned flags; /* DOC_BOLD ... */
  int level;
  float size;
  uint32_t anchor_from, anchor_to; /* the caller's own: the range that stands in front of the block; of pieces
                                      that are joined, from the least to the largest */
  uint8_t page_break;              /* no text: a page starts here */
  uint8_t depth;                   /* of lists, for the indent */
  char mark[10];                   /* of a list item: "- ", "12. " */
};

struct table_piece {
  struct piece look;
  size_t start, end; /* bytes of table.text */
};

/* What a cell's text is, for the columns and for the header. */
enum cell_kind {
  CELL_TEXT,
  CELL_NUMBER, /* with its signs: "$(1,234)", "12.5%" */
  CELL_YEAR,   /* 1900 to 2099 and nothing else */
  CELL_DASH,   /* a dash, "N/A", "NM": stands for a number */
  CELL_PREFIX, /* "$", "(", "$(": belongs to the number behind it */
  CELL_SUFFIX, /* ")", "%", ")%": belongs to the number before it */
  CELL_MARK,   /* "*", "(a)": a footnote mark */
  CELL_GONE    /* joined to another cell */
};

struct table_cell {
  uint32_t row, column; /* in the grid as HTML has it, from 0 */
  uint32_t rows, columns;
  uint32_t piece_from, piece_to;
  uint8_t header, fact; /* <th>; holds an ix:nonFraction */
  uint8_t tagged;       /* holds iXBRL text on the filing itself: a value, no heading */
  uint8_t kind;         /* enum cell_kind */
  uint8_t bold;
  size_t flat, flat_len; /* text on one line: bytes of table.flat */
  uint32_t first, last;  /* columns of the matrix that it stands in */
  uint32_t tail;         /* of the first cell in a place: the number of the last one there */
  uint32_t beside;       /* the next cell in the same place of the matrix, plus 1; 0 for none */
};

struct table_column {
  uint32_t from, to; /* columns of the grid */
  uint32_t numbers, cells;
  size_t rows; /* its bits in table.bits: rows where it has a cell */
};

#define TABLE_COLUMNS 1000   /* of the grid: a cell past it is put into the last */
#define TABLE_MATRIX 2000000 /* places of the matrix; a table with more is written as text */
#define TABLE_WIDEST 200     /* columns of the matrix; likewise */

enum table_style { TABLE_MARKDOWN, TABLE_TEXT, TABLE_DROP };

struct table {
  struct buf text; /* of the pieces */
  struct table_piece *pieces;
  size_t piece_count, piece_cap;
  struct table_cell *cells; /* in the order of the source */
  size_t cell_count, cell_cap;
  uint32_t row_count, column_count;
  int in_row, in_cell;
  uint32_t next_column;
  uint16_t busy[TABLE_COLUMNS]; /* rows that a cell above still takes in each column */
  uint32_t busy_to;             /* columns of `busy` in use */
  int nested;                   /* a cell holds a table */
  /* made by table_grid() */
  struct buf flat, out;
  struct table_column *columns;
  size_t columns_used, columns_cap;
  uint64_t *bits;
  size_t bits_used, bits_cap, seen; /* seen: scratch bits, behind `bits` */
  uint32_t *matrix;                 /* cell number plus 1, rows * columns_used */
  size_t matrix_cap;
  uint32_t *order;
  size_t order_cap;
  uint32_t header_rows, caption_rows, note_rows; /* captions come first, then the header; notes are last */
};

/* max: ceiling of the table's text. */
void table_init(struct table *t, size_t max);
void table_release(struct table *t);
void table_clear(struct table *t);

void table_row(struct table *t);

/* Opens a cell (and a row where none is open); the spans are clipped as the standard has it (1 to 1000, rows
 * 0 to 65534, 0 being "to the end"). */
void table_cell(struct table *t, uint32_t columns, uint32_t rows, int header);
void table_cell_end(struct table *t);

/* The open cell holds an iXBRL number, or iXBRL text on the filing (dei:*). */
void table_fact(struct table *t);
void table_tagged(struct table *t);

/* Appends a piece to the open cell; outside of a cell it becomes a row of its own. */
void table_add(struct table *t, struct slice text, const struct piece *look);

/* Is there any text in it? */
int table_is_empty(const struct table *t);

/* What a caption says of the numbers below it: "(in millions, except per share data)", a slice of text; empty
 * where it says nothing. */
struct slice table_unit(struct slice caption);

/* Gives the table to emit() as the blocks that it is written as.  Words are never lost but by TABLE_DROP,
 * which leaves out tables of data.  unit: of the text before the table, or empty: where no row of the table
 * says one itself it goes into the header's first place, if that is empty, so that a part of the table still
 * says it. */
typedef void table_emit(void *arg, struct slice text, const struct piece *look);
void table_write(struct table *t, enum table_style style, struct slice unit, table_emit *emit, void *arg);

#endif

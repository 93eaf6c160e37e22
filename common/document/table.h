/* table.h: an HTML table, collected cell by cell and written as a Markdown table, as aligned text or, where it is
 * only used for layout, as paragraphs.
 *
 *     table_clear(t);
 *     table_row(t); table_cell(t, 1, 1, 0); table_add(t, text, &piece); table_cell_end(t); ...
 *     table_write(t, TABLE_MARKDOWN, emit, arg);
 *
 * A cell holds pieces: paragraphs, and the output of nested tables.  Memory use is the table's text, about 60 bytes
 * per non-empty cell, and a matrix of the non-empty rows and columns.
 */
#ifndef BID_TABLE_H
#define BID_TABLE_H

#include "base/buf.h"
#include "document/doc.h"

#include <stdint.h>

/* The appearance of a block of text on its way into a document or a cell. */
struct piece {
  enum doc_kind kind;
  unsigned flags; /* DOC_BOLD ... */
  int level;
  float size;
  float indent;               /* blank space at its left, in points */
  uint8_t page_break;         /* no text: a page break */
  uint8_t depth;              /* nesting of lists, for the indent */
  char mark[DOC_ORDINAL + 4]; /* marker of a list item: "- ", "12.  " */
};

struct table_piece {
  struct piece look;
  size_t start, end; /* bytes of table.text */
};

/* The kind of a cell's text, for finding columns and the header. */
enum cell_kind {
  CELL_TEXT,
  CELL_NUMBER, /* including signs: "$(1,234)", "12.5%" */
  CELL_YEAR,   /* only a year from 1900 to 2099 */
  CELL_DASH,   /* a dash, "N/A", "NM": in place of a number */
  CELL_PREFIX, /* "$", "(", "$(": belongs to the next number */
  CELL_SUFFIX, /* ")", "%", ")%": belongs to the previous number */
  CELL_MARK,   /* "*", "(a)": a footnote mark */
  CELL_GONE    /* merged into another cell */
};

struct table_cell {
  uint32_t row, column; /* position in the HTML grid, from 0 */
  uint32_t rows, columns;
  uint32_t piece_from, piece_to;
  uint8_t header, fact;  /* <th>; contains an ix:nonFraction */
  uint8_t tagged;        /* contains iXBRL text about the filing: a value, not a heading */
  uint8_t kind;          /* enum cell_kind */
  uint8_t bold;          /* all of it is, or its last line is underlined and no link */
  size_t flat, flat_len; /* text as one line: range of table.flat */
  uint32_t first, last;  /* columns of the matrix that it occupies */
  uint32_t tail;         /* of the first cell in a place: index of the last one there */
  uint32_t beside;       /* the next cell in the same place of the matrix, plus 1; 0 for none */
};

struct table_column {
  uint32_t from, to; /* columns of the HTML grid */
  uint32_t numbers, cells;
  size_t rows; /* offset of its bitmap in table.bits: rows in which it has a cell */
};

#define TABLE_COLUMNS 1000   /* limit of the HTML grid; cells beyond go into the last column */
#define TABLE_MATRIX 2000000 /* limit of the matrix; a larger table is written as text */
#define TABLE_WIDEST 200     /* columns of the matrix; likewise */

enum table_style { TABLE_MARKDOWN, TABLE_TEXT, TABLE_DROP };

struct table {
  struct buf text; /* of the pieces */
  struct table_piece *pieces;
  size_t piece_count, piece_cap;
  struct table_cell *cells; /* in source order */
  size_t cell_count, cell_cap;
  uint32_t row_count, column_count;
  int in_row, in_cell;
  uint32_t next_column;
  uint16_t busy[TABLE_COLUMNS]; /* per column: rows that a cell above still spans */
  uint32_t busy_to;             /* used length of `busy` */
  int nested;                   /* a cell contains a table */
  /* results of table_grid() */
  struct buf flat, out;
  struct table_column *columns;
  size_t columns_used;
  uint64_t *bits;
  size_t bits_used, bits_cap, seen; /* seen: offset of a scratch bitmap after `bits` */
  uint32_t *matrix;                 /* index of the cell plus 1, rows * columns_used */
  size_t matrix_cap;
  uint32_t *order;
  size_t order_cap;
  uint32_t header_rows, caption_rows, note_rows; /* order of rows: captions, header, data, notes */
};

/* max: ceiling of the table's text in bytes. */
void table_init(struct table *t, size_t max);
void table_release(struct table *t);
void table_clear(struct table *t);

void table_row(struct table *t);

/* Opens a cell (and a row where none is open).  Spans are clipped as in the HTML standard (columns 1 to 1000, rows 0
 * to 65534, where 0 means to the end). */
void table_cell(struct table *t, uint32_t columns, uint32_t rows, int header);
void table_cell_end(struct table *t);

/* Marks the open cell as containing an iXBRL number, or iXBRL text about the filing (dei:*). */
void table_fact(struct table *t);
void table_tagged(struct table *t);

/* Appends a piece to the open cell; outside of a cell it becomes a row of its own. */
void table_add(struct table *t, struct slice text, const struct piece *look);

/* Whether the table has no text. */
int table_is_empty(const struct table *t);

/* The unit that a caption states for the numbers below it: "(in millions, except per share data)", a slice of text;
 * empty where it states none. */
struct slice table_unit(struct slice caption);

/* Writes the table as blocks passed to emit().  No words are lost, except that TABLE_DROP omits data tables.  unit:
 * the unit stated in the text before the table, or empty.  Unless a row of the table states a unit itself, it is put
 * into the first header cell if that is empty, so that a part of the table still shows it. */
typedef void table_emit(void *arg, struct slice text, const struct piece *look);
void table_write(struct table *t, enum table_style style, struct slice unit, table_emit *emit, void *arg);

#endif

/* text_table.h: typewritten tables of ASCII filings, whose columns the tags <S> and <C> mark, to Markdown. */
#ifndef BID_TEXT_TABLE_H
#define BID_TEXT_TABLE_H

#include "document/doc_builder.h"

#define PLAINTABLE_COLUMNS 24

struct plain_line {
  struct slice text; /* without the blanks at its ends */
  size_t indent;     /* columns of blanks in front of it */
};

/* A table on its way: what stands before the mark line is its head, what stands behind <FN> its footnotes. */
struct text_table {
  size_t starts[PLAINTABLE_COLUMNS]; /* column where <S>, <C>, <C> ... stand */
  size_t columns;                    /* 0: no mark line was met */
  size_t head;                       /* lines in front of it */
  size_t notes;                      /* line where the footnotes start, or SIZE_MAX */
  int odd;                           /* the marks changed on the way: not to be read */
};

/* Notes a line of marks: 1 where it was one.  `so_far`: lines of the table before it. */
int text_table_marks(struct text_table *t, struct slice line, size_t indent, size_t so_far);

/* Guesses the columns of a table without marks from where its numbers stand.  0, or -1 where fewer than two
 * rows have numbers. */
int text_table_guess(struct text_table *t, const struct plain_line *lines, size_t count);

/* Adds captions, the table and its footnotes to d.  0, or -1 with d unchanged where the columns can't be told
 * for sure: a cell with two values, values outside of the marked columns, fewer than two rows. */
int text_table_add(struct doc *d, const struct text_table *t, const struct plain_line *lines, size_t count,
                   enum doc_tables mode, int plain);

#endif

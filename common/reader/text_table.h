/* text_table.h: converts typewritten tables of ASCII filings, whose columns are marked by the tags <S> and <C>, to
 * Markdown. */
#ifndef BID_TEXT_TABLE_H
#define BID_TEXT_TABLE_H

#include "base/slice.h"
#include "document/doc_builder.h"

#define PLAINTABLE_COLUMNS 24

struct plain_line {
  struct slice text; /* trimmed */
  size_t indent;     /* number of leading blanks */
};

/* A table being read: the header is before the line of marks, footnotes follow <FN>. */
struct text_table {
  size_t starts[PLAINTABLE_COLUMNS]; /* columns of the marks <S>, <C>, <C> ... */
  size_t columns;                    /* 0: there was no line of marks */
  size_t head;                       /* number of lines before it */
  size_t notes;                      /* first line of footnotes, or SIZE_MAX */
  int odd;                           /* the marks changed within the table: unreadable */
};

/* Records a line of marks: 1 where it was one. `so_far`: number of lines of the table before it. */
int text_table_marks(struct text_table *t, struct slice line, size_t indent, size_t so_far);

/* Infers the columns of a table without marks from the positions of its numbers.  0, or -1 where fewer than two rows
 * have numbers. */
int text_table_guess(struct text_table *t, const struct plain_line *lines, size_t count);

/* Adds captions, the table and its footnotes to d.  0, or -1 with d unchanged where the columns are ambiguous: a cell
 * with two values, values outside of the marked columns, or fewer than two rows. */
int text_table_add(struct doc *d, const struct text_table *t, const struct plain_line *lines, size_t count,
                   enum doc_tables mode, int plain);

/* Decides what a hyphen at the end of a line is: the division of a word ("num-" "ber"), part of a compound
 * ("long-" "term"), or a word left out ("short-" "and long-term").  The first witness is the document: how it
 * prints the word elsewhere, within a line.  The second are ordinary English words (base/ordinary_words.h): two
 * parts of one are a division, two words a compound.  What neither knows is a division, since that is what
 * programs that break lines make. */

enum line_hyphen { HYPHEN_DIVIDES, HYPHEN_COMPOUND, HYPHEN_SUSPENDED };

struct line_hyphens;

/* Counts the words of a text with its lines.  Free it. */
struct line_hyphens *line_hyphens_new(struct slice text);
void line_hyphens_free(struct line_hyphens *h); /* h may be NULL */

/* What the hyphen between two lines is: `before` ends with the letters in front of it, `after` begins with the next
 * line's. */
enum line_hyphen line_hyphens_judge(const struct line_hyphens *h, struct slice before, struct slice after);

#endif

/* fact_mark.h: a column of facts, and the letters that mark its values in a table. */
#ifndef BID_FACT_MARK_H
#define BID_FACT_MARK_H

#include "facts/fact_split.h"
#include "facts/measure.h"

struct fact_column {
  struct measure measure;
  const struct fact_splits *splits; /* of its company */
};

/* The letter after a value in a table: 's' filed before a split, 'c' of another concept than the column's newest value, 'r'
 * another value elsewhere, 'd' derived, or ' '.  fact_concept_notes(): appends the concepts of those marked 'c'.
 * fact_mark_notes(): appends what the letters in `marks` mean; fact_split_notes(): the splits. */
void fact_concept_notes(struct buf *out, const struct fact_column *c);
char fact_cell_mark(const struct fact_column *c, const struct fact_row *row);
void fact_mark_notes(struct buf *out, struct slice marks);
void fact_split_notes(struct buf *out, const struct fact_splits *splits);

#endif

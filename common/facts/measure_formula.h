/* measure_formula.h: figures computed from others; for the measure*.c files alone. */
#ifndef BID_MEASURE_FORMULA_H
#define BID_MEASURE_FORMULA_H

#include "facts/measure.h"

enum { MEASURE_DEPTH = 8, MEASURE_RATIO_DIGITS = 6 };

/* Resolves a name, a word or a formula at a depth of brackets and words in words; as measure_make(). */
int measure_any(struct measure *m, const struct measure_context *x, struct slice asked, int depth,
                struct buf *why);

/* Evaluates a formula into m, whose label is set by the caller; 0, or -1 with why. */
int measure_by_formula(struct measure *m, const struct measure_context *x, struct slice formula, int depth,
                       struct buf *why);

/* The figure in "revenue growth" or "growth of revenue"; empty if the text does not mention growth. */
struct slice measure_growth_of(struct slice asked);

/* Each period divided by the same one a year before, minus one.  There is no growth from zero or from a loss. */
int measure_by_growth(struct measure *m, const struct measure_context *x, struct slice of, int depth,
                      struct buf *why);

/* A copy of a text. */
char *measure_text(struct slice s);

#endif

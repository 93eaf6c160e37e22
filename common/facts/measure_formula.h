/* measure_formula.h: the parts of a formula over figures, and the arithmetic of their rows. */
#ifndef BID_MEASURE_FORMULA_H
#define BID_MEASURE_FORMULA_H

#include "facts/measure.h"

enum { MEASURE_FORMULA_DIGITS = 6 }; /* decimals of a quotient */

/* What stands inside brackets that enclose all of a text; else empty. */
struct slice measure_formula_inside(struct slice text);

/* The figure in "revenue growth" or "growth of revenue"; empty if the text does not mention growth. */
struct slice measure_formula_growth(struct slice asked);

/* A computed row that begins with a row's value, which is its first part. */
struct fact_row measure_formula_row(const struct fact_row *r);

/* Adds to m the rows of a combined with those of b in the same periods. */
void measure_formula_combine(struct measure *m, const struct measure *a, const struct measure *b, char sign);

/* The unit of the result, to be freed; NULL where the units are incompatible. */
char *measure_formula_unit(const char *a, const char *b, char sign);

/* Appends why two figures that are known give no value. */
void measure_formula_say(const struct measure *a, const struct measure *b, char sign, const char *unit,
                         struct buf *why);

#endif

/* decimal.h: exact decimal numbers, so that sums and differences keep the digits as filed. */
#ifndef BID_DECIMAL_H
#define BID_DECIMAL_H

#include "base/buf.h"

#include <stdint.h>

#define DECIMAL_TEXT 48 /* bytes of a number's text with its '\0' */

/* units / 10^scale. */
struct decimal {
  int64_t units;
  int scale; /* 0 to 18 */
};

/* Parses "-1234.50", "1.5E+3" or ".5".  0, or -1 where it is not a number or has too many digits. */
int decimal_parse(struct slice text, struct decimal *d);

/* a + b, a - b.  0, or -1 on overflow. */
int decimal_add(struct decimal a, struct decimal b, struct decimal *sum);
int decimal_subtract(struct decimal a, struct decimal b, struct decimal *difference);

/* d * 10^power.  0, or -1 on overflow. */
int decimal_shift(struct decimal d, int power, struct decimal *shifted);

/* Negative, 0 or positive. */
int decimal_compare(struct decimal a, struct decimal b);

/* The number with `scale` decimal places nearest to x.  0, or -1 on overflow. */
int decimal_from_double(double x, int scale, struct decimal *d);

double decimal_to_double(struct decimal d);

/* Writes "-1234.5", with all digits of its scale.  Returns out. */
char *decimal_write(struct decimal d, char out[DECIMAL_TEXT]);

#endif

/* fact_number.h: an amount as people write it, "$300 billion", "2.5bn", "1e9", "20%", "20 percent". */
#ifndef BID_FACT_NUMBER_H
#define BID_FACT_NUMBER_H

#include "base/buf.h"

struct fact_number {
  double value; /* of "20%" it is 0.2 */
  size_t taken; /* bytes of the text; 0: it begins with no number */
  int percent;
  int bare_year; /* four digits from 1900 to 2199 without a unit: may be a year */
};

/* The number that a text begins with, behind blanks and a currency's sign. */
struct fact_number fact_number_read(struct slice text);

#endif

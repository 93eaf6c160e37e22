/* fact_screen_rows.h: the companies of a screen and how they are written; for the fact_screen*.c files alone. */
#ifndef BID_FACT_SCREEN_ROWS_H
#define BID_FACT_SCREEN_ROWS_H

#include "facts/fact_screen.h"

enum { SCREEN_PARTS = 4 };

struct screen_part {
  struct slice concept, value, accession;
  int32_t start, end;
};

struct screen_row {
  long long cik;
  struct slice name;
  double value;
  struct screen_part parts[SCREEN_PARTS];
  size_t part_count;
};

struct screen_rows {
  struct screen_row *rows; /* by cik, in the end by value */
  size_t count;
  char unit[64];
};

struct screen_rule {
  struct slice what;
  char op[3];
  double bound;
};

/* Appends the first `limit` rows; frame: the period of the frames, "CY2024"; screen: see fact_table.h. */
void fact_screen_write(struct buf *out, const char *frame, const struct screen_rule *rule,
                       const struct screen_rows *rows, size_t limit, enum fact_format format, size_t screen);

#endif

/* fact_screen_rows.h: the companies of a screen and how they are written; for the fact_screen*.c files alone. */
#ifndef BID_FACT_SCREEN_ROWS_H
#define BID_FACT_SCREEN_ROWS_H

#include "facts/fact_mark.h"
#include "facts/fact_screen.h"
#include "facts/fact_screen_rule.h"

/* A company and, for each condition, its figure: a measure with one row. */
struct screen_row {
  struct fact_company *company;
  struct measure figures[SCREEN_RULES];
};

struct screen_rows {
  struct screen_row *rows; /* in the order of the first condition's values */
  size_t count;
};

/* Appends the first `limit` rows; frame: the period of the frames, "CY2024"; screen: see fact_table.h. */
void fact_screen_write(struct buf *out, const char *frame, const struct screen_rules *rules,
                       const struct screen_rows *rows, size_t limit, enum fact_format format, size_t screen);

/* Appends a record for each figure of the first `limit` rows, with the job's number where it isn't empty. */
void fact_screen_write_records(struct buf *out, const char *frame, const struct screen_rules *rules,
                               const struct screen_rows *rows, size_t limit, struct slice job);

#endif

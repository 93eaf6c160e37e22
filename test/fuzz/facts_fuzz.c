/* facts_fuzz.c: any bytes as an answer of companyfacts or as inline XBRL: in bounds, ends, and every row of a column has
 * the column's months. */
#include "facts/fact_rows.h"
#include "facts/inline.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_rows(const struct fact_rows *rows, enum fact_span span, const struct fact_splits *splits) {
  for (size_t i = 0; i < rows->count; i++) {
    int months = rows->rows[i].months;
    if (months && months != (span == FACT_QUARTERLY ? 3 : 12))
      abort();
    if (!rows->rows[i].fact && !rows->rows[i].part_count)
      abort();
    if (!(fact_split_factor(splits, &rows->rows[i]) > 0))
      abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const enum fact_span spans[] = {FACT_ANNUAL, FACT_QUARTERLY, FACT_TRAILING};
  struct fact_company c;
  struct fact_splits splits;
  struct error_text why;
  struct buf bytes;
  fact_company_init(&c);
  buf_init(&bytes, (size_t)1 << 24);
  buf_add(&bytes, data, size);
  int failed =
      size && data[0] == '{' ? fact_company_read(&c, &bytes, &why) : inline_read_facts(&c, &bytes, &why);
  fact_splits_find(&splits, &c, DAY_NONE);
  for (size_t i = 0; !failed && i < c.series_count && i < 16; i++)
    for (size_t k = 0; k < 3; k++) {
      struct fact_choice choice = {spans[k], size & 1, DAY_NONE};
      struct fact_rows rows;
      fact_rows_of(&rows, &c, &c.series[i], &choice);
      check_rows(&rows, spans[k], &splits);
      fact_rows_release(&rows);
    }
  buf_release(&bytes);
  fact_company_release(&c);
  return 0;
}

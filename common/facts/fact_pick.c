#include "facts/fact_pick.h"

#include "base/clock.h"

#include <string.h>

enum { PICK_TEXT_MAX = 65536 };

void fact_pick_length(struct fact_rows *rows, int months) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++)
    if (!months || !rows->rows[i].months || rows->rows[i].months == months)
      rows->rows[n++] = rows->rows[i];
  rows->count = n;
}

void fact_pick_before(struct fact_rows *rows, enum fact_span span, size_t before, size_t limit) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++)
    if (!(before && span == FACT_QUARTERLY) || strcmp(rows->rows[i].fiscal_period, "Q4") != 0)
      rows->rows[n++] = rows->rows[i];
  rows->count = n;
  fact_rows_narrow(rows, DAY_NONE, DAY_NONE, limit + before);
  rows->count -= before < rows->count ? before : rows->count;
}

/* Whether a unit has nothing to do with the currency `code`, or is of it: "pure", "shares", "USD/shares". */
static int pick_unit_fits(const char *unit, struct slice code) {
  int currency = unit && strspn(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3;
  return !currency || strncmp(unit, code.data, code.len) == 0;
}

int fact_pick_measure(struct measure *m, const struct measure_context *x, struct slice word,
                      struct buf *why) {
  struct measure_context any = *x;
  if (measure_make(m, x, word, why) == 0 || !x->unit.len)
    return m->rows.count ? 0 : -1;
  measure_release(m);
  any.unit = slice_of(NULL, 0);
  return measure_make(m, &any, word, why) == 0 && pick_unit_fits(m->unit, x->unit) ? 0 : -1;
}

int fact_pick_is_balance(const struct measure_context *x, struct slice word) {
  struct measure m;
  struct buf why;
  buf_init(&why, PICK_TEXT_MAX);
  int found =
      fact_pick_measure(&m, x, word, &why) == 0 && !m.growth && m.rows.rows[m.rows.count - 1].months == 0;
  measure_release(&m);
  buf_release(&why);
  return found;
}

int32_t fact_pick_today(int32_t as_of) {
  char now[CLOCK_TEXT];
  clock_format_date(clock_now(), now);
  return as_of != DAY_NONE ? as_of : day_parse(slice_str(now));
}

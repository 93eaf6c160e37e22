/* fact_choose.c: keeps the rows that answer: the newest, those of a length, or the year that crosses an amount. */
#include "facts/fact_choose.h"

#include "base/clock.h"
#include "facts/fact_number.h"
#include "facts/fact_window.h"
#include "tables/figure_words.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

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

int fact_pick_measure(struct measure *m, const struct measure_context *x, struct slice word) {
  struct measure_context any = *x;
  if (measure_make(m, x, word, NULL) == 0 || !x->unit.len)
    return m->rows.count ? 0 : -1;
  measure_release(m);
  any.unit = slice_of(NULL, 0);
  return measure_make(m, &any, word, NULL) == 0 && pick_unit_fits(m->unit, x->unit) ? 0 : -1;
}

int fact_pick_is_balance(const struct measure_context *x, struct slice word) {
  struct measure m;
  int found = fact_pick_measure(&m, x, word) == 0 && !m.growth && m.rows.rows[m.rows.count - 1].months == 0;
  measure_release(&m);
  return found;
}

int32_t fact_pick_today(int32_t as_of) {
  char now[CLOCK_TEXT];
  clock_format_date(clock_now(), now);
  return as_of != DAY_NONE ? as_of : day_parse(slice_str(now));
}

enum { CHOOSE_YEARS = 5 };

/* The position behind the first of the phrases that stands in a text; 0 for none. */
static size_t choose_behind(struct slice text, const char *const *phrases) {
  for (; *phrases; phrases++) {
    size_t at = fact_window_word_at(text, *phrases);
    if (at < text.len)
      return at + strlen(*phrases);
  }
  return 0;
}

/* The amount that a text begins with, "$300 billion", "2.5bn" or "1"; NAN for none.  A year is no amount. */
static double choose_amount(struct slice text) {
  struct fact_number n = fact_number_read(text);
  return n.bare_year ? NAN : n.value;
}

/* "Since the merger", where no date follows. */
static struct slice choose_since(struct slice query) {
  static const char *const dates[] = {FIGURE_WORDS_DATE, NULL};
  size_t at = fact_window_word_at(query, "since"), end = at;
  while (end < query.len && !strchr("?.,;:", query.data[end]))
    end++;
  struct slice said = slice_of(query.data + at, end - at);
  for (size_t i = 6; i + 1 < said.len && i < 12; i++)
    if (isdigit((unsigned char)said.data[i]))
      return slice_of(NULL, 0); /* "since 2019", "since fy19" */
  return choose_behind(said, dates) ? slice_of(NULL, 0) : said;
}

struct fact_choose fact_choose_read(struct slice query) {
  static const char *const when[] = {FIGURE_WORDS_WHEN, NULL}, *const over[] = {FIGURE_WORDS_OVER, NULL},
                           *const under[] = {FIGURE_WORDS_UNDER, NULL};
  struct fact_choose c = {.kind = FACT_CHOOSE_NEWEST, .amount = NAN};
  if (choose_behind(query, when)) {
    size_t above = choose_behind(query, over), below = choose_behind(query, under);
    c.below = below > above;
    size_t from = c.below ? below : above;
    c.amount = from ? choose_amount(slice_of(query.data + from, query.len - from)) : NAN;
    c.kind = isnan(c.amount) ? FACT_CHOOSE_YEARS : FACT_CHOOSE_CROSSING;
  } else {
    c.since = choose_since(query);
    c.kind = c.since.len ? FACT_CHOOSE_YEARS : FACT_CHOOSE_NEWEST;
  }
  return c;
}

static int choose_crosses(const struct fact_choose *choose, const struct fact_splits *splits,
                          const struct fact_row *row) {
  double value = decimal_to_double(row->number) / fact_split_factor(splits, row);
  return choose->below ? value < choose->amount : value > choose->amount;
}

int fact_choose_rows(const struct fact_choose *choose, const struct fact_splits *splits,
                     struct fact_rows *rows) {
  size_t first = 0;
  if (choose->kind == FACT_CHOOSE_YEARS)
    fact_rows_narrow(rows, DAY_NONE, DAY_NONE, choose->since.len ? CHOOSE_YEARS : SIZE_MAX);
  if (choose->kind != FACT_CHOOSE_CROSSING)
    return 0;
  while (first < rows->count && !choose_crosses(choose, splits, &rows->rows[first]))
    first++;
  if (first == rows->count) {
    rows->count = 0;
    return -1;
  }
  size_t from = first ? first - 1 : 0;
  memmove(rows->rows, rows->rows + from, (first - from + 1) * sizeof *rows->rows);
  rows->count = first - from + 1;
  return 0;
}

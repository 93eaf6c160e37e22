#include "facts/fact_hint.h"

#include "facts/statement.h"

struct slice fact_document_form(const struct fact_company *c) {
  return fact_is_document(c) ? c->series[0].facts[0].form : slice_of(NULL, 0);
}

/* The last day of the spans of three to twelve months; other spans may go beyond it, as events after the period do. */
static int32_t hint_last_day(const struct fact_company *c) {
  int32_t last = DAY_NONE;
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++) {
      const struct fact *f = &c->series[i].facts[k];
      if (f->months && f->months % 3 == 0 && f->months <= 12 && f->end > last)
        last = f->end;
    }
  return last;
}

enum fact_span fact_document_span(const struct fact_company *c, int to_date) {
  int32_t last = hint_last_day(c);
  int has[5] = {0}, none = 1;
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++) {
      const struct fact *f = &c->series[i].facts[k];
      if (f->end == last && f->months && f->months % 3 == 0 && f->months <= 12) {
        has[f->months / 3] = 1;
        none = 0;
      }
    }
  if (none || has[4])
    return FACT_ANNUAL;
  if (has[1] && !to_date)
    return FACT_QUARTERLY;
  return has[3] ? FACT_NINE_MONTHS : has[2] ? FACT_HALF : FACT_QUARTERLY;
}

static const char *const hint_names[] = {"years", "quarters", "twelve months", "six months", "nine months"};

int fact_hint_span(const struct measure_context *x, struct slice asked, struct buf *why) {
  static const struct {
    enum fact_span span;
    const char *period;
  } spans[] = {{FACT_NINE_MONTHS, "9M"}, {FACT_HALF, "H1"}, {FACT_QUARTERLY, NULL}, {FACT_ANNUAL, "FY"}};
  int found = 0;
  for (size_t i = 0; i < sizeof spans / sizeof *spans && !found; i++) {
    struct measure_context other = *x;
    struct measure m;
    struct buf unheard;
    buf_init(&unheard, 65536);
    other.choice.span = spans[i].span;
    found = spans[i].span != x->choice.span && measure_make(&m, &other, asked, &unheard) == 0;
    if (found) {
      const struct fact_row *r = &m.rows.rows[m.rows.count - 1];
      buf_printf(why, "'%.*s' is not reported for %s, but for %s: -p %s-%d", (int)asked.len, asked.data,
                 hint_names[x->choice.span], hint_names[spans[i].span],
                 spans[i].period ? spans[i].period : r->fiscal_period, r->fiscal_year);
    }
    if (spans[i].span != x->choice.span)
      measure_release(&m);
    buf_release(&unheard);
  }
  return found;
}

/* A document with a balance sheet or a result has its statements in it. */
static int hint_has_statements(const struct fact_company *c) {
  static const char *const marks[] = {"Assets", "NetIncomeLoss", "ProfitLoss"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (fact_company_find(c, slice_str(marks[i]), slice_of(NULL, 0)))
      return 1;
  return 0;
}

const char *fact_hint_elsewhere(const struct measure_context *x, struct slice asked) {
  return fact_is_document(x->company) && !hint_has_statements(x->company) &&
                 concept_word_find(x->table, asked)
             ? statement_elsewhere(fact_document_form(x->company))
             : "";
}

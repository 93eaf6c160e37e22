#include "facts/inline.h"

void inline_add_fact(struct fact_company *c, const struct inline_document *d, const struct inline_fact *f) {
  char digits[DECIMAL_TEXT];
  const char *colon = memchr(f->name.data, ':', f->name.len);
  size_t n = colon ? (size_t)(colon - f->name.data) : 0;
  struct slice taxonomy = slice_of(f->name.data, n);
  struct slice concept = colon ? slice_of(colon + 1, f->name.len - n - 1) : f->name;
  struct fact_series *s = NULL;
  for (size_t i = 0; i < c->series_count && !s; i++)
    if (slice_eq(c->series[i].concept, concept) && slice_eq(c->series[i].unit, f->unit))
      s = &c->series[i];
  if (!s)
    s = fact_company_add(c, fact_company_keep(c, taxonomy), fact_company_keep(c, concept),
                         fact_company_keep(c, f->unit));
  struct fact fact = {.start = f->context->start, .end = f->context->end, .filed = DAY_NONE, .exact = 1};
  fact.number = f->number;
  fact.months = (int16_t)day_months(fact.start, fact.end);
  fact.value = fact_company_keep(c, slice_str(decimal_write(f->number, digits)));
  fact.form = fact_company_keep(c, d->form);
  fact.annual = d->form.len >= 4 && memcmp(d->form.data, "10-Q", 4) != 0;
  fact.filing_year = (int16_t)d->fiscal_year;
  for (size_t i = 0; i < s->count; i++)
    if (s->facts[i].start == fact.start && s->facts[i].end == fact.end)
      return; /* the same fact may occur in several places */
  fact_series_add(s, &fact);
}

/* The filing's fiscal year applies to the spans that end last, not to comparative periods. */
static void inline_keep_year(struct fact_company *c) {
  int32_t last = DAY_NONE;
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++)
      if (c->series[i].facts[k].months == 12 && c->series[i].facts[k].end > last)
        last = c->series[i].facts[k].end;
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++)
      if (c->series[i].facts[k].end != last)
        c->series[i].facts[k].filing_year = 0;
}

int inline_add_facts(struct fact_company *c, const struct inline_document *d, struct error_text *why) {
  for (size_t i = 0; i < d->fact_count; i++)
    if (d->facts[i].context->members.len == 0)
      inline_add_fact(c, d, &d->facts[i]);
  if (d->name.len)
    c->name = fact_company_keep(c, d->name);
  if (d->ticker.len)
    c->ticker = fact_company_keep(c, d->ticker);
  if (d->cik.len)
    c->cik = fact_company_keep(c, d->cik);
  if (!d->fact_count)
    error_set(why, "no facts are tagged in it");
  inline_keep_year(c);
  fact_company_settle(c);
  return d->fact_count ? 0 : -1;
}

int inline_read_facts(struct fact_company *c, struct buf *html, struct error_text *why) {
  struct inline_document d;
  inline_read(&d, buf_slice(html));
  int failed = inline_add_facts(c, &d, why);
  inline_release(&d);
  return failed;
}

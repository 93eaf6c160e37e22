/* fact_last.c: keeps the facts and the filing that were loaded last. */
#include "facts/fact_last.h"

#include "base/diag.h"
#include "query/concepts.h"
#include "facts/fact_load.h"

#include <stdio.h>
#include <sysexits.h>

enum { LAST_TEXT_MAX = 65536 };

void fact_last_init(struct fact_last *last) {
  memset(last, 0, sizeof *last);
  fact_company_init(&last->company);
  fact_company_init(&last->filing);
}

static void last_release_filing(struct fact_last *last) {
  member_list_release(&last->members);
  inline_release(&last->document);
  fact_company_release(&last->filing);
}

void fact_last_release(struct fact_last *last) {
  fact_company_release(&last->company);
  last_release_filing(last);
}

/* The filing of a period, or the newest where that is empty. */
static const struct fact_company *last_load_filing(struct fact_last *last, const char *forms,
                                                   const char *period, int32_t as_of) {
  char name[sizeof last->period];
  snprintf(name, sizeof name, "%s %s", period, forms);
  if (!*last->cik)
    return NULL;
  if (strcmp(last->period, name) != 0) {
    last_release_filing(last);
    fact_company_init(&last->filing);
    memcpy(last->period, name, sizeof name);
    last->filing_status = fact_filing_load(&last->filing, &last->document, &last->filed, slice_str(last->cik),
                                           forms, *period ? period : NULL, as_of, &last->filing_why);
    if (!last->filing_status)
      member_list_read(&last->members, &last->document);
  }
  return last->filing_status ? NULL : &last->filing;
}

static const char *const last_annual = "10-K,20-F,40-F";

const struct fact_company *fact_last_filing(struct fact_last *last, const struct fact_window *w,
                                            int32_t as_of) {
  int quarter = w->period.quarter, is_quarter = quarter >= 1 && quarter <= 3;
  char period[16];
  if (!w->period.fiscal_year || (quarter == 0 && w->span != FACT_ANNUAL))
    return NULL;
  if (is_quarter)
    snprintf(period, sizeof period, "Q%d-%d", quarter, w->period.fiscal_year);
  else
    snprintf(period, sizeof period, "FY-%d", w->period.fiscal_year);
  return last_load_filing(last, is_quarter ? "10-Q" : last_annual, period, as_of);
}

const struct fact_company *fact_last_newest(struct fact_last *last, int quarterly, int32_t as_of) {
  return last_load_filing(last, quarterly ? "10-Q" : last_annual, "", as_of);
}

static const struct fact_company *last_load(struct fact_last *last, const char *cik) {
  if (strcmp(last->cik, cik) != 0) {
    fact_company_release(&last->company);
    fact_company_init(&last->company);
    last->period[0] = '\0';
    last->why.text[0] = '\0';
    struct buf errors;
    buf_init(&errors, LAST_TEXT_MAX);
    last->status = *cik ? fact_load_company(&last->company, cik, &errors, &last->why) : EX_DATAERR;
    if (!last->why.text[0])
      fact_load_why(buf_slice(&errors), &last->why);
    buf_release(&errors);
    snprintf(last->cik, sizeof last->cik, "%s", cik);
  }
  return last->status ? NULL : &last->company;
}

const struct fact_company *fact_last_company(struct fact_last *last, const char *cik, struct slice ticker) {
  const struct fact_company *c = last_load(last, cik);
  if (c && !c->ticker.len && ticker.len) /* facts are asked for by CIK, whose answer has no ticker */
    last->company.ticker = fact_company_keep(&last->company, ticker);
  return c;
}

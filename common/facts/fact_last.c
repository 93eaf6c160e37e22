#include "facts/fact_last.h"

#include "base/diag.h"
#include "facts/concepts.h"
#include "facts/fact_filing.h"
#include "facts/fact_load.h"
#include "record/json.h"

#include <stdio.h>
#include <sysexits.h>

enum { LAST_TEXT_MAX = 65536 };

void fact_last_init(struct fact_last *last) {
  memset(last, 0, sizeof *last);
  fact_company_init(&last->company);
  fact_company_init(&last->filing);
}

void fact_last_release(struct fact_last *last) {
  fact_company_release(&last->company);
  fact_company_release(&last->filing);
}

const struct fact_company *fact_last_filing(struct fact_last *last, const struct fact_window *w,
                                            int32_t as_of) {
  int quarter = w->period.quarter;
  char period[16];
  if (!w->period.fiscal_year || !*last->cik || (quarter == 0 && w->span != FACT_ANNUAL))
    return NULL;
  if (quarter >= 1 && quarter <= 3)
    snprintf(period, sizeof period, "Q%d-%d", quarter, w->period.fiscal_year);
  else
    snprintf(period, sizeof period, "FY-%d", w->period.fiscal_year);
  if (strcmp(last->period, period) != 0) {
    fact_company_release(&last->filing);
    fact_company_init(&last->filing);
    memcpy(last->period, period, sizeof period);
    last->filing_status = fact_filing_load(&last->filing, slice_str(last->cik),
                                           period[0] == 'Q' ? "10-Q" : "10-K,20-F,40-F", period, as_of);
  }
  return last->filing_status ? NULL : &last->filing;
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

/* Facts are asked for by CIK, whose answer has no ticker. */
static void last_take_ticker(struct fact_company *c, struct slice ticker) {
  struct buf text;
  buf_init(&text, 64);
  if (json_kind(ticker) == '"' && json_decode(ticker, &text) == 0 && text.len)
    c->ticker = fact_company_keep(c, buf_slice(&text));
  buf_release(&text);
}

const struct fact_company *fact_last_company(struct fact_last *last, const char *cik, struct slice ticker) {
  const struct fact_company *c = last_load(last, cik);
  if (c && !c->ticker.len)
    last_take_ticker(&last->company, ticker);
  return c;
}

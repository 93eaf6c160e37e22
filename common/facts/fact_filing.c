#include "facts/fact_filing.h"

#include "facts/fact_fetch.h"
#include "facts/fact_load.h"
#include "record/json.h"

#include <stdio.h>

#define FILING_MAX ((size_t)128 << 20)

int fact_filing_find(struct fact_company *keep, struct slice cik, const char *forms, const char *period,
                     struct buf *href, struct fact *filing, struct error_text *why) {
  char entity[16];
  snprintf(entity, sizeof entity, "%.*s", (int)cik.len, cik.data);
  const char *const arguments[] = {"sec-filings",        "-e",   entity, "-f", forms, "-n", "1",
                                   period ? "-p" : NULL, period, NULL};
  struct buf records, content, scratch;
  struct slice filings, first = {NULL, 0};
  struct json_cursor at = {0};
  const char *fault;
  size_t where;
  buf_init(&records, FILING_MAX);
  buf_init(&content, FILING_MAX);
  buf_init(&scratch, 65536);
  error_set(why, "bid-fetch gave no list of its filings");
  int failed = fact_fetch(arguments, 1, &records, why) != 0 ||
               fact_load_payload(keep, buf_slice(&records), &content) ||
               json_validate(content.data, content.len, &where, &fault);
  fact_load_why(buf_slice(&records), why);
  filings = failed ? slice_of(NULL, 0) : json_get(buf_slice(&content), "filings");
  if (!failed && (json_kind(filings) != '[' || !json_next_element(filings, &at, &first))) {
    error_set(why, "none on form %s is on its list", forms);
    failed = 1;
  }
  if (!failed) {
    json_decode(json_get(first, "href"), href);
    filing->accession = fact_company_keep(keep, json_text(json_get(first, "accessionNumber"), &scratch));
    filing->form = fact_company_keep(keep, json_text(json_get(first, "form"), &scratch));
    filing->filed = day_parse(json_text(json_get(first, "filingDate"), &scratch));
  }
  buf_release(&records);
  buf_release(&content);
  buf_release(&scratch);
  return failed || !href->len ? -1 : 0;
}

int fact_filing_fetch(struct fact_company *keep, struct slice href, struct buf *html,
                      struct error_text *why) {
  struct buf parameter, records;
  buf_init(&parameter, 65536);
  buf_init(&records, FILING_MAX);
  buf_printf(&parameter, "url=%.*s", (int)href.len, href.data);
  const char *const arguments[] = {"sec-filing-document", "-P", parameter.data, NULL};
  error_set(why, "bid-fetch did not give %.*s", (int)href.len, href.data);
  int failed =
      fact_fetch(arguments, 1, &records, why) != 0 || fact_load_payload(keep, buf_slice(&records), html);
  fact_load_why(buf_slice(&records), why);
  buf_release(&parameter);
  buf_release(&records);
  return failed ? -1 : 0;
}

void fact_filing_stamp(struct fact_company *c, const struct fact *filing) {
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++) {
      c->series[i].facts[k].accession = filing->accession;
      c->series[i].facts[k].form = filing->form;
      c->series[i].facts[k].filed = filing->filed;
    }
}

int fact_filing_load(struct fact_company *c, struct inline_document *d, struct fact *filing, struct slice cik,
                     const char *forms, const char *period, int32_t as_of, struct error_text *why) {
  struct buf href, html;
  buf_init(&href, 65536);
  buf_init(&html, FILING_MAX);
  *filing = (struct fact){.filed = DAY_NONE};
  int failed = fact_filing_find(c, cik, forms, period, &href, filing, why);
  if (!failed && as_of != DAY_NONE && filing->filed > as_of) {
    error_set(why, "the newest %s was filed later", forms);
    failed = 1;
  }
  failed = failed || fact_filing_fetch(c, buf_slice(&href), &html, why);
  if (!failed) {
    inline_read(d, buf_slice(&html));
    failed = inline_add_facts(c, d, why);
    fact_filing_stamp(c, filing);
  }
  buf_release(&href);
  buf_release(&html);
  return failed ? -1 : 0;
}

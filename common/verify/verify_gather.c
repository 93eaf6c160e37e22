#include "verify/verify_gather.h"

#include "facts/measure.h"
#include "record/json.h"
#include "record/record.h"
#include "verify/numbers.h"

#include <stdlib.h>

struct slice verify_keep(struct verify_case *v, struct slice json) {
  struct buf text;
  buf_init(&text, VERIFY_TEXT_MAX);
  struct slice kept = {NULL, 0};
  if (json_kind(json) == '"' && json_decode(json, &text) == 0 && text.len) {
    v->kept = xreallocarray(v->kept, v->kept_count + 1, sizeof *v->kept);
    kept = buf_slice(&text);
    v->kept[v->kept_count++] = text.data;
  } else {
    buf_release(&text);
  }
  return kept;
}

void verify_add_passage(struct verify_case *v, struct slice json) {
  struct cited *c;
  v->cited = xreallocarray(v->cited, v->cited_count + 1, sizeof *v->cited);
  c = &v->cited[v->cited_count++];
  *c = (struct cited){.mark = (int)json_to_int(json_get(json, "rank"), (long long)v->cited_count)};
  c->id = verify_keep(v, json_get(json, "id"));
  c->text = verify_keep(v, json_get(json, "text"));
  c->context = verify_keep(v, json_get(json, "context"));
  c->url = verify_keep(v, json_get(json, "sourceUrl"));
  c->accession = verify_keep(v, json_get(json, "accessionNumber"));
  struct slice chunk = json_get(json, "chunk");
  struct slice place = json_kind(chunk) == '{' ? chunk : json; /* as in bid-chunk's records, or in
                                                                  bid-search's */
  struct slice about = json_kind(json_get(json, "metadata")) == '{' ? json_get(json, "metadata") : json;
  c->cik = verify_keep(v, json_get(about, "cik"));
  c->ticker = verify_keep(v, json_get(about, "ticker"));
  c->company = verify_keep(v, json_get(about, "company"));
  c->start = json_to_int(json_get(place, "start"), -1);
  c->end = json_to_int(json_get(place, "end"), -1);
}

void verify_add_passages(struct verify_case *v, struct slice list) {
  struct json_cursor at = {0};
  struct slice one;
  while (json_kind(list) == '[' && json_next_element(list, &at, &one))
    verify_add_passage(v, one);
}

/* 2 of "Q2", in quotes; 0 for others. */
static int verify_quarter(struct slice json) {
  return json.len == 4 && json.data[1] == 'Q' ? json.data[2] - '0' : 0;
}

/* The currency of a unit, "TWD" or "USD/shares"; 0 where it has none. */
static int verify_currency(struct slice unit) {
  const char *per = unit.len ? memchr(unit.data, '/', unit.len) : NULL;
  return numbers_currency(slice_of(unit.data, per ? (size_t)(per - unit.data) : unit.len));
}

/* A row of bid-facts. */
static void verify_add_row(struct verify_case *v, struct slice json) {
  struct slice label = verify_keep(v, json_get(json, "label")), value = json_get(json, "value");
  struct slice unit = json_get(json, "unit");
  if (!label.len || json_kind(value) != '0')
    return;
  struct evidence_fact fact = {.label = label, .percent = slice_is(unit, "\"pure\"")};
  fact.value = json_to_double(value, 0) * (fact.percent ? 100 : 1);
  fact.year = (int)json_to_int(json_get(json, "fiscalYear"), 0);
  fact.months = (int)json_to_int(json_get(json, "months"), 0);
  fact.quarter = verify_quarter(json_get(json, "fiscalPeriod"));
  if (json_kind(unit) == '"' && unit.len > 2)
    fact.currency = verify_currency(slice_of(unit.data + 1, unit.len - 2));
  fact.accession = verify_keep(v, json_get(json, "accessionNumber"));
  fact.cik = verify_keep(v, json_get(json, "cik"));
  evidence_add_fact(&v->evidence, &fact);
}

void verify_add_rows(struct verify_case *v, struct slice list) {
  struct json_cursor at = {0};
  struct slice one;
  while (json_kind(list) == '[' && json_next_element(list, &at, &one))
    verify_add_row(v, one);
}

/* Adds all words of the table for a company, years and quarters. */
void verify_add_company(struct verify_case *v, const struct concept_table *table,
                        const struct fact_company *c) {
  static const enum fact_span spans[] = {FACT_ANNUAL, FACT_QUARTERLY};
  for (size_t i = 0; i < 2 * table->word_count; i++) {
    struct measure_context x = {table, c, {NULL, 0}, {spans[i % 2], 0, DAY_NONE}};
    struct measure m;
    struct buf why;
    buf_init(&why, VERIFY_TEXT_MAX);
    if (measure_make(&m, &x, table->words[i / 2].label, &why) == 0)
      for (size_t k = 0; k < m.rows.count; k++) {
        const struct fact_row *r = &m.rows.rows[k];
        struct evidence_fact fact = {
            .label = table->words[i / 2].label, .cik = c->cik, .year = r->fiscal_year};
        fact.currency = m.unit ? verify_currency(slice_of(m.unit, strlen(m.unit))) : 0;
        fact.percent = m.unit && strcmp(m.unit, "pure") == 0 && measure_is_ratio(&m) != MEASURE_MULTIPLE;
        fact.value = decimal_to_double(r->number) * (fact.percent ? 100 : 1);
        fact.months = r->months;
        fact.quarter = r->fiscal_period[0] == 'Q' ? r->fiscal_period[1] - '0' : 0;
        fact.accession = r->fact ? r->fact->accession : fact.accession;
        evidence_add_fact(&v->evidence, &fact);
      }
    measure_release(&m);
    buf_release(&why);
  }
}

void verify_add_file_rows(struct verify_case *v, struct slice text) {
  struct record *rec = xcalloc(1, sizeof *rec);
  static const char *const none[] = {NULL};
  while (text.len) {
    const char *end = memchr(text.data, '\n', text.len), *why;
    size_t n = end ? (size_t)(end - text.data) : text.len, at;
    if (n && record_parse(text.data, n, none, rec, &why, &at) == RECORD_OK && !rec->is_error)
      verify_add_row(v, rec->line);
    n += end != NULL;
    text = slice_of(text.data + n, text.len - n);
  }
  free(rec);
}

/* verify.c: bid-verify's work on a record: gathers what an answer cites, judges its numbers and citations, writes the result. */
#include "verify/verify.h"
#include "base/diag.h"
#include "base/paths.h"
#include "base/sandbox.h"
#include "base/utf8.h"
#include "facts/fact_load.h"
#include "facts/measure.h"
#include "page/html_page.h"
#include "record/error.h"
#include "record/json.h"
#include "record/record.h"
#include "verify/citation.h"
#include "verify/claims.h"
#include "text/numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* No text in a case is larger. */
#define VERIFY_TEXT_MAX ((size_t)64 << 20)

/* A JSON string, decoded, as long as the case; empty where it is none. */
static struct slice verify_keep(struct verify_case *v, struct slice json) {
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

/* A passage of bid-search or a list of them. */
static void verify_add_passage(struct verify_case *v, struct slice json) {
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

static void verify_add_passages(struct verify_case *v, struct slice list) {
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

/* Rows of bid-facts: a list, or a file's lines. */
static void verify_add_rows(struct verify_case *v, struct slice list) {
  struct json_cursor at = {0};
  struct slice one;
  while (json_kind(list) == '[' && json_next_element(list, &at, &one))
    verify_add_row(v, one);
}

/* Adds the figures of all words of the table for a company, for years and quarters. */
static void verify_add_company(struct verify_case *v, const struct concept_table *table,
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

static void verify_add_file_rows(struct verify_case *v, struct slice text) {
  while (text.len) {
    struct slice line = slice_cut(&text, '\n');
    if (json_is_valid(line) && !json_get(line, "error").data)
      verify_add_row(v, line);
  }
}

/* ---- records ---- */

enum { VERIFY_MARK_MAX = 999 }; /* a larger number in brackets, such as a year, is not a mark */

enum { V_ANSWER, V_QUERY, V_RAG, V_MATCHES, V_EDGAR, V_ID, V_TEXT };
static const char *const verify_fields[] = {"answer", "query", "rag", "matches", "edgar", "id", "text", NULL};

/* Whether all input belongs to one answer. */
static int verify_is_one(const struct verify_options *o) {
  return o->answer || o->answer_text || o->cited.count;
}

struct verify_work {
  struct program *p;
  const struct verify_options *o;
  struct concept_table table;
  struct fact_company *companies;
  size_t company_count;
  struct buf *fact_files; /* their texts */
  struct store *store;
  struct store_snapshot *snap;
  struct planner *planner; /* of all answers; NULL until one needs it */
  size_t cases;
  struct verify_case at; /* the current answer, or with --answer the only one */
};

/* ---- judging ---- */

static struct owners verify_owners(struct verify_work *w, const struct verify_case *v) {
  struct owners o = {.list = xcalloc(v->cited_count + 1, sizeof *o.list), .count = v->cited_count};
  for (size_t i = 0; i < v->cited_count; i++) {
    const struct cited *c = &v->cited[i];
    o.list[i] = (struct owner){.mark = c->mark, .cik = c->cik, .ticker = c->ticker, .company = c->company};
    o.list[i].context = c->context;
    o.list[i].text = c->text;
    o.list[i].url = c->url;
  }
  for (size_t i = 0; i < v->evidence.count; i++)
    o.of_facts |= !v->evidence.items[i].mark && v->evidence.items[i].cik.len;
  owners_open(&o, &w->planner);
  return o;
}

/* Marks of the answer that name no passage. */
static void verify_add_absent(struct verify_case *v) {
  struct stated s;
  size_t passages = v->cited_count;
  numbers_read(&s, v->answer, 0);
  for (size_t i = 0; i < s.mark_count; i++) {
    int mark = s.marks[i].mark;
    if (mark > VERIFY_MARK_MAX || verify_has_mark(v, mark))
      continue;
    v->cited = xreallocarray(v->cited, v->cited_count + 1, sizeof *v->cited);
    struct cited *c = &v->cited[v->cited_count++];
    *c = (struct cited){.mark = mark, .start = -1, .end = -1, .stored = CITATION_ABSENT};
    snprintf(c->why, sizeof c->why, "the answer cites it, there %s %zu passage%s",
             passages == 1 ? "is" : "are", passages, passages == 1 ? "" : "s");
  }
  numbers_release(&s);
}

static void verify_judge(struct verify_work *w, struct verify_case *v) {
  struct evidence *e = &v->evidence;
  for (size_t i = 0; i < v->cited_count; i++)
    evidence_add_passage(e, v->cited[i].mark, v->cited[i].text, v->cited[i].context);
  for (size_t i = 0; i < w->company_count; i++)
    verify_add_company(v, &w->table, &w->companies[i]);
  for (size_t i = 0; i < w->o->facts.count; i++)
    verify_add_file_rows(v, buf_slice(&w->fact_files[i]));
  for (size_t i = 0; i < v->cited_count; i++) {
    if (w->snap)
      citation_prove(&v->cited[i], w->snap);
    if (w->o->from_source)
      citation_prove_source(&v->cited[i]);
  }
  verify_add_absent(v);
  struct owners owners = verify_owners(w, v);
  claims_check(&v->claims, e, &owners, v->answer);
  owners_release(&owners);
  v->number = ++w->cases;
  if (w->o->form == FORM_HTML)
    verify_page_add(&w->p->out.buf, v, w->snap);
  else
    verify_write(&w->p->out.buf, v, w->o->form == FORM_TEXT);
  if (!verify_is_clean(v))
    program_fail(w->p, EXIT_NOTHING);
}

static void verify_start(struct verify_work *w, struct verify_case *v) {
  memset(v, 0, sizeof *v);
  evidence_init(&v->evidence, &w->table);
}

static void verify_end(struct verify_case *v) {
  for (size_t i = 0; i < v->kept_count; i++)
    free(v->kept[i]);
  free(v->kept);
  free(v->cited);
  claims_release(&v->claims);
  evidence_release(&v->evidence);
}

static void verify_take(struct verify_case *v, const struct record *rec) {
  struct slice rag = rec->field[V_RAG], edgar = rec->field[V_EDGAR];
  verify_add_passages(v, json_kind(rag) == '{' ? json_get(rag, "matches") : rec->field[V_MATCHES]);
  if (json_kind(rec->field[V_ID]) == '"' && json_kind(rec->field[V_TEXT]) == '"')
    verify_add_passage(v, rec->line);
  if (json_kind(edgar) == '{')
    verify_add_rows(v, json_get(edgar, "facts"));
  if (!v->query.len)
    v->query = verify_keep(v, rec->field[V_QUERY]);
  if (!v->answer.len)
    v->answer = verify_keep(v, rec->field[V_ANSWER]);
}

static int verify_record(struct program *p, const struct record *rec, void *arg) {
  struct verify_work *w = arg;
  struct verify_case one = {0}, *v = verify_is_one(w->o) ? &w->at : &one;
  if (v == &one)
    verify_start(w, v);
  verify_take(v, rec);
  if (!v->cited_count && !v->answer.len)
    program_error(
        p, rec, ERROR_INVALID_REQUEST, slice_of(NULL, 0), slice_of(NULL, 0),
        "neither passages nor an answer: a bundle of bid-retrieve or a passage of bid-search is wanted");
  else if (v == &one)
    verify_judge(w, v);
  if (v == &one)
    verify_end(v);
  return 0;
}

/* Adds a passage from the store by its id. */
static void verify_cite(struct verify_work *w, struct verify_case *v, const char *id) {
  const struct store_segment *seg;
  struct error_text e;
  struct store_text t;
  struct buf json;
  uint32_t row;
  buf_init(&json, VERIFY_TEXT_MAX);
  store_text_init(&t);
  buf_add_char(&json, '{');
  json_cstr(&json, "id", id);
  if (w->snap && citation_find(w->snap, slice_str(id), &seg, &row, &t, &e) == STORE_OK) {
    struct buf document;
    buf_init(&document, VERIFY_TEXT_MAX);
    json_str(&json, "text", t.text);
    json_str(&json, "context", t.context);
    if (json_kind(t.chunk) == '{')
      json_raw(&json, "chunk", t.chunk);
    if (store_get_document(w->snap, seg->doc[store_doc_of_row(seg, row)].id, &document, &e) == STORE_OK &&
        json_kind(json_get(buf_slice(&document), "sourceUrl")) == '"')
      json_raw(&json, "sourceUrl", json_get(buf_slice(&document), "sourceUrl"));
    buf_release(&document);
  }
  buf_add_char(&json, '}');
  verify_add_passage(v, buf_slice(&json));
  store_text_release(&t);
  buf_release(&json);
}

/* ---- preparation ---- */

/* From here on shipped tables and the named files are read, and files changed only in the store's folder until it is open:
 * answers, bundles, facts and stores aren't trusted.  The helper runs bid-fetch and bid-strip. */
static void verify_hold(const struct verify_work *w) {
  static helper_run *const runs[] = {fact_fetch_run, citation_run_strip};
  const struct verify_options *o = w->o;
  struct sandbox_scope scope = {.allow = SANDBOX_CHANGE_FILES};
  if (o->from_source)
    fact_fetch_files();
  if (o->from_source || o->companies.count)
    helper_start(runs, sizeof runs / sizeof *runs);
  paths_may_read(&scope);
  program_may_read(w->p, &scope);
  for (size_t i = 0; i < o->facts.count; i++)
    sandbox_may_read(&scope, o->facts.items[i]);
  if (o->answer)
    sandbox_may_read(&scope, o->answer);
  store_may_change(&(struct store_options){.path = o->store}, &scope);
  sandbox_enter_scope(&scope);
}

static int verify_open_store(struct verify_work *w) {
  struct store_options o = {.path = w->o->store};
  struct error_text e;
  enum store_status status = store_open(&w->store, &o, &e);
  sandbox_no_more_changes();
  if (status == STORE_OK)
    status = store_snapshot_begin(w->store, &w->snap, &e);
  if (status == STORE_OK)
    return 0;
  w->snap = NULL;
  if (status == STORE_MISSING && !w->o->store) {
    if (!w->p->quiet)
      diag_warn("no store here: citations are not proved (%s)", e.text);
    return 0;
  }
  diag_warn("%s", e.text);
  program_fail(w->p, EX_UNAVAILABLE);
  return -1;
}

static int verify_load(struct verify_work *w, struct buf *answer) {
  struct error_text e;
  if (concept_table_load(&w->table, &e)) {
    diag_warn("%s", e.text);
    program_fail(w->p, EX_CONFIG);
    return -1;
  }
  w->companies = xcalloc(w->o->companies.count + 1, sizeof *w->companies);
  for (size_t i = 0; i < w->o->companies.count; i++) {
    fact_company_init(&w->companies[w->company_count]);
    int status = fact_load_company(&w->companies[w->company_count], w->o->companies.items[i], NULL, &e);
    if (status && e.text[0])
      diag_warn("%s", e.text);
    program_fail(w->p, status);
    w->company_count += status == 0;
  }
  w->fact_files = xcalloc(w->o->facts.count + 1, sizeof *w->fact_files);
  for (size_t i = 0; i < w->o->facts.count; i++) {
    buf_init(&w->fact_files[i], VERIFY_TEXT_MAX);
    if (buf_read_file(&w->fact_files[i], w->o->facts.items[i])) {
      diag_errno("%s", w->o->facts.items[i]);
      program_fail(w->p, EX_NOINPUT);
    }
  }
  if (w->o->answer && buf_read_file(answer, w->o->answer)) {
    diag_errno("%s", w->o->answer);
    program_fail(w->p, EX_NOINPUT);
    return -1;
  }
  if (answer->len && utf8_valid_prefix(answer->data, answer->len) < answer->len) {
    diag_warn("%s: no text in UTF-8, which an answer is", w->o->answer);
    program_fail(w->p, EX_DATAERR);
    return -1;
  }
  return verify_open_store(w);
}

static void verify_release(struct verify_work *w) {
  for (size_t i = 0; i < w->company_count; i++)
    fact_company_release(&w->companies[i]);
  for (size_t i = 0; w->fact_files && i < w->o->facts.count; i++)
    buf_release(&w->fact_files[i]);
  free(w->companies);
  free(w->fact_files);
  store_snapshot_end(w->snap);
  store_close(w->store);
  concept_table_release(&w->table);
  planner_free(w->planner);
}

void verify_run(struct program *p, const struct verify_options *o) {
  struct verify_work w = {.p = p, .o = o};
  struct buf answer;
  buf_init(&answer, VERIFY_TEXT_MAX);
  verify_hold(&w);
  if (verify_load(&w, &answer) == 0) {
    if (o->form == FORM_HTML)
      html_page_open(
          &p->out.buf, slice_str("Citations and numbers, checked"),
          slice_str("Each citation looked up again, each number looked for in what its sentence cites."));
    verify_start(&w, &w.at);
    w.at.answer = o->answer_text ? slice_str(o->answer_text) : buf_slice(&answer);
    for (size_t i = 0; i < o->cited.count; i++)
      verify_cite(&w, &w.at, o->cited.items[i]);
    if (p->operand_count || !o->cited.count)
      program_each_record(p, verify_fields, verify_record, &w);
    if (!verify_is_one(o) && p->records == 0 && p->status == 0)
      program_nothing(
          p, "no record came: a bundle of bid-retrieve --json or a passage of bid-search --json is wanted");
    if (verify_is_one(o))
      verify_judge(&w, &w.at);
    verify_end(&w.at);
    if (o->form == FORM_HTML)
      html_page_close(&p->out.buf);
  }
  buf_release(&answer);
  verify_release(&w);
}

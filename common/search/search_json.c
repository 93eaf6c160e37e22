/* search_json.c: answers as records: hits, bundles, explanations, errors, and disagreements with facts. */
#include "compare/filing_news.h"
#include "query/concepts.h"
#include "query/plan_json.h"
#include "record/error.h"
#include "record/json.h"
#include "record/record.h"
#include "search/search.h"
#include "search/search_passage.h"
#include "verify/disagreement.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- disagreements with facts ---- */

enum { DISAGREE_CIK = 16 };

struct disagree_passage {
  struct search_passage of;
  char cik[DISAGREE_CIK]; /* or "" */
};

static int disagree_load(struct searcher *s, const struct search_answer *a, struct disagree_passage *list,
                         struct error_text *e) {
  struct buf scratch;
  int failed = 0;
  buf_init(&scratch, RECORD_MAX);
  for (size_t i = 0; i < a->result.count; i++) {
    store_text_init(&list[i].of.text);
    buf_init(&list[i].of.document, RECORD_MAX);
    failed |= searcher_load(s, &a->result.hits[i].at, &list[i].of, e) != 0;
    struct slice document = buf_slice(&list[i].of.document);
    struct slice cik = json_text(json_get(json_get(document, "metadata"), "cik"), &scratch);
    snprintf(list[i].cik, DISAGREE_CIK, "%.*s", (int)cik.len, cik.len ? cik.data : "");
  }
  buf_release(&scratch);
  return failed ? -1 : 0;
}

/* For the company of passage `first`, unless an earlier one has the same. */
static size_t disagree_company(const struct disagree_passage *list, size_t count, size_t first,
                               const struct concept_table *table, struct slice facts, struct buf *out) {
  struct evidence evidence;
  for (size_t i = 0; i < first; i++)
    if (strcmp(list[i].cik, list[first].cik) == 0)
      return 0;
  evidence_init(&evidence, table);
  for (size_t i = first; i < count; i++)
    if (strcmp(list[i].cik, list[first].cik) == 0)
      evidence_add_passage(&evidence, (int)i + 1, list[i].of.text.text, list[i].of.text.context);
  size_t found = *list[first].cik ? disagreement_add(&evidence, facts, list[first].cik, out) : 0;
  evidence_release(&evidence);
  return found;
}

int search_add_disagreements(struct searcher *s, const struct search_answer *a, struct slice facts,
                             struct buf *out, struct error_text *e) {
  size_t count = a->result.count, found = 0, before = out->len;
  struct disagree_passage *list = xcalloc(count + 1, sizeof *list);
  struct concept_table table = {0};
  int failed = concept_table_load(&table, e) != 0 || disagree_load(s, a, list, e) != 0;
  buf_add_char(out, '[');
  for (size_t i = 0; i < count && !failed; i++)
    found += disagree_company(list, count, i, &table, facts, out);
  buf_add_char(out, ']');
  if (!found)
    out->len = before;
  for (size_t i = 0; i < count; i++) {
    store_text_release(&list[i].of.text);
    buf_release(&list[i].of.document);
  }
  concept_table_release(&table);
  free(list);
  return failed ? -1 : 0;
}

/* ---- errors ---- */

static void add_fault(struct buf *out, const char *category, const char *message) {
  if (out->data[out->len - 1] != '[')
    buf_add_char(out, ',');
  buf_add_char(out, '{');
  json_cstr(out, "category", category);
  json_cstr(out, "message", message);
  json_cstr(out, "stage", "search");
  buf_add_char(out, '}');
}

/* An error for each line. */
static void add_faults(struct buf *out, const char *category, struct slice lines, const char *remark) {
  while (lines.len > 0) {
    const char *end = memchr(lines.data, '\n', lines.len);
    size_t n = end ? (size_t)(end - lines.data) : lines.len;
    char text[1024];
    snprintf(text, sizeof text, "%.*s%s", (int)(n < 900 ? n : 900), lines.data, remark);
    add_fault(out, category, text);
    lines = slice_of(lines.data + n + (end != NULL), lines.len - n - (end != NULL));
  }
}

/* What the plan wants and the store lacks; and where the passages are about something else, or older than asked for. */
static void add_missing_faults(struct buf *out, const struct search_answer *a) {
  int other = a->scope && a->scope->reach != SCOPE_FITTING && a->result.count > 0;
  struct buf overdue;
  add_faults(out, ERROR_NO_CONTENT, a->missing ? buf_slice(a->missing) : slice_of(NULL, 0),
             other ? "; the passages are of other reports, which may tell of it" : "");
  buf_init(&overdue, 2048);
  if (a->scope && search_overdue(a->scope, &overdue) > 0)
    add_faults(out, ERROR_STALE, buf_slice(&overdue), "");
  buf_release(&overdue);
}

static void add_other_subject(struct buf *out, const struct search_answer *a) {
  struct error_text text;
  if (search_plan_names_another(a->plan, &text))
    add_fault(out, ERROR_INVALID_REQUEST, text.text);
  if (a->plan && a->plan->remark[0])
    add_fault(out, ERROR_INVALID_REQUEST, a->plan->remark);
}

void search_add_errors(const struct search_answer *a, const struct search_fault *f,
                       const struct search_output *o, struct buf *out) {
  int unanswered = o->edgar && (f != NULL || !a || a->result.count == 0);
  buf_add_char(out, '[');
  if (unanswered) /* an ingestion error is more specific than "nothing found" */
    edgar_add_errors(o->edgar, out);
  if (f != NULL)
    add_fault(out, f->category, f->e.text);
  if (a != NULL && f == NULL) {
    add_other_subject(out, a);
    add_missing_faults(out, a);
  }
  if (a != NULL && f == NULL && a->warning.len > 0)
    add_fault(out, ERROR_MODEL_MISMATCH, a->warning.data);
  if (o->edgar) {
    if (!unanswered)
      edgar_add_errors(o->edgar, out);
    edgar_add_stale(o->edgar, a ? a->scope : NULL, out);
  }
  buf_add_char(out, ']');
}

/* ---- hits ---- */

void search_add_id(struct buf *out, const struct rank_place *at, int digits) {
  const uint8_t *id = store_row_id(at->seg, at->row);
  for (int i = 0; i < digits && i < 2 * STORE_ID_BYTES; i++)
    buf_add_char(out, "0123456789abcdef"[i % 2 ? id[i / 2] & 15 : id[i / 2] >> 4]);
}

static void search_json_add_id(struct buf *out, const struct rank_place *at) {
  buf_add_char(out, '"');
  search_add_id(out, at, 2 * STORE_ID_BYTES);
  buf_add_char(out, '"');
}

/* Copies a member of the raw object unchanged, if there is one. */
static void pass(struct buf *out, struct slice object, const char *from, const char *to) {
  struct slice value = json_get(object, from);
  if (value.len > 0 && json_kind(value) != 'n')
    json_raw(out, to, value);
}

static void add_passage(struct buf *out, struct slice chunk) {
  static const char *const names[] = {"item",  "heading", "page",  "firstPage", "lastPage",
                                      "start", "end",     "index", NULL};
  for (size_t i = 0; names[i] != NULL; i++)
    pass(out, chunk, names[i], names[i]);
}

static void add_provenance(struct buf *out, struct slice document) {
  static const char *const names[] = {"company",
                                      "ticker",
                                      "cik",
                                      "form",
                                      "filingDate",
                                      "reportDate",
                                      "fiscalYear",
                                      "fiscalPeriod",
                                      "acceptanceDateTime",
                                      "accessionNumber",
                                      "title",
                                      "exhibit",
                                      NULL};
  struct slice metadata = json_get(document, "metadata");
  for (size_t i = 0; names[i] != NULL && json_kind(metadata) == '{'; i++)
    pass(out, metadata, names[i], names[i]);
  pass(out, document, "source", "source");
  pass(out, document, "sourceUrl", "sourceUrl");
  pass(out, document, "capturedAt", "capturedAt");
}

/* Members of the hit's document. */
static int add_document(struct searcher *s, const struct rank_place *at, struct buf *out,
                        struct error_text *e) {
  const struct search *shared = searcher_shared(s);
  struct buf *document = &searcher_passage(s)->document;
  uint64_t id = at->seg->doc[at->doc].id;
  buf_clear(document);
  if (store_get_document(search_snapshot(shared), id, document, e) != STORE_OK)
    return -1;
  add_provenance(out, buf_slice(document));
  return 0;
}

/* Members of a hit that don't depend on the question. */
static int search_json_add_found(struct searcher *s, const struct rank_place *at, struct buf *out,
                                 struct error_text *e) {
  const struct search *shared = searcher_shared(s);
  const struct store_snapshot *snap = search_snapshot(shared);
  struct store_text *t = &searcher_passage(s)->text;
  if (store_get_text(snap, at->seg, at->row, t, e) != STORE_OK)
    return -1;
  const char *store = store_snapshot_path(snap, at->seg->doc[at->doc].id);
  if (store != NULL)
    json_cstr(out, "store", store);
  json_cstr(out, "collection", search_collection_name(shared, at->seg->doc[at->doc].collection));
  json_str(out, "text", t->text);
  json_str(out, "context", t->context);
  add_passage(out, t->chunk);
  return add_document(s, at, out, e);
}

static void add_named(struct buf *out, const char *key, const char *const *names, const void *floats,
                      size_t count) {
  json_key(out, key);
  buf_add_char(out, '{');
  for (size_t i = 0; i < count; i++) {
    float value;
    memcpy(&value, (const char *)floats + i * sizeof value, sizeof value);
    json_double(out, names[i], (double)value);
  }
  buf_add_char(out, '}');
}

static void add_scores(struct buf *out, const struct search_answer *a, const struct rank_hit *h,
                       int explain) {
  json_key(out, "scores");
  buf_add_char(out, '{');
  json_double(out, "text", (double)h->f.text);
  if (a->model != NULL)
    json_double(out, "vector", (double)h->f.vector);
  json_double(out, "bm25", (double)h->bm25);
  if (a->model != NULL)
    json_double(out, "cosine", (double)h->cosine);
  json_double(out, "coverage", (double)h->f.coverage);
  json_double(out, "relevance", (double)h->relevance);
  json_double(out, "confidence", (double)a->result.confidence);
  if (explain) {
    json_double(out, "sum", (double)h->sum);
    add_named(out, "features", rank_feature_names, &h->f, RANK_FEATURE_COUNT);
  }
  buf_add_char(out, '}');
}

/* The sentences and rows of the passage with their features. */
static void add_units(struct buf *out, const struct rank_units *u) {
  json_key(out, "units");
  buf_add_char(out, '[');
  for (size_t i = 0; i < u->count; i++) {
    buf_add_str(out, i ? ",{" : "{");
    json_uint(out, "start", u->list[i].at.start);
    json_uint(out, "end", u->list[i].at.end);
    json_double(out, "chance", (double)u->list[i].chance);
    add_named(out, "features", rank_unit_names, &u->list[i].f, RANK_UNIT_COUNT);
    buf_add_char(out, '}');
  }
  buf_add_char(out, ']');
}

/* "spans": the sentences and rows that most likely answer, each with what stands above it and is needed to read it. */
static void add_spans(struct buf *out, const struct rank_units *u) {
  uint8_t *chosen = xcalloc(u->count + 1, 1);
  search_choose_spans(u, chosen);
  json_key(out, "spans");
  buf_add_char(out, '[');
  for (size_t i = 0; i < u->count; i++) {
    if (!chosen[i])
      continue;
    buf_add_str(out, out->data[out->len - 1] == '[' ? "{" : ",{");
    json_uint(out, "start", u->list[i].at.start);
    json_uint(out, "end", u->list[i].at.end);
    json_double(out, "chance", (double)u->list[i].chance);
    size_t above = 0;
    for (size_t k = 0; k < i; k++)
      if (rank_units_needs(u, i, k)) {
        if (above++ == 0)
          json_key(out, "above");
        buf_printf(out, "%s{\"start\":%u,\"end\":%u}", above > 1 ? "," : "[", u->list[k].at.start,
                   u->list[k].at.end);
      }
    buf_add_str(out, above ? "]}" : "}");
  }
  buf_add_char(out, ']');
  free(chosen);
}

static void add_folded(struct buf *out, const struct rank_hit *h) {
  if (h->folded_count == 0)
    return;
  json_uint(out, "duplicates", h->folded_count);
  json_key(out, "duplicateIds");
  buf_add_char(out, '[');
  for (size_t i = 0; i < h->folded_count && i < RANK_FOLDED; i++) {
    if (i > 0)
      buf_add_char(out, ',');
    search_json_add_id(out, &h->folded[i]);
  }
  buf_add_char(out, ']');
}

int search_neighbour(struct searcher *s, const struct rank_place *at, int step, struct store_text *t,
                     struct error_text *e) {
  const struct store_doc *d = &at->seg->doc[at->doc];
  if ((step < 0 && at->row == d->first) || (step > 0 && at->row + 1 == d->first + d->rows))
    return 0;
  uint32_t row = step < 0 ? at->row - 1 : at->row + 1;
  return store_get_text(search_snapshot(searcher_shared(s)), at->seg, row, t, e) == STORE_OK ? 1 : -1;
}

static int add_neighbour(struct searcher *s, const struct rank_place *at, int step, const char *name,
                         struct buf *out, struct error_text *e) {
  struct store_text t;
  store_text_init(&t);
  int found = search_neighbour(s, at, step, &t, e);
  if (found > 0)
    json_str(out, name, t.text);
  store_text_release(&t);
  return found < 0 ? -1 : 0;
}

/* How vectors were scanned: "exact":true where no row was excluded by a bound, and the number of sketch candidates. */
static void add_scan(struct buf *out, const struct search_answer *a) {
  if (a->model == NULL)
    return;
  json_bool(out, "exact", a->result.exact);
  if (a->result.candidates > 0)
    json_uint(out, "candidates", a->result.candidates);
}

/* "newSince": the document with which the hit's document was compared. */
static int add_news(struct searcher *s, const struct search_answer *a, const struct rank_place *at,
                    struct buf *out, struct error_text *e) {
  uint64_t before = a->news ? filing_news_before(a->news, at->seg, at->doc) : 0;
  struct buf json;
  if (!before)
    return 0;
  buf_init(&json, RECORD_MAX);
  int failed = store_get_document(search_snapshot(searcher_shared(s)), before, &json, e) != STORE_OK;
  if (!failed)
    json_raw(out, "newSince", json_get(buf_slice(&json), "sourceUrl"));
  buf_release(&json);
  return failed ? -1 : 0;
}

int search_add_hit(struct searcher *s, const struct search_answer *a, size_t i, const struct search_output *o,
                   struct buf *out, struct error_text *e) {
  const struct rank_hit *h = &a->result.hits[i];
  size_t from = out->len;
  buf_add_char(out, '{');
  json_uint(out, "rank", i + 1);
  json_double(out, "score", (double)h->score);
  json_key(out, "id");
  search_json_add_id(out, &h->at);
  int failed = search_json_add_found(s, &h->at, out, e) != 0;
  add_scan(out, a);
  add_scores(out, a, h, o->explain);
  if (!failed) {
    const struct rank_units *u = search_units(s, h, searcher_passage(s)->text.text);
    add_spans(out, u);
    if (o->explain)
      add_units(out, u);
  }
  add_folded(out, h);
  if (!failed)
    failed = add_news(s, a, &h->at, out, e) != 0;
  if (o->neighbours && !failed)
    failed = add_neighbour(s, &h->at, -1, "before", out, e) != 0 ||
             add_neighbour(s, &h->at, 1, "after", out, e) != 0;
  buf_add_char(out, '}');
  if (!failed) /* ids, including those of folded passages */
    failed = store_snapshot_check(search_snapshot(searcher_shared(s)), e) != STORE_OK;
  if (failed)
    out->len = from;
  return failed ? -1 : 0;
}

int search_add_document(struct searcher *s, const struct search_answer *a, size_t i, struct buf *out,
                        struct error_text *e) {
  const struct rank_hit *h = &a->result.hits[i];
  if (search_is_again(a, i))
    return 0;
  buf_add_char(out, '{');
  json_cstr(out, "collection",
            search_collection_name(searcher_shared(s), h->at.seg->doc[h->at.doc].collection));
  int status = add_document(s, &h->at, out, e);
  buf_add_str(out, "}\n");
  return status;
}

/* ---- explanation ---- */

static void add_terms(struct buf *out, const struct query *q) {
  static const char *const kinds[] = {"word",   "year",     "light", "filler",
                                      "routed", "everyday", "stop",  "thesaurus"};
  json_key(out, "terms");
  buf_add_char(out, '[');
  for (size_t i = 0; i < q->term_count; i++) {
    buf_add_str(out, i ? ",{" : "{");
    json_str(out, "term", q->terms[i].text);
    json_double(out, "weight", (double)q->terms[i].weight);
    json_cstr(out, "kind", kinds[q->terms[i].kind]);
    buf_add_char(out, '}');
  }
  buf_add_char(out, ']');
}

static void add_numbers(struct buf *out, const struct query *q) {
  json_key(out, "years");
  buf_add_char(out, '[');
  for (size_t i = 0; i < q->year_count; i++)
    buf_printf(out, "%s%d", i ? "," : "", q->years[i]);
  buf_add_char(out, ']');
  json_key(out, "quarters");
  buf_add_char(out, '[');
  for (int k = 0; k < 4; k++)
    if (q->quarters >> k & 1)
      buf_printf(out, "%s%d", out->data[out->len - 1] == '[' ? "" : ",", k + 1);
  buf_add_char(out, ']');
}

/* "missing": requested but not in the store; omitted where nothing is. */
static void search_json_add_missing(struct buf *out, const struct search_answer *a) {
  struct slice rest = a->missing ? buf_slice(a->missing) : slice_of(NULL, 0);
  if (rest.len == 0)
    return;
  json_key(out, "missing");
  buf_add_char(out, '[');
  while (rest.len > 0) {
    struct slice line = slice_cut(&rest, '\n');
    if (out->data[out->len - 1] != '[')
      buf_add_char(out, ',');
    json_add_slice(out, line);
  }
  buf_add_char(out, ']');
}

void search_add_explanation(const struct search_answer *a, struct buf *out) {
  const struct query *q = a->query;
  buf_add_char(out, '{');
  json_key(out, "routing");
  buf_add_char(out, '[');
  buf_add_slice(out, buf_slice(&q->notes));
  buf_add_char(out, ']');
  json_key(out, "plan");
  plan_add_json(a->plan, out);
  json_bool(out, "narrowedToCompany", a->plan->company_count > 0);
  json_bool(out, "narrowedToForm",
            a->plan->form_count > 0 && (a->plan->company_count > 0 || a->result.narrowed_form));
  search_json_add_missing(out, a);
  add_numbers(out, q);
  json_bool(out, "asksAmount", q->asks_amount);
  add_terms(out, q);
  json_uint(out, "searched", a->result.searched);
  if (a->model != NULL)
    json_cstr(out, "model", a->model);
  add_scan(out, a);
  add_named(out, "answer", rank_answer_names, &a->result.answer, RANK_ANSWER_COUNT);
  if (a->warning.len > 0)
    json_str(out, "warning", buf_slice(&a->warning));
  buf_add_char(out, '}');
}

/* ---- complete answers ---- */

static int add_matches(struct searcher *s, const struct search_answer *a, const struct search_output *o,
                       struct buf *out, struct error_text *e) {
  json_key(out, "matches");
  buf_add_char(out, '[');
  for (size_t i = 0; a != NULL && i < a->result.count; i++) {
    if (i > 0)
      buf_add_char(out, ',');
    if (search_add_hit(s, a, i, o, out, e) != 0)
      return -1;
  }
  buf_add_char(out, ']');
  return 0;
}

static void search_json_add_block(struct searcher *s, const struct search_answer *a, const struct edgar *g,
                                  size_t tokens, struct buf *out, struct error_text *e) {
  struct buf block;
  buf_init(&block, RECORD_MAX);
  search_add_block(s, a, g, tokens, &block, e);
  json_str(out, "context", buf_slice(&block));
  buf_release(&block);
}

int search_add_answer(struct searcher *s, const struct search_answer *a, const struct search_output *o,
                      struct buf *out, struct error_text *e) {
  int status = add_matches(s, a, o, out, e);
  json_double(out, "confidence", (double)a->result.confidence);
  if (o->context_tokens > 0)
    search_json_add_block(s, a, o->edgar, o->context_tokens, out, e);
  if (o->explain) {
    json_key(out, "explain");
    search_add_explanation(a, out);
  }
  search_json_add_missing(out, a);
  if (a->warning.len > 0)
    json_str(out, "warning", buf_slice(&a->warning));
  return status;
}

/* The "edgar" member, including disagreements between passages and facts. */
static int search_json_add_edgar(struct searcher *s, const struct search_answer *a, int failed,
                                 const struct edgar *g, struct buf *out, struct error_text *e) {
  struct buf facts, disagreements;
  int status = 0;
  buf_init(&facts, RECORD_MAX);
  buf_init(&disagreements, RECORD_MAX);
  if (a && !failed && edgar_facts(g).len) {
    buf_printf(&facts, "[%.*s]", (int)edgar_facts(g).len, edgar_facts(g).data);
    status = search_add_disagreements(s, a, buf_slice(&facts), &disagreements, e);
  }
  edgar_add(g, a ? a->plan : NULL, buf_slice(&disagreements), out);
  buf_release(&facts);
  buf_release(&disagreements);
  return status;
}

int search_add_bundle(struct searcher *s, struct slice query, const struct search_answer *a,
                      const struct search_fault *f, const struct search_output *o, struct buf *out,
                      struct error_text *e) {
  buf_add_char(out, '{');
  if (o->id.len)
    json_raw(out, "id", o->id);
  json_str(out, "query", query);
  json_key(out, "rag");
  buf_add_char(out, '{');
  int status = add_matches(s, f ? NULL : a, o, out, e);
  search_json_add_block(s, f ? NULL : a, o->edgar, o->context_tokens, out, e);
  buf_add_char(out, '}');
  json_key(out, "edgar");
  if (o->edgar)
    status |= search_json_add_edgar(s, a, f != NULL, o->edgar, out, e);
  else
    buf_add_str(out, "null");
  json_key(out, "errors");
  search_add_errors(a, f, o, out);
  buf_add_char(out, '}');
  return status;
}

/* filing_news.c: which passages of a company's newest filings say what the filing before didn't. */
#include "compare/filing_news.h"

#include "base/day.h"
#include "compare/passage_diff.h"
#include "compare/stored_text.h"
#include "record/json.h"

#include <ctype.h>
#include <stdlib.h>

enum { EXHIBIT_ROOM = 32 };

/* A document that may be new, or that one is compared with. */
struct news_document {
  struct stored_place at;
  int passes; /* passes the filter */
  char exhibit[EXHIBIT_ROOM];
};

/* A comparison. */
struct news_pair {
  uint64_t is, was; /* store_doc.id */
  uint64_t *rows;   /* bitmap over the rows of `is` */
  int in_force;     /* for the last filter */
};

struct filing_news {
  const struct store_snapshot *snap;
  struct news_document *list; /* for the last filter */
  size_t count;
  struct news_pair *pairs;
  size_t pair_count;
};

struct filing_news *filing_news_new(const struct store_snapshot *snap) {
  struct filing_news *n = xcalloc(1, sizeof *n);
  n->snap = snap;
  return n;
}

void filing_news_free(struct filing_news *n) {
  if (n == NULL)
    return;
  for (size_t i = 0; i < n->pair_count; i++)
    free(n->pairs[i].rows);
  free(n->pairs);
  free(n->list);
  free(n);
}

static const struct store_doc *news_doc(const struct news_document *d) {
  return &d->at.seg->doc[d->at.doc];
}

/* ---- selecting documents ---- */

static void news_add(struct filing_news *n, struct stored_place at, int passes) {
  n->list = xgrow(n->list, n->count, sizeof *n->list);
  n->list[n->count++] = (struct news_document){at, passes, ""};
}

static int by_company_and_form(const void *a, const void *b) {
  const struct store_doc *x = news_doc(a), *y = news_doc(b);
  if (x->company != y->company)
    return x->company < y->company ? -1 : 1;
  return (x->form > y->form) - (x->form < y->form);
}

/* After a document that passes come those of the same company and form that are older or of another exhibit type. */
static int news_order(const void *a, const void *b) {
  const struct news_document *x = a, *y = b;
  int order = by_company_and_form(a, b);
  if (!order)
    order = strcmp(x->exhibit, y->exhibit);
  return order ? order : stored_text_newest_first(&x->at, &y->at);
}

/* Lists all documents with a known company and form, and marks those that pass. */
static void news_list(struct filing_news *n, const struct store_filter *f) {
  struct store_filter documents = *f;
  const struct store_segment *seg;
  size_t segs = store_segments(n->snap, &seg);
  documents.item_count = 0;
  n->count = 0;
  for (size_t i = 0; i < segs; i++) {
    struct store_selection sel;
    store_select(&seg[i], &documents, &sel);
    for (uint32_t d = 0; d < seg[i].docs; d++) {
      struct stored_place at = {&seg[i], d};
      const struct store_doc *x = &seg[i].doc[d];
      if (x->company && x->form && x->rows && !store_segment_doc_is_dead(at.seg, at.doc))
        news_add(n, at, store_selected(&sel, x->first));
    }
    store_selection_release(&sel);
  }
}

/* Keeps the documents of each company and form with one that passes, with their exhibit types, in order. */
static enum store_status news_sift(struct filing_news *n, struct error_text *e) {
  enum store_status status = STORE_OK;
  struct buf json;
  size_t kept = 0;
  buf_init(&json, STORE_DOCUMENT_BYTES);
  if (n->count)
    qsort(n->list, n->count, sizeof *n->list, by_company_and_form);
  for (size_t i = 0, end; i < n->count && !status; i = end) {
    int passes = 0;
    for (end = i; end < n->count && by_company_and_form(&n->list[i], &n->list[end]) == 0; end++)
      passes |= n->list[end].passes;
    for (size_t k = i; passes && k < end && !status; k++) {
      struct news_document *d = &n->list[kept++];
      *d = n->list[k];
      buf_clear(&json);
      status = store_get_document(n->snap, news_doc(d)->id, &json, e);
      struct slice type = json_get(json_get(buf_slice(&json), "metadata"), "exhibit");
      if (json_kind(type) == '"' && type.len < sizeof d->exhibit)
        memcpy(d->exhibit, type.data, type.len);
    }
  }
  n->count = kept;
  if (kept)
    qsort(n->list, kept, sizeof *n->list, news_order);
  buf_release(&json);
  return status;
}

/* ---- new passages ---- */

struct news_marks {
  uint64_t *rows;
  const struct stored_span *spans;
  uint32_t count;
  const char *text;
};

static void mark_text(struct news_marks *m, struct slice s) {
  size_t from = (size_t)(s.data - m->text), to = from + s.len;
  for (uint32_t i = 0; i < m->count; i++)
    if (m->spans[i].from < to && from < m->spans[i].to)
      m->rows[i / 64] |= (uint64_t)1 << (i % 64);
}

static int news_has_word(struct slice s) {
  for (size_t i = 0; i < s.len; i++)
    if (isalnum((unsigned char)s.data[i]) || (unsigned char)s.data[i] >= 0x80)
      return 1;
  return 0;
}

static void mark_words(void *arg, char what, struct slice s) {
  if (what == '+' && news_has_word(s))
    mark_text(arg, s);
}

static void mark_news(struct news_marks *m, const struct passage_diff *d) {
  for (size_t i = 0; i < d->is.count; i++) {
    const struct diff_paragraph *p = &d->is.list[i];
    if (p->kind == DIFF_ADDED)
      mark_text(m, p->text);
    else if (p->kind == DIFF_CHANGED || p->kind == DIFF_NUMBERS || p->kind == DIFF_SPANS)
      passage_diff_words(d->was.list[p->pair].text, p->text, mark_words, m);
  }
}

static enum store_status news_make_pair(struct filing_news *n, const struct news_document *is,
                                        const struct news_document *was, struct news_pair *p,
                                        struct error_text *e) {
  struct buf text, before;
  uint32_t rows = news_doc(is)->rows;
  struct stored_span *spans = xcalloc(rows, sizeof *spans);
  buf_init(&text, STORE_DOCUMENT_BYTES);
  buf_init(&before, STORE_DOCUMENT_BYTES);
  enum store_status status = stored_text_read(n->snap, &is->at, NULL, &text, NULL, spans, e);
  if (!status)
    status = stored_text_read(n->snap, &was->at, NULL, &before, NULL, NULL, e);
  if (!status) {
    struct passage_diff d;
    *p = (struct news_pair){news_doc(is)->id, news_doc(was)->id, xcalloc(rows / 64 + 1, sizeof *p->rows), 1};
    struct news_marks m = {p->rows, spans, rows, text.data};
    passage_diff_make(&d, buf_slice(&before), buf_slice(&text));
    mark_news(&m, &d);
    passage_diff_release(&d);
  }
  buf_release(&text);
  buf_release(&before);
  free(spans);
  return status;
}

static enum store_status news_pair_up(struct filing_news *n, const struct news_document *is,
                                      const struct news_document *was, struct error_text *e) {
  for (size_t i = 0; i < n->pair_count; i++)
    if (n->pairs[i].is == news_doc(is)->id && n->pairs[i].was == news_doc(was)->id) {
      n->pairs[i].in_force = 1;
      return STORE_OK;
    }
  n->pairs = xreallocarray(n->pairs, n->pair_count + 1, sizeof *n->pairs);
  enum store_status status = news_make_pair(n, is, was, &n->pairs[n->pair_count], e);
  n->pair_count += status == STORE_OK;
  return status;
}

/* ---- comparing by filter ---- */

static int is_of_day(const struct news_document *a, const struct news_document *b) {
  return news_doc(a)->reported == news_doc(b)->reported && news_doc(a)->filed == news_doc(b)->filed;
}

static void add_first_of_all(struct filing_news *n, const struct news_document *d, struct buf *missing) {
  const struct store_company *companies;
  const char *const *forms;
  int32_t day = news_doc(d)->filed;
  char date[DAY_TEXT] = "no known day";
  store_companies(n->snap, &companies);
  store_forms(n->snap, &forms);
  if (day != STORE_NO_DAY)
    day_write(day, date);
  const struct store_company *c = &companies[news_doc(d)->company];
  buf_printf(missing, "no %s of %s before that of %s is in the store to tell what is new\n",
             forms[news_doc(d)->form],
             *c->name     ? c->name
             : *c->ticker ? c->ticker
                          : c->cik,
             date);
}

/* Compares the documents [from, to), which have the same company, form and exhibit type, newest first. */
static enum store_status news_compare_group(struct filing_news *n, size_t from, size_t to,
                                            struct buf *missing, struct error_text *e) {
  enum store_status status = STORE_OK;
  while (from < to && !n->list[from].passes)
    from++;
  size_t before = from;
  while (before < to && is_of_day(&n->list[from], &n->list[before]))
    before++;
  if (before == to) {
    if (from < to && !*n->list[from].exhibit)
      add_first_of_all(n, &n->list[from], missing);
    return STORE_OK;
  }
  for (size_t i = from; i < before && !status; i++)
    if (n->list[i].passes)
      status = news_pair_up(n, &n->list[i], &n->list[before], e);
  return status;
}

enum store_status filing_news_compare(struct filing_news *n, const struct store_filter *f,
                                      struct buf *missing, struct error_text *e) {
  size_t compared = 0;
  news_list(n, f);
  enum store_status status = news_sift(n, e);
  for (size_t i = 0; i < n->pair_count; i++)
    n->pairs[i].in_force = 0;
  for (size_t i = 0, end; i < n->count && !status; i = end) {
    for (end = i; end < n->count && by_company_and_form(&n->list[i], &n->list[end]) == 0 &&
                  strcmp(n->list[i].exhibit, n->list[end].exhibit) == 0;)
      end++;
    status = news_compare_group(n, i, end, missing, e);
  }
  for (size_t i = 0; i < n->pair_count; i++)
    compared += (size_t)n->pairs[i].in_force;
  if (!status && !compared) {
    error_set(e, "no filing in the store has one before it; bid-ingest -n 2 reads the two newest");
    status = STORE_ABSENT;
  }
  return status;
}

static const struct news_pair *news_find(const struct filing_news *n, const struct store_segment *seg,
                                         uint32_t doc) {
  for (size_t i = 0; i < n->pair_count; i++)
    if (n->pairs[i].in_force && n->pairs[i].is == seg->doc[doc].id)
      return &n->pairs[i];
  return NULL;
}

const uint64_t *filing_news_rows(const struct filing_news *n, const struct store_segment *seg, uint32_t doc) {
  const struct news_pair *p = news_find(n, seg, doc);
  return p ? p->rows : NULL;
}

uint64_t filing_news_before(const struct filing_news *n, const struct store_segment *seg, uint32_t doc) {
  const struct news_pair *p = news_find(n, seg, doc);
  return p ? p->was : 0;
}

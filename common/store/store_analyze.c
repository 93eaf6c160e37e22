/* store_analyze.c: reads a document's metadata and indexes its passages. */
#include "store/store_analyze.h"
#include "store/store_pack.h"

#include "base/clock.h"
#include "base/hash.h"
#include "record/json.h"
#include "store/postings.h"
#include "text/passage_kind.h"
#include "text/terms.h"

#include <stdlib.h>

/* ---- metadata ---- */

static char *store_analyze_text_of(struct slice object, const char *name, struct buf *scratch) {
  struct slice s = json_text(json_get(object, name), scratch);
  char *text = xstrndup(s.data ? s.data : "", s.len < 400 ? s.len : 400);
  for (char *p = text; *p; p++)
    if ((unsigned char)*p < ' ')
      *p = ' ';
  return text;
}

static int32_t analyze_day(struct slice object, const char *name, struct buf *scratch) {
  int64_t t;
  char *text = store_analyze_text_of(object, name, scratch);
  int rc = clock_parse(text, &t);
  free(text);
  if (rc || t < (int64_t)INT32_MIN * 86400 / 2 || t > (int64_t)INT32_MAX * 86400 / 2)
    return STORE_NO_DAY;
  return (int32_t)((t - ((t % 86400) + 86400) % 86400) / 86400);
}

static int64_t time_of(struct slice object, const char *name, struct buf *scratch) {
  int64_t t;
  char *text = store_analyze_text_of(object, name, scratch);
  int rc = clock_parse(text, &t);
  free(text);
  return rc ? STORE_NO_TIME : t;
}

static uint8_t period_of(const char *text) {
  if (text[0] == 'Q' && text[1] >= '1' && text[1] <= '4')
    return (uint8_t)(text[1] - '0');
  return strcmp(text, "FY") == 0 ? 5 : 0;
}

static void read_facts(struct store_doc_facts *f, struct slice json, struct slice url) {
  struct buf scratch;
  buf_init(&scratch, 1 << 16);
  struct slice meta = json_get(json, "metadata");
  if (json_kind(meta) != '{')
    meta = slice_str("{}");
  f->company = store_analyze_text_of(meta, "company", &scratch);
  f->ticker = store_analyze_text_of(meta, "ticker", &scratch);
  f->cik = store_analyze_text_of(meta, "cik", &scratch);
  f->form = store_analyze_text_of(meta, "form", &scratch);
  struct store_doc *c = &f->columns;
  c->filed = analyze_day(meta, "filingDate", &scratch);
  c->reported = analyze_day(meta, "reportDate", &scratch);
  c->accepted = time_of(meta, "acceptanceDateTime", &scratch);
  if (c->accepted == STORE_NO_TIME && c->filed != STORE_NO_DAY)
    c->accepted = ((int64_t)c->filed + 1) * 86400 - 1;
  if (c->filed == STORE_NO_DAY) /* --since selects a report by its report date too; --as-of requires more */
    c->filed = c->reported;
  c->captured = time_of(json, "capturedAt", &scratch);
  char *year = store_analyze_text_of(meta, "fiscalYear", &scratch),
       *period = store_analyze_text_of(meta, "fiscalPeriod", &scratch);
  long y = strtol(year, NULL, 10);
  c->fiscal_year = (int16_t)(y > 1800 && y < 3000 ? y : 0);
  c->fiscal_period = period_of(period);
  c->url_hash = hash_bytes(url.data, url.len);
  free(year);
  free(period);
  buf_release(&scratch);
}

/* ---- the segment ---- */

struct indexing {
  struct store_batch *batch;
  struct terms *terms;
  struct passage_kinds *signs;
  uint32_t row, words;
  int in_context;
};

static void index_terms(void *arg, const struct terms_batch *b) {
  struct indexing *x = arg;
  postings_add(x->batch->segment.postings, b->hash, b->count, x->row, x->in_context);
  for (size_t i = 0; i < b->count; i++)
    x->words += !b->number[i];
  for (size_t i = 0; !x->in_context && i < b->count; i++)
    passage_kind_add(x->signs, b->hash[i], b->number[i] ? TERM_NUMBER : TERM_WORD);
}

static uint16_t item_number(struct store_batch *b, struct slice item) {
  if (item.len == 0 || item.len > 64 || memchr(item.data, 0, item.len))
    return 0;
  for (size_t i = b->item_count; i-- > 0;)
    if (slice_is(item, b->items[i]))
      return (uint16_t)(i + 1);
  if (b->item_count >= 4096)
    return 0;
  b->items = xreallocarray(b->items, b->item_count + 1, sizeof *b->items);
  b->items[b->item_count++] = xstrndup(item.data, item.len);
  return (uint16_t)b->item_count;
}

static void id_bytes(struct slice hex, uint8_t out[16]) {
  memset(out, 0, 16);
  for (size_t i = 0; i < 32 && i < hex.len; i++) {
    char c = hex.data[i];
    unsigned v = c >= '0' && c <= '9' ? (unsigned)(c - '0') : ((unsigned)c & 15) + 9;
    out[i / 2] = (uint8_t)(out[i / 2] | (v & 15) << (i % 2 ? 0 : 4));
  }
}

static void index_passage(struct indexing *x, const struct store_passage *p) {
  struct store_segment_builder *s = &x->batch->segment;
  size_t row = x->row = store_segment_add_row(s);
  id_bytes(p->id, s->ids + row * 16);
  s->item[row] = item_number(x->batch, p->item);
  s->scale[row] =
      vector_quantize(p->vector, s->dims, p->scale, s->high + row * (s->width / 2), s->low + row * s->width);
  x->words = 0;
  x->in_context = 0;
  passage_kind_begin(x->signs);
  terms_each_batch(x->terms, p->text, index_terms, x);
  s->flags[row] = (uint8_t)((p->boilerplate ? STORE_BOILERPLATE : 0) | passage_kind_end(x->signs));
  s->length[row] = (uint16_t)(x->words < UINT16_MAX ? x->words : UINT16_MAX);
  x->in_context = 1;
  terms_each_batch(x->terms, p->context, index_terms, x);
}

static void index_document(struct indexing *x, struct store_batch_doc *d) {
  read_facts(&d->facts, d->given.json, d->url);
  d->seg_doc = x->batch->segment.docs;
  struct store_doc *column = store_segment_add_doc(&x->batch->segment);
  uint32_t first = column->first;
  *column = d->facts.columns;
  column->first = first;
  column->rows = 0;
  for (size_t i = 0; i < d->given.count; i++)
    index_passage(x, &d->given.passages[i]);
}

void store_batch_analyze(struct store_batch *b) {
  if (b->passages == 0)
    return;
  struct store_packer *packer = store_packer_new(b->dictionary);
  struct indexing x = {.batch = b, .terms = terms_new()};
  x.signs = passage_kind_new(x.terms);
  for (size_t i = 0; i < b->count; i++) {
    if (b->docs[i].unchanged)
      continue;
    index_document(&x, &b->docs[i]);
    store_packer_document(packer, &b->docs[i]);
  }
  b->segment_size = store_segment_seal(&b->segment);
  passage_kind_free(x.signs);
  terms_free(x.terms);
  store_packer_free(packer);
}

/* store_batch.c: a batch of documents to be written: deep copies and the hashes that tell versions apart, then its compressed
 * values, then its segment: metadata in columns, terms in postings, vectors in rows. */
#include "store/store_batch.h"
#include "base/clock.h"
#include "base/day.h"
#include "base/diag.h"
#include "base/hash.h"
#include "record/json.h"
#include "store/postings.h"
#include "text/terms.h"

#include <stdlib.h>
#include <xxhash.h>

struct store_packer;

/* ---- a batch of documents to be written ----
 *
 * Deep copies, and the hashes that tell versions apart. */

struct store_batch *store_batch_new(const char *model, uint32_t dims) {
  struct store_batch *b = xcalloc(1, sizeof *b);
  b->model = xstrdup(model);
  b->dims = dims;
  store_segment_builder_init(&b->segment, dims);
  return b;
}

static void free_facts(struct store_doc_facts *f) {
  free(f->company);
  free(f->ticker);
  free(f->cik);
  free(f->form);
  memset(f, 0, sizeof *f);
}

static void free_doc(struct store_batch_doc *d) {
  free(d->collection);
  free(d->copy);
  free(d->value);
  free_facts(&d->facts);
}

void store_batch_free(struct store_batch *b) {
  if (!b)
    return;
  for (size_t i = 0; i < b->count; i++)
    free_doc(&b->docs[i]);
  for (size_t i = 0; i < b->item_count; i++)
    free(b->items[i]);
  free(b->items);
  free(b->docs);
  free(b->model);
  store_segment_builder_release(&b->segment);
  free(b);
}

void store_batch_reset(struct store_batch *b) {
  store_segment_builder_release(&b->segment);
  store_segment_builder_init(&b->segment, b->dims);
  for (size_t i = 0; i < b->count; i++) {
    struct store_batch_doc *d = &b->docs[i];
    free(d->value);
    d->value = NULL;
    free_facts(&d->facts);
  }
  for (size_t i = 0; i < b->item_count; i++)
    free(b->items[i]);
  b->item_count = 0;
}

/* Bytes of a document's address, members and passages, without their vectors. */
static size_t store_batch_text_size(const struct store_document *d) {
  size_t n = d->url.len + d->json.len;
  for (size_t i = 0; i < d->count; i++) {
    const struct store_passage *p = &d->passages[i];
    n += p->id.len + p->text.len + p->context.len + p->chunk.len + p->extra.len + p->item.len;
  }
  return n;
}

static struct slice copy_slice(char **at, struct slice s) {
  struct slice out = slice_of(*at, s.len);
  if (s.len)
    memcpy(*at, s.data, s.len);
  *at += s.len;
  return out;
}

static void copy_passages(struct store_passage *to, const struct store_document *d, float *vectors,
                          char **at) {
  for (size_t i = 0; i < d->count; i++) {
    const struct store_passage *p = &d->passages[i];
    to[i] = *p;
    to[i].id = copy_slice(at, p->id);
    to[i].text = copy_slice(at, p->text);
    to[i].context = copy_slice(at, p->context);
    to[i].chunk = copy_slice(at, p->chunk);
    to[i].extra = copy_slice(at, p->extra);
    to[i].item = copy_slice(at, p->item);
    memcpy(vectors + i * d->dims, p->vector, d->dims * sizeof *vectors);
    to[i].vector = vectors + i * d->dims;
  }
}

static struct store_batch_doc *add_doc(struct store_batch *b, const struct store_document *d) {
  b->docs = xgrow(b->docs, b->count, sizeof *b->docs);
  struct store_batch_doc *n = &b->docs[b->count++];
  memset(n, 0, sizeof *n);
  n->collection = xstrdup(d->collection);
  return n;
}

struct store_batch_doc *store_batch_add_unchanged(struct store_batch *b, const struct store_document *d) {
  struct store_batch_doc *n = add_doc(b, d);
  n->copy = xstrndup(d->url.data, d->url.len);
  n->url = slice_of(n->copy, d->url.len);
  n->given.count = d->count;
  n->unchanged = 1;
  return n;
}

struct store_batch_doc *store_batch_add(struct store_batch *b, const struct store_document *d,
                                        const uint64_t hash[2]) {
  struct store_batch_doc *n = add_doc(b, d);
  size_t passages = d->count * sizeof *d->passages, vectors = d->count * d->dims * sizeof(float);
  size_t texts = store_batch_text_size(d);
  n->copy = xmalloc(passages + vectors + texts + 1);
  char *at = n->copy + passages + vectors;
  n->given = *d;
  n->given.passages = (void *)n->copy;
  n->given.collection = n->collection;
  n->given.model = b->model;
  copy_passages((void *)n->copy, d, (void *)(n->copy + passages), &at);
  n->url = n->given.url = copy_slice(&at, d->url);
  n->given.json = copy_slice(&at, d->json);
  memcpy(n->hash, hash, sizeof n->hash);
  b->passages += d->count;
  b->bytes += texts + vectors;
  return n;
}

static void hash_slice(XXH3_state_t *state, struct slice s) {
  uint64_t len = s.len;
  XXH3_128bits_update(state, &len, sizeof len);
  if (s.len)
    XXH3_128bits_update(state, s.data, s.len);
}

static int is_listed(struct slice key, const char *const *names) {
  for (; *names; names++)
    if (slice_is(key, *names))
      return 1;
  return 0;
}

/* Hashes the members of an object except those listed. */
static void hash_members(XXH3_state_t *state, struct slice object, const char *const *but) {
  struct json_cursor c = {0};
  struct slice key, value;
  while (json_next_member(object, &c, &key, &value)) {
    static const char *const transient[] = {"cache", "recent", NULL};
    if (is_listed(key, but))
      continue;
    hash_slice(state, key);
    if (slice_is(key, "metadata") && json_kind(value) == '{')
      hash_members(state, value, transient);
    else
      hash_slice(state, value);
  }
}

/* When and how a document was fetched, and whether from the cache, is not part of its content. */
void store_document_hash(const struct store_document *d, uint64_t hash[2]) {
  static const char *const asked[] = {"capturedAt", "entity",  "period", "filingTypes",
                                      "query",      "sources", NULL};
  XXH3_state_t *state = XXH3_createState();
  if (!state)
    diag_oom();
  XXH3_128bits_reset(state);
  hash_slice(state, slice_str(d->model));
  hash_members(state, d->json, asked);
  for (size_t i = 0; i < d->count; i++) {
    const struct store_passage *p = &d->passages[i];
    hash_slice(state, p->id);
    hash_slice(state, p->text);
    hash_slice(state, p->context);
    hash_slice(state, p->chunk);
    hash_slice(state, p->extra);
    hash_slice(state, slice_of("", 0)); /* of earlier versions */
    hash_slice(state, slice_of((const char *)p->vector, d->dims * sizeof(float)));
  }
  XXH128_hash_t h = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  hash[0] = h.low64;
  hash[1] = h.high64;
}

/* ---- compressing: documents in blocks of a few passages ---- */

#define ZDICT_STATIC_LINKING_ONLY /* ZDICT_trainFromBuffer_fastCover() */
#include <zdict.h>

enum {
  BLOCK_TEXT = 1500,
  DICTIONARY_SIZE = 64 << 10,
  DICTIONARY_SAMPLES = 4 << 20,
  DICTIONARY_PASSAGES = 500,
  DICTIONARY_SEGMENT = 200, /* bytes of a piece that the training selects as a whole */
  DICTIONARY_TABLE = 18,    /* binary logarithm of the number of its counters */
  DICTIONARY_ROOM = 8 << 20 /* more than zstd needs to make or load one, unchecked */
};

static void put_length(struct buf *out, size_t n) {
  for (; n >= 128; n >>= 7)
    buf_add_char(out, (char)(n | 128));
  buf_add_char(out, (char)n);
}

static void put_passage(struct buf *out, const struct store_passage *p) {
  const struct slice parts[4] = {p->text, p->context, p->chunk, p->extra};
  for (int i = 0; i < 4; i++)
    put_length(out, parts[i].len);
  for (int i = 0; i < 4; i++)
    buf_add_slice(out, parts[i]);
}

struct store_packer {
  ZSTD_CCtx *ctx;
  const ZSTD_CDict *dict;
  struct buf raw;
};

static void store_pack(struct store_packer *p, struct slice raw, struct buf *out) {
  buf_reserve(out, ZSTD_compressBound(raw.len));
  char *to = out->data + out->len;
  size_t room = ZSTD_compressBound(raw.len);
  size_t n = p->dict ? ZSTD_compress_usingCDict(p->ctx, to, room, raw.data, raw.len, p->dict)
                     : ZSTD_compressCCtx(p->ctx, to, room, raw.data, raw.len, STORE_ZSTD_LEVEL);
  if (ZSTD_isError(n))
    diag_oom();
  out->len += n;
}

/* Passages per block: about BLOCK_TEXT bytes.  Blocks of 8 KB would be 5 % smaller, but a search reads some dozen
 * passages of as many documents, and unpacking each took 19 microseconds instead of 4. */
static uint32_t rows_of_block(const struct store_document *d) {
  size_t n = 1 + BLOCK_TEXT / (store_batch_text_size(d) / d->count + 1);
  return (uint32_t)(n < d->count ? n : d->count);
}

/* NULL: without one */
static struct store_packer *store_packer_new(const struct store_dictionary *dictionary) {
  struct store_packer *p = xcalloc(1, sizeof *p);
  p->ctx = ZSTD_createCCtx();
  if (!p->ctx)
    diag_oom();
  p->dict = dictionary ? dictionary->cdict : NULL;
  buf_init(&p->raw, (size_t)1 << 31);
  return p;
}

static void store_packer_free(struct store_packer *p) {
  buf_release(&p->raw);
  ZSTD_freeCCtx(p->ctx);
  free(p);
}

/* Compresses the passages; appends each block's end to `out` and sets sums[h->blocks]. */
static void pack_blocks(struct store_packer *p, const struct store_document *g,
                        const struct store_document_head *h, uint32_t *sums, struct buf *out,
                        struct buf *blocks) {
  for (uint32_t i = 0; i < h->rows; i += h->block_rows) {
    buf_clear(&p->raw);
    for (uint32_t r = i; r < h->rows && r < i + h->block_rows; r++)
      put_passage(&p->raw, &g->passages[r]);
    store_pack(p, buf_slice(&p->raw), blocks);
    sums[i / h->block_rows] = (uint32_t)hash_bytes(p->raw.data, p->raw.len);
    uint32_t end = (uint32_t)blocks->len;
    buf_add(out, &end, sizeof end);
  }
}

/* Sets the document's value, except for head.collection and head.check. */
static void store_packer_document(struct store_packer *p, struct store_batch_doc *d) {
  const struct store_document *g = &d->given;
  struct buf out, blocks;
  buf_init(&out, (size_t)1 << 31);
  buf_init(&blocks, (size_t)1 << 31);
  struct store_document_head h = {
      .rows = (uint32_t)g->count, .block_rows = rows_of_block(g), .url_len = (uint32_t)d->url.len};
  memcpy(h.hash, d->hash, sizeof h.hash);
  h.blocks = (h.rows + h.block_rows - 1) / h.block_rows;
  h.packed = p->dict != NULL;
  buf_add(&out, &h, sizeof h);
  buf_add_slice(&out, d->url);
  store_pack(p, g->json, &out);
  h.json_len = (uint32_t)g->json.len;
  h.json_packed = (uint32_t)(out.len - sizeof h - d->url.len);
  if (h.json_packed >= h.json_len) {
    out.len -= h.json_packed;
    h.json_packed = h.json_len;
    buf_add_slice(&out, g->json);
  }
  h.json_check = hash_bytes(g->json.data, g->json.len);
  uint32_t *sums = xcalloc(h.blocks + (size_t)1, sizeof *sums);
  pack_blocks(p, g, &h, sums, &out, &blocks);
  buf_add(&out, sums, h.blocks * sizeof *sums);
  buf_add_slice(&out, buf_slice(&blocks));
  memcpy(out.data, &h, sizeof h);
  free(sums);
  buf_release(&blocks);
  d->value = out.data;
  d->value_len = out.len;
}

/* ---- dictionaries ---- */

/* With parameters of our own: ZDICT_trainFromBuffer() searches for them, in seven times the time, and its dictionaries
 * pack 3 % worse, since it keeps a quarter of the samples for choosing (25 filings of 3,926 passages).  Segments of
 * 100 to 500 bytes, tables of 2^17 to 2^20 and samples of 6 bytes instead of 8 are within 0.5 %. */
static size_t dictionary_fill(char *bytes, struct slice samples, const size_t *sizes, size_t count) {
  ZDICT_fastCover_params_t how = {.k = DICTIONARY_SEGMENT, .d = 8, .f = DICTIONARY_TABLE, .accel = 1};
  how.zParams.compressionLevel = STORE_ZSTD_LEVEL;
  xroom(DICTIONARY_ROOM);
  return ZDICT_trainFromBuffer_fastCover(bytes, DICTIONARY_SIZE, samples.data, sizes, (unsigned)count, how);
}

int store_dictionary_train(struct store_dictionary *d, const struct store_batch *b) {
  struct buf samples;
  size_t *sizes = xcalloc(b->passages + 1, sizeof *sizes), count = 0,
         step = b->bytes / DICTIONARY_SAMPLES + 1;
  buf_init(&samples, 2 * (size_t)DICTIONARY_SAMPLES);
  for (size_t i = 0, n = 0; i < b->count; i++)
    for (size_t j = 0; !b->docs[i].unchanged && j < b->docs[i].given.count; j++, n++) {
      size_t before = samples.len;
      if (n % step || samples.overflow)
        continue;
      put_passage(&samples, &b->docs[i].given.passages[j]);
      if (!samples.overflow)
        sizes[count++] = samples.len - before;
    }
  char *bytes = xmalloc(DICTIONARY_SIZE);
  size_t len = 0;
  if (count >= DICTIONARY_PASSAGES)
    len = dictionary_fill(bytes, buf_slice(&samples), sizes, count);
  int rc = len == 0 || ZDICT_isError(len) ? -1 : 0;
  if (!rc)
    store_dictionary_set(d, bytes, len);
  free(bytes);
  buf_release(&samples);
  free(sizes);
  return rc;
}

void store_dictionary_set(struct store_dictionary *d, const void *data, size_t len) {
  store_dictionary_release(d);
  d->data = xmalloc(len);
  d->len = len;
  memcpy(d->data, data, len);
  xroom(DICTIONARY_ROOM);
  d->cdict = ZSTD_createCDict(d->data, len, STORE_ZSTD_LEVEL);
  if (!d->cdict)
    diag_oom();
}

void store_dictionary_release(struct store_dictionary *d) {
  ZSTD_freeCDict(d->cdict);
  free(d->data);
  memset(d, 0, sizeof *d);
}

/* ---- analyzing: a document's metadata ---- */

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
  return day_of_time(t);
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

/* ---- analyzing: its passages ---- */

struct indexing {
  struct store_batch *batch;
  struct terms *terms;
  uint32_t row, words;
  int in_context;
};

static void index_terms(void *arg, const struct terms_batch *b) {
  struct indexing *x = arg;
  postings_add(x->batch->segment.postings, b->hash, b->count, x->row, x->in_context);
  for (size_t i = 0; i < b->count; i++)
    x->words += !b->number[i];
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
  terms_each_batch(x->terms, p->text, index_terms, x);
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
  for (size_t i = 0; i < b->count; i++) {
    if (b->docs[i].unchanged)
      continue;
    index_document(&x, &b->docs[i]);
    store_packer_document(packer, &b->docs[i]);
  }
  b->segment_size = store_segment_seal(&b->segment);
  terms_free(x.terms);
  store_packer_free(packer);
}

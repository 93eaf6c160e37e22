#include "store/store_pack.h"

#include "base/diag.h"
#include "base/hash.h"

#include <stdlib.h>
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

struct store_packer *store_packer_new(const struct store_dictionary *dictionary) {
  struct store_packer *p = xcalloc(1, sizeof *p);
  p->ctx = ZSTD_createCCtx();
  if (!p->ctx)
    diag_oom();
  p->dict = dictionary ? dictionary->cdict : NULL;
  buf_init(&p->raw, (size_t)1 << 31);
  return p;
}

void store_packer_free(struct store_packer *p) {
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

void store_packer_document(struct store_packer *p, struct store_batch_doc *d) {
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

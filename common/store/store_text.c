/* store_text.c: the texts of passages, from the compressed blocks of their documents. */
#include "store/store_private.h"
#include "base/hash.h"

#include <stdlib.h>

#define TEXT_MAX ((size_t)512 << 20)

/* The most recently unpacked block, which usually contains the neighbours too. */
struct text_state {
  ZSTD_DCtx *ctx;
  const struct store_snapshot *snap;
  uint64_t doc;
  uint32_t block;
};

void store_text_init(struct store_text *t) {
  memset(t, 0, sizeof *t);
  buf_init(&t->own, TEXT_MAX);
}

void store_text_release(struct store_text *t) {
  struct text_state *state = t->state;
  if (state)
    ZSTD_freeDCtx(state->ctx);
  free(state);
  buf_release(&t->own);
  store_text_init(t);
}

static int get_length(const char **at, const char *end, size_t *out) {
  *out = 0;
  for (unsigned shift = 0; *at < end && shift < 35; shift += 7) {
    unsigned char c = (unsigned char)*(*at)++;
    *out |= (size_t)(c & 127) << shift;
    if (c < 128)
      return 0;
  }
  return -1;
}

/* Extracts passage `index` of an unpacked block. */
static int cut_passage(struct store_text *t, uint32_t index) {
  const char *at = t->own.data, *end = at + t->own.len;
  struct slice *parts[4] = {&t->text, &t->context, &t->chunk, &t->extra};
  for (uint32_t i = 0; i <= index; i++) {
    size_t len[4];
    for (int p = 0; p < 4; p++)
      if (get_length(&at, end, &len[p]))
        return -1;
    for (int p = 0; p < 4; p++) {
      if (len[p] > (size_t)(end - at))
        return -1;
      *parts[p] = slice_of(at, len[p]);
      at += len[p];
    }
  }
  return 0;
}

static int unpack_block(const struct store_snapshot *snap, struct text_state *state,
                        const struct store_document_view *v, uint32_t block, struct buf *out) {
  uint32_t from = 0, to, sum;
  if (block >= v->head.blocks)
    return -1;
  if (block)
    memcpy(&from, v->ends + 4 * ((size_t)block - 1), 4);
  memcpy(&to, v->ends + 4 * (size_t)block, 4);
  if (from > to || to > v->blocks.len)
    return -1;
  memcpy(&sum, v->sums + 4 * (size_t)block, 4);
  buf_clear(out);
  if (store_unpack(state->ctx, store_unpack_dictionary(snap, &v->head),
                   slice_of(v->blocks.data + from, to - from), out, TEXT_MAX))
    return -1;
  return (uint32_t)hash_bytes(out->data, out->len) == sum ? 0 : -1;
}

static struct text_state *state_of(struct store_text *t, const struct store_snapshot *snap) {
  if (!t->state) {
    struct text_state *fresh = xcalloc(1, sizeof *fresh);
    fresh->ctx = store_unpack_new();
    t->state = fresh;
  }
  struct text_state *state = t->state;
  if (state->snap != snap)
    state->doc = 0;
  state->snap = snap;
  return state;
}

enum store_status store_get_text(const struct store_snapshot *snap, const struct store_segment *seg,
                                 uint32_t row, struct store_text *t, struct error_text *e) {
  const struct store_doc *d = &seg->doc[store_doc_of_row(seg, row)];
  uint64_t id = d->id;
  snap = store_document_part(snap, &id);
  struct text_state *state = state_of(t, snap);
  struct store_document_view v;
  enum store_status status = store_find_value(snap, id, &v, e);
  if (status)
    return status;
  uint32_t index = row - d->first, block = index / v.head.block_rows;
  int cached = state->doc == id && state->block == block && t->own.data;
  state->doc = 0;
  if ((!cached && unpack_block(snap, state, &v, block, &t->own)) || cut_passage(t, index % v.head.block_rows))
    return store_document_damaged(e, snap, id);
  memcpy(t->hash, v.head.hash, sizeof t->hash);
  state->doc = id;
  state->block = block;
  return STORE_OK;
}

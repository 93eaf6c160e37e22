/* store_document.c: documents and the texts of their passages: found by URL or id, verified, decompressed block by block. */
#include "base/hash.h"
#include "store/store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

/* ---- the values of documents; documents and passages found by their ids ---- */

struct store_url_key store_url_key(uint32_t collection, struct slice url) {
  struct store_url_key k;
  XXH128_hash_t h = XXH3_128bits(url.data, url.len);
  for (int i = 0; i < 4; i++)
    k.bytes[i] = (uint8_t)(collection >> (24 - 8 * i));
  memcpy(k.bytes + 4, &h.low64, 8);
  memcpy(k.bytes + 12, &h.high64, 4);
  return k;
}

/* Size of a value before its blocks. */
static uint64_t fixed_part(const struct store_document_head *h) {
  return sizeof *h + (uint64_t)h->url_len + h->json_packed + 8 * (uint64_t)h->blocks;
}

uint64_t store_document_check(uint64_t id, const void *value, size_t len) {
  struct store_document_head h;
  memcpy(&h, value, sizeof h);
  uint64_t fixed = fixed_part(&h);
  return hash_seeded((const char *)value + sizeof h.check, (fixed < len ? fixed : len) - sizeof h.check, id);
}

int store_document_attach(struct store_document_view *v, uint64_t id, const void *value, size_t len) {
  const char *at = value;
  const struct store_document_head *h = &v->head;
  if (len < sizeof v->head)
    return -1;
  memcpy(&v->head, value, sizeof v->head);
  uint64_t fixed = fixed_part(h);
  if (fixed > len || h->block_rows == 0 || h->rows > SEGMENT_ROWS_LIMIT ||
      h->blocks != (h->rows + h->block_rows - 1) / h->block_rows ||
      h->check != store_document_check(id, value, len))
    return -1;
  at += sizeof *h;
  v->url = slice_of(at, h->url_len);
  v->json = slice_of(at + h->url_len, h->json_packed);
  v->ends = at + h->url_len + h->json_packed;
  v->sums = v->ends + 4 * (size_t)h->blocks;
  v->blocks = slice_of((const char *)value + fixed, len - (size_t)fixed);
  return 0;
}

/* The status of a document that can't be read: every document in a segment must exist, so a missing one is damage. */
static enum store_status store_document_damaged(struct error_text *e, const struct store_snapshot *snap,
                                                uint64_t id) {
  char text[80];
  snprintf(text, sizeof text, "document %llu is damaged", (unsigned long long)id);
  atomic_store(&((struct store_snapshot *)(uintptr_t)snap)->damaged, MDB_CORRUPTED);
  return store_damaged(e, snap->store, text);
}

/* The snapshot that contains a document, and in *id the document's id there; the same ones unless snap is joint. */
static const struct store_snapshot *store_document_part(const struct store_snapshot *snap, uint64_t *id) {
  if (!snap->parts)
    return snap;
  size_t part = (size_t)(*id >> JOINT_SHIFT);
  *id &= ((uint64_t)1 << JOINT_SHIFT) - 1;
  return snap->parts[part < snap->part_count ? part : 0];
}

const char *store_snapshot_path(const struct store_snapshot *snap, uint64_t doc_id) {
  return snap->parts ? store_document_part(snap, &doc_id)->store->path : NULL;
}

enum store_status store_find_value(const struct store_snapshot *snap, uint64_t id,
                                   struct store_document_view *view, struct error_text *e) {
  snap = store_document_part(snap, &id);
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  MDB_val k = {sizeof id, &id}, v;
  pthread_mutex_lock(&own->mutex);
  int rc = mdb_get(snap->txn, snap->store->dbi[T_DOCUMENTS], &k, &v);
  pthread_mutex_unlock(&own->mutex);
  if (rc == 0 && store_document_attach(view, id, v.mv_data, v.mv_size) == 0)
    return STORE_OK;
  return store_document_damaged(e, snap, id);
}

enum store_status store_document_url(const struct store_snapshot *snap, uint64_t doc_id, struct slice *url,
                                     struct error_text *e) {
  struct store_document_view v;
  enum store_status status = store_find_value(snap, doc_id, &v, e);
  *url = status ? slice_of(NULL, 0) : v.url;
  return status;
}

enum store_status store_get_document(const struct store_snapshot *snap, uint64_t doc_id, struct buf *out,
                                     struct error_text *e) {
  struct store_document_view v;
  snap = store_document_part(snap, &doc_id);
  enum store_status status = store_find_value(snap, doc_id, &v, e);
  if (status)
    return status;
  size_t before = out->len;
  int rc;
  if (v.head.json_packed == v.head.json_len)
    rc = buf_add_slice(out, v.json);
  else {
    ZSTD_DCtx *ctx = store_unpack_take(snap);
    rc = store_unpack(ctx, store_unpack_dictionary(snap, &v.head), v.json, out, v.head.json_len);
    store_unpack_give(snap, ctx);
  }
  if (out->overflow) {
    error_set(e, "document %llu: its fields have %u bytes, more than fit", (unsigned long long)doc_id,
              v.head.json_len);
    return STORE_LIMIT;
  }
  if (rc || hash_bytes(out->data + before, out->len - before) != v.head.json_check)
    return store_document_damaged(e, snap, doc_id);
  return STORE_OK;
}

static int hex_value(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int parse_id(const char *text, uint8_t id[16]) {
  if (strlen(text) != 32)
    return -1;
  for (int i = 0; i < 16; i++) {
    int a = hex_value(text[2 * i]), b = hex_value(text[2 * i + 1]);
    if (a < 0 || b < 0)
      return -1;
    id[i] = (uint8_t)(a << 4 | b);
  }
  return 0;
}

static int row_lives(const struct store_segment *seg, uint32_t row) {
  return !seg->live_bits || (seg->live_bits[row / 64] >> (row % 64) & 1);
}

enum store_status store_find_passage(const struct store_snapshot *snap, const char *id, size_t skip,
                                     const struct store_segment **seg, uint32_t *row, struct error_text *e) {
  uint8_t bytes[16];
  if (parse_id(id, bytes)) {
    error_set(e, "'%.40s' is not an id of 32 hex digits", id);
    return STORE_ABSENT;
  }
  for (size_t i = 0; i < snap->count; i++) {
    const struct store_segment *s = &snap->segments[i];
    store_segment_guard_check(s->guard, PART_IDS, 0, s->rows * (uint64_t)16);
    for (uint32_t r = 0; r < s->rows; r++)
      if (memcmp(s->ids + (size_t)r * 16, bytes, 16) == 0 && row_lives(s, r) && skip-- == 0) {
        *seg = s;
        *row = r;
        return STORE_OK;
      }
  }
  error_set(e, "no passage has the id %s", id);
  return store_snapshot_check(snap, e) ? STORE_CORRUPT : STORE_ABSENT;
}

uint32_t store_doc_index(const struct store_segment *s, uint64_t id) {
  uint32_t low = 0, high = s->docs;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->doc[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->docs && s->doc[low].id == id ? low : s->docs;
}

static enum store_status no_document(struct slice url, struct error_text *e) {
  error_set(e, "no such document: %.*s", (int)(url.len < 200 ? url.len : 200), url.data);
  return STORE_ABSENT;
}

/* Searches the store in which it is live. */
static enum store_status find_in_parts(const struct store_snapshot *snap, uint32_t collection,
                                       struct slice url, const struct store_segment **seg, uint32_t *doc,
                                       struct error_text *e) {
  const char *name = NULL;
  size_t first = 0;
  for (size_t i = 0; i < snap->collection_all; i++)
    if (snap->collections[i].id == collection)
      name = snap->collections[i].name;
  for (size_t i = 0; name && i < snap->part_count; first += snap->parts[i++]->count) {
    const struct store_collection *c = store_collection(snap->parts[i], name);
    enum store_status status =
        c ? store_find_document(snap->parts[i], c->id, url, seg, doc, e) : STORE_ABSENT;
    if (status == STORE_ABSENT)
      continue;
    if (status)
      return status;
    *seg = &snap->segments[first + (size_t)(*seg - snap->parts[i]->segments)];
    if (!store_segment_doc_is_dead(*seg, *doc))
      return STORE_OK;
  }
  return no_document(url, e);
}

enum store_status store_find_document(const struct store_snapshot *snap, uint32_t collection,
                                      struct slice url, const struct store_segment **seg, uint32_t *doc,
                                      struct error_text *e) {
  if (snap->parts)
    return find_in_parts(snap, collection, url, seg, doc, e);
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  struct store_url_key key = store_url_key(collection, url);
  MDB_val v;
  uint64_t id = 0;
  pthread_mutex_lock(&own->mutex);
  int rc = store_get_sealed(snap->txn, snap->store->dbi[T_URLS], &key, sizeof key, &v);
  pthread_mutex_unlock(&own->mutex);
  if (rc == 0 && v.mv_size == sizeof id)
    memcpy(&id, v.mv_data, sizeof id);
  else if (rc && rc != MDB_NOTFOUND)
    return store_fail(e, snap->store, rc, "looking for a URL");
  for (size_t i = 0; id && i < snap->count; i++) {
    const struct store_segment_entry *entry = &snap->entries[i];
    if (id < entry->first_doc || id > entry->last_doc)
      continue;
    *seg = &snap->segments[i];
    *doc = store_doc_index(*seg, id);
    if (*doc < (*seg)->docs)
      return STORE_OK;
  }
  return no_document(url, e);
}

/* ---- the texts of passages, from the compressed blocks of their documents ---- */

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

/* store_unpack.c: decompression: the dictionaries of a store, the contexts of a snapshot. */
#include "store/store_private.h"

#include <stdio.h>

void store_dictionary_name(uint32_t number, char name[24]) {
  snprintf(name, 24, number ? "dictionary.%u" : "dictionary", number);
}

int store_unpack_load_dictionary(struct store_snapshot *snap, uint32_t number) {
  struct store *s = snap->store;
  char name[24];
  struct slice v;
  if (number < s->ddict_count && s->ddicts[number])
    return 0;
  while (s->ddict_count <= number && number < STORE_DICTIONARIES_MAX) {
    s->ddicts = xreallocarray(s->ddicts, s->ddict_count + 1, sizeof(ZSTD_DDict *));
    s->ddicts[s->ddict_count++] = NULL;
  }
  if (number >= s->ddict_count)
    return MDB_CORRUPTED;
  store_dictionary_name(number, name);
  int rc = store_meta(s, snap->txn, name, &v);
  if (!rc && v.len && !(s->ddicts[number] = ZSTD_createDDict(v.data, v.len)))
    diag_oom();
  return rc;
}

int store_unpack(ZSTD_DCtx *ctx, const ZSTD_DDict *dict, struct slice packed, struct buf *out, size_t max) {
  unsigned long long size = ZSTD_getFrameContentSize(packed.data, packed.len);
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > max ||
      buf_reserve(out, (size_t)size))
    return -1;
  size_t n = dict ? ZSTD_decompress_usingDDict(ctx, out->data + out->len, (size_t)size, packed.data,
                                               packed.len, dict)
                  : ZSTD_decompressDCtx(ctx, out->data + out->len, (size_t)size, packed.data, packed.len);
  if (ZSTD_isError(n) || n != size)
    return -1;
  out->len += n;
  out->data[out->len] = '\0';
  return 0;
}

const ZSTD_DDict *store_unpack_dictionary(const struct store_snapshot *snap,
                                          const struct store_document_head *h) {
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  struct store *s = snap->store;
  uint32_t number = h->packed >> 8;
  const ZSTD_DDict *found = NULL;
  if (!(h->packed & 1))
    return NULL;
  pthread_mutex_lock(&own->mutex); /* guards the transaction */
  pthread_mutex_lock(&s->mutex);
  int rc = store_unpack_load_dictionary(own, number);
  if (!rc)
    found = s->ddicts[number];
  pthread_mutex_unlock(&s->mutex);
  pthread_mutex_unlock(&own->mutex);
  if (rc)
    atomic_store(&own->damaged, rc);
  return found;
}

ZSTD_DCtx *store_unpack_new(void) {
  ZSTD_DCtx *ctx = ZSTD_createDCtx();
  if (!ctx)
    diag_oom();
  return ctx;
}

ZSTD_DCtx *store_unpack_take(const struct store_snapshot *snap) {
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  pthread_mutex_lock(&own->mutex);
  ZSTD_DCtx *ctx = own->unpacker_count ? own->unpackers[--own->unpacker_count] : NULL;
  pthread_mutex_unlock(&own->mutex);
  return ctx ? ctx : store_unpack_new();
}

void store_unpack_give(const struct store_snapshot *snap, ZSTD_DCtx *ctx) {
  struct store_snapshot *own = (struct store_snapshot *)(uintptr_t)snap;
  pthread_mutex_lock(&own->mutex);
  int room = own->unpacker_count < SNAPSHOT_UNPACKERS;
  if (room)
    own->unpackers[own->unpacker_count++] = ctx;
  pthread_mutex_unlock(&own->mutex);
  if (!room)
    ZSTD_freeDCtx(ctx);
}

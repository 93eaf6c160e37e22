/* store_seal.c: values with checksums, and verification of LMDB's two meta pages. */
#include "store/store_private.h"
#include "base/hash.h"

#define SEAL sizeof(uint64_t)

static uint64_t seal_of(const MDB_val *key, const void *data, size_t len) {
  return hash_seeded(data, len, hash_bytes(key->mv_data, key->mv_size));
}

int store_unseal(const MDB_val *key, MDB_val *value) {
  uint64_t seal;
  if (value->mv_size < SEAL)
    return MDB_CORRUPTED;
  size_t len = value->mv_size - SEAL;
  memcpy(&seal, (const char *)value->mv_data + len, SEAL);
  if (seal != seal_of(key, value->mv_data, len))
    return MDB_CORRUPTED;
  value->mv_size = len;
  return 0;
}

int store_get_sealed(MDB_txn *txn, MDB_dbi dbi, const void *key, size_t key_len, MDB_val *value) {
  MDB_val k = {key_len, (void *)(uintptr_t)key};
  int rc = mdb_get(txn, dbi, &k, value);
  return rc ? rc : store_unseal(&k, value);
}

int store_put_sealed(MDB_txn *txn, MDB_dbi dbi, const void *key, size_t key_len, const void *data,
                     size_t len) {
  MDB_val k = {key_len, (void *)(uintptr_t)key}, v = {len + SEAL, NULL};
  uint64_t seal = seal_of(&k, data, len);
  int rc = mdb_put(txn, dbi, &k, &v, MDB_RESERVE);
  if (rc)
    return rc;
  if (len)
    memcpy(v.mv_data, data, len);
  memcpy((char *)v.mv_data + len, &seal, SEAL);
  return 0;
}

int store_meta(const struct store *s, MDB_txn *txn, const char *name, struct slice *out) {
  MDB_val v;
  int rc = store_get_sealed(txn, s->dbi[T_META], name, strlen(name), &v);
  *out = rc ? slice_of(NULL, 0) : slice_of(v.mv_data, v.mv_size);
  return rc == MDB_NOTFOUND ? 0 : rc;
}

int store_put_meta(const struct store *s, MDB_txn *txn, const char *name, const void *data, size_t len) {
  return store_put_sealed(txn, s->dbi[T_META], name, strlen(name), data, len);
}

int store_each_sealed(const struct store *s, MDB_txn *txn, enum store_table table,
                      int (*f)(void *arg, struct slice key, struct slice value), void *arg) {
  MDB_cursor *cursor;
  MDB_stat st;
  MDB_val k, v;
  size_t count = 0;
  int rc = mdb_stat(txn, s->dbi[table], &st);
  if (!rc)
    rc = mdb_cursor_open(txn, s->dbi[table], &cursor);
  if (rc)
    return rc;
  while (!rc && (rc = mdb_cursor_get(cursor, &k, &v, MDB_NEXT)) == 0) {
    if (count++ == st.ms_entries || store_unseal(&k, &v))
      rc = MDB_CORRUPTED;
    else
      rc = f(arg, slice_of(k.mv_data, k.mv_size), slice_of(v.mv_data, v.mv_size));
  }
  mdb_cursor_close(cursor);
  if (rc == MDB_NOTFOUND)
    rc = count == st.ms_entries ? 0 : MDB_CORRUPTED;
  return rc;
}

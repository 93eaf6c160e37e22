/* forge STORE SEED COUNT: replaces COUNT values of a store by hostile ones whose checksums are right, as somebody would
 * who passes a store on.  What was changed is said on stdout. */
#include "base/hash.h"
#include "store/store_format.h"

#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

static const char *const tables[] = {"meta",      "collections", "strings",  "companies", "urls",
                                     "documents", "segments",    "segments", "documents", "dead"};
enum { TABLES = sizeof tables / sizeof *tables, ROOM = 1 << 20 };

static uint64_t state;

static uint64_t number(uint64_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % below;
}

/* Sets a field of 1, 2, 4 or 8 bytes, aligned to its size, somewhere in [from, until). */
static void spoil_field(char *data, size_t from, size_t until) {
  size_t size = (size_t)1 << number(4);
  if (until - from < size)
    return;
  size_t at = (from + number(until - from)) / size * size;
  at = at < from ? from : at + size > until ? until - size : at;
  uint64_t v = 0;
  memcpy(&v, data + at, size);
  const uint64_t choices[] = {
      0,       1,        2,        v + 1,       v - 1,       v * 2,      v / 2,          v ^ 128,
      1 << 16, 1u << 20, 1u << 24, 0x7fffffffu, 0xffffffffu, UINT64_MAX, UINT64_MAX - 1, number(1u << 31)};
  v = choices[number(sizeof choices / sizeof *choices)];
  memcpy(data + at, &v, size);
}

/* Cuts or extends; returns the new length. */
static size_t spoil_length(char *data, size_t len) {
  size_t now = number(3) ? number(len + 1) : len + number(number(4) ? 64 : 70000);
  if (now > len)
    memset(data + len, (int)number(256), now - len);
  return now;
}

static size_t spoil(char *data, size_t len) {
  if (number(6) == 0)
    return spoil_length(data, len);
  for (uint64_t n = 1 + number(3); n > 0; n--)
    spoil_field(data, 0, len);
  return len;
}

/* ---- segments ---- */

static void seal_segment(char *value, size_t len) {
  struct store_segment_head h;
  struct store_segment_directory dir;
  memcpy(&h, value, sizeof h);
  memcpy(&dir, value + sizeof h, sizeof dir);
  uint64_t sums = dir.part[PART_SUMS].offset, bytes = dir.part[PART_SUMS].bytes;
  for (int p = 0; p < PART_SUMS; p++)
    for (uint64_t at = 0, i = dir.part[p].first_sum; at < dir.part[p].bytes; at += SEGMENT_BLOCK, i++) {
      uint64_t n = dir.part[p].bytes - at < SEGMENT_BLOCK ? dir.part[p].bytes - at : SEGMENT_BLOCK;
      if (dir.part[p].offset > len || dir.part[p].offset + at + n > len || sums > len ||
          sums + 4 * i + 4 > len)
        break;
      uint32_t sum = (uint32_t)hash_bytes(value + dir.part[p].offset + at, n);
      memcpy(value + sums + 4 * i, &sum, sizeof sum);
    }
  if (sums <= len && bytes <= len - sums)
    h.sums_check = hash_bytes(value + sums, bytes);
  h.check = 0;
  h.check = hash_seeded(&dir, sizeof dir, hash_bytes(&h, sizeof h));
  memcpy(value, &h, sizeof h);
}

static size_t forge_segment(char *value, size_t len) {
  struct store_segment_directory dir;
  memcpy(&dir, value + sizeof(struct store_segment_head), sizeof dir);
  uint64_t part = number(PART_COUNT + 1);
  size_t from = 8, until = sizeof(struct store_segment_head) + sizeof dir;
  if (part < PART_SUMS) {
    from = dir.part[part].offset;
    until = from + dir.part[part].bytes;
  }
  for (uint64_t n = 1 + number(8); n > 0; n--)
    spoil_field(value, from, until < from + 4096 || number(2) ? until : from + 256);
  seal_segment(value, len);
  return len;
}

/* ---- documents ---- */

static size_t raw_json(char *value, size_t len, struct store_document_head *h) {
  static const char *const texts[] = {"{}",
                                      "[",
                                      "{\"sourceUrl\":5}",
                                      "\"\\ud800\"",
                                      "{\"metadata\":[[[[[[",
                                      "",
                                      "{\"metadata\":{\"form\":{}},\"capturedAt\":-1e999}",
                                      "{\"a\":\"\xff\x1b[31m\"}"};
  const char *text = texts[number(sizeof texts / sizeof *texts)];
  size_t n = strlen(text), at = sizeof *h + h->url_len, rest = at + h->json_packed;
  if (rest > len)
    return len;
  memmove(value + at + n, value + rest, len - rest);
  memcpy(value + at, text, n);
  len = len - h->json_packed + n;
  h->json_len = h->json_packed = (uint32_t)n;
  h->json_check = hash_bytes(text, n);
  return len;
}

/* One block of its own, of hostile lengths. */
static size_t raw_block(char *value, size_t len, struct store_document_head *h) {
  char plain[4096];
  size_t fixed = sizeof *h + h->url_len + h->json_packed + 8 * (size_t)h->blocks, n = number(sizeof plain);
  if (h->blocks == 0 || fixed > len)
    return len;
  for (size_t i = 0; i < n; i++)
    plain[i] = (char)(i < 64 ? number(number(2) ? 256 : 8) : 'a' + number(26));
  size_t packed = ZSTD_compress(value + fixed, ROOM - fixed, plain, n, 1);
  for (uint32_t b = 0; b < h->blocks; b++) {
    uint32_t end = (uint32_t)packed, sum = (uint32_t)hash_bytes(plain, n);
    memcpy(value + fixed - 8 * (size_t)h->blocks + 4 * (size_t)b, &end, 4);
    memcpy(value + fixed - 4 * (size_t)h->blocks + 4 * (size_t)b, &sum, 4);
  }
  h->packed = 0;
  return fixed + packed;
}

static size_t forge_document(char *value, size_t len, uint64_t id) {
  struct store_document_head h;
  memcpy(&h, value, sizeof h);
  switch (number(4)) {
  case 0:
    len = raw_json(value, len, &h);
    break;
  case 1:
    len = raw_block(value, len, &h);
    break;
  default:
    len = spoil(value, len);
    if (len < sizeof h)
      return len;
    memcpy(&h, value, sizeof h);
  }
  memcpy(value, &h, sizeof h);
  uint64_t fixed = sizeof h + (uint64_t)h.url_len + h.json_packed + 8 * (uint64_t)h.blocks;
  h.check = hash_seeded(value + sizeof h.check, (fixed < len ? fixed : len) - sizeof h.check, id);
  memcpy(value, &h.check, sizeof h.check);
  return len;
}

/* ---- the store ---- */

static size_t forge(const char *table, const MDB_val *k, char *data, size_t len) {
  uint64_t id = 0;
  if (strcmp(table, "segments") == 0)
    return forge_segment(data, len);
  if (strcmp(table, "documents") == 0) {
    memcpy(&id, k->mv_data, k->mv_size < sizeof id ? k->mv_size : sizeof id);
    return forge_document(data, len, id);
  }
  len -= sizeof(uint64_t);
  if (strcmp(table, "companies") == 0 && number(2)) { /* a long name */
    size_t more = 1 + number(6000);
    memset(data + len - 1, 'x', more);
    len += more;
    data[len - 1] = '\0';
  } else
    len = spoil(data, len);
  uint64_t seal = hash_seeded(data, len, hash_bytes(k->mv_data, k->mv_size));
  memcpy(data + len, &seal, sizeof seal);
  return len + sizeof seal;
}

static int forge_one(MDB_txn *txn) {
  static char data[ROOM + 80000];
  const char *table = tables[number(TABLES)];
  MDB_dbi dbi;
  MDB_cursor *cursor;
  MDB_stat st;
  MDB_val k, v;
  if (mdb_dbi_open(txn, table, 0, &dbi) || mdb_stat(txn, dbi, &st) || st.ms_entries == 0 ||
      mdb_cursor_open(txn, dbi, &cursor))
    return 0;
  int rc = mdb_cursor_get(cursor, &k, &v, MDB_FIRST);
  for (uint64_t n = number(st.ms_entries); n > 0 && rc == 0; n--)
    rc = mdb_cursor_get(cursor, &k, &v, MDB_NEXT);
  if (rc == 0 && v.mv_size < ROOM / 2) {
    char key[512];
    size_t key_len = k.mv_size;
    memcpy(key, k.mv_data, key_len);
    memcpy(data, v.mv_data, v.mv_size);
    size_t len = forge(table, &k, data, v.mv_size);
    printf("%s %.*s %zu -> %zu; ", table, strcmp(table, "meta") ? 0 : (int)key_len, key, v.mv_size, len);
    k = (MDB_val){key_len, key};
    v = (MDB_val){len, data};
    rc = mdb_put(txn, dbi, &k, &v, 0);
  }
  mdb_cursor_close(cursor);
  return rc;
}

int main(int argc, char **argv) {
  MDB_env *env;
  MDB_txn *txn;
  if (argc < 4)
    return 64;
  state = strtoull(argv[2], NULL, 10) * 2654435761u + 1;
  number(2);
  int rc = mdb_env_create(&env);
  mdb_env_set_maxdbs(env, 16);
  mdb_env_set_mapsize(env, (size_t)1 << 30);
  if (rc || (rc = mdb_env_open(env, argv[1], MDB_NOSUBDIR | MDB_NOSYNC, 0600)) ||
      (rc = mdb_txn_begin(env, NULL, 0, &txn)))
    return 70;
  for (int i = atoi(argv[3]); i > 0 && !rc; i--)
    rc = forge_one(txn);
  rc = rc ? rc : mdb_txn_commit(txn);
  mdb_env_close(env);
  return rc ? 70 : 0;
}

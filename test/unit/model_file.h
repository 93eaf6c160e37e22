/* model_file.h: a small static model, written byte by byte as bid-model(5) says, for the tests to use and to
 * damage. */
#ifndef BID_TEST_MODEL_FILE_H
#define BID_TEST_MODEL_FILE_H

#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

enum {
  MODEL_FILE_NET = 1,
  MODEL_FILE_SALES = 2,
  MODEL_FILE_TOKENS = 6,
  MODEL_FILE_PAIR = 6,
  MODEL_FILE_ROWS = 7,
  MODEL_FILE_DIMENSIONS = 128,
  MODEL_FILE_SECTIONS = 7,
  MODEL_FILE_DERIVED = 2, /* sections more, where model_file_derived is set */
  MODEL_FILE_BLOCK = 4096
};

/* Write "order" and "checks", too, and enough in "meta" that the rows lie in other blocks than the head. */
static int model_file_derived;

/* What the first, second and further occurrences count, in 16384ths. */
static const int model_file_repeats[] = {16384, 6144, 2049};

static char model_file_path[64];

static inline int model_file_value(int row, int dimension) {
  return (row * 37 + dimension * 11) % 255 - 127;
}

static inline int model_file_weight(int row, int role) {
  return row == 0 ? 0 : 1000 + row * (role ? 2000 : 300);
}

static inline void model_file_u32(struct buf *b, uint32_t v) {
  for (int i = 0; i < 4; i++)
    buf_add_char(b, (char)(v >> (8 * i)));
}

static inline void model_file_u64(struct buf *b, uint64_t v) {
  model_file_u32(b, (uint32_t)v);
  model_file_u32(b, (uint32_t)(v >> 32));
}

static inline void model_file_fixed(struct buf *b, const char *text, size_t size) {
  size_t at = b->len;
  buf_add_str(b, text);
  while (b->len < at + size)
    buf_add_char(b, 0);
}

static inline void model_file_section(struct buf *table, struct buf *body, size_t start, const char *name,
                                      const struct buf *data) {
  while ((start + body->len) % 64)
    buf_add_char(body, 0);
  model_file_fixed(table, name, 24);
  model_file_u64(table, start + body->len);
  model_file_u64(table, data->len);
  buf_add_slice(body, buf_slice(data));
}

static inline void model_file_pairs(struct buf *b) {
  uint64_t key = (uint64_t)MODEL_FILE_NET << 16 | MODEL_FILE_SALES, slots[4];
  memset(slots, 0xff, sizeof slots);
  slots[(key * 0x9E3779B97F4A7C15u) >> 32 & 3] = key << 32 | MODEL_FILE_PAIR;
  for (int i = 0; i < 4; i++)
    model_file_u64(b, slots[i]);
}

/* The vocabulary's tokens by their bytes: where each begins, and its id. */
static inline void model_file_order(struct buf *b) {
  static const int order[MODEL_FILE_TOKENS][2] = {{27, 5}, {0, 0}, {23, 4}, {16, 3}, {6, 1}, {10, 2}};
  for (int i = 0; i < MODEL_FILE_TOKENS; i++)
    for (int k = 0; k < 2; k++)
      model_file_u32(b, (uint32_t)order[i][k]);
}

/* Room for the sums of what stands ahead of them. */
static inline void model_file_checks(struct buf *b, size_t ahead) {
  for (size_t at = 0; at < ahead; at += MODEL_FILE_BLOCK)
    model_file_u64(b, 0);
}

static inline void model_file_sums(struct buf *file, size_t checks) {
  for (size_t at = 0; at < checks; at += MODEL_FILE_BLOCK) {
    size_t from = at ? at : 32, until = at + MODEL_FILE_BLOCK < checks ? at + MODEL_FILE_BLOCK : checks;
    uint64_t sum = XXH3_64bits(file->data + from, until - from);
    for (size_t i = 0; i < 8; i++)
      file->data[checks + at / MODEL_FILE_BLOCK * 8 + i] = (char)(sum >> (8 * i));
  }
}

static inline void model_file_sections(struct buf *table, struct buf *body) {
  static const char *const names[] = {"meta",  "vocab",   "rows",  "weights", "query-weights",
                                      "pairs", "repeats", "order", "checks"};
  int count = MODEL_FILE_SECTIONS + (model_file_derived ? MODEL_FILE_DERIVED : 0);
  size_t start = 128 + (size_t)count * 40;
  struct buf part[MODEL_FILE_SECTIONS + MODEL_FILE_DERIVED];
  for (int i = 0; i < MODEL_FILE_SECTIONS + MODEL_FILE_DERIVED; i++)
    buf_init(&part[i], 65536);
  buf_add_str(&part[0], "{\"version\":\"1\"}");
  if (model_file_derived)
    model_file_fixed(&part[0], "", 3 * MODEL_FILE_BLOCK);
  buf_add_str(&part[1], "[UNK]\nnet\nsales\nincome\nand\n42\n");
  for (int row = 0; row < MODEL_FILE_ROWS; row++) {
    for (int d = 0; d < MODEL_FILE_DIMENSIONS; d++)
      buf_add_char(&part[2], (char)model_file_value(row, d));
    for (int role = 0; role < 2; role++) {
      int w = model_file_weight(row, role);
      buf_add_char(&part[3 + role], (char)(w & 255));
      buf_add_char(&part[3 + role], (char)(w >> 8));
    }
  }
  model_file_pairs(&part[5]);
  for (int i = 0; i < 3; i++) {
    buf_add_char(&part[6], (char)(model_file_repeats[i] & 255));
    buf_add_char(&part[6], (char)(model_file_repeats[i] >> 8));
  }
  model_file_order(&part[7]);
  for (int i = 0; i < count; i++) {
    if (i == 8)
      model_file_checks(&part[8], (start + body->len + 63) / 64 * 64);
    model_file_section(table, body, start, names[i], &part[i]);
  }
  for (int i = 0; i < MODEL_FILE_SECTIONS + MODEL_FILE_DERIVED; i++)
    buf_release(&part[i]);
}

/* Where "checks" begins in a file of that many bytes. */
static inline size_t model_file_checks_at(size_t whole) {
  size_t at = 64;
  while (at + (at + MODEL_FILE_BLOCK - 1) / MODEL_FILE_BLOCK * 8 < whole)
    at += 64;
  return at;
}

/* Writes the model; spoil (may be NULL) may change the bytes before the checksum is set over them. */
static inline void model_file_write(void (*spoil)(struct buf *file, void *arg), void *arg) {
  struct buf file, table, body;
  buf_init(&file, 1 << 20);
  buf_init(&table, 1 << 20);
  buf_init(&body, 1 << 20);
  model_file_sections(&table, &body);
  model_file_fixed(&file,
                   "\x89"
                   "BIDM\r\n\x1a",
                   8);
  model_file_u32(&file, 0x01020304);
  model_file_u32(&file, 1);
  model_file_u64(&file, 128 + table.len + body.len);
  model_file_u64(&file, 0);
  model_file_u32(&file, 1);
  model_file_u32(&file, MODEL_FILE_DIMENSIONS);
  model_file_u32(&file, 0);
  model_file_u32(&file, MODEL_FILE_SECTIONS + (model_file_derived ? MODEL_FILE_DERIVED : 0));
  model_file_fixed(&file, "0123456789abcdef0123456789abcde", 32);
  model_file_fixed(&file, "small", 48);
  buf_add_slice(&file, buf_slice(&table));
  buf_add_slice(&file, buf_slice(&body));
  size_t whole = file.len;
  if (spoil)
    spoil(&file, arg);
  if (model_file_derived && file.len == whole)
    model_file_sums(&file, model_file_checks_at(whole));
  if (file.len > 32) {
    uint64_t sum = XXH3_64bits(file.data + 32, file.len - 32);
    for (int i = 0; i < 8; i++)
      file.data[24 + i] = (char)(sum >> (8 * i));
  }
  FILE *f = fopen(model_file_path, "wb");
  if (!f || fwrite(file.data, 1, file.len, f) != file.len || fclose(f) != 0)
    abort();
  buf_release(&file);
  buf_release(&table);
  buf_release(&body);
}

static inline void model_file_begin(void) {
  snprintf(model_file_path, sizeof model_file_path, "/tmp/bid-model-test-XXXXXX");
  int fd = mkstemp(model_file_path);
  if (fd < 0)
    abort();
  close(fd);
}

static inline void model_file_end(void) {
  unlink(model_file_path);
}

#endif

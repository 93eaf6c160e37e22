/* model_file.h: a small static model, written byte by byte as bid-model(5) says, for the tests to use and to
 * damage. */
#ifndef BID_TEST_MODEL_FILE_H
#define BID_TEST_MODEL_FILE_H

#include "buf.h"

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
  MODEL_FILE_SECTIONS = 7
};

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

static inline void model_file_sections(struct buf *table, struct buf *body) {
  static const char *const names[] = {"meta",          "vocab", "rows",   "weights",
                                      "query-weights", "pairs", "repeats"};
  struct buf part[MODEL_FILE_SECTIONS];
  for (int i = 0; i < MODEL_FILE_SECTIONS; i++)
    buf_init(&part[i], 65536);
  buf_add_str(&part[0], "{\"version\":\"1\"}");
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
  for (int i = 0; i < MODEL_FILE_SECTIONS; i++) {
    model_file_section(table, body, 128 + MODEL_FILE_SECTIONS * 40, names[i], &part[i]);
    buf_release(&part[i]);
  }
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
  model_file_u32(&file, MODEL_FILE_SECTIONS);
  model_file_fixed(&file, "0123456789abcdef0123456789abcde", 32);
  model_file_fixed(&file, "small", 48);
  buf_add_slice(&file, buf_slice(&table));
  buf_add_slice(&file, buf_slice(&body));
  if (spoil)
    spoil(&file, arg);
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

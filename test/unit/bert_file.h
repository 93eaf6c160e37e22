/* bert_file.h: a small BERT model file with random weights, for the tests to use and to damage. */
#ifndef BID_TEST_BERT_FILE_H
#define BID_TEST_BERT_FILE_H

#include "model_file.h"

static uint32_t bert_file_seed;

/* -1 to 1. */
static inline float bert_file_draw(void) {
  bert_file_seed = bert_file_seed * 1664525 + 1013904223;
  return (float)(bert_file_seed >> 8) / 8388608.0F - 1.0F;
}

enum {
  BERT_FILE_LAYERS = 2,
  BERT_FILE_HIDDEN = 64,
  BERT_FILE_INNER = 128,
  BERT_FILE_POSITIONS = 16,
  BERT_FILE_TOKENS = 6
};

static inline void bert_file_floats(struct buf *table, struct buf *body, const char *name, size_t count,
                                    float scale) {
  struct buf data;
  buf_init(&data, 1 << 24);
  for (size_t i = 0; i < count; i++) {
    float v = bert_file_draw() * scale;
    buf_add(&data, &v, sizeof v);
  }
  model_file_section(table, body, 128 + 15 * 40, name, &data);
  buf_release(&data);
}

static inline void bert_file_text(struct buf *table, struct buf *body, const char *name, const char *text) {
  struct buf data;
  buf_init(&data, 1 << 16);
  buf_add_str(&data, text);
  model_file_section(table, body, 128 + 15 * 40, name, &data);
  buf_release(&data);
}

static inline void bert_file_sections(struct buf *table, struct buf *body, const char *meta) {
  bert_file_text(table, body, "meta", meta);
  bert_file_text(table, body, "vocab", "[UNK]\n[CLS]\n[SEP]\nnet\nsales\nask\n");
  bert_file_floats(table, body, "embeddings", BERT_FILE_TOKENS * BERT_FILE_HIDDEN, 1);
  bert_file_floats(table, body, "positions", BERT_FILE_POSITIONS * BERT_FILE_HIDDEN, 0.1F);
  bert_file_floats(table, body, "embed-norm", 2 * BERT_FILE_HIDDEN, 1);
  bert_file_floats(table, body, "qkv", BERT_FILE_LAYERS * 3 * BERT_FILE_HIDDEN * BERT_FILE_HIDDEN, 0.2F);
  bert_file_floats(table, body, "qkv-bias", BERT_FILE_LAYERS * 3 * BERT_FILE_HIDDEN, 0.2F);
  bert_file_floats(table, body, "out", BERT_FILE_LAYERS * BERT_FILE_HIDDEN * BERT_FILE_HIDDEN, 0.2F);
  bert_file_floats(table, body, "out-bias", BERT_FILE_LAYERS * BERT_FILE_HIDDEN, 0.2F);
  bert_file_floats(table, body, "norm1", BERT_FILE_LAYERS * 2 * BERT_FILE_HIDDEN, 1);
  bert_file_floats(table, body, "up", BERT_FILE_LAYERS * BERT_FILE_INNER * BERT_FILE_HIDDEN, 0.2F);
  bert_file_floats(table, body, "up-bias", BERT_FILE_LAYERS * BERT_FILE_INNER, 0.2F);
  bert_file_floats(table, body, "down", BERT_FILE_LAYERS * BERT_FILE_HIDDEN * BERT_FILE_INNER, 0.2F);
  bert_file_floats(table, body, "down-bias", BERT_FILE_LAYERS * BERT_FILE_HIDDEN, 0.2F);
  bert_file_floats(table, body, "norm2", BERT_FILE_LAYERS * 2 * BERT_FILE_HIDDEN, 1);
}

#define BERT_FILE_META                                                                                       \
  "{\"layers\":2,\"heads\":2,\"hidden\":64,\"intermediate\":128,\"positions\":16,\"tokens\":6,\"epsilon\":"  \
  "1e-12,"                                                                                                   \
  "\"pooling\":\"%s\",\"queryPrefix\":\"ask \"}"

/* Swaps the static model's bytes for a BERT's. */
static inline void bert_file_make(struct buf *file, void *meta) {
  struct buf table, body;
  buf_init(&table, 1 << 20);
  buf_init(&body, 1 << 24);
  bert_file_seed = 7;
  bert_file_sections(&table, &body, meta);
  buf_clear(file);
  model_file_fixed(file,
                   "\x89"
                   "BIDM\r\n\x1a",
                   8);
  model_file_u32(file, 0x01020304);
  model_file_u32(file, 1);
  model_file_u64(file, 128 + table.len + body.len);
  model_file_u64(file, 0);
  model_file_u32(file, 2);
  model_file_u32(file, BERT_FILE_HIDDEN);
  model_file_u32(file, BERT_FILE_POSITIONS);
  model_file_u32(file, 15);
  model_file_fixed(file, "0123456789abcdef0123456789abcde", 32);
  model_file_fixed(file, "tiny", 48);
  buf_add_slice(file, buf_slice(&table));
  buf_add_slice(file, buf_slice(&body));
  buf_release(&table);
  buf_release(&body);
}

#endif

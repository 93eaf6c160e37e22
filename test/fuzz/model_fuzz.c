/* Model files of any bytes, and good ones with some bytes changed, each with a right checksum: opening
 * refuses the file, or texts are cut into tokens and embedded with it. */
#include "../unit/bert_file.h"

#include "model/embed.h"
#include "record/error.h"
#include "model/model.h"
#include "text/wordpiece.h"

static const uint8_t *input;
static size_t input_size;

/* Sets what every file is refused for otherwise. */
static void set_head(struct buf *file) {
  static const unsigned char head[] = {0x89, 'B', 'I', 'D', 'M', '\r', '\n', 0x1a, 4, 3, 2, 1, 1, 0, 0, 0};
  memcpy(file->data, head, sizeof head);
  for (int i = 0; i < 8; i++)
    file->data[16 + i] = (char)((uint64_t)file->len >> (8 * i));
}

/* The file is the input, as it stands. */
static void from_bytes(struct buf *file, void *arg) {
  (void)arg;
  buf_clear(file);
  buf_add(file, input, input_size);
  while (file->len < 256)
    buf_add_char(file, 0);
  set_head(file);
}

/* The input says which bytes become which: three bytes of place, one of value.  Every other place is near the
 * beginning, where less is weights. */
static void change_bytes(struct buf *file) {
  for (size_t i = 0; i + 4 <= input_size; i += 4) {
    size_t at = (size_t)input[i] | (size_t)input[i + 1] << 8 | (size_t)input[i + 2] << 16;
    file->data[at % (input[i + 2] & 1 || file->len < 2048 ? file->len : 2048)] = (char)input[i + 3];
  }
  set_head(file);
}

static void change_static(struct buf *file, void *arg) {
  (void)arg;
  change_bytes(file);
}

static void change_bert(struct buf *file, void *arg) {
  static struct buf made;
  if (!made.len) {
    buf_init(&made, 1 << 24);
    bert_file_make(file, arg);
    buf_add_slice(&made, buf_slice(file));
  }
  buf_clear(file);
  buf_add_slice(file, buf_slice(&made));
  change_bytes(file);
}

static void embed_texts(struct embedder *m) {
  static const char *const texts[] = {"", "net sales", "Income and 42 net sales net sales, \xc3\xa9\xff!",
                                      "ask"};
  struct slice in[4];
  size_t cut = 0;
  struct error_text e;
  float *out = xreallocarray(NULL, 4 * (size_t)embed_dimensions(m), sizeof *out);
  for (int i = 0; i < 4; i++)
    in[i] = slice_str(texts[i]);
  embed_encode(m, in, 4, EMBED_PASSAGE, out, &cut, &e);
  embed_encode(m, in, 4, EMBED_QUERY, out, &cut, &e);
  free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char meta[512];
  struct error_text e;
  if (size < 1)
    return 0;
  if (!model_file_path[0]) {
    model_file_begin();
    atexit(model_file_end);
    snprintf(meta, sizeof meta, BERT_FILE_META, "cls");
    setenv("BID_MODELS", "/nonexistent", 1);
  }
  input = data + 1;
  input_size = size - 1;
  model_file_derived = data[0] / 9 % 2;
  model_file_write(data[0] % 3 == 0 ? from_bytes : data[0] % 3 == 1 ? change_static : change_bert, meta);
  struct embed_options options = {
      .model = model_file_path, .dimensions = data[0] / 3 % 3 * 64, .threads = 1, .few = data[0] / 18 % 2};
  struct embedder *m = embed_open(&options, &e);
  if (m) {
    embed_texts(m);
    embed_close(m);
  }
  return 0;
}

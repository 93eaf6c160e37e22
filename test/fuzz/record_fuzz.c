/* The record parser on any bytes: what it accepts can be walked, decoded, taken apart and written again, and
 * the result is accepted with the same fields. */
#include "record/json.h"
#include "record/record.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const fields[] = {"a", "text", "error", NULL};

static void walk(struct slice value, struct buf *scratch, int depth) {
  struct json_cursor c = {0};
  struct slice k, v;
  json_text(value, scratch);
  json_to_double(value, 0);
  while (depth < 20 && json_next_member(value, &c, &k, &v))
    walk(v, scratch, depth + 1);
  c.at = NULL;
  while (depth < 20 && json_next_element(value, &c, &v))
    walk(v, scratch, depth + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct record rec, again;
  const char *why;
  size_t at;
  char *copy = malloc(size ? size : 1);
  if (size)
    memcpy(copy, data, size);
  if (record_parse(copy, size, fields, &rec, &why, &at) == RECORD_OK) {
    struct buf out, scratch;
    buf_init(&out, RECORD_MAX);
    buf_init(&scratch, RECORD_MAX);
    walk(rec.line, &scratch, 0);
    record_open(&out, &rec, "a", NULL);
    json_cstr(&out, "a", "x");
    record_close(&out);
    if (record_parse(out.data, out.len, fields, &again, &why, &at) != RECORD_OK)
      abort();
    if (!slice_is(again.field[0], "\"x\"") || !slice_eq(again.field[1], rec.field[1]))
      abort();
    buf_release(&out);
    buf_release(&scratch);
  } else if (at < 1 || at > size + 1) {
    abort();
  }
  free(copy);
  return 0;
}

/* What bid-fetch does to bytes of a server, in C: narrowing, marking numbers, CSV, XML trees. The input is a select, a '\0' and a body. */
#include "format/csv_rows.h"
#include "record/json.h"
#include "source/json_projection.h"
#include "format/xml.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int valid(struct slice s) {
  size_t at;
  const char *why;
  return json_validate(s.data, s.len, &at, &why) == 0;
}

/* Marking and turning back gives the same text where the text has no mark of its own; all of it stays JSON.
 */
static void check_numbers(struct slice body) {
  struct buf marked, back;
  buf_init(&marked, 1 << 24);
  buf_init(&back, 1 << 24);
  json_numbers_mark(body, &marked);
  if (!valid(buf_slice(&marked)))
    abort();
  json_numbers_restore(buf_slice(&marked), &back);
  if (!memmem(body.data, body.len, "\xef\xb7\x90", 3) && !slice_eq(buf_slice(&back), body))
    abort();
  if (!valid(buf_slice(&back)))
    abort();
  buf_release(&marked);
  buf_release(&back);
}

static void check_select(struct slice body, struct slice select) {
  struct error_text why;
  struct buf out;
  buf_init(&out, 1 << 24);
  if (valid(select) && json_projection_select(body, select, &out, &why) == 0 && !out.overflow &&
      !valid(buf_slice(&out)))
    abort();
  buf_release(&out);
}

static int on_row(void *arg, const struct slice *fields, size_t count) {
  size_t *bytes = arg;
  for (size_t i = 0; i < count; i++)
    *bytes += fields[i].len;
  return 0;
}

static void check_csv(struct slice body) {
  size_t bytes = 0, half = body.len / 2;
  struct csv_rows *c = csv_rows_new(on_row, &bytes);
  if (csv_rows_add(c, body.data, half) == 0 && csv_rows_add(c, body.data + half, body.len - half) == 0)
    csv_rows_end(c);
  csv_rows_free(c);
  if (bytes > body.len)
    abort();
}

static void check_xml(struct slice body) {
  struct buf out;
  struct error_text why;
  buf_init(&out, 1 << 26);
  if (xml_json_add(&out, body, &why) == 0 && !out.overflow && !valid(buf_slice(&out)))
    abort();
  buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data, *end = size ? memchr(text, '\0', size) : NULL;
  struct slice select = slice_of(text, end ? (size_t)(end - text) : 0);
  struct slice body = end ? slice_of(end + 1, size - select.len - 1) : slice_of(text, size);
  if (body.len && valid(body)) {
    check_numbers(body);
    check_select(body, select);
  }
  check_csv(body);
  check_xml(body);
  return 0;
}

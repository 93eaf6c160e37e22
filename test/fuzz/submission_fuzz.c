/* submission_fuzz.c: any bytes as a full submission: its header, its parts, which lie within it one behind the other, and
 * what is uuencoded in them. */
#include "format/submission.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct slice bytes = slice_of((const char *)data, size);
  struct submission s;
  struct submission_part part;
  struct metadata m = {0};
  struct buf out;
  const char *behind = bytes.data;
  int number = 0;
  submission_is(bytes);
  submission_open(&s, bytes, &m);
  buf_init(&out, 1 << 20);
  while (submission_next(&s, &part)) {
    if (part.number != ++number ||
        (part.body.len && (part.body.data < behind || part.body.data + part.body.len > bytes.data + size)))
      abort();
    behind = part.body.len ? part.body.data + part.body.len : behind;
    buf_clear(&out);
    submission_uudecode(part.body, &out);
    if (out.len > 64 * part.body.len) /* blanks at the ends of lines may be left out */
      abort();
  }
  buf_clear(&out);
  submission_uudecode(bytes, &out);
  buf_release(&out);
  metadata_release(&m);
  return 0;
}

/* plain_fuzz.c: any bytes as typewritten text and as the laid-out text of a PDF, which strip_fuzz.c can't
 * reach without a process a call.  The first byte chooses options. */
#include "filing/outline.h"
#include "reader/text_reader.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct doc d;
  size_t before = 0;
  if (!size)
    return 0;
  struct doc_options o = {.tables = (enum doc_tables)(data[0] % 3),
                          .plain = data[0] & 4,
                          .max_text = data[0] & 8 ? 300 : 1 << 20,
                          .laid_out = data[0] & 16};
  doc_init(&d, o.max_text);
  text_reader_read(&d, slice_of((const char *)data + 1, size - 1), &o);
  for (size_t i = 0; i < d.block_count; i++) {
    if (d.blocks[i].start < before || d.blocks[i].end <= d.blocks[i].start || d.blocks[i].end > d.text.len)
      abort();
    before = d.blocks[i].end;
  }
  outline_find(&d, data[0] & 32 ? OUTLINE_10K : OUTLINE_PLAIN, o.plain);
  doc_release(&d);
  return 0;
}

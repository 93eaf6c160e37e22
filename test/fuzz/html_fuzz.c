/* html_fuzz.c: any bytes through the HTML reader, in every style; what doc.h promises must hold. */
#include "html/html.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>

static void check(const struct doc *d) {
  if (utf8_valid_prefix(d->text.data ? d->text.data : "", d->text.len) != d->text.len)
    abort();
  size_t end = 0;
  for (size_t i = 0; i < d->block_count; i++) {
    const struct doc_block *b = &d->blocks[i];
    if (b->start < end || b->end <= b->start || b->end > d->text.len)
      abort();
    end = b->end;
  }
  for (size_t i = 0; i < d->break_count; i++)
    if (d->breaks[i].offset > d->text.len || (i && d->breaks[i].offset < d->breaks[i - 1].offset))
      abort();
}

/* The first byte chooses the options. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const charsets[4] = {NULL, "utf-8", "windows-1252", "utf-16le"};
  if (size < 1)
    return 0;
  struct doc_options o = {.tables = (enum doc_tables)(data[0] % 3),
                          .plain = data[0] >> 2 & 1,
                          .charset = charsets[data[0] >> 3 & 3],
                          .max_text = data[0] & 0x80 ? 200 : (size_t)1 << 24};
  struct html_facts facts = {0};
  struct doc d;
  doc_init(&d, o.max_text);
  html_read(&d, slice_of((const char *)data + 1, size - 1), &o, &facts);
  check(&d);
  html_facts_release(&facts);
  doc_release(&d);
  return 0;
}

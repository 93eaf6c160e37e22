/* strip_fuzz.c: any bytes as a payload of any declared type.  The first byte chooses options and type.  What
 * is a PDF stands for the text that pdftotext would make of it, since that would be a process a call. */
#include "reader/pdf_reader.h"
#include "reader/strip.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In place of the one in pdf_reader.c, which is not linked then. */
enum pdf_reader_status pdf_reader_text(struct slice pdf, struct buf *out, struct error_text *e) {
  if (!buf_add_slice(out, pdf))
    return PDF_OK;
  error_set(e, "too much text");
  return PDF_LIMIT;
}

void pdf_reader_facts_of(struct slice pdf, struct pdf_reader_facts *f) {
  (void)pdf;
  *f = (struct pdf_reader_facts){"", ""};
}

static void check_document(void *arg, struct doc *d, const struct metadata *m, double confidence) {
  size_t before = 0;
  (void)arg, (void)m;
  if (confidence > 1 || !d->text.len || d->text.data[d->text.len - 1] != '\n')
    abort();
  for (size_t i = 0; i < d->outline_count; i++) {
    if (d->outline[i].offset >= d->text.len || d->outline[i].offset < before)
      abort();
    before = d->outline[i].offset;
  }
  for (size_t i = 0; i < d->break_count; i++)
    if (d->breaks[i].offset > d->text.len)
      abort();
  before = 0;
  for (size_t i = 0; i < d->block_count; i++) {
    const struct doc_block *b = &d->blocks[i];
    if (b->start < before || b->end <= b->start || b->end > d->text.len)
      abort();
    before = b->end;
  }
}

static void ignore_fault(void *arg, const char *category, const char *message) {
  (void)arg, (void)category, (void)message;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const types[] = {"",         "text/html",        "text/plain",
                                      "text/csv", "application/json", "text/xml"};
  static const char *const forms[] = {"", "10-K", "10-Q", "8-K", "20-F", "S-1", "SC 13G"};
  struct strip_events events = {check_document, ignore_fault, NULL};
  if (!size)
    return 0;
  struct strip_options o = {.out = {.tables = (enum doc_tables)(data[0] % 3),
                                    .plain = data[0] & 4,
                                    .max_text = data[0] & 8 ? 64 : 1 << 20}};
  struct slice bytes = slice_of((const char *)data + 1, size - 1);
  struct slice type = slice_str(types[data[0] / 16 % 6]);
  struct stripper *s = strip_new(&o);
  struct metadata m = {0};
  metadata_set(&m, METADATA_FORM, slice_str(forms[size % 7]));
  strip_payload(s, bytes, type, &m, &events);
  metadata_release(&m);
  strip_free(s);
  return 0;
}

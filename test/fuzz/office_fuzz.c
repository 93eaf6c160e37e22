/* office_fuzz.c: any bytes as an office file, and as the XML of the main parts of one of each kind. */
#include "reader/office.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input's parts are set apart by '\0'. */
static void read_made(office_reader *reader, const char *const *names, struct slice rest) {
  const struct doc_options o = {.max_text = 1 << 18};
  struct office_part parts[5];
  struct office_file p = {parts, 0};
  struct error_text why;
  struct doc d;
  for (; p.count < 5 && names[p.count]; p.count++) {
    const char *end = rest.len ? memchr(rest.data, '\0', rest.len) : NULL;
    size_t len = end ? (size_t)(end - rest.data) : rest.len;
    parts[p.count].name = (char *)(uintptr_t)names[p.count];
    buf_init(&parts[p.count].bytes, 1 << 20);
    buf_add(&parts[p.count].bytes, rest.data, len);
    rest = slice_of(rest.data + len + (end != NULL), rest.len - len - (end != NULL));
  }
  doc_init(&d, 1 << 18);
  reader(&d, &p, &o, &why);
  doc_release(&d);
  for (size_t i = 0; i < p.count; i++)
    buf_release(&parts[i].bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const docx[] = {"word/document.xml", "word/styles.xml", "word/numbering.xml",
                                     "word/footnotes.xml", NULL};
  static const char *const xlsx[] = {"xl/workbook.xml", "xl/_rels/workbook.xml.rels",
                                     "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"};
  static const char *const pptx[] = {"ppt/presentation.xml", "ppt/_rels/presentation.xml.rels",
                                     "ppt/slides/slide1.xml", NULL};
  if (size < 2)
    return 0;
  struct slice rest = slice_of((const char *)data + 1, size - 1);
  struct office_file p = {NULL, 0};
  struct error_text why;
  switch (data[0] % 4) {
  case 0:
    read_made(docx_reader_read, docx, rest);
    break;
  case 1:
    read_made(xlsx_reader_read, xlsx, rest);
    break;
  case 2:
    read_made(pptx_reader_read, pptx, rest);
    break;
  default:
    office_open(&p, rest, &why);
    office_close(&p);
  }
  return 0;
}

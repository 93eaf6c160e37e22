#include "reader/office_reader.h"

#include "reader/office_formats.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads the title, company and date from the file's properties. */
static void properties(const struct package *p, struct metadata *m) {
  struct xml x;
  struct error_text why;
  struct slice maker = {NULL, 0};
  if (package_xml(p, "docProps/core.xml", &x, &why) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0);
    struct slice day = xml_text(&x, root, "modified");
    if (!day.len)
      day = xml_text(&x, root, "created");
    metadata_set(m, METADATA_TITLE, xml_text(&x, root, "title"));
    if (day.len >= sizeof m->changed - 1)
      snprintf(m->changed, sizeof m->changed, "%.10s", day.data);
  }
  xml_release(&x);
  if (package_xml(p, "docProps/app.xml", &x, &why) == 0)
    maker = xml_text(&x, xml_child(&x, 0, NULL, 0), "Company");
  free(m->maker);
  m->maker = maker.len ? xstrndup(maker.data, maker.len) : NULL;
  xml_release(&x);
}

int office_reader_read(struct doc *d, struct slice bytes, enum content_kind kind,
                       const struct office_reader_options *o, struct metadata *m, struct error_text *why) {
  struct package p;
  doc_clear(d);
  d->text.max = o->max_text;
  int status = package_read(&p, bytes, why);
  if (status == 0) {
    status = kind == CONTENT_DOCX   ? docx_reader_read(d, &p, o, why)
             : kind == CONTENT_XLSX ? xlsx_reader_read(d, &p, o, why)
                                    : pptx_reader_read(d, &p, o, why);
    properties(&p, m);
  }
  package_release(&p);
  return status < 0 ? -1 : d->text.overflow != 0;
}

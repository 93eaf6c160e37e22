#include "reader/office_reader.h"

#include "reader/office_parts.h"

/* Reads the title, company and date from the file's properties. */
static void properties(const struct package *p, struct metadata *m) {
  struct xml x;
  struct error_text why;
  if (package_xml(p, "docProps/core.xml", &x, &why) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0);
    struct slice day = xml_text(&x, root, "modified");
    if (!day.len)
      day = xml_text(&x, root, "created");
    metadata_set(m, METADATA_TITLE, xml_text(&x, root, "title"));
    metadata_set_date(m, METADATA_FILING_DATE, slice_of(day.data, day.len < 10 ? day.len : 10));
  }
  xml_release(&x);
  if (package_xml(p, "docProps/app.xml", &x, &why) == 0)
    metadata_set(m, METADATA_COMPANY, xml_text(&x, xml_child(&x, 0, NULL, 0), "Company"));
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

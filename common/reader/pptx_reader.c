#include "document/doc_builder.h"
#include "reader/office.h"

#include <stdio.h>

#define SLIDES_MAX 4096

struct pptx_view {
  const struct xml *x;
  struct doc *d;
  const struct doc_options *o;
  struct buf line;
};

static void pptx_add_text(struct pptx_view *v, uint32_t n) {
  const struct xml *x = v->x;
  for (uint32_t c = x->nodes[n].first; c; c = x->nodes[c].next) {
    struct slice name = x->nodes[c].name;
    if (slice_is(name, "t")) {
      for (uint32_t t = x->nodes[c].first; t; t = x->nodes[t].next)
        buf_add_slice(&v->line, x->nodes[t].text);
    } else if (slice_is(name, "br") || slice_is(name, "tab")) {
      buf_add_char(&v->line, ' ');
    } else if (name.len) {
      pptx_add_text(v, c);
      if (slice_is(name, "p"))
        buf_add_char(&v->line, ' ');
    }
  }
}

static int is_slide_title(const struct xml *x, uint32_t shape) {
  uint32_t place = xml_at(x, shape, "nvSpPr/nvPr/ph");
  struct slice type = place ? xml_attribute(x, place, "type") : slice_of(NULL, 0);
  return slice_is(type, "title") || slice_is(type, "ctrTitle");
}

/* Dates, numbers and footers of the master repeat on each slide. */
static int is_furniture(const struct xml *x, uint32_t shape) {
  uint32_t place = xml_at(x, shape, "nvSpPr/nvPr/ph");
  struct slice type = place ? xml_attribute(x, place, "type") : slice_of(NULL, 0);
  return slice_is(type, "sldNum") || slice_is(type, "dt") || slice_is(type, "ftr") || slice_is(type, "hdr") ||
         slice_is(type, "sldImg");
}

static void pptx_shape(struct pptx_view *v, uint32_t shape, const char *before) {
  const struct xml *x = v->x;
  uint32_t body = xml_child(x, shape, "txBody", 0);
  int title = is_slide_title(x, shape);
  for (uint32_t p = body ? xml_child(x, body, "p", 0) : 0; p; p = xml_child(x, body, "p", p)) {
    buf_clear(&v->line);
    buf_add_str(&v->line, before);
    pptx_add_text(v, p);
    if (v->line.len == strlen(before))
      continue;
    if (title)
      doc_builder_heading(v->d, 2, v->o->plain, buf_slice(&v->line));
    else
      doc_builder_add(v->d, DOC_PARAGRAPH, 0, buf_slice(&v->line));
    before = "";
  }
}

static void pptx_table(struct pptx_view *v, uint32_t table) {
  const struct xml *x = v->x;
  struct doc_builder_table t;
  doc_builder_table_begin(&t, v->d, v->o->tables, v->o->plain);
  for (uint32_t row = xml_child(x, table, "tr", 0); row; row = xml_child(x, table, "tr", row)) {
    for (uint32_t c = xml_child(x, row, "tc", 0); c; c = xml_child(x, row, "tc", c)) {
      buf_clear(&v->line);
      pptx_add_text(v, c);
      doc_builder_table_cell(&t, buf_slice(&v->line));
    }
    doc_builder_table_row(&t);
  }
  doc_builder_table_end(&t);
}

/* Titles first: they may stand anywhere in the file. */
static void pptx_shapes(struct pptx_view *v, uint32_t n, int titles, const char *before) {
  const struct xml *x = v->x;
  for (uint32_t c = x->nodes[n].first; c && !v->d->text.overflow; c = x->nodes[c].next) {
    struct slice name = x->nodes[c].name;
    if (slice_is(name, "sp")) {
      if (is_slide_title(x, c) == titles && !is_furniture(x, c))
        pptx_shape(v, c, before);
    } else if (slice_is(name, "tbl")) {
      if (!titles)
        pptx_table(v, c);
    } else if (name.len && !slice_is(name, "Fallback")) {
      pptx_shapes(v, c, titles, before);
    }
  }
}

static void pptx_notes(struct pptx_view *v, const struct office_file *p, const char *slide) {
  char rels[512], name[300];
  const char *why, *file = strrchr(slide, '/');
  struct xml x, notes;
  snprintf(rels, sizeof rels, "ppt/slides/_rels/%s.rels", file ? file + 1 : slide);
  struct slice bytes = office_bytes(p, rels);
  if (!bytes.len)
    return;
  if (xml_read(&x, bytes, &why) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0);
    for (uint32_t r = xml_child(&x, root, "Relationship", 0); r; r = xml_child(&x, root, "Relationship", r)) {
      struct slice type = xml_attribute(&x, r, "Type");
      if (type.len < 10 || memcmp(type.data + type.len - 10, "notesSlide", 10) != 0 ||
          !office_target(p, slide, xml_attribute(&x, r, "Id"), name, sizeof name))
        continue;
      if (office_read_part(v->d, p, name, 0, &notes) == 0) {
        /* cppcheck-suppress autoVariables ; v is not used past x */
        v->x = &notes;
        pptx_shapes(v, xml_child(&notes, 0, NULL, 0), 0, "Notes: ");
      }
      xml_release(&notes);
    }
  }
  xml_release(&x);
}

static void pptx_slide(struct pptx_view *v, const struct office_file *p, const char *name, int number) {
  struct xml x;
  if (office_read_part(v->d, p, name, 0, &x) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0);
    doc_builder_break(v->d, number);
    /* cppcheck-suppress autoVariables ; v is not used past x */
    v->x = &x;
    pptx_shapes(v, root, 1, "");
    /* cppcheck-suppress autoVariables ; v is not used past x */
    v->x = &x;
    pptx_shapes(v, root, 0, "");
    pptx_notes(v, p, name);
  }
  xml_release(&x);
}

int pptx_reader_read(struct doc *d, const struct office_file *p, const struct doc_options *o,
                     struct error_text *why) {
  static const char main_part[] = "ppt/presentation.xml";
  struct pptx_view v = {.d = d, .o = o};
  struct xml x;
  char name[300];
  int status = office_xml(p, main_part, &x, why), number = 0;
  buf_init(&v.line, o->max_text);
  d->sheets = 1;
  uint32_t list = status == 0 ? xml_at(&x, xml_child(&x, 0, NULL, 0), "sldIdLst") : 0;
  for (uint32_t s = list ? xml_child(&x, list, "sldId", 0) : 0; s && number < SLIDES_MAX;
       s = xml_child(&x, list, "sldId", s))
    if (office_target(p, main_part, xml_attribute(&x, s, "r:id"), name, sizeof name))
      pptx_slide(&v, p, name, ++number);
    else
      office_part_missing(d, "slide", ++number);
  d->text.overflow |= number == SLIDES_MAX;
  xml_release(&x);
  buf_release(&v.line);
  return status;
}

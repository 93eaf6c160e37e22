/* pptx_reader.c: reads the slides of a presentation in their order: titles, text, tables, notes. */
#include "document/doc_builder.h"
#include "reader/number_format.h"
#include "reader/office.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define SLIDES_MAX 4096
#define LEVELS 9     /* of lists */
#define NOTES_MAX 16 /* pages of notes for one slide */

struct pptx_view {
  const struct xml *x;
  struct doc *d;
  const struct doc_options *o;
  struct buf line;
  unsigned marks, run; /* of the last run; of the current one */
};

/* A run's marks: baseline above 0, strike (ECMA-376 part 1, 21.1.2.3.9). */
static unsigned run_marks(const struct xml *x, uint32_t run) {
  uint32_t properties = xml_child(x, run, "rPr", 0);
  struct slice raised = properties ? xml_attribute(x, properties, "baseline") : slice_of(NULL, 0);
  struct slice strike = properties ? xml_attribute(x, properties, "strike") : slice_of(NULL, 0);
  return (raised.len && isdigit((unsigned char)*raised.data) && *raised.data != '0' ? DOC_RAISED : 0) |
         (strike.len && !slice_is(strike, "noStrike") ? DOC_STRUCK : 0);
}

static void pptx_add_text(struct pptx_view *v, uint32_t n) {
  const struct xml *x = v->x;
  for (uint32_t c = x->nodes[n].first; c; c = x->nodes[c].next) {
    struct slice name = x->nodes[c].name;
    if (slice_is(name, "t")) {
      for (uint32_t t = x->nodes[c].first; t; t = x->nodes[t].next)
        doc_builder_run(&v->line, &v->marks, v->run, x->nodes[t].text);
    } else if (slice_is(name, "oMath")) {
      xml_add_formula(&v->line, x, c);
    } else if (slice_is(name, "br") || slice_is(name, "tab")) {
      buf_add_char(&v->line, ' ');
    } else if (name.len && !slice_is(name, "Fallback")) {
      v->run = slice_is(name, "r") ? run_marks(x, c) : v->run;
      pptx_add_text(v, c);
      if (slice_is(name, "p")) {
        doc_builder_run(&v->line, &v->marks, 0, slice_of("", 0));
        buf_add_char(&v->line, ' ');
      }
    }
  }
}

/* The type of a shape's placeholder, or an empty slice. */
static struct slice place_of_shape(const struct xml *x, uint32_t shape) {
  uint32_t place = xml_at(x, shape, "nvSpPr/nvPr/ph");
  return place ? xml_attribute(x, place, "type") : slice_of(NULL, 0);
}

static int is_slide_title(const struct xml *x, uint32_t shape) {
  struct slice type = place_of_shape(x, shape);
  return slice_is(type, "title") || slice_is(type, "ctrTitle");
}

/* Dates, numbers and footers of the master repeat on each slide. */
static int is_furniture(const struct xml *x, uint32_t shape) {
  static const char *const types[] = {"sldNum", "dt", "ftr", "hdr", "sldImg", NULL};
  return slice_among_nocase(place_of_shape(x, shape), types);
}

/* Appends the number of a numbered paragraph, "2. "; counts are those of the levels, which others restart. */
static void add_auto_number(struct pptx_view *v, uint32_t paragraph, long counts[LEVELS]) {
  char text[DOC_ORDINAL];
  const struct xml *x = v->x;
  uint32_t own = xml_child(x, paragraph, "pPr", 0), number = own ? xml_child(x, own, "buAutoNum", 0) : 0;
  struct slice lvl = own ? xml_attribute(x, own, "lvl") : slice_of(NULL, 0);
  long level = lvl.len && isdigit((unsigned char)*lvl.data) ? (*lvl.data - '0') % LEVELS : 0;
  for (long i = level + number != 0; i < LEVELS; i++)
    counts[i] = 0;
  if (!number)
    return;
  struct slice type = xml_attribute(x, number, "type"), start = xml_attribute(x, number, "startAt");
  counts[level] = counts[level] ? counts[level] + 1 : start.len ? strtol(start.data, NULL, 10) : 1;
  buf_add_str(&v->line, doc_ordinal(text, number_format_list_kind(type), counts[level]));
  buf_add_str(&v->line, memmem(type.data, type.len, "Paren", 5) ? ") " : ". ");
}

static void pptx_shape(struct pptx_view *v, uint32_t shape, const char *before) {
  const struct xml *x = v->x;
  uint32_t body = xml_child(x, shape, "txBody", 0);
  int title = is_slide_title(x, shape);
  long counts[LEVELS] = {0};
  for (uint32_t p = body ? xml_child(x, body, "p", 0) : 0; p; p = xml_child(x, body, "p", p)) {
    buf_clear(&v->line);
    buf_add_str(&v->line, before);
    add_auto_number(v, p, counts);
    size_t empty = v->line.len;
    pptx_add_text(v, p);
    doc_builder_run(&v->line, &v->marks, 0, slice_of("", 0));
    if (v->line.len == empty)
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
      if (slice_is(xml_attribute(x, c, "vMerge"), "1"))
        doc_builder_table_repeat(&t);
      else
        doc_builder_table_cell(&t, buf_slice(&v->line));
    }
    doc_builder_table_row(&t);
  }
  doc_builder_table_end(&t);
}

/* A shape's first element has its properties, and whether it is shown. */
static int is_hidden_shape(const struct xml *x, uint32_t shape) {
  uint32_t first = xml_child(x, shape, NULL, 0), own = first ? xml_child(x, first, "cNvPr", 0) : 0;
  return own && slice_is(xml_attribute(x, own, "hidden"), "1");
}

/* Titles first: they may stand anywhere in the file. */
static void pptx_shapes(struct pptx_view *v, uint32_t n, int titles, const char *before) {
  const struct xml *x = v->x;
  for (uint32_t c = x->nodes[n].first; c && !v->d->text.overflow; c = x->nodes[c].next) {
    struct slice name = x->nodes[c].name;
    if (is_hidden_shape(x, c)) {
      v->d->omitted[DOC_HIDDEN_TEXT] += !titles;
    } else if (slice_is(name, "sp")) {
      if (is_slide_title(x, c) == titles && !is_furniture(x, c))
        pptx_shape(v, c, before);
    } else if (slice_is(name, "tbl")) {
      if (!titles)
        pptx_table(v, c);
    } else if (name.len && !slice_is(name, "Fallback")) {
      v->d->omitted[DOC_PICTURES] += slice_is(name, "pic") && !titles;
      pptx_shapes(v, c, titles, before);
    }
  }
}

static void pptx_notes(struct pptx_view *v, const struct office_file *p, const char *slide) {
  char name[300];
  struct xml notes;
  for (size_t i = 0; i < NOTES_MAX && office_target_of(p, slide, "/notesSlide", i, name, sizeof name); i++) {
    if (office_read_part(v->d, p, name, 0, &notes) == 0) {
      /* cppcheck-suppress autoVariables ; v is not used past x */
      v->x = &notes;
      pptx_shapes(v, xml_child(&notes, 0, NULL, 0), 0, "Notes: ");
    }
    xml_release(&notes);
  }
}

static void pptx_slide(struct pptx_view *v, const struct office_file *p, const char *name, int number) {
  struct xml x;
  if (office_read_part(v->d, p, name, 0, &x) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0);
    doc_builder_break(v->d, number);
    if (slice_is(xml_attribute(&x, root, "show"), "0")) {
      v->d->omitted[DOC_HIDDEN_SLIDES]++;
      xml_release(&x);
      return;
    }
    /* cppcheck-suppress autoVariables ; v is not used past x */
    v->x = &x;
    pptx_shapes(v, root, 1, "");
    pptx_shapes(v, root, 0, "");
    office_charts(v->d, v->o, p, name);
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

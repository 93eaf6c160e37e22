/* office.c: the parts of an office file and its properties.  A part that can't be read is noted, and the rest read. */
#include "reader/office.h"
#include "document/doc_builder.h"
#include "format/unpack.h"
#include "format/xml.h"
#include "reader/number_format.h"
#include "reader/own_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define MEMBERS_MAX 65536 /* of the zip, including images */
#define CHARTS_MAX 256
#define OFFICE_TEXT ((size_t)1 << 20) /* bytes of a drawing's text */

static int office_has_ending(const char *name, const char *ending) {
  size_t n = strlen(name), m = strlen(ending);
  return n > m && strcasecmp(name + n - m, ending) == 0;
}

static int take_part(struct office_file *p, struct unpack *u, const char *name, size_t *room,
                     struct error_text *why) {
  if (p->count == OFFICE_PARTS) {
    error_set(why, "it has more than %d parts", OFFICE_PARTS);
    return -1;
  }
  p->parts = xreallocarray(p->parts, p->count + 1, sizeof *p->parts);
  struct office_part *part = &p->parts[p->count++];
  part->name = xstrdup(*name == '/' ? name + 1 : name);
  buf_init(&part->bytes, *room);
  if (unpack_all(u, &part->bytes, why) != 0)
    return -1;
  *room -= part->bytes.len;
  return 0;
}

int office_open(struct office_file *p, struct slice bytes, struct error_text *why) {
  size_t room = OFFICE_BYTES, members = 0;
  const char *name;
  int more = -1;
  *p = (struct office_file){0};
  struct unpack *u = unpack_open_bytes(bytes, why);
  while (u && (more = unpack_next(u, &name, why)) == 1) {
    if (++members > MEMBERS_MAX) {
      error_set(why, "it has more than %d members", MEMBERS_MAX);
      more = -1;
      break;
    }
    int wanted = office_has_ending(name, ".xml") || office_has_ending(name, ".rels");
    if (wanted && (more = take_part(p, u, name, &room, why)) < 0)
      break;
  }
  unpack_close(u);
  return more < 0 ? -1 : 0;
}

void office_close(struct office_file *p) {
  for (size_t i = 0; i < p->count; i++) {
    free(p->parts[i].name);
    buf_release(&p->parts[i].bytes);
  }
  free(p->parts);
  *p = (struct office_file){0};
}

struct slice office_bytes(const struct office_file *p, const char *name) {
  for (size_t i = 0; i < p->count; i++)
    if (strcasecmp(p->parts[i].name, name) == 0)
      return buf_slice(&p->parts[i].bytes);
  return slice_of(NULL, 0);
}

/* Resolves a relative target: "ppt/slides/slide1.xml" and "../notesSlides/n1.xml" give "ppt/notesSlides/n1.xml". */
static const char *resolved(const char *from, struct slice target, char *out, size_t size) {
  const char *slash = strrchr(from, '/');
  size_t folder = slash ? (size_t)(slash - from) : 0;
  if (target.len && target.data[0] == '/') {
    folder = 0;
    target = slice_of(target.data + 1, target.len - 1);
  }
  while (target.len > 3 && memcmp(target.data, "../", 3) == 0) {
    while (folder && from[--folder] != '/')
      ;
    target = slice_of(target.data + 3, target.len - 3);
  }
  int n =
      snprintf(out, size, "%.*s%s%.*s", (int)folder, from, folder ? "/" : "", (int)target.len, target.data);
  return n > 0 && (size_t)n < size ? out : NULL;
}

static int ends_with(struct slice s, const char *end) {
  size_t n = strlen(end);
  return s.len >= n && memcmp(s.data + s.len - n, end, n) == 0;
}

/* The target of the relationship of this id, or where that is empty of the (skip + 1)th of this kind. */
static const char *find_target(const struct office_file *p, const char *from, struct slice id,
                               const char *kind, size_t skip, char *out, size_t size) {
  const char *slash = strrchr(from, '/');
  struct error_text fault;
  char rels[512];
  struct xml x;
  snprintf(rels, sizeof rels, "%.*s_rels/%s.rels", slash ? (int)(slash + 1 - from) : 0, from,
           slash ? slash + 1 : from);
  struct slice bytes = office_bytes(p, rels);
  const char *found = NULL;
  if (!bytes.len)
    return NULL;
  if (xml_read(&x, bytes, &fault) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0);
    for (uint32_t r = xml_child(&x, root, "Relationship", 0); r && !found;
         r = xml_child(&x, root, "Relationship", r)) {
      int fits =
          kind ? ends_with(xml_attribute(&x, r, "Type"), kind) : slice_eq(xml_attribute(&x, r, "Id"), id);
      if (fits && !slice_is(xml_attribute(&x, r, "TargetMode"), "External") && !(kind && skip-- > 0))
        found = resolved(from, xml_attribute(&x, r, "Target"), out, size);
    }
  }
  xml_release(&x);
  return found;
}

const char *office_target(const struct office_file *p, const char *from, struct slice id, char *out,
                          size_t size) {
  return find_target(p, from, id, NULL, 0, out, size);
}

const char *office_target_of(const struct office_file *p, const char *from, const char *kind, size_t skip,
                             char *out, size_t size) {
  return find_target(p, from, slice_of(NULL, 0), kind, skip, out, size);
}

int office_xml(const struct office_file *p, const char *name, struct xml *x, struct error_text *why) {
  struct slice bytes = office_bytes(p, name);
  struct error_text fault = {"it is not there"};
  *x = (struct xml){0};
  if (bytes.len && xml_read_spaced(x, bytes, &fault) == 0)
    return 0;
  error_set(why, "%s can't be read: %s", name, fault.text);
  return -1;
}

int office_read_part(struct doc *d, const struct office_file *p, const char *name, int optional,
                     struct xml *x) {
  struct error_text why;
  int status = office_xml(p, name, x, &why);
  if (status != 0 && !d->lost.text[0] && !(optional && office_bytes(p, name).len == 0))
    d->lost = why;
  return status;
}

void office_part_missing(struct doc *d, const char *what, int number) {
  if (!d->lost.text[0])
    error_set(&d->lost, "%s %d is not there", what, number);
}

/* ---- charts ---- */

#define POINTS_MAX 1000 /* limit of a series' points */

/* The cached value of a series' point: the <pt idx="N"> below any element of it. */
static struct slice point(const struct xml *x, uint32_t series, const char *of, unsigned index) {
  static const char *const caches[] = {"strRef/strCache", "numRef/numCache", "strLit", "numLit", NULL};
  uint32_t part = xml_child(x, series, of, 0);
  for (size_t i = 0; part && caches[i]; i++) {
    uint32_t cache = xml_at(x, part, caches[i]);
    for (uint32_t pt = cache ? xml_child(x, cache, "pt", 0) : 0; pt; pt = xml_child(x, cache, "pt", pt)) {
      struct slice number = xml_attribute(x, pt, "idx");
      if (number.len && strtoul(number.data, NULL, 10) == index)
        return xml_text(x, pt, "v");
    }
  }
  return slice_of(NULL, 0);
}

/* Adds the cell of a point, its number in the format of its cache. */
static void add_point(struct doc_builder_table *t, const struct xml *x, uint32_t series, const char *of,
                      unsigned index) {
  char path[32];
  struct buf shown, code;
  buf_init(&shown, 4096);
  buf_init(&code, 4096);
  snprintf(path, sizeof path, "%s/numRef/numCache", of);
  uint32_t cache = xml_at(x, series, path);
  buf_add_slice(&code, cache ? xml_text(x, cache, "formatCode") : slice_str("General"));
  number_format_add(&shown, point(x, series, of, index), buf_slice(&code), 0);
  doc_builder_table_cell(t, buf_slice(&shown));
  buf_release(&shown);
  buf_release(&code);
}

struct chart {
  const struct xml *x;
  uint32_t series[64];
  size_t count;
};

static void find_series(struct chart *c, uint32_t node) {
  for (uint32_t n = xml_child(c->x, node, NULL, 0); n; n = xml_child(c->x, node, NULL, n)) {
    if (slice_is(c->x->nodes[n].name, "ser") && c->count < sizeof c->series / sizeof *c->series)
      c->series[c->count++] = n;
    else
      find_series(c, n);
  }
}

static void chart_text(const struct xml *x, uint32_t node, struct buf *out) {
  if (!x->nodes[node].name.len)
    buf_add_slice(out, x->nodes[node].text);
  if (slice_is(x->nodes[node].name, "p"))
    buf_add_char(out, ' ');
  for (uint32_t n = x->nodes[node].first; n; n = x->nodes[n].next)
    chart_text(x, n, out);
}

/* A row for each category, a column for each series.  The categories are those of the first series; a scatter chart's are its
 * x values. */
static int chart_table(const struct chart *c, struct doc *d, const struct doc_options *o) {
  struct doc_builder_table t;
  const char *names = c->count && xml_child(c->x, c->series[0], "xVal", 0) ? "xVal" : "cat";
  const char *values = c->count && xml_child(c->x, c->series[0], "yVal", 0) ? "yVal" : "val";
  if (!c->count || !point(c->x, c->series[0], values, 0).len)
    return -1;
  doc_builder_table_begin(&t, d, o->tables, o->plain);
  doc_builder_table_cell(&t, slice_of(NULL, 0));
  for (size_t s = 0; s < c->count; s++)
    doc_builder_table_cell(&t, point(c->x, c->series[s], "tx", 0));
  doc_builder_table_row(&t);
  for (unsigned i = 0, more = 1; i < POINTS_MAX && more; i++) {
    more = point(c->x, c->series[0], names, i + 1).len || point(c->x, c->series[0], values, i + 1).len;
    add_point(&t, c->x, c->series[0], names, i);
    for (size_t s = 0; s < c->count; s++)
      add_point(&t, c->x, c->series[s], values, i);
    doc_builder_table_row(&t);
  }
  doc_builder_table_end(&t);
  return 0;
}

/* Adds the text of each element of that name as a paragraph. */
static void office_add_texts(struct doc *d, const struct xml *x, uint32_t node, const char *element,
                             struct buf *text) {
  for (uint32_t n = xml_child(x, node, NULL, 0); n; n = xml_child(x, node, NULL, n)) {
    if (!slice_is(x->nodes[n].name, element)) {
      office_add_texts(d, x, n, element, text);
      continue;
    }
    buf_clear(text);
    chart_text(x, n, text);
    doc_builder_add(d, DOC_PARAGRAPH, 0, buf_slice(text));
  }
}

void office_texts(struct doc *d, const struct office_file *p, const char *part, const char *element) {
  struct xml x;
  struct buf text;
  buf_init(&text, OFFICE_TEXT);
  if (office_read_part(d, p, part, 0, &x) == 0)
    office_add_texts(d, &x, 0, element, &text);
  xml_release(&x);
  buf_release(&text);
}

void office_charts(struct doc *d, const struct doc_options *o, const struct office_file *p,
                   const char *from) {
  char name[300];
  for (size_t i = 0; i < CHARTS_MAX && office_target_of(p, from, "/chart", i, name, sizeof name); i++) {
    struct xml x;
    struct buf title;
    struct chart c = {.x = &x};
    buf_init(&title, 4096);
    if (office_read_part(d, p, name, 0, &x) == 0) {
      uint32_t root = xml_child(&x, 0, NULL, 0), words = xml_at(&x, root, "chart/title/tx/rich");
      find_series(&c, root);
      if (words)
        chart_text(&x, words, &title);
      if (title.len)
        doc_builder_add(d, DOC_PARAGRAPH, 0, buf_slice(&title));
    }
    d->omitted[DOC_CHARTS] += chart_table(&c, d, o) != 0;
    xml_release(&x);
    buf_release(&title);
  }
  for (size_t i = 0; i < CHARTS_MAX && office_target_of(p, from, "/diagramData", i, name, sizeof name); i++)
    office_texts(d, p, name, "pt");
}

/* The day of the templates of python-docx and python-pptx, which every file made from them has until it is edited. */
static int is_template_day(struct slice day) {
  return slice_is(day, "2013-12-23T23:15:00Z") || slice_is(day, "2013-01-27T09:14:16Z") ||
         slice_is(day, "2013-01-27T09:15:58Z");
}

/* Reads the title, company and date from the file's properties. */
static void properties(const struct office_file *p, struct metadata *m) {
  struct xml x;
  struct error_text why;
  struct slice maker = {NULL, 0};
  if (office_xml(p, "docProps/core.xml", &x, &why) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0);
    struct slice day = xml_text(&x, root, "modified");
    if (!day.len)
      day = xml_text(&x, root, "created");
    if (!own_document_is_placeholder(xml_text(&x, root, "title")))
      metadata_set(m, METADATA_TITLE, xml_text(&x, root, "title"));
    if (!is_template_day(day) && day.len >= sizeof m->changed - 1)
      snprintf(m->changed, sizeof m->changed, "%.10s", day.data);
  }
  xml_release(&x);
  if (office_xml(p, "docProps/app.xml", &x, &why) == 0)
    maker = xml_text(&x, xml_child(&x, 0, NULL, 0), "Company");
  free(m->maker);
  m->maker = maker.len ? xstrndup(maker.data, maker.len) : NULL;
  xml_release(&x);
}

int office_reader_read(struct doc *d, struct slice bytes, office_reader *read, const struct doc_options *o,
                       struct metadata *m, struct error_text *why) {
  struct office_file p;
  doc_clear(d);
  d->text.max = o->max_text;
  int status = office_open(&p, bytes, why);
  if (status == 0) {
    status = read(d, &p, o, why);
    properties(&p, m);
  }
  office_close(&p);
  return status < 0 ? -1 : d->text.overflow != 0;
}

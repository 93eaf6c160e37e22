/* docx_reader.c: a text document is a flat list of paragraphs and tables; a paragraph's style says whether it is a
 * heading. */
#include "base/utf8.h"
#include "document/doc_builder.h"
#include "reader/number_format.h"
#include "reader/office.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#define NOTES_MAX 4096 /* limit of notes that are numbered as readers see them */
#define STYLES_MAX 4096
#define HEADING_LEVELS 6
#define LISTS_MAX 4096 /* lists of a file that are numbered */
#define LIST_LEVELS 9
#define FURNITURE_MAX 64 /* headers, and footers, that are counted */

/* What a run's properties say: bits of DOC_RAISED, DOC_STRUCK, RUN_HIDDEN, and which of them are set at all. */
enum { RUN_HIDDEN = 4 };

struct docx_look {
  unsigned set, on;
};

struct docx_style {
  struct slice id;
  int level; /* level of a heading; 0 for none */
  struct docx_look look;
  long list, list_level;
};

/* A list by its w:numId, and the counts of its levels, which lists of one definition share. */
struct docx_list {
  uint32_t num, definition; /* nodes of numbering.xml */
  unsigned begun;           /* levels at which the list has restarted */
  struct docx_counts {
    long count[LIST_LEVELS];
    unsigned used;
  } own, *counts;
};

/* The notes referred to so far, by their w:id: readers see their number in this order. */
struct docx_notes {
  long *ids;
  size_t count, cap;
};

struct docx_view {
  const struct xml *x;
  struct doc *d;
  const struct doc_options *o;
  struct docx_style *styles;
  size_t style_count;
  struct buf line, cell;
  unsigned marks, run;   /* of the last run; of the current one */
  struct docx_look look; /* of the paragraph's style */
  struct xml numbering;
  struct docx_list *lists;    /* by number, [LISTS_MAX] */
  int laid_out;               /* the file records the page breaks of its last layout */
  struct docx_notes notes[2]; /* footnotes, endnotes */
  int before, after;          /* page breaks within the current paragraph: before its text and after it */
};

static size_t note_number(struct docx_notes *n, long id) {
  size_t i = 0;
  while (i < n->count && n->ids[i] != id)
    i++;
  if (i == n->count && i < NOTES_MAX) {
    n->ids = doc_grow(n->ids, n->count, &n->cap, sizeof *n->ids);
    n->ids[n->count++] = id;
  }
  return i < NOTES_MAX ? i + 1 : (size_t)id;
}

/* "heading 2" in any case, a name that is the same in every language; "Title" is the document's title. */
static int level_of_name(struct slice name) {
  if (slice_is(name, "Title") || slice_is(name, "title"))
    return 1;
  if (name.len == 9 && strncasecmp(name.data, "heading ", 8) == 0 && isdigit((unsigned char)name.data[8]))
    return name.data[8] - '0' > HEADING_LEVELS ? HEADING_LEVELS : name.data[8] - '0';
  return 0;
}

/* Whether a property is on: <w:strike/>, but not <w:strike w:val="0"/>. */
static int is_on(const struct xml *x, uint32_t property) {
  struct slice value = xml_attribute(x, property, "w:val");
  return !slice_is(value, "0") && !slice_is(value, "false") && !slice_is(value, "off");
}

/* Adds what run properties say; ECMA-376 part 1, 17.3.2. */
static void add_look(struct docx_look *l, const struct xml *x, uint32_t properties) {
  for (uint32_t p = properties ? x->nodes[properties].first : 0; p; p = x->nodes[p].next) {
    struct slice name = x->nodes[p].name, value = xml_attribute(x, p, "w:val");
    unsigned bit = slice_is(name, "strike") || slice_is(name, "dstrike")       ? DOC_STRUCK
                   : slice_is(name, "vanish")                                  ? RUN_HIDDEN
                   : slice_is(name, "vertAlign") || slice_is(name, "position") ? DOC_RAISED
                                                                               : 0;
    int on = slice_is(name, "vertAlign") ? slice_is(value, "superscript")
             : slice_is(name, "position")
                 ? value.len && isdigit((unsigned char)*value.data) && *value.data != '0'
                 : is_on(x, p);
    l->set |= bit;
    l->on = on ? l->on | bit : l->on & ~bit;
  }
}

static const struct docx_style *style_of(const struct docx_view *v, struct slice id) {
  for (size_t i = 0; i < v->style_count; i++)
    if (slice_eq(v->styles[i].id, id))
      return &v->styles[i];
  return NULL;
}

static long attribute_number(const struct xml *x, uint32_t node, const char *name, long otherwise) {
  struct slice value = node ? xml_attribute(x, node, name) : slice_of(NULL, 0);
  return value.len ? strtol(value.data, NULL, 10) : otherwise;
}

static void docx_read_list(const struct xml *x, uint32_t properties, long *list, long *level) {
  uint32_t num = properties ? xml_child(x, properties, "numPr", 0) : 0;
  *list =
      num ? attribute_number(x, xml_child(x, num, "numId", 0), "w:val", *list ? *list : LISTS_MAX) : *list;
  *level = num ? attribute_number(x, xml_child(x, num, "ilvl", 0), "w:val", *level) : *level;
}

static void read_styles(struct docx_view *v, const struct xml *x) {
  uint32_t root = xml_child(x, 0, NULL, 0);
  for (uint32_t s = xml_child(x, root, "style", 0); s && v->style_count < STYLES_MAX;
       s = xml_child(x, root, "style", s)) {
    uint32_t name = xml_child(x, s, "name", 0);
    uint32_t base = xml_child(x, s, "basedOn", 0);
    struct docx_style *style = &v->styles[v->style_count++];
    const struct docx_style *from = base ? style_of(v, xml_attribute(x, base, "w:val")) : NULL;
    *style = (struct docx_style){.id = xml_attribute(x, s, "w:styleId")};
    style->level = name ? level_of_name(xml_attribute(x, name, "w:val")) : 0;
    if (from)
      style->look = from->look, style->list = from->list, style->list_level = from->list_level;
    docx_read_list(x, xml_child(x, s, "pPr", 0), &style->list, &style->list_level);
    add_look(&style->look, x, xml_child(x, s, "rPr", 0));
  }
}

static const struct docx_style *paragraph_style(const struct docx_view *v, uint32_t paragraph) {
  uint32_t style = xml_at(v->x, paragraph, "pPr/pStyle");
  return style ? style_of(v, xml_attribute(v->x, style, "w:val")) : NULL;
}

static int heading_level(const struct docx_view *v, uint32_t paragraph) {
  const struct docx_style *known = paragraph_style(v, paragraph);
  uint32_t outline = xml_at(v->x, paragraph, "pPr/outlineLvl");
  struct slice level = outline ? xml_attribute(v->x, outline, "w:val") : slice_of(NULL, 0);
  if (known && known->level)
    return known->level;
  if (level.len == 1 && level.data[0] >= '0' && level.data[0] < '0' + HEADING_LEVELS)
    return level.data[0] - '0' + 1;
  return 0;
}

/* ---- numbers of lists: ECMA-376 part 1, 17.9 ---- */

static void read_numbering(struct docx_view *v) {
  const struct xml *x = &v->numbering;
  uint32_t root = xml_child(x, 0, NULL, 0), *definitions = xcalloc(LISTS_MAX, sizeof *definitions);
  v->lists = xcalloc(LISTS_MAX, sizeof *v->lists);
  for (uint32_t n = xml_child(x, root, "abstractNum", 0); n; n = xml_child(x, root, "abstractNum", n)) {
    long id = attribute_number(x, n, "w:abstractNumId", -1);
    if (id >= 0 && id < LISTS_MAX)
      definitions[id] = n;
  }
  for (uint32_t n = xml_child(x, root, "num", 0); n; n = xml_child(x, root, "num", n)) {
    long id = attribute_number(x, n, "w:numId", -1),
         definition = attribute_number(x, xml_child(x, n, "abstractNumId", 0), "w:val", -1);
    if (id >= 0 && id < LISTS_MAX && definition >= 0 && definition < LISTS_MAX)
      v->lists[id] = (struct docx_list){
          .num = n, .definition = definitions[definition], .counts = &v->lists[definition].own};
  }
  free(definitions);
}

/* The element of that name for a level of a list, or 0. */
static uint32_t list_level(const struct xml *x, uint32_t list, const char *name, long level) {
  uint32_t n = xml_child(x, list, name, 0);
  while (n && attribute_number(x, n, "w:ilvl", -1) != level)
    n = xml_child(x, list, name, n);
  return n;
}

static char list_number_kind(const struct xml *x, uint32_t level) {
  uint32_t format = level ? xml_child(x, level, "numFmt", 0) : 0;
  return level ? number_format_list_kind(format ? xml_attribute(x, format, "w:val") : slice_of(NULL, 0))
               : '-';
}

/* Appends the text of a level, "%1.%2", with the numbers of the list; nothing for bullets. */
static void add_number_text(const struct xml *x, const struct docx_list *l, uint32_t at, struct buf *out) {
  char number[DOC_ORDINAL];
  uint32_t text = at ? xml_child(x, at, "lvlText", 0) : 0;
  struct slice form =
      text && list_number_kind(x, at) != '-' ? xml_attribute(x, text, "w:val") : slice_of(NULL, 0);
  for (size_t i = 0; i < form.len; i++)
    if (form.data[i] == '%' && i + 1 < form.len && form.data[i + 1] >= '1' && form.data[i + 1] <= '9') {
      long k = form.data[++i] - '1';
      buf_add_str(out, doc_ordinal(number, list_number_kind(x, list_level(x, l->definition, "lvl", k)),
                                   l->counts->used & 1U << k ? l->counts->count[k] : 1));
    } else
      buf_add_char(out, form.data[i]);
  if (form.len)
    buf_add_char(out, ' ');
}

/* Counts a paragraph of a list and appends its number, "1.2 ", "(a) "; nothing for bullets.  Returns whether it is of a list. */
static int add_number_of(struct docx_view *v, uint32_t paragraph, struct buf *out) {
  const struct docx_style *style = paragraph_style(v, paragraph);
  const struct xml *x = &v->numbering;
  long id = style ? style->list : 0, level = style ? style->list_level : 0;
  docx_read_list(v->x, xml_child(v->x, paragraph, "pPr", 0), &id, &level);
  struct docx_list *l = v->lists && id > 0 && id < LISTS_MAX ? &v->lists[id] : NULL;
  if (id <= 0 || !l || !l->definition || level < 0 || level >= LIST_LEVELS)
    return id > 0;
  uint32_t at = list_level(x, l->definition, "lvl", level),
           override = list_level(x, l->num, "lvlOverride", level);
  long restart = override ? attribute_number(x, xml_child(x, override, "startOverride", 0), "w:val", -1) : -1;
  struct docx_counts *c = l->counts;
  unsigned bit = 1U << level;
  int first = !(c->used & bit) || (restart >= 0 && !(l->begun & bit));
  c->count[level] = !first         ? c->count[level] + 1
                    : restart >= 0 ? restart
                    : at           ? attribute_number(x, xml_child(x, at, "start", 0), "w:val", 1)
                                   : 1;
  c->used = (c->used & (bit - 1)) | bit;
  l->begun |= bit;
  add_number_text(x, l, at, out);
  return 1;
}

/* Deleted text, field codes, and the fallback copy of a drawing. */
static int docx_is_hidden(struct slice name) {
  return slice_is(name, "del") || slice_is(name, "instrText") || slice_is(name, "Fallback") ||
         slice_is(name, "pPr") || slice_is(name, "rPr") || slice_is(name, "moveFrom");
}

static void docx_page(struct docx_view *v, const struct buf *text) {
  if (text->len > strspn(text->data ? text->data : "", " "))
    v->after++;
  else
    v->before++;
}

static void docx_breaks(struct docx_view *v, int *count) {
  for (; *count > 0; --*count)
    doc_builder_break(v->d, 0);
}

/* The look of a run, by its paragraph's style, its own style and its own properties. */
static struct docx_look run_look(const struct docx_view *v, uint32_t run) {
  uint32_t properties = xml_child(v->x, run, "rPr", 0);
  uint32_t named = properties ? xml_child(v->x, properties, "rStyle", 0) : 0;
  const struct docx_style *style = named ? style_of(v, xml_attribute(v->x, named, "w:val")) : NULL;
  struct docx_look l = v->look;
  if (style) {
    l.set |= style->look.set;
    l.on = (l.on & ~style->look.set) | style->look.on;
  }
  add_look(&l, v->x, properties);
  return l;
}

static unsigned has_text(const struct xml *x, uint32_t run) {
  return xml_text(x, run, "t").len > 0;
}

/* Ends the marks of the last run. */
static void end_runs(struct docx_view *v, struct buf *out) {
  doc_builder_run(out, &v->marks, 0, slice_of("", 0));
}

/* Appends an element that stands for a sign; 0 where it stands for none. */
static int docx_add_sign(struct docx_view *v, uint32_t c, struct buf *out) {
  const struct xml *x = v->x;
  struct slice name = x->nodes[c].name;
  if (slice_is(name, "tab") || slice_is(name, "br") || slice_is(name, "cr")) {
    buf_add_char(out, ' ');
    if (slice_is(xml_attribute(x, c, "w:type"), "page") && !v->laid_out)
      docx_page(v, out);
  } else if (slice_is(name, "sym")) {
    struct slice code = xml_attribute(x, c, "w:char");
    char bytes[4];
    buf_add(out, bytes,
            utf8_encode(doc_symbol(code.len ? (uint32_t)strtoul(code.data, NULL, 16) : ' '), bytes));
  } else if (slice_is(name, "ddList")) { /* of a form's field; its first entry where none is chosen */
    uint32_t chosen = xml_child(x, c, "result", 0), entry = xml_child(x, c, "listEntry", 0);
    for (long i = attribute_number(x, chosen, "w:val", 0); i > 0 && entry; i--)
      entry = xml_child(x, c, "listEntry", entry);
    if (entry)
      buf_add_slice(out, xml_attribute(x, entry, "w:val"));
  } else if (slice_is(name, "noBreakHyphen")) {
    buf_add_char(out, '-');
  } else if (slice_is(name, "lastRenderedPageBreak")) {
    docx_page(v, out);
  } else if (slice_is(name, "footnoteReference") || slice_is(name, "endnoteReference")) {
    int end = slice_is(name, "endnoteReference");
    buf_printf(out, "[%s%zu]", end ? "e" : "",
               note_number(&v->notes[end], attribute_number(x, c, "w:id", 0)));
  } else
    return 0;
  return 1;
}

static void docx_add_text(struct docx_view *v, uint32_t n, struct buf *out) {
  const struct xml *x = v->x;
  for (uint32_t c = x->nodes[n].first; c; c = x->nodes[c].next) {
    struct slice name = x->nodes[c].name;
    if (slice_is(name, "t")) {
      for (uint32_t t = x->nodes[c].first; t; t = x->nodes[t].next)
        doc_builder_run(out, &v->marks, v->run & (DOC_RAISED | DOC_STRUCK), x->nodes[t].text);
    } else if (slice_is(name, "oMath")) {
      end_runs(v, out);
      xml_add_formula(out, x, c);
    } else if (slice_is(name, "pict") || slice_is(name, "blip")) {
      v->d->omitted[DOC_PICTURES]++;
      docx_add_text(v, c, out);
    } else if (slice_is(name, "ruby")) { /* the base, then its reading */
      uint32_t base = xml_child(x, c, "rubyBase", 0), reading = xml_child(x, c, "rt", 0);
      if (base)
        docx_add_text(v, base, out);
      buf_add_char(out, '(');
      if (reading)
        docx_add_text(v, reading, out);
      buf_add_char(out, ')');
    } else if (slice_is(name, "commentReference")) {
      v->d->omitted[DOC_COMMENTS]++;
    } else if (slice_is(name, "r")) {
      v->run = run_look(v, c).on;
      if (!(v->run & RUN_HIDDEN))
        docx_add_text(v, c, out);
      else
        v->d->omitted[DOC_HIDDEN_TEXT] += has_text(x, c);
    } else if (name.len && !docx_is_hidden(name) && !docx_add_sign(v, c, out)) {
      if (slice_is(name, "p")) { /* of a cell, a note, a text box */
        end_runs(v, out);
        buf_add_char(out, ' ');
        add_number_of(v, c, out);
      }
      docx_add_text(v, c, out);
      if (slice_is(name, "p")) {
        end_runs(v, out);
        buf_add_char(out, ' ');
      }
    }
  }
}

static void docx_paragraph(struct docx_view *v, uint32_t n) {
  int level = heading_level(v, n);
  buf_clear(&v->line);
  const struct docx_style *known = paragraph_style(v, n);
  v->look = known ? known->look : (struct docx_look){0, 0};
  docx_add_text(v, n, &v->line);
  end_runs(v, &v->line);
  buf_clear(&v->cell);
  struct slice text = buf_slice(&v->line);
  int listed = text.len > strspn(text.len ? text.data : "", " ") && add_number_of(v, n, &v->cell),
      bullet = listed && !v->cell.len;
  if (v->cell.len) {
    buf_add_slice(&v->cell, text);
    text = buf_slice(&v->cell);
  }
  docx_breaks(v, &v->before);
  if (level) {
    doc_builder_heading(v->d, level, v->o->plain, text);
  } else if (listed && !v->o->plain) {
    doc_builder_begin(v->d, DOC_LIST_ITEM, 0);
    buf_add_str(&v->d->text, bullet ? "- " : "");
    doc_builder_squeeze(&v->d->text, text);
    doc_builder_end(v->d);
  } else {
    doc_builder_add(v->d, DOC_PARAGRAPH, 0, text);
  }
  docx_breaks(v, &v->after);
}

/* Whether an element only wraps what a body, table or row is made of: content controls, tracked insertions, custom XML. */
static int is_wrapper(struct slice name) {
  static const char *const names[] = {"sdt",    "sdtContent",       "ins", "moveTo", "customXml",
                                      "Choice", "AlternateContent", NULL};
  return slice_among_nocase(name, names);
}

static void docx_cell(struct docx_view *v, uint32_t n, struct doc_builder_table *t) {
  uint32_t merge = xml_at(v->x, n, "tcPr/vMerge");
  buf_clear(&v->cell);
  docx_add_text(v, n, &v->cell);
  end_runs(v, &v->cell);
  if (merge && !slice_is(xml_attribute(v->x, merge, "w:val"), "restart"))
    doc_builder_table_repeat(t);
  else
    doc_builder_table_cell(t, buf_slice(&v->cell));
  struct slice span = xml_attribute(v->x, xml_at(v->x, n, "tcPr/gridSpan"), "w:val");
  long columns = span.len ? strtol(span.data, NULL, 10) : 1;
  for (long i = 1; i < columns && i < 64; i++)
    doc_builder_table_cell(t, slice_of(NULL, 0));
}

/* The rows of a table, or the cells of a row. */
static void docx_table_parts(struct docx_view *v, uint32_t n, struct doc_builder_table *t) {
  const struct xml *x = v->x;
  for (uint32_t c = x->nodes[n].first; c; c = x->nodes[c].next) {
    struct slice name = x->nodes[c].name;
    if (slice_is(name, "tc")) {
      docx_cell(v, c, t);
    } else if (slice_is(name, "tr")) {
      docx_table_parts(v, c, t);
      doc_builder_table_row(t);
    } else if (is_wrapper(name)) {
      docx_table_parts(v, c, t);
    }
  }
}

static void docx_table(struct docx_view *v, uint32_t n) {
  struct doc_builder_table t;
  doc_builder_table_begin(&t, v->d, v->o->tables, v->o->plain);
  docx_table_parts(v, n, &t);
  doc_builder_table_end(&t);
  docx_breaks(v, &v->before);
  docx_breaks(v, &v->after);
}

/* Paragraphs and tables, including those in wrappers. */
static void docx_blocks(struct docx_view *v, uint32_t n) {
  const struct xml *x = v->x;
  for (uint32_t c = x->nodes[n].first; c && !v->d->text.overflow; c = x->nodes[c].next) {
    struct slice name = x->nodes[c].name;
    if (slice_is(name, "p"))
      docx_paragraph(v, c);
    else if (slice_is(name, "tbl"))
      docx_table(v, c);
    else if (is_wrapper(name))
      docx_blocks(v, c);
  }
}

static void docx_notes(struct docx_view *v, const struct office_file *p, int end) {
  struct xml x;
  struct buf text;
  buf_init(&text, v->o->max_text);
  const char *part = end ? "word/endnotes.xml" : "word/footnotes.xml",
             *element = end ? "endnote" : "footnote";
  if (office_read_part(v->d, p, part, 1, &x) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0);
    /* cppcheck-suppress autoVariables ; v is not used past x */
    v->x = &x;
    for (uint32_t n = xml_child(&x, root, element, 0); n; n = xml_child(&x, root, element, n)) {
      if (xml_attribute(&x, n, "w:type").len) /* a line above the notes */
        continue;
      buf_clear(&text);
      buf_printf(&text, "[%s%zu] ", end ? "e" : "",
                 note_number(&v->notes[end], attribute_number(&x, n, "w:id", 0)));
      size_t empty = text.len;
      docx_add_text(v, n, &text);
      end_runs(v, &text);
      if (text.len > empty)
        doc_builder_add(v->d, DOC_PARAGRAPH, 0, buf_slice(&text));
    }
  }
  xml_release(&x);
  buf_release(&text);
}

/* Counts the headers and footers that have text. */
static void count_furniture(struct doc *d, const struct office_file *p) {
  static const char *const kinds[] = {"/header", "/footer"};
  char name[300];
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (size_t i = 0;
         i < FURNITURE_MAX && office_target_of(p, "word/document.xml", kinds[k], i, name, sizeof name); i++) {
      struct slice part = office_bytes(p, name);
      d->omitted[DOC_FURNITURE] += part.len && memmem(part.data, part.len, "</w:t>", 6) != NULL;
    }
}

int docx_reader_read(struct doc *d, const struct office_file *p, const struct doc_options *o,
                     struct error_text *why) {
  struct docx_view v = {.d = d, .o = o, .styles = xcalloc(STYLES_MAX, sizeof *v.styles)};
  struct xml body, styles;
  struct error_text none;
  buf_init(&v.line, o->max_text);
  buf_init(&v.cell, o->max_text);
  if (office_xml(p, "word/styles.xml", &styles, &none) == 0)
    read_styles(&v, &styles);
  if (office_xml(p, "word/numbering.xml", &v.numbering, &none) == 0)
    read_numbering(&v);
  int status = office_xml(p, "word/document.xml", &body, why);
  if (status == 0) {
    struct slice bytes = office_bytes(p, "word/document.xml");
    v.laid_out = memmem(bytes.data, bytes.len, "lastRenderedPageBreak", 21) != NULL;
    v.x = &body;
    docx_blocks(&v, xml_at(&body, xml_child(&body, 0, NULL, 0), "body"));
    office_charts(d, o, p, "word/document.xml");
    docx_notes(&v, p, 0);
    docx_notes(&v, p, 1);
    count_furniture(d, p);
  }
  xml_release(&body);
  xml_release(&styles);
  buf_release(&v.line);
  buf_release(&v.cell);
  xml_release(&v.numbering);
  free(v.styles);
  free(v.lists);
  free(v.notes[0].ids);
  free(v.notes[1].ids);
  return status;
}

/* xlsx_reader.c: the rows of a sheet are stored in order, cells by address.  Adjacent rows form a block; its leading
 * one-cell rows become lines of text (titles, "in thousands"), the rest a table without its empty columns. */
#include "document/doc_builder.h"
#include "reader/number_format.h"
#include "reader/office.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define PICTURES_MAX 64 /* of a sheet that are counted */
#define SHEETS_MAX 1024
#define COLUMNS_MAX 512 /* column limit of a sheet; the text says where it was cut */
#define FORMATS_MAX 65536

struct xlsx_format {
  size_t code; /* offset in codes */
  unsigned marks;
};

/* Cells that are shown as one, which has the first one's value: rows and columns from and to. */
struct xlsx_merge {
  long row, last_row;
  size_t column, last_column;
};

struct xlsx_view {
  const struct xml *x;
  struct doc *d;
  const struct doc_options *o;
  struct buf strings; /* shared strings, each with its '\0' */
  size_t *string_at;
  size_t string_count;
  struct buf codes;            /* codes of formats, each with its '\0' */
  struct xlsx_format *formats; /* by style index */
  size_t format_count;
  int from_1904, cut;
  struct xlsx_merge *merges; /* of the sheet */
  size_t merge_count, merge_cap;
  uint8_t hidden[COLUMNS_MAX]; /* columns of the sheet */
  struct buf value;
};

static int is_true(struct slice value) {
  return slice_is(value, "1") || slice_is(value, "true");
}

/* ---- shared strings and styles ---- */

/* The marks of a font (<font>, <rPr>). */
static unsigned font_marks(const struct xml *x, uint32_t font) {
  uint32_t strike = font ? xml_child(x, font, "strike", 0) : 0,
           align = font ? xml_child(x, font, "vertAlign", 0) : 0;
  return (strike && !slice_is(xml_attribute(x, strike, "val"), "0") ? DOC_STRUCK : 0) |
         (align && slice_is(xml_attribute(x, align, "val"), "superscript") ? DOC_RAISED : 0);
}

static void string_runs(const struct xml *x, uint32_t n, unsigned marks, unsigned *last, struct buf *out) {
  for (uint32_t c = xml_child(x, n, NULL, 0); c; c = xml_child(x, n, NULL, c)) {
    if (slice_is(x->nodes[c].name, "t"))
      for (uint32_t t = x->nodes[c].first; t; t = x->nodes[t].next)
        doc_builder_run(out, last, marks, x->nodes[t].text);
    else if (slice_is(x->nodes[c].name, "r"))
      string_runs(x, c, font_marks(x, xml_child(x, c, "rPr", 0)), last, out);
  }
}

/* The text of a string, whose runs may be raised or struck out. */
static void string_text(const struct xml *x, uint32_t n, struct buf *out) {
  unsigned last = 0;
  string_runs(x, n, 0, &last, out);
  doc_builder_run(out, &last, 0, slice_of("", 0));
}

static void read_strings(struct xlsx_view *v, const struct office_file *p) {
  struct xml x;
  if (office_read_part(v->d, p, "xl/sharedStrings.xml", 1, &x) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0);
    for (uint32_t s = xml_child(&x, root, "si", 0); s; s = xml_child(&x, root, "si", s)) {
      v->string_at = xgrow(v->string_at, v->string_count, sizeof *v->string_at);
      v->string_at[v->string_count++] = v->strings.len;
      string_text(&x, s, &v->strings);
      buf_add(&v->strings, "", 1);
    }
  }
  xml_release(&x);
}

/* Appends the code of a format by its number, decoded; its offset in v->codes. */
static size_t format_code(struct xlsx_view *v, const struct xml *x, uint32_t root, struct slice id) {
  unsigned long n = id.len ? strtoul(id.data, NULL, 10) : 0;
  uint32_t list = xml_child(x, root, "numFmts", 0);
  size_t at = v->codes.len;
  for (uint32_t f = list ? xml_child(x, list, "numFmt", 0) : 0; f && v->codes.len == at;
       f = xml_child(x, list, "numFmt", f))
    if (slice_eq(xml_attribute(x, f, "numFmtId"), id))
      buf_add_slice(&v->codes, xml_attribute(x, f, "formatCode"));
  if (v->codes.len == at)
    buf_add_str(&v->codes, number_format_builtin(n));
  buf_add(&v->codes, "", 1);
  return at;
}

static void read_formats(struct xlsx_view *v, const struct office_file *p) {
  struct xml x;
  struct error_text why;
  if (office_xml(p, "xl/styles.xml", &x, &why) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0), list = xml_child(&x, root, "cellXfs", 0);
    uint32_t fonts = xml_child(&x, root, "fonts", 0);
    v->formats = xcalloc(FORMATS_MAX, sizeof *v->formats);
    for (uint32_t f = list ? xml_child(&x, list, "xf", 0) : 0; f && v->format_count < FORMATS_MAX;
         f = xml_child(&x, list, "xf", f)) {
      struct slice number = xml_attribute(&x, f, "fontId");
      uint32_t font = fonts ? xml_child(&x, fonts, "font", 0) : 0;
      for (unsigned long n = number.len ? strtoul(number.data, NULL, 10) : 0; n && font; n--)
        font = xml_child(&x, fonts, "font", font);
      v->formats[v->format_count++] = (struct xlsx_format){
          format_code(v, &x, root, xml_attribute(&x, f, "numFmtId")), font_marks(&x, font)};
    }
  }
  xml_release(&x);
}

/* ---- cells ---- */

static struct slice struck(struct xlsx_view *v) {
  buf_add_str(&v->value, "~~~~");
  if (!v->value.overflow) {
    memmove(v->value.data + 2, v->value.data, v->value.len - 4);
    memcpy(v->value.data, "~~", 2);
  }
  return buf_slice(&v->value);
}

static struct slice cell_value(struct xlsx_view *v, uint32_t cell) {
  const struct xml *x = v->x;
  struct slice type = xml_attribute(x, cell, "t"), text = xml_text(x, cell, "v");
  struct slice style = xml_attribute(x, cell, "s");
  size_t number = style.len ? strtoul(style.data, NULL, 10) : 0;
  const struct xlsx_format *format = number < v->format_count ? &v->formats[number] : NULL;
  buf_clear(&v->value);
  if (slice_is(type, "inlineStr")) {
    uint32_t inside = xml_child(x, cell, "is", 0);
    if (inside)
      string_text(x, inside, &v->value);
  } else if (slice_is(type, "s") && text.len) {
    size_t i = 0;
    for (size_t k = 0; k < text.len && k < 9 && isdigit((unsigned char)text.data[k]); k++)
      i = i * 10 + (size_t)(text.data[k] - '0');
    if (i < v->string_count)
      buf_add_str(&v->value, v->strings.data + v->string_at[i]);
    else
      office_part_missing(v->d, "string", (int)i);
  } else if (slice_is(type, "b")) {
    buf_add_str(&v->value, slice_is(text, "1") ? "TRUE" : "FALSE");
  } else if (slice_is(type, "str") || slice_is(type, "e") || slice_is(type, "d")) {
    buf_add_slice(&v->value, text);
  } else if (!text.len) { /* a formula without a stored value */
    uint32_t formula = xml_child(x, cell, "f", 0);
    if (formula)
      buf_printf(&v->value, "=%.*s", (int)xml_text(x, cell, "f").len, xml_text(x, cell, "f").data);
  } else {
    number_format_add(&v->value, text, slice_str(format ? v->codes.data + format->code : "General"),
                      v->from_1904);
  }
  while (v->value.len && isspace((unsigned char)v->value.data[v->value.len - 1]))
    v->value.data[--v->value.len] = '\0';
  if (format && format->marks & DOC_STRUCK && v->value.len && *v->value.data != '~')
    return struck(v);
  return buf_slice(&v->value);
}

/* Reads "AB12" or "AB12:AC13"; 0 where it is none. */
static int read_area(struct slice text, struct xlsx_merge *m) {
  size_t i = 0;
  for (int end = 0; end < 2; end++) {
    size_t column = 0, from = i;
    long row = 0;
    for (; i < text.len && i - from < 4 && isupper((unsigned char)text.data[i]); i++)
      column = column * 26 + (size_t)(text.data[i] - 'A') + 1;
    for (; i < text.len && isdigit((unsigned char)text.data[i]) && row < 10000000; i++)
      row = row * 10 + text.data[i] - '0';
    if (!column || !row)
      return 0;
    if (!end)
      m->row = row, m->column = column - 1;
    m->last_row = row, m->last_column = column - 1;
    if (i == text.len || text.data[i++] != ':')
      return 1;
  }
  return 1;
}

/* The column of "AB12", from 0; `otherwise` where the cell has no address. */
static size_t column_number_of(const struct xml *x, uint32_t cell, size_t otherwise) {
  struct xlsx_merge m;
  return read_area(xml_attribute(x, cell, "r"), &m) ? m.column : otherwise;
}

static void read_merges(struct xlsx_view *v, uint32_t sheet) {
  uint32_t list = xml_child(v->x, sheet, "mergeCells", 0), columns = xml_child(v->x, sheet, "cols", 0);
  v->merge_count = 0;
  for (uint32_t c = list ? xml_child(v->x, list, "mergeCell", 0) : 0; c;
       c = xml_child(v->x, list, "mergeCell", c)) {
    v->merges = doc_grow(v->merges, v->merge_count, &v->merge_cap, sizeof *v->merges);
    v->merge_count += (size_t)read_area(xml_attribute(v->x, c, "ref"), &v->merges[v->merge_count]);
  }
  memset(v->hidden, 0, sizeof v->hidden);
  for (uint32_t c = columns ? xml_child(v->x, columns, "col", 0) : 0; c;
       c = xml_child(v->x, columns, "col", c)) {
    struct slice from = xml_attribute(v->x, c, "min"), to = xml_attribute(v->x, c, "max");
    if (!is_true(xml_attribute(v->x, c, "hidden")) || !from.len || !to.len)
      continue;
    size_t last = strtoul(to.data, NULL, 10);
    for (size_t i = strtoul(from.data, NULL, 10); i && i <= last && i <= COLUMNS_MAX; i++)
      v->hidden[i - 1] = 1;
  }
}

/* The merged cells that a place belongs to without being the first of them, or NULL. */
static const struct xlsx_merge *merge_at(const struct xlsx_view *v, long row, size_t column) {
  for (size_t i = 0; i < v->merge_count; i++) {
    const struct xlsx_merge *m = &v->merges[i];
    if (row >= m->row && row <= m->last_row && column >= m->column && column <= m->last_column)
      return row > m->row || column > m->column ? m : NULL;
  }
  return NULL;
}

/* ---- rows ---- */

static int is_hidden(const struct xml *x, uint32_t row) {
  return is_true(xml_attribute(x, row, "hidden"));
}

/* Number of cells with a value; marks their columns in `used` and sets *last to the last one. */
static size_t row_cells(struct xlsx_view *v, uint32_t row, uint8_t *used, uint32_t *last) {
  const struct xml *x = v->x;
  size_t count = 0, column = 0;
  for (uint32_t c = xml_child(x, row, "c", 0); c; c = xml_child(x, row, "c", c), column++) {
    column = column_number_of(x, c, column);
    if (!cell_value(v, c).len)
      continue;
    if (column >= COLUMNS_MAX) {
      v->cut = 1;
      continue;
    }
    if (v->hidden[column]) {
      v->hidden[column] = 2; /* with a value */
      continue;
    }
    used[column] = 1;
    *last = c;
    count++;
  }
  return count;
}

static long row_number(const struct xml *x, uint32_t row, long otherwise) {
  struct slice r = xml_attribute(x, row, "r");
  return r.len ? strtol(r.data, NULL, 10) : otherwise;
}

/* A row of a table.  The value of merged cells stands in each of their rows, and in each of their columns where the row has
 * other values. */
static void table_line(struct xlsx_view *v, struct doc_builder_table *t, uint32_t row, const uint8_t *used) {
  const struct xml *x = v->x;
  uint32_t at[COLUMNS_MAX] = {0};
  size_t column = 0, cells = 0;
  long number = row_number(x, row, 0);
  for (uint32_t c = xml_child(x, row, "c", 0); c; c = xml_child(x, row, "c", c), column++) {
    column = column_number_of(x, c, column);
    if (column < COLUMNS_MAX) {
      at[column] = c;
      cells += cell_value(v, c).len > 0;
    }
  }
  for (size_t i = 0; i < COLUMNS_MAX; i++) {
    const struct xlsx_merge *m = used[i] ? merge_at(v, number, i) : NULL;
    if (m && number > m->row)
      doc_builder_table_repeat(t);
    else if (used[i]) {
      uint32_t cell = m && m->column < COLUMNS_MAX && cells > 1 ? at[m->column] : at[i];
      doc_builder_table_cell(t, cell ? cell_value(v, cell) : slice_of(NULL, 0));
    }
  }
  doc_builder_table_row(t);
}

/* Writes a block starting at row: its leading lines, then the rest as one table.  Returns the row after it. */
static uint32_t xlsx_block(struct xlsx_view *v, uint32_t data, uint32_t row) {
  const struct xml *x = v->x;
  uint8_t used[COLUMNS_MAX] = {0}, lone[COLUMNS_MAX];
  uint32_t last = 0, first = 0;
  long number = row_number(x, row, 1), expected = number;
  for (; row && (number = row_number(x, row, expected)) == expected; row = xml_child(x, data, "row", row)) {
    memset(lone, 0, sizeof lone);
    size_t cells = row_cells(v, row, lone, &last);
    expected = number + 1;
    if (cells && is_hidden(x, row)) {
      v->d->omitted[DOC_HIDDEN_ROWS]++;
      continue;
    }
    if (cells == 0)
      break;
    if (cells == 1 && !first) {
      doc_builder_add(v->d, DOC_PARAGRAPH, 0, cell_value(v, last));
      continue;
    }
    first = first ? first : row;
    for (size_t i = 0; i < COLUMNS_MAX; i++)
      used[i] |= lone[i];
  }
  if (!first)
    return row;
  struct doc_builder_table t;
  doc_builder_table_begin(&t, v->d, v->o->tables, v->o->plain);
  for (uint32_t r = first; r && r != row && !v->d->text.overflow; r = xml_child(x, data, "row", r))
    if (!is_hidden(x, r))
      table_line(v, &t, r, used);
  doc_builder_table_end(&t);
  return row;
}

/* The comments of a sheet by their cells; their authors' names stand before them in the text. */
static void xlsx_comments(struct xlsx_view *v, const struct office_file *p, const char *part) {
  struct xml x;
  struct buf text;
  char name[300];
  if (!office_target_of(p, part, "/comments", 0, name, sizeof name))
    return;
  buf_init(&text, v->o->max_text);
  if (office_read_part(v->d, p, name, 0, &x) == 0) {
    uint32_t list = xml_at(&x, xml_child(&x, 0, NULL, 0), "commentList");
    for (uint32_t c = list ? xml_child(&x, list, "comment", 0) : 0; c;
         c = xml_child(&x, list, "comment", c)) {
      uint32_t body = xml_child(&x, c, "text", 0);
      buf_clear(&text);
      if (body)
        string_text(&x, body, &text);
      if (text.len)
        doc_builder_labelled(v->d, v->o->plain, xml_attribute(&x, c, "ref"), buf_slice(&text));
    }
  }
  xml_release(&x);
  buf_release(&text);
}

static void xlsx_sheet(struct xlsx_view *v, const struct office_file *p, const char *part,
                       struct slice name) {
  struct xml x;
  uint8_t used[COLUMNS_MAX];
  uint32_t last;
  char drawing[300];
  if (office_read_part(v->d, p, part, 0, &x) == 0) {
    /* cppcheck-suppress autoVariables ; v is not used past x */
    v->x = &x;
    uint32_t root = xml_child(&x, 0, NULL, 0), data = xml_child(&x, root, "sheetData", 0);
    read_merges(v, root);
    uint32_t row = data ? xml_child(&x, data, "row", 0) : 0;
    while (row && row_cells(v, row, used, &last) == 0)
      row = xml_child(&x, data, "row", row);
    if (row)
      doc_builder_heading(v->d, 2, v->o->plain, name);
    while (row && !v->d->text.overflow) {
      row = xlsx_block(v, data, row);
      while (row && row_cells(v, row, used, &last) == 0)
        row = xml_child(&x, data, "row", row);
    }
    for (size_t i = 0; i < COLUMNS_MAX; i++)
      v->d->omitted[DOC_HIDDEN_COLUMNS] += v->hidden[i] == 2;
    xlsx_comments(v, p, part);
    if (office_target_of(p, part, "/drawing", 0, drawing, sizeof drawing)) {
      char picture[300];
      office_texts(v->d, p, drawing, "txBody");
      office_charts(v->d, v->o, p, drawing);
      for (size_t i = 0;
           i < PICTURES_MAX && office_target_of(p, drawing, "/image", i, picture, sizeof picture); i++)
        v->d->omitted[DOC_PICTURES]++;
    }
  }
  xml_release(&x);
}

/* A sheet's name for its heading; says so where the workbook hides the sheet. */
static struct slice sheet_name(const struct xml *x, uint32_t sheet, struct buf *name) {
  struct slice state = xml_attribute(x, sheet, "state");
  buf_clear(name);
  buf_add_slice(name, xml_attribute(x, sheet, "name"));
  if (slice_is(state, "hidden") || slice_is(state, "veryHidden"))
    buf_add_str(name, " (hidden)");
  return buf_slice(name);
}

int xlsx_reader_read(struct doc *d, const struct office_file *p, const struct doc_options *o,
                     struct error_text *why) {
  static const char main_part[] = "xl/workbook.xml";
  struct xlsx_view v = {.d = d, .o = o};
  struct xml x;
  struct buf name;
  char part[300];
  buf_init(&v.strings, OFFICE_BYTES);
  buf_init(&v.value, o->max_text + 64);
  buf_init(&v.codes, OFFICE_BYTES);
  buf_init(&name, 4096);
  int status = office_xml(p, main_part, &x, why);
  if (status == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0), list = xml_child(&x, root, "sheets", 0);
    uint32_t settings = xml_child(&x, root, "workbookPr", 0);
    struct slice epoch = settings ? xml_attribute(&x, settings, "date1904") : slice_of(NULL, 0);
    v.from_1904 = is_true(epoch);
    read_strings(&v, p);
    read_formats(&v, p);
    int count = 0;
    for (uint32_t s = list ? xml_child(&x, list, "sheet", 0) : 0; s && count < SHEETS_MAX;
         s = xml_child(&x, list, "sheet", s), count++)
      if (office_target(p, main_part, xml_attribute(&x, s, "r:id"), part, sizeof part))
        xlsx_sheet(&v, p, part, sheet_name(&x, s, &name));
      else
        office_part_missing(d, "sheet", count + 1);
    v.cut |= count == SHEETS_MAX;
    d->text.overflow |= v.cut;
  }
  xml_release(&x);
  buf_release(&v.strings);
  buf_release(&v.value);
  buf_release(&v.codes);
  buf_release(&name);
  free(v.string_at);
  free(v.formats);
  free(v.merges);
  return status;
}

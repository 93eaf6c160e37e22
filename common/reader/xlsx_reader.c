/* xlsx_reader.c: the rows of a sheet are stored in order, cells by address.  Adjacent rows form a block; its leading
 * one-cell rows become lines of text (titles, "in thousands"), the rest a table without its empty columns. */
#include "base/clock.h"
#include "document/doc_builder.h"
#include "reader/office.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SHEETS_MAX 1024
#define COLUMNS_MAX 512 /* column limit of a sheet; the text says where it was cut */
#define FORMATS_MAX 65536

enum cell_format { CELL_NUMBER, CELL_DATE, CELL_PERCENT };

struct xlsx_view {
  const struct xml *x;
  struct doc *d;
  const struct doc_options *o;
  struct buf strings; /* shared strings, each with its '\0' */
  size_t *string_at;
  size_t string_count;
  uint8_t *formats; /* by style index */
  size_t format_count;
  int from_1904, cut;
  struct buf value;
};

/* ---- shared strings and styles ---- */

static void string_text(const struct xml *x, uint32_t n, struct buf *out) {
  for (uint32_t c = xml_child(x, n, NULL, 0); c; c = xml_child(x, n, NULL, c)) {
    if (slice_is(x->nodes[c].name, "t"))
      for (uint32_t t = x->nodes[c].first; t; t = x->nodes[t].next)
        buf_add_slice(out, x->nodes[t].text);
    else if (slice_is(x->nodes[c].name, "r"))
      string_text(x, c, out);
  }
}

static void read_strings(struct xlsx_view *v, const struct office_file *p) {
  struct xml x;
  size_t cap = 0;
  if (office_read_part(v->d, p, "xl/sharedStrings.xml", 1, &x) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0);
    for (uint32_t s = xml_child(&x, root, "si", 0); s; s = xml_child(&x, root, "si", s)) {
      if (v->string_count == cap)
        v->string_at = xreallocarray(v->string_at, cap = cap ? 2 * cap : 1024, sizeof *v->string_at);
      v->string_at[v->string_count++] = v->strings.len;
      string_text(&x, s, &v->strings);
      buf_add(&v->strings, "", 1);
    }
  }
  xml_release(&x);
}

/* The type of a custom format: days and months outside of quotes and brackets, or a percent sign. */
static enum cell_format format_of_code(struct slice code) {
  char closing = 0;
  for (size_t i = 0; i < code.len; i++) {
    char c = code.data[i];
    if (closing) {
      closing = c == closing ? 0 : closing;
    } else if (c == '\\' || c == '_' || c == '*') {
      i++;
    } else if (c == '"' || c == '[') {
      closing = c == '[' ? ']' : '"';
    } else if (c == '&' && code.len - i > 6 && memcmp(code.data + i, "&quot;", 6) == 0) {
      const char *end = memmem(code.data + i + 6, code.len - i - 6, "&quot;", 6);
      i = end ? (size_t)(end - code.data) + 5 : code.len;
    } else if (c == '%') {
      return CELL_PERCENT;
    } else if (strchr("yYdDmMhH", c)) {
      return CELL_DATE;
    } else if (c == 'G' || c == ';') { /* General; the format of negative numbers */
      return CELL_NUMBER;
    }
  }
  return CELL_NUMBER;
}

/* Built-in formats: ECMA-376 part 1, 18.8.30. */
static enum cell_format format_of_number(const struct xml *x, uint32_t root, struct slice id) {
  long n = strtol(id.len ? id.data : "0", NULL, 10);
  if (n == 9 || n == 10)
    return CELL_PERCENT;
  if ((n >= 14 && n <= 17) || n == 22 || (n >= 27 && n <= 36) || (n >= 50 && n <= 58))
    return CELL_DATE;
  uint32_t list = xml_child(x, root, "numFmts", 0);
  for (uint32_t f = n >= 164 && list ? xml_child(x, list, "numFmt", 0) : 0; f;
       f = xml_child(x, list, "numFmt", f))
    if (slice_eq(xml_attribute(x, f, "numFmtId"), id))
      return format_of_code(xml_attribute(x, f, "formatCode"));
  return CELL_NUMBER;
}

static void read_formats(struct xlsx_view *v, const struct office_file *p) {
  struct xml x;
  struct error_text why;
  if (office_xml(p, "xl/styles.xml", &x, &why) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0), list = xml_child(&x, root, "cellXfs", 0);
    v->formats = xcalloc(FORMATS_MAX, 1);
    for (uint32_t f = list ? xml_child(&x, list, "xf", 0) : 0; f && v->format_count < FORMATS_MAX;
         f = xml_child(&x, list, "xf", f))
      v->formats[v->format_count++] = (uint8_t)format_of_number(&x, root, xml_attribute(&x, f, "numFmtId"));
  }
  xml_release(&x);
}

/* ---- cells ---- */

/* Days since 31 December 1899, with a 29 February 1900 that did not exist; since 1904 in old files. */
static void add_date(struct xlsx_view *v, double days) {
  char text[CLOCK_TEXT];
  double whole = floor(days);
  if (days < 0 || days > 2958466) {
    buf_printf(&v->value, "%.15g", days);
    return;
  }
  int64_t day = (int64_t)whole + (v->from_1904 ? 1462 : whole < 60 ? 1 : 0) - 25569;
  clock_format(day * 86400 + (int64_t)((days - whole) * 86400 + 0.5), text);
  buf_add(&v->value, text, 10);
  if (days - whole > 1e-6)
    buf_printf(&v->value, " %.5s", text + 11);
}

/* Stored numbers have up to 17 digits, the last of which are rounding noise. */
static void add_number(struct xlsx_view *v, struct slice text, enum cell_format format) {
  char *end, digits[64];
  snprintf(digits, sizeof digits, "%.*s", (int)(text.len < 60 ? text.len : 60), text.data);
  double n = strtod(digits, &end);
  if (end == digits || *end || !isfinite(n))
    buf_add_slice(&v->value, text);
  else if (format == CELL_DATE)
    add_date(v, n);
  else if (format == CELL_PERCENT)
    buf_printf(&v->value, "%.12g%%", n * 100);
  else if (text.len <= 16 && !strpbrk(digits, "eE"))
    buf_add_slice(&v->value, text);
  else
    buf_printf(&v->value, "%.15g", n);
}

static struct slice cell_value(struct xlsx_view *v, uint32_t cell) {
  const struct xml *x = v->x;
  struct slice type = xml_attribute(x, cell, "t"), text = xml_text(x, cell, "v");
  struct slice style = xml_attribute(x, cell, "s");
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
    buf_add_str(&v->value, slice_is(text, "1") ? "yes" : "no");
  } else if (slice_is(type, "str") || slice_is(type, "e") || slice_is(type, "d")) {
    buf_add_slice(&v->value, text);
  } else if (!text.len) { /* a formula without a stored value */
    uint32_t formula = xml_child(x, cell, "f", 0);
    if (formula)
      buf_printf(&v->value, "=%.*s", (int)xml_text(x, cell, "f").len, xml_text(x, cell, "f").data);
  } else {
    size_t s = style.len ? strtoul(style.data, NULL, 10) : 0;
    add_number(v, text, s < v->format_count ? (enum cell_format)v->formats[s] : CELL_NUMBER);
  }
  while (v->value.len && isspace((unsigned char)v->value.data[v->value.len - 1]))
    v->value.data[--v->value.len] = '\0';
  return buf_slice(&v->value);
}

/* The column of "AB12", from 0; `otherwise` where the cell has no address. */
static size_t column_number_of(const struct xml *x, uint32_t cell, size_t otherwise) {
  struct slice r = xml_attribute(x, cell, "r");
  size_t n = 0, i = 0;
  for (; i < r.len && i < 4 && isupper((unsigned char)r.data[i]); i++)
    n = n * 26 + (size_t)(r.data[i] - 'A') + 1;
  return i ? n - 1 : otherwise;
}

/* ---- rows ---- */

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

static void table_line(struct xlsx_view *v, struct doc_builder_table *t, uint32_t row, const uint8_t *used) {
  const struct xml *x = v->x;
  uint32_t at[COLUMNS_MAX] = {0};
  size_t column = 0;
  for (uint32_t c = xml_child(x, row, "c", 0); c; c = xml_child(x, row, "c", c), column++) {
    column = column_number_of(x, c, column);
    if (column < COLUMNS_MAX)
      at[column] = c;
  }
  for (size_t i = 0; i < COLUMNS_MAX; i++)
    if (used[i])
      doc_builder_table_cell(t, at[i] ? cell_value(v, at[i]) : slice_of(NULL, 0));
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
    table_line(v, &t, r, used);
  doc_builder_table_end(&t);
  return row;
}

static void xlsx_sheet(struct xlsx_view *v, const struct office_file *p, const char *part,
                       struct slice name) {
  struct xml x;
  uint8_t used[COLUMNS_MAX];
  uint32_t last;
  if (office_read_part(v->d, p, part, 0, &x) == 0) {
    /* cppcheck-suppress autoVariables ; v is not used past x */
    v->x = &x;
    uint32_t data = xml_child(&x, xml_child(&x, 0, NULL, 0), "sheetData", 0);
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
  buf_init(&name, 4096);
  int status = office_xml(p, main_part, &x, why);
  if (status == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0), list = xml_child(&x, root, "sheets", 0);
    uint32_t settings = xml_child(&x, root, "workbookPr", 0);
    struct slice epoch = settings ? xml_attribute(&x, settings, "date1904") : slice_of(NULL, 0);
    v.from_1904 = slice_is(epoch, "1") || slice_is(epoch, "true");
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
  buf_release(&name);
  free(v.string_at);
  free(v.formats);
  return status;
}

/* data_reader.c: turns JSON and CSV into headings, labelled values and tables. */
#include "reader/container_reader.h"

#include "document/doc_builder.h"
#include "format/charset.h"
#include "reader/xml_reader.h"
#include "record/json.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- JSON: a tree, which xml_reader.c shows ---- */

#define COLUMNS_MAX 40 /* limit of arrays that are columns of a table */
#define DEPTH_MAX 64   /* nesting limit of objects; deeper ones are omitted */

struct json_tree {
  struct xml x;
  struct buf text, joined; /* scratch */
};

static int data_reader_is_plain(struct slice v) {
  char kind = json_kind(v);
  return kind != '{' && kind != '[';
}

/* The number of elements of an array of plain values; -1 for anything else. */
static long plain_elements(struct slice v) {
  struct json_cursor c = {0};
  struct slice e;
  long n = 0;
  if (json_kind(v) != '[')
    return -1;
  for (; json_next_element(v, &c, &e); n++)
    if (!data_reader_is_plain(e))
      return -1;
  return n;
}

/* A scalar value, or an array of them separated by commas; valid until the next call. */
static struct slice data_reader_show(struct json_tree *t, struct slice value) {
  struct json_cursor c = {0};
  struct slice e;
  if (json_kind(value) == 'n')
    return slice_of(NULL, 0);
  if (json_kind(value) != '[')
    return json_kind(value) == '"' ? json_text(value, &t->text) : value;
  buf_clear(&t->joined);
  while (json_next_element(value, &c, &e)) {
    buf_add_str(&t->joined, t->joined.len ? ", " : "");
    buf_add_slice(&t->joined, json_kind(e) == '"' ? json_text(e, &t->text) : e);
  }
  return buf_slice(&t->joined);
}

/* A member's name, of which json_next_member() gives what is between the quotes. */
static struct slice json_name(struct json_tree *t, struct slice key) {
  if (!key.len || !memchr(key.data, '\\', key.len))
    return key;
  size_t at = t->x.text.len;
  buf_add_slice(&t->x.text, json_text(slice_of(key.data - 1, key.len + 2), &t->text));
  return slice_of(t->x.text.data + at, t->x.text.len - at);
}

/* Two or more arrays of one length are the columns of a table: adds its rows; 0 where the object is none. */
static int json_add_turned(struct json_tree *t, uint32_t node, struct slice object) {
  struct json_cursor c = {0}, cursors[COLUMNS_MAX] = {{0}};
  struct slice names[COLUMNS_MAX], arrays[COLUMNS_MAX], e;
  size_t count = 0;
  long length = 0;
  for (; json_next_member(object, &c, &names[count], &arrays[count]);
       length = plain_elements(arrays[count++]))
    if (count + 1 == COLUMNS_MAX || plain_elements(arrays[count]) < 2 ||
        (count && plain_elements(arrays[count]) != length))
      return 0;
  for (long row = 0; count > 1 && row < length; row++) {
    uint32_t item = xml_add_node(&t->x, node, slice_str(XML_READER_ITEM));
    for (size_t i = 0; i < count && json_next_element(arrays[i], &cursors[i], &e); i++)
      xml_add_text(&t->x, xml_add_node(&t->x, item, json_name(t, names[i])), data_reader_show(t, e));
  }
  return count > 1;
}

/* Adds a value as an element of that name, and what it holds below it; an array's elements are items. */
static void json_add(struct json_tree *t, uint32_t parent, struct slice name, struct slice value, int depth) {
  struct json_cursor c = {0};
  struct slice key, e;
  int list = json_kind(value) == '[';
  if (json_kind(value) == 'n' || slice_is(value, "\"\"") || slice_is(value, "[]") || slice_is(value, "{}") ||
      depth > DEPTH_MAX || t->x.count >= XML_NODES)
    return;
  uint32_t node = xml_add_node(&t->x, parent, name);
  if (data_reader_is_plain(value) || (depth && plain_elements(value) >= 0))
    xml_add_text(&t->x, node, data_reader_show(t, value));
  else if (list)
    while (json_next_element(value, &c, &e))
      json_add(t, node, slice_str(XML_READER_ITEM), e, depth ? depth : 1);
  else if (!json_add_turned(t, node, value))
    while (json_next_member(value, &c, &key, &e))
      json_add(t, node, json_name(t, key), e, depth + 1);
}

static void json_facts(struct slice json, struct metadata *m) {
  struct buf scratch;
  if (json_kind(json) != '{')
    return;
  buf_init(&scratch, 4096);
  metadata_set(m, METADATA_COMPANY, json_text(json_get(json, "entityName"), &scratch));
  struct slice cik = json_get(json, "cik");
  if (cik.data)
    metadata_set(m, METADATA_COMPANY, json_text(json_get(json, "name"), &scratch));
  metadata_set_cik(m, json_kind(cik) == '0' ? cik : json_text(cik, &scratch));
  buf_release(&scratch);
}

static struct slice data_reader_trim(struct slice s) {
  if (s.len >= 3 && memcmp(s.data, "\xEF\xBB\xBF", 3) == 0)
    s.data += 3, s.len -= 3;
  return slice_trimmed(s);
}

int data_reader_json(struct doc *d, struct slice json, const struct doc_options *o, struct metadata *m) {
  struct json_tree t;
  doc_clear(d);
  d->text.max = o->max_text;
  json = data_reader_trim(json);
  xml_init(&t.x, 2 * json.len + 64); /* a blank may come behind each comma */
  buf_init(&t.text, json.len + 1);
  buf_init(&t.joined, 2 * json.len + 1);
  json_facts(json, m);
  const char *title = metadata_get(m, METADATA_TITLE);
  if (!*title)
    title = metadata_get(m, METADATA_COMPANY);
  if (*title)
    doc_builder_heading(d, 1, o->plain, slice_str(title));
  json_add(&t, 0, slice_str(XML_READER_ITEM), json, 0);
  xml_reader_show_items(d, &t.x, o);
  int cut = d->text.overflow || t.x.count >= XML_NODES;
  xml_release(&t.x);
  buf_release(&t.text);
  buf_release(&t.joined);
  return cut;
}

/* ---- CSV ---- */

#define LOOKED_AT 100 /* records by which delimiter and head are found */
#define TITLES_MAX 20 /* limit of records above the head */

/* The length of a quoted field, with its quotes; 0 where no quote closes it.  A closing quote is followed by a delimiter or the
 * line's end. */
static size_t quoted_length(struct slice s, char mark) {
  for (size_t i = 1; i < s.len; i++) {
    if (s.data[i] != '"')
      continue;
    if (i + 1 == s.len || s.data[i + 1] == mark || s.data[i + 1] == '\n' || s.data[i + 1] == '\r')
      return i + 1;
    if (s.data[++i] != '"')
      return 0;
  }
  return 0;
}

/* Reads one field from s->data into out; returns what ended it: the delimiter, '\n', or 0 at the end.  A quote that isn't
 * closed is a character; *unclosed gets its place where that is NULL. */
static char next_field(struct slice *s, char mark, struct buf *out, const char **unclosed) {
  size_t i = s->len && s->data[0] == '"' ? quoted_length(*s, mark) : 0, start = i;
  buf_clear(out);
  if (s->len && s->data[0] == '"' && !i && !*unclosed)
    *unclosed = s->data;
  for (size_t k = 1; k + 1 < i; k++) {
    k += s->data[k] == '"';
    buf_add_char(out, s->data[k]);
  }
  while (i < s->len && s->data[i] != mark && s->data[i] != '\n' && s->data[i] != '\r')
    i++;
  buf_add(out, s->data + start, i - start);
  char end = i == s->len ? 0 : s->data[i] == mark ? mark : '\n';
  if (i < s->len)
    i += s->data[i] == '\r' && i + 1 < s->len && s->data[i + 1] == '\n' ? 2 : 1;
  *s = slice_of(s->data + i, s->len - i);
  return end;
}

/* The fields of the next record; sets *filled to those with text. */
static size_t count_fields(struct slice *rest, char mark, struct buf *field, size_t *filled) {
  size_t count = 0;
  const char *unclosed = NULL;
  char end;
  *filled = 0;
  do {
    end = next_field(rest, mark, field, &unclosed);
    *filled += field->len > 0;
    count += field->len || end == mark || count;
  } while (end == mark);
  return count;
}

/* The most frequent number of fields, 2 or more, of the first records, and how many records have it. */
static size_t usual_fields(struct slice text, char mark, struct buf *field, size_t *records) {
  size_t seen[LOOKED_AT] = {0}, best = 0, filled;
  for (size_t n = 0; n < LOOKED_AT && text.len; n++) {
    size_t fields = count_fields(&text, mark, field, &filled);
    seen[fields < LOOKED_AT ? fields : LOOKED_AT - 1]++;
  }
  for (size_t i = 2; i < LOOKED_AT; i++)
    best = seen[i] > seen[best] || best < 2 ? i : best;
  *records = seen[best];
  return best;
}

/* The delimiter that gives most records the same number of fields; "sep=;" in the first line names it. */
static char delimiter(struct slice *text, struct buf *field, size_t *fields) {
  static const char marks[] = ",;\t|";
  size_t most = 0, records;
  char best = ',';
  if (slice_begins_nocase(*text, "sep=") && text->len > 5 &&
      (text->data[5] == '\n' || text->data[5] == '\r')) {
    best = text->data[4];
    next_field(text, '\n', field, &(const char *){NULL});
    *fields = usual_fields(*text, best, field, &records);
    return best;
  }
  *fields = 0;
  for (size_t i = 0; marks[i]; i++) {
    size_t count = usual_fields(*text, marks[i], field, &records);
    if (marks[i] == '|' && records < 2)
      continue;
    if (records > most || (records == most && records && count > *fields)) {
      most = records;
      best = marks[i];
      *fields = count;
    }
  }
  return best;
}

/* Adds records above the head, with fewer fields, as lines of text. */
static void add_titles(struct doc *d, struct slice *rest, char mark, size_t fields, struct buf *field) {
  const char *unclosed = NULL;
  for (size_t n = 0; n < TITLES_MAX && rest->len; n++) {
    struct slice ahead = *rest;
    size_t filled, count = count_fields(&ahead, mark, field, &filled);
    if (count >= fields ? filled > 1 : count + 1 == fields && filled > 1)
      return;
    if (!ahead.len)
      return;
    char end;
    doc_builder_begin(d, DOC_PARAGRAPH, 0);
    do {
      end = next_field(rest, mark, field, &unclosed);
      doc_builder_squeeze(&d->text, buf_slice(field));
      buf_add_char(&d->text, ' ');
    } while (end == mark);
    doc_builder_end(d);
  }
}

int data_reader_csv(struct doc *d, struct slice bytes, const struct doc_options *o) {
  struct buf text, field;
  struct doc_builder_table t;
  const char *unclosed = NULL;
  size_t fields;
  doc_clear(d);
  d->text.max = o->max_text;
  buf_init(&text, 3 * bytes.len + 4);
  charset_clean(&text, bytes);
  buf_init(&field, text.len + 1);
  struct slice rest = buf_slice(&text);
  char mark = delimiter(&rest, &field, &fields), end;
  if (fields > 2)
    add_titles(d, &rest, mark, fields, &field);
  doc_builder_table_begin(&t, d, o->tables, o->plain);
  while (rest.len && !d->text.overflow) {
    do {
      end = next_field(&rest, mark, &field, &unclosed);
      if (t.column || field.len || end == mark)
        doc_builder_table_cell(&t, buf_slice(&field));
    } while (end == mark);
    if (t.column)
      doc_builder_table_row(&t);
  }
  doc_builder_table_end(&t);
  if (unclosed) {
    int line = 1;
    for (const char *p = text.data; p < unclosed; p++)
      line += *p == '\n';
    error_set(&d->lost, "line %d: a quote is not closed, and was read as a character", line);
  }
  buf_release(&text);
  buf_release(&field);
  return d->text.overflow;
}

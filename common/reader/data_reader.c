/* data_reader.c: turns JSON and CSV into headings, labelled values and tables. */
#include "reader/data_reader.h"

#include "document/doc_builder.h"
#include "format/charset.h"
#include "record/json.h"

#include <ctype.h>
#include <stdlib.h>

#define COLUMNS_MAX 40 /* column limit of a table made from JSON */
#define DEPTH_MAX 64   /* nesting limit of displayed JSON; deeper values are omitted */
#define LEVEL_MAX 6
#define INLINE_MAX 200 /* bytes of a value that is written after its label */

struct data_reader_view {
  struct doc *d;
  const struct doc_options *o;
  struct buf key, text, cell; /* scratch */
};

struct leaf {
  struct slice key, value; /* raw JSON */
};

struct data_reader_row {
  struct leaf leaves[COLUMNS_MAX];
  int count;
};

static int data_reader_is_plain(struct slice v) {
  char kind = json_kind(v);
  return kind != '{' && kind != '[';
}

static int is_plain_array(struct slice v) {
  struct json_cursor c = {0};
  struct slice e;
  if (json_kind(v) != '[')
    return 0;
  while (json_next_element(v, &c, &e))
    if (!data_reader_is_plain(e))
      return 0;
  return 1;
}

static int data_reader_is_empty(struct slice v) {
  return json_kind(v) == 'n' || slice_is(v, "\"\"") || slice_is(v, "[]") || slice_is(v, "{}");
}

/* A scalar value, or an array of them separated by commas; valid until the next call. */
static struct slice data_reader_show(struct data_reader_view *v, struct slice value) {
  struct json_cursor c = {0};
  struct slice e;
  if (json_kind(value) == 'n')
    return slice_of(NULL, 0);
  if (json_kind(value) == '"')
    return json_text(value, &v->text);
  if (json_kind(value) != '[')
    return value;
  buf_clear(&v->cell);
  while (json_next_element(value, &c, &e)) {
    if (v->cell.len)
      buf_add_str(&v->cell, ", ");
    buf_add_slice(&v->cell, json_kind(e) == '"' ? json_text(e, &v->text) : e);
  }
  return buf_slice(&v->cell);
}

/* "entityName" becomes "Entity name"; a name that starts with a capital ("AssetsCurrent", "USD") is kept. */
static struct slice label(struct data_reader_view *v, struct slice key) {
  struct buf raw;
  buf_clear(&v->key);
  buf_init(&raw, key.len + 1);
  struct slice k = json_text(slice_of(key.data - 1, key.len + 2), &raw); /* restored to include its quotes */
  if (k.len && islower((unsigned char)k.data[0]) && !memchr(k.data, '-', k.len))
    doc_builder_words(&v->key, k);
  else
    buf_add_slice(&v->key, k);
  buf_release(&raw);
  return buf_slice(&v->key);
}

/* Collects the scalar values of an object and of nested objects; -1 where it can't be a row of a table. */
static int data_reader_gather(struct data_reader_row *r, struct slice object, int depth) {
  struct json_cursor c = {0};
  struct slice key, value;
  if (json_kind(object) != '{' || depth > 3)
    return -1;
  while (json_next_member(object, &c, &key, &value)) {
    if (data_reader_is_empty(value))
      continue;
    if (json_kind(value) == '{') {
      if (data_reader_gather(r, value, depth + 1) < 0)
        return -1;
      continue;
    }
    if (r->count == COLUMNS_MAX || (json_kind(value) == '[' && !is_plain_array(value)))
      return -1;
    r->leaves[r->count++] = (struct leaf){key, value};
  }
  return 0;
}

static int find_leaf(const struct data_reader_row *r, struct slice key) {
  for (int i = 0; i < r->count; i++)
    if (slice_eq(r->leaves[i].key, key))
      return i;
  return -1;
}

/* Collects the columns of an array of objects into k; -1 where it is not a table. */
static int data_reader_find_columns(struct slice array, struct data_reader_row *k) {
  struct json_cursor c = {0};
  struct slice e;
  k->count = 0;
  while (json_next_element(array, &c, &e)) {
    struct data_reader_row r = {.count = 0};
    if (data_reader_gather(&r, e, 0) < 0)
      return -1;
    for (int i = 0; i < r.count; i++) {
      if (find_leaf(k, r.leaves[i].key) >= 0)
        continue;
      if (k->count == COLUMNS_MAX)
        return -1;
      k->leaves[k->count++] = r.leaves[i];
    }
  }
  return k->count ? 0 : -1;
}

static void data_reader_add_table(struct data_reader_view *v, struct slice array,
                                  const struct data_reader_row *k) {
  struct json_cursor c = {0};
  struct slice e;
  struct doc_builder_table t;
  doc_builder_table_begin(&t, v->d, v->o->tables, v->o->plain);
  for (int i = 0; i < k->count; i++)
    doc_builder_table_cell(&t, label(v, k->leaves[i].key));
  doc_builder_table_row(&t);
  while (json_next_element(array, &c, &e) && !v->d->text.overflow) {
    struct data_reader_row r = {.count = 0};
    data_reader_gather(&r, e, 0);
    for (int i = 0; i < k->count; i++) {
      int at = find_leaf(&r, k->leaves[i].key);
      doc_builder_table_cell(&t, at < 0 ? slice_of(NULL, 0) : data_reader_show(v, r.leaves[at].value));
    }
    doc_builder_table_row(&t);
  }
  doc_builder_table_end(&t);
}

static size_t data_reader_length_of(struct slice array) {
  struct json_cursor c = {0};
  struct slice e;
  size_t n = 0;
  while (json_next_element(array, &c, &e))
    n++;
  return n;
}

/* An object with at least two equally long arrays of scalars is a table stored by columns. */
static int find_turned(struct slice object, struct data_reader_row *k) {
  struct json_cursor c = {0};
  struct slice key, value;
  size_t length = 0;
  k->count = 0;
  while (json_next_member(object, &c, &key, &value)) {
    size_t n = json_kind(value) == '[' && is_plain_array(value) ? data_reader_length_of(value) : 0;
    if (n < 2 || (k->count && n != length) || k->count == COLUMNS_MAX)
      return -1;
    length = n;
    k->leaves[k->count++] = (struct leaf){key, value};
  }
  return k->count >= 2 ? 0 : -1;
}

static void add_turned(struct data_reader_view *v, const struct data_reader_row *k) {
  struct json_cursor cursors[COLUMNS_MAX] = {{0}};
  struct doc_builder_table t;
  struct slice e;
  doc_builder_table_begin(&t, v->d, v->o->tables, v->o->plain);
  for (int i = 0; i < k->count; i++)
    doc_builder_table_cell(&t, label(v, k->leaves[i].key));
  doc_builder_table_row(&t);
  while (json_next_element(k->leaves[0].value, &cursors[0], &e) && !v->d->text.overflow) {
    doc_builder_table_cell(&t, data_reader_show(v, e));
    for (int i = 1; i < k->count; i++)
      if (json_next_element(k->leaves[i].value, &cursors[i], &e))
        doc_builder_table_cell(&t, data_reader_show(v, e));
    doc_builder_table_row(&t);
  }
  doc_builder_table_end(&t);
}

static void data_reader_add_value(struct data_reader_view *v, struct slice value, int level);

static void data_reader_add_member(struct data_reader_view *v, struct slice key, struct slice value,
                                   int level) {
  if (data_reader_is_plain(value) || is_plain_array(value)) {
    struct slice text = data_reader_show(v, value);
    struct slice name = label(v, key);
    if (text.len <= INLINE_MAX || level > LEVEL_MAX) {
      doc_builder_labelled(v->d, v->o->plain, name, text);
      return;
    }
    doc_builder_heading(v->d, level, v->o->plain, name);
    doc_builder_add(v->d, DOC_PARAGRAPH, 0, text);
    return;
  }
  doc_builder_heading(v->d, level > LEVEL_MAX ? LEVEL_MAX : level, v->o->plain, label(v, key));
  data_reader_add_value(v, value, level + 1);
}

/* Scalars first: after a nested object's heading they would appear to belong to it. */
static void data_reader_add_object(struct data_reader_view *v, struct slice object, int level) {
  struct data_reader_row *k = xmalloc(sizeof *k);
  struct slice key, value;
  if (find_turned(object, k) == 0) {
    add_turned(v, k);
    free(k);
    return;
  }
  free(k);
  for (int plain = 1; plain >= 0; plain--) {
    struct json_cursor c = {0};
    while (json_next_member(object, &c, &key, &value) && !v->d->text.overflow)
      if (!data_reader_is_empty(value) && (data_reader_is_plain(value) || is_plain_array(value)) == plain)
        data_reader_add_member(v, key, value, level);
  }
}

static void add_array(struct data_reader_view *v, struct slice array, int level) {
  struct data_reader_row *k = xmalloc(sizeof *k);
  struct json_cursor c = {0};
  struct slice e;
  int table = data_reader_find_columns(array, k) == 0;
  if (table)
    data_reader_add_table(v, array, k);
  free(k);
  while (!table && json_next_element(array, &c, &e) && !v->d->text.overflow) {
    if (data_reader_is_plain(e))
      doc_builder_add(v->d, DOC_LIST_ITEM, 0, data_reader_show(v, e));
    else
      data_reader_add_value(v, e, level);
  }
}

static void data_reader_add_value(struct data_reader_view *v, struct slice value, int level) {
  if (level > DEPTH_MAX)
    return;
  if (json_kind(value) == '{')
    data_reader_add_object(v, value, level);
  else if (json_kind(value) == '[')
    add_array(v, value, level);
  else
    doc_builder_add(v->d, DOC_PARAGRAPH, 0, data_reader_show(v, value));
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
  struct data_reader_view v = {.d = d, .o = o};
  doc_clear(d);
  d->text.max = o->max_text;
  buf_init(&v.key, 4096);
  buf_init(&v.text, json.len + 1);
  buf_init(&v.cell, 2 * json.len + 1);
  json = data_reader_trim(json);
  json_facts(json, m);
  const char *title = metadata_get(m, METADATA_TITLE);
  if (!*title)
    title = metadata_get(m, METADATA_COMPANY);
  if (*title)
    doc_builder_heading(d, 1, o->plain, slice_str(title));
  data_reader_add_value(&v, json, 2);
  buf_release(&v.key);
  buf_release(&v.text);
  buf_release(&v.cell);
  return d->text.overflow;
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

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
  while (s.len && isspace((unsigned char)s.data[0]))
    s.data++, s.len--;
  while (s.len && isspace((unsigned char)s.data[s.len - 1]))
    s.len--;
  return s;
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

/* The delimiter that is most frequent in the first line. */
static char delimiter(struct slice s) {
  size_t count[3] = {0};
  for (size_t i = 0; i < s.len && s.data[i] != '\n' && s.data[i] != '\r'; i++)
    for (int k = 0; k < 3; k++)
      count[k] += s.data[i] == ",;\t"[k];
  return count[2] > count[0] ? '\t' : count[1] > count[0] ? ';' : ',';
}

/* Reads one field from s->data into out; returns what ended it: the delimiter, '\n', or 0 at the end. */
static char next_field(struct slice *s, char mark, struct buf *out) {
  int quoted = s->len && s->data[0] == '"';
  size_t i = (size_t)quoted;
  buf_clear(out);
  for (; quoted && i < s->len; i++) {
    if (s->data[i] == '"' && !(i + 1 < s->len && s->data[i + 1] == '"'))
      break;
    i += s->data[i] == '"';
    buf_add_char(out, s->data[i]);
  }
  i += (size_t)(quoted && i < s->len);
  size_t start = i;
  while (i < s->len && s->data[i] != mark && s->data[i] != '\n' && s->data[i] != '\r')
    i++;
  buf_add(out, s->data + start, i - start);
  char end = i == s->len ? 0 : s->data[i] == mark ? mark : '\n';
  if (i < s->len)
    i += s->data[i] == '\r' && i + 1 < s->len && s->data[i + 1] == '\n' ? 2 : 1;
  *s = slice_of(s->data + i, s->len - i);
  return end;
}

int data_reader_csv(struct doc *d, struct slice bytes, const struct doc_options *o) {
  struct buf text, field;
  struct doc_builder_table t;
  doc_clear(d);
  d->text.max = o->max_text;
  buf_init(&text, 3 * bytes.len + 4);
  charset_clean(&text, bytes);
  buf_init(&field, text.len + 1);
  struct slice rest = buf_slice(&text);
  char mark = delimiter(rest), end;
  doc_builder_table_begin(&t, d, o->tables, o->plain);
  while (rest.len && !d->text.overflow) {
    do {
      end = next_field(&rest, mark, &field);
      if (t.column || field.len || end == mark)
        doc_builder_table_cell(&t, buf_slice(&field));
    } while (end == mark);
    if (t.column)
      doc_builder_table_row(&t);
  }
  doc_builder_table_end(&t);
  buf_release(&text);
  buf_release(&field);
  return d->text.overflow;
}

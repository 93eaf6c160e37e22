/* store_dump.c: prints the passages of a store: as embedded chunks, which "bid-store load" reads, or as flat rows for other
 * tools, one JSON object without nesting per line or CSV (RFC 4180). */
#include "store/store_dump.h"
#include "base/base64.h"
#include "base/digest.h"
#include "record/json.h"
#include "store/store_format.h"
#include "tables/rows.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- store_rows ---- */

#define CELL_BYTES ((size_t)64 << 20)

/* Source of a column's value. */
enum rows_from {
  ROWS_ID,
  ROWS_COLLECTION,
  ROWS_TEXT,
  ROWS_CONTEXT,
  ROWS_CHUNK,
  ROWS_METADATA,
  ROWS_DOCUMENT,
  ROWS_MODEL
};
static const struct rows_column {
  const char *name;
  enum rows_from from;
} columns[] = {ROWS_COLUMNS};
#define COLUMNS (sizeof columns / sizeof *columns)

static void rows_add_vector(struct buf *out, const struct store_segment *seg, uint32_t row, int base64) {
  float x[VECTOR_DIMS_MAX];
  vector_restore(&seg->vectors, row, x);
  if (!base64) {
    json_add_floats(out, x, seg->vectors.dims);
    return;
  }
  buf_add_char(out, '"');
  base64_add(out, x, seg->vectors.dims * sizeof *x);
  buf_add_char(out, '"');
}

/* The value of a column as JSON: a slice of existing data, or built in `room`. */
static struct slice rows_value(const struct rows_column *c, struct slice document, const char *collection,
                               const struct store_segment *seg, uint32_t row, const struct store_text *t,
                               struct buf *room) {
  struct slice metadata = json_get(document, "metadata");
  char hex[33];
  buf_clear(room);
  switch (c->from) {
  case ROWS_METADATA:
    return json_kind(metadata) == '{' ? json_get(metadata, c->name) : slice_of(NULL, 0);
  case ROWS_DOCUMENT:
    return json_get(document, c->name);
  case ROWS_CHUNK:
    return json_kind(t->chunk) == '{' ? json_get(t->chunk, c->name) : slice_of(NULL, 0);
  case ROWS_ID:
    digest_hex(seg->ids + (size_t)row * 16, 16, hex);
    json_add_cstr(room, hex);
    break;
  case ROWS_COLLECTION:
    json_add_cstr(room, collection);
    break;
  case ROWS_TEXT:
    json_add_slice(room, t->text);
    break;
  case ROWS_CONTEXT:
    json_add_slice(room, t->context);
    break;
  case ROWS_MODEL:
    json_add_cstr(room, seg->model);
  }
  return buf_slice(room);
}

/* Appends a JSON value as a CSV cell: empty for null, strings unescaped and quoted where necessary. */
static void rows_add_cell(struct buf *out, struct slice value, struct buf *scratch) {
  if (json_kind(value) == 0 || json_kind(value) == 'n')
    return;
  struct slice text = value;
  if (json_kind(value) == '"') {
    buf_clear(scratch);
    text = json_text(value, scratch);
  }
  size_t plain = 0;
  while (plain < text.len && !strchr(",\"\r\n", text.data[plain]))
    plain++;
  if (plain == text.len) {
    buf_add_slice(out, text);
    return;
  }
  buf_add_char(out, '"');
  for (const char *p = text.data, *end = p + text.len, *quote; p < end; p = quote + 1) {
    quote = memchr(p, '"', (size_t)(end - p));
    if (quote == NULL)
      quote = end;
    buf_add(out, p, (size_t)(quote - p));
    if (quote < end)
      buf_add_str(out, "\"\"");
  }
  buf_add_char(out, '"');
}

/* CSV: appends the header line. */
static void store_rows_add_names(const struct store_rows *how, struct buf *out) {
  for (size_t i = 0; i < COLUMNS; i++) {
    buf_add_str(out, i ? "," : "");
    buf_add_str(out, columns[i].name);
  }
  buf_add_str(out, how->vectors ? ",embedding\r\n" : "\r\n");
}

static void rows_add_value(const struct store_rows *how, const char *name, size_t i, struct slice value,
                           struct buf *scratch, struct buf *out) {
  if (how->csv) {
    buf_add_str(out, i ? "," : "");
    rows_add_cell(out, value, scratch);
  } else
    json_raw(out, name, value.len ? value : slice_str("null"));
}

/* Appends one row. document: the shared fields, from store_get_document(). */
static void store_rows_add(const struct store_rows *how, struct slice document, const char *collection,
                           const struct store_segment *seg, uint32_t row, const struct store_text *t,
                           struct buf *out) {
  struct buf room, scratch;
  buf_init(&room, CELL_BYTES);
  buf_init(&scratch, CELL_BYTES);
  buf_add_str(out, how->csv ? "" : "{");
  for (size_t i = 0; i < COLUMNS; i++)
    rows_add_value(how, columns[i].name, i, rows_value(&columns[i], document, collection, seg, row, t, &room),
                   &scratch, out);
  if (how->vectors) {
    buf_clear(&room);
    rows_add_vector(&room, seg, row, how->vectors == ROWS_BASE64);
    rows_add_value(how, "embedding", COLUMNS, buf_slice(&room), &scratch, out);
  }
  buf_add_str(out, how->csv ? "\r\n" : "}\n");
  buf_release(&room);
  buf_release(&scratch);
}

/* ---- store_dump ---- */

static void add_store(struct buf *out, const struct store_snapshot *snap, const struct store_segment *seg,
                      uint32_t row, const struct store_text *t) {
  char text[64];
  const struct store_doc *d = &seg->doc[store_doc_of_row(seg, row)];
  json_key(out, "store");
  buf_add_char(out, '{');
  json_cstr(out, "collection", store_collection_name(snap, d->collection));
  snprintf(text, sizeof text, "%016llx%016llx", (unsigned long long)t->hash[0],
           (unsigned long long)t->hash[1]);
  json_cstr(out, "hash", text);
  json_double(out, "scale", (double)seg->vectors.scale[row]);
  buf_add_char(out, '}');
}

/* Opens a record with the shared fields. */
static enum store_status open_record(const struct store_snapshot *snap, const struct store_segment *seg,
                                     uint32_t row, struct buf *out, struct error_text *e) {
  uint64_t id = seg->doc[store_doc_of_row(seg, row)].id;
  enum store_status status = store_get_document(snap, id, out, e);
  while (!status && out->len && out->data[out->len - 1] != '}')
    out->data[--out->len] = '\0';
  if (!status && out->len)
    out->data[--out->len] = '\0';
  return status;
}

enum store_status store_dump_passage(const struct store_snapshot *snap, const struct store_segment *seg,
                                     uint32_t row, unsigned flags, struct store_text *t, struct buf *out,
                                     struct error_text *e) {
  size_t before = out->len;
  char hex[33];
  enum store_status status = open_record(snap, seg, row, out, e);
  if (!status)
    status = store_get_text(snap, seg, row, t, e);
  if (status) {
    out->len = before; /* leave no partial record */
    return status;
  }
  if (t->extra.len) {
    buf_add_str(out, out->data[out->len - 1] == '{' ? "" : ",");
    buf_add_slice(out, t->extra);
  }
  digest_hex(store_row_id(seg, row), 16, hex);
  json_cstr(out, "id", hex);
  json_str(out, "text", t->text);
  json_str(out, "context", t->context);
  json_raw(out, "chunk", t->chunk);
  if (flags & DUMP_VECTORS) {
    json_key(out, "embedding");
    rows_add_vector(out, seg, row, 1);
    json_cstr(out, "model", seg->model);
  }
  if (flags & DUMP_STORE)
    add_store(out, snap, seg, row, t);
  buf_add(out, "}\n", 2);
  status = store_snapshot_check(snap, e);
  if (status)
    out->len = before;
  return status;
}

struct store_dump_place {
  uint64_t id;
  uint32_t segment, doc;
};

static int store_dump_by_id(const void *a, const void *b) {
  const struct store_dump_place *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

static struct store_dump_place *find_places(const struct store_snapshot *snap, const uint32_t *collections,
                                            size_t wanted, size_t *count) {
  const struct store_segment *seg;
  size_t n = store_segments(snap, &seg);
  struct store_dump_place *list = NULL;
  *count = 0;
  for (size_t i = 0; i < n; i++)
    for (uint32_t d = 0; d < seg[i].docs; d++) {
      if (!store_list_has(collections, wanted, seg[i].doc[d].collection) ||
          store_segment_doc_is_dead(&seg[i], d))
        continue;
      list = xgrow(list, *count, sizeof *list);
      list[(*count)++] = (struct store_dump_place){seg[i].doc[d].id, (uint32_t)i, d};
    }
  if (list)
    qsort(list, *count, sizeof *list, store_dump_by_id);
  return list;
}

/* What is written for a passage. */
struct store_dump_form {
  unsigned flags;
  const struct store_rows *rows; /* NULL: records */
  struct buf document;
};

static enum store_status store_dump_row(const struct store_snapshot *snap, const struct store_segment *seg,
                                        uint32_t row, struct store_dump_form *form, struct store_text *t,
                                        struct buf *out, struct error_text *e) {
  const struct store_doc *d = &seg->doc[store_doc_of_row(seg, row)];
  buf_clear(&form->document);
  enum store_status status = store_get_document(snap, d->id, &form->document, e);
  if (!status)
    status = store_get_text(snap, seg, row, t, e);
  if (!status)
    store_rows_add(form->rows, buf_slice(&form->document), store_collection_name(snap, d->collection), seg,
                   row, t, out);
  return status;
}

static enum store_status store_dump_all(const struct store_snapshot *snap, const uint32_t *collections,
                                        size_t wanted, struct store_dump_form *form, struct output *out,
                                        struct error_text *e) {
  const struct store_segment *seg;
  size_t count;
  struct store_dump_place *list = find_places(snap, collections, wanted, &count);
  struct store_text t;
  enum store_status status = STORE_OK;
  store_segments(snap, &seg);
  store_text_init(&t);
  for (size_t i = 0; !status && i < count && !out->error; i++) {
    const struct store_segment *s = &seg[list[i].segment];
    const struct store_doc *d = &s->doc[list[i].doc];
    for (uint32_t r = d->first; !status && r < store_segment_doc_end(s, d) && !out->error; r++) {
      status = form->rows ? store_dump_row(snap, s, r, form, &t, &out->buf, e)
                          : store_dump_passage(snap, s, r, form->flags, &t, &out->buf, e);
      output_flush_if_full(out);
    }
  }
  store_text_release(&t);
  free(list);
  return status;
}

enum store_status store_dump(const struct store_snapshot *snap, const uint32_t *collections, size_t count,
                             unsigned flags, struct output *out, struct error_text *e) {
  struct store_dump_form form = {.flags = flags};
  return store_dump_all(snap, collections, count, &form, out, e);
}

enum store_status store_dump_rows(const struct store_snapshot *snap, const uint32_t *collections,
                                  size_t count, const struct store_rows *how, struct output *out,
                                  struct error_text *e) {
  struct store_dump_form form = {.rows = how};
  buf_init(&form.document, (size_t)64 << 20);
  if (how->csv)
    store_rows_add_names(how, &out->buf);
  enum store_status status = store_dump_all(snap, collections, count, &form, out, e);
  buf_release(&form.document);
  return status;
}

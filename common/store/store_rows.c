#include "store/store_rows.h"

#include "base/base64.h"
#include "record/json.h"

#include <stdio.h>

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
} columns[] = {{"id", ROWS_ID},
               {"collection", ROWS_COLLECTION},
               {"company", ROWS_METADATA},
               {"ticker", ROWS_METADATA},
               {"cik", ROWS_METADATA},
               {"form", ROWS_METADATA},
               {"filingDate", ROWS_METADATA},
               {"reportDate", ROWS_METADATA},
               {"fiscalYear", ROWS_METADATA},
               {"fiscalPeriod", ROWS_METADATA},
               {"accessionNumber", ROWS_METADATA},
               {"item", ROWS_CHUNK},
               {"heading", ROWS_CHUNK},
               {"page", ROWS_CHUNK},
               {"start", ROWS_CHUNK},
               {"end", ROWS_CHUNK},
               {"source", ROWS_DOCUMENT},
               {"sourceUrl", ROWS_DOCUMENT},
               {"capturedAt", ROWS_DOCUMENT},
               {"context", ROWS_CONTEXT},
               {"text", ROWS_TEXT},
               {"model", ROWS_MODEL}};
#define COLUMNS (sizeof columns / sizeof *columns)

static void rows_add_id(struct buf *out, const uint8_t *id) {
  buf_add_char(out, '"');
  for (int i = 0; i < 16; i++)
    buf_printf(out, "%02x", id[i]);
  buf_add_char(out, '"');
}

static void rows_add_vector(struct buf *out, const struct store_segment *seg, uint32_t row,
                            enum store_rows_vectors form) {
  float x[VECTOR_DIMS_MAX];
  vector_restore(&seg->vectors, row, x);
  if (form == ROWS_BASE64) {
    buf_add_char(out, '"');
    base64_add(out, x, seg->vectors.dims * sizeof *x);
    buf_add_char(out, '"');
    return;
  }
  for (size_t i = 0; i < seg->vectors.dims; i++)
    buf_printf(out, "%c%.9g", i ? ',' : '[', (double)x[i]);
  buf_add_char(out, ']');
}

/* The value of a column as JSON: a slice of existing data, or built in `room`. */
static struct slice rows_value(const struct rows_column *c, struct slice document, const char *collection,
                               const struct store_segment *seg, uint32_t row, const struct store_text *t,
                               struct buf *room) {
  struct slice metadata = json_get(document, "metadata");
  buf_clear(room);
  switch (c->from) {
  case ROWS_METADATA:
    return json_kind(metadata) == '{' ? json_get(metadata, c->name) : slice_of(NULL, 0);
  case ROWS_DOCUMENT:
    return json_get(document, c->name);
  case ROWS_CHUNK:
    return json_kind(t->chunk) == '{' ? json_get(t->chunk, c->name) : slice_of(NULL, 0);
  case ROWS_ID:
    rows_add_id(room, seg->ids + (size_t)row * 16);
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

void store_rows_add_names(const struct store_rows *how, struct buf *out) {
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

void store_rows_add(const struct store_rows *how, struct slice document, const char *collection,
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
    rows_add_vector(&room, seg, row, how->vectors);
    rows_add_value(how, "embedding", COLUMNS, buf_slice(&room), &scratch, out);
  }
  buf_add_str(out, how->csv ? "\r\n" : "}\n");
  buf_release(&room);
  buf_release(&scratch);
}

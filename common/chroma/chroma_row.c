#include "record/json.h"

#include "chroma/chroma_row.h"

#include <stdio.h>
#include <stdlib.h>

#define LIST_MAX ((size_t)1 << 28) /* limit of one list of a body, in bytes */
#define FILTER_TEXT 1024           /* limit of a text used for filtering, in bytes */
#define FILTER_DIGITS 15           /* digits of a number that every JSON reader preserves */

/* ---- to Chroma ---- */

void chroma_body_init(struct chroma_body *b) {
  buf_init(&b->ids, LIST_MAX);
  buf_init(&b->texts, LIST_MAX);
  buf_init(&b->metadatas, LIST_MAX);
  buf_init(&b->vectors, LIST_MAX);
  b->rows = 0;
}

void chroma_body_release(struct chroma_body *b) {
  buf_release(&b->ids);
  buf_release(&b->texts);
  buf_release(&b->metadatas);
  buf_release(&b->vectors);
}

void chroma_body_clear(struct chroma_body *b) {
  buf_clear(&b->ids);
  buf_clear(&b->texts);
  buf_clear(&b->metadatas);
  buf_clear(&b->vectors);
  b->rows = 0;
}

/* Appends "2025-10-31" as 20251031. */
static void add_day(struct buf *out, const char *name, struct slice metadata, const char *date) {
  struct slice s = json_get(metadata, date);
  char digits[9];
  if (json_kind(s) != '"' || s.len < 12 || s.data[5] != '-' || s.data[8] != '-')
    return;
  snprintf(digits, sizeof digits, "%.4s%.2s%.2s", s.data + 1, s.data + 6, s.data + 9);
  if (strspn(digits, "0123456789") == 8 && digits[0] != '0')
    json_raw(out, name, slice_str(digits));
}

/* Whether a name is one of the row's own members. */
static int is_taken(struct slice key) {
  static const char *const own[] = {"sourceUrl", "source", "item", "context", "filingDay", "reportDay"};
  if (key.len == 0 || key.data[0] == '#' || key.data[0] == '$' ||
      (key.len >= 4 && memcmp(key.data, "bid_", 4) == 0) ||
      (key.len >= 7 && memcmp(key.data, "chroma:", 7) == 0))
    return 1;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (slice_is(key, own[i]))
      return 1;
  return 0;
}

/* Appends the scalars of the document's metadata, for filtering. */
static void add_filters(struct buf *out, struct slice document) {
  struct slice metadata = json_get(document, "metadata"), key, value;
  struct json_cursor c = {0};
  if (json_kind(metadata) != '{')
    return;
  while (json_next_member(metadata, &c, &key, &value)) {
    char kind = json_kind(value);
    int fits = kind == '"'   ? value.len <= FILTER_TEXT
               : kind == '0' ? value.len <= FILTER_DIGITS && !memchr(value.data, 'e', value.len) &&
                                   !memchr(value.data, 'E', value.len)
                             : kind == 't' || kind == 'f';
    if (!fits || is_taken(key))
      continue;
    buf_add_str(out, ",\"");
    buf_add_slice(out, key);
    buf_add_str(out, "\":");
    buf_add_slice(out, value);
  }
  add_day(out, "filingDay", metadata, "filingDate");
  add_day(out, "reportDay", metadata, "reportDate");
}

static void add_row_metadata(struct buf *out, const struct chroma_document *doc, size_t i) {
  const struct store_passage *p = &doc->d->passages[i];
  struct slice source = json_get(doc->d->json, "source");
  char hash[40];
  buf_add_char(out, '{');
  json_str(out, "sourceUrl", doc->d->url);
  json_str(out, "context", p->context);
  if (json_kind(source) == '"')
    json_raw(out, "source", source);
  if (p->item.len)
    json_str(out, "item", p->item);
  add_filters(out, doc->d->json);
  json_str(out, "bid_document", doc->d->json);
  json_str(out, "bid_chunk", p->chunk);
  if (p->extra.len)
    json_str(out, "bid_extra", p->extra);
  if (p->boilerplate)
    json_bool(out, "bid_boilerplate", 1);
  if (p->scale > 0)
    json_double(out, "bid_scale", (double)p->scale);
  snprintf(hash, sizeof hash, "%016llx%016llx", (unsigned long long)doc->hash[0],
           (unsigned long long)doc->hash[1]);
  json_cstr(out, "bid_hash", hash);
  json_uint(out, "bid_order", doc->order);
  json_uint(out, "bid_row", i);
  json_uint(out, "bid_rows", doc->d->count);
  buf_add_char(out, '}');
}

static void add_vector(struct buf *out, const float *x, uint32_t dims) {
  buf_add_char(out, '[');
  for (uint32_t i = 0; i < dims; i++)
    buf_printf(out, "%s%.9g", i ? "," : "", (double)x[i]);
  buf_add_char(out, ']');
}

void chroma_body_add(struct chroma_body *b, const struct chroma_document *doc, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    const struct store_passage *p = &doc->d->passages[i];
    if (b->rows++) {
      buf_add_char(&b->ids, ',');
      buf_add_char(&b->texts, ',');
      buf_add_char(&b->metadatas, ',');
      buf_add_char(&b->vectors, ',');
    }
    json_add_slice(&b->ids, p->id);
    json_add_slice(&b->texts, p->text);
    add_row_metadata(&b->metadatas, doc, i);
    add_vector(&b->vectors, p->vector, doc->d->dims);
  }
}

void chroma_body_write(const struct chroma_body *b, struct buf *out) {
  buf_add_str(out, "{\"ids\":[");
  buf_add_slice(out, buf_slice(&b->ids));
  buf_add_str(out, "],\"documents\":[");
  buf_add_slice(out, buf_slice(&b->texts));
  buf_add_str(out, "],\"metadatas\":[");
  buf_add_slice(out, buf_slice(&b->metadatas));
  buf_add_str(out, "],\"embeddings\":[");
  buf_add_slice(out, buf_slice(&b->vectors));
  buf_add_str(out, "]}");
}

/* ---- from Chroma ---- */

void chroma_rows_begin(struct chroma_rows *rows, struct slice answer) {
  static const char *const names[] = {"ids", "documents", "metadatas", "embeddings"};
  memset(rows, 0, sizeof *rows);
  for (int i = 0; i < 4; i++) {
    struct slice list = json_kind(answer) == '{' ? json_get(answer, names[i]) : slice_str("");
    rows->lists[i] = json_kind(list) == '[' ? list : slice_str("[]");
  }
}

int chroma_rows_next(struct chroma_rows *rows, struct chroma_row *row) {
  struct slice *to[] = {&row->id, &row->text, &row->metadata, &row->vector};
  memset(row, 0, sizeof *row);
  for (int i = 0; i < 4; i++)
    if (!json_next_element(rows->lists[i], &rows->at[i], to[i]) && i == 0)
      return 0;
  return 1;
}

int chroma_row_place(const struct chroma_row *row, struct chroma_place *place) {
  if (json_kind(row->metadata) != '{' || json_kind(json_get(row->metadata, "bid_document")) != '"')
    return -1;
  long long order = json_to_int(json_get(row->metadata, "bid_order"), -1);
  long long number = json_to_int(json_get(row->metadata, "bid_row"), -1);
  long long rows = json_to_int(json_get(row->metadata, "bid_rows"), -1);
  if (order < 0 || rows < 1 || rows > STORE_DOCUMENT_ROWS || number < 0 || number >= rows)
    return -1;
  *place = (struct chroma_place){(uint64_t)order, (uint32_t)number, (uint32_t)rows};
  return 0;
}

int chroma_row_is_id(struct slice id) {
  return id.len == 32 && strspn(id.data, "0123456789abcdef") >= 32;
}

uint32_t chroma_row_vector(const struct chroma_row *row, float *x) {
  struct json_cursor c = {0};
  struct slice number;
  uint32_t n = 0;
  if (json_kind(row->vector) != '[')
    return 0;
  while (json_next_element(row->vector, &c, &number)) {
    if (n == VECTOR_DIMS_MAX || json_kind(number) != '0')
      return 0;
    x[n++] = (float)json_to_double(number, 0);
  }
  return n;
}

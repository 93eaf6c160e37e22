/* chroma_fill.c: fills the temporary store: its documents, and the passages that were fetched. */
#include "chroma/chroma_candidates.h"

#include "chroma/chroma_row.h"
#include "record/json_validate.h"

#include <stdlib.h>

/* ---- the temporary store ---- */

static void ignore_receipt(void *arg, const struct store_receipt *r) {
  enum store_status *status = arg;
  if (r->status)
    *status = r->status;
}

/* Stores the document with one empty passage, which is needed for planning. */
static enum store_status put_empty(const struct chroma_search *c, struct store_writer *w,
                                   const struct chroma_known *k, struct error_text *e) {
  static const float zero[VECTOR_DIMS_MAX];
  const struct chroma_collection *of = &c->known.collections.list[k->collection];
  struct store_passage empty = {.id = slice_of(k->id, 32), .chunk = slice_str("{}"), .vector = zero};
  struct store_document d = {.collection = of->name,
                             .model = of->model,
                             .dims = of->dims,
                             .url = slice_str(k->url),
                             .json = slice_str(k->json),
                             .passages = &empty,
                             .count = 1};
  return store_writer_add(w, &d, e);
}

static enum store_status open_writer(const struct chroma_search *c, struct store **s, struct error_text *e) {
  struct store_options o = {.path = c->folder, .write = 1, .create = 1};
  return store_open(s, &o, e);
}

enum store_status chroma_fill_catalog(struct chroma_search *c, struct error_text *e) {
  struct store *s = NULL;
  enum store_status one = STORE_OK, status = open_writer(c, &s, e);
  if (status)
    return status;
  struct store_writer *w = store_writer_new(s, 0, ignore_receipt, &one);
  for (size_t i = 0; i < c->known.count && !status; i++)
    status = put_empty(c, w, &c->known.list[i], e);
  if (!status)
    status = store_writer_commit(w, e);
  store_writer_free(w);
  store_close(s);
  return status;
}

/* ---- storing candidates ---- */

/* Copies a text for the time until the commit. */
static struct slice keep_text(struct chroma_search *c, struct slice value, struct buf *scratch) {
  struct slice text = json_text(value, scratch);
  if (c->kept_count == c->kept_cap) {
    c->kept_cap = c->kept_cap ? c->kept_cap * 2 : 1024;
    c->kept = xreallocarray(c->kept, c->kept_cap, sizeof *c->kept);
  }
  char *copy = c->kept[c->kept_count++] = xstrndup(text.len ? text.data : "", text.len);
  return slice_of(copy, text.len);
}

struct chroma_fetched {
  const struct chroma_known *of;
  struct chroma_place place;
  struct store_passage passage;
  float *vector;
};

static int fetched_order(const void *a, const void *b) {
  const struct chroma_fetched *x = a, *y = b;
  if (x->of != y->of)
    return x->of < y->of ? -1 : 1;
  return (x->place.row > y->place.row) - (x->place.row < y->place.row);
}

/* 0, or -1 where the row doesn't belong to a known document. */
static int read_fetched(struct chroma_search *c, size_t collection, const struct chroma_row *row,
                        struct chroma_fetched *out, struct buf *scratch) {
  float x[VECTOR_DIMS_MAX];
  const struct chroma_collection *from = &c->known.collections.list[collection];
  uint32_t dims = chroma_row_vector(row, x);
  size_t at;
  const char *why;
  if (chroma_row_place(row, &out->place) != 0 || dims != from->dims)
    return -1;
  struct slice m = row->metadata, url = json_text(json_get(m, "sourceUrl"), scratch);
  out->of = chroma_catalog_find(&c->known, url, from->name);
  struct store_passage *p = &out->passage;
  memset(p, 0, sizeof *p);
  p->id = keep_text(c, row->id, scratch);
  p->text = keep_text(c, row->text, scratch);
  p->context = keep_text(c, json_get(m, "context"), scratch);
  p->chunk = keep_text(c, json_get(m, "bid_chunk"), scratch);
  p->item = keep_text(c, json_get(m, "item"), scratch);
  p->boilerplate = json_kind(json_get(m, "bid_boilerplate")) == 't';
  p->scale = (float)json_to_double(json_get(m, "bid_scale"), 0);
  if (!out->of || !chroma_row_is_id(p->id) || json_validate(p->chunk.data, p->chunk.len, &at, &why) != 0)
    return -1;
  out->vector = xcalloc(dims, sizeof *out->vector);
  memcpy(out->vector, x, dims * sizeof *x);
  p->vector = out->vector;
  return 0;
}

static struct chroma_fetched *read_answers(struct chroma_search *c, size_t *count) {
  struct chroma_fetched *list = xcalloc(c->wish_count + 1, sizeof *list);
  struct buf scratch;
  size_t n = 0;
  buf_init(&scratch, (size_t)64 << 20);
  for (size_t i = 0; i < c->answer_count; i++) {
    struct chroma_rows rows;
    struct chroma_row row;
    for (chroma_rows_begin(&rows, buf_slice(&c->answers[i].response.body));
         n < c->wish_count && chroma_rows_next(&rows, &row);)
      n += read_fetched(c, c->answer_of[i], &row, &list[n], &scratch) == 0;
  }
  buf_release(&scratch);
  if (n)
    qsort(list, n, sizeof *list, fetched_order);
  *count = n;
  return list;
}

static enum store_status put_fetched(const struct chroma_search *c, struct store_writer *w,
                                     const struct chroma_fetched *rows, size_t count, struct error_text *e) {
  const struct chroma_known *k = rows[0].of;
  const struct chroma_collection *of = &c->known.collections.list[k->collection];
  struct store_passage *list = xcalloc(count, sizeof *list);
  for (size_t i = 0; i < count; i++)
    list[i] = rows[i].passage;
  struct store_document d = {.collection = of->name,
                             .model = of->model,
                             .dims = of->dims,
                             .url = slice_str(k->url),
                             .json = slice_str(k->json),
                             .passages = list,
                             .count = count};
  enum store_status status = store_writer_add(w, &d, e);
  free(list);
  return status;
}

static void touch(struct chroma_search *c, const struct chroma_known *k) {
  if (c->touched_count == c->touched_cap) {
    c->touched_cap = c->touched_cap ? c->touched_cap * 2 : 64;
    c->touched = xreallocarray(c->touched, c->touched_cap, sizeof(struct chroma_known *));
  }
  c->touched[c->touched_count++] = k;
}

/* Empties documents of the previous question again, unless this one has passages of them. */
static enum store_status empty_touched(struct chroma_search *c, struct store_writer *w,
                                       const struct chroma_fetched *rows, size_t count,
                                       struct error_text *e) {
  enum store_status status = STORE_OK;
  for (size_t i = 0; i < c->touched_count && !status; i++) {
    struct chroma_fetched key = {.of = c->touched[i]};
    size_t from = 0, to = count;
    while (from < to) {
      size_t middle = from + (to - from) / 2;
      if (fetched_order(&rows[middle], &key) < 0)
        from = middle + 1;
      else
        to = middle;
    }
    if (from == count || rows[from].of != c->touched[i])
      status = put_empty(c, w, c->touched[i], e);
  }
  c->touched_count = 0;
  return status;
}

static enum store_status put_all(struct chroma_search *c, struct store *s, const struct chroma_fetched *rows,
                                 size_t count, struct error_text *e) {
  enum store_status refused = STORE_OK;
  struct store_writer *w = store_writer_new(s, 0, ignore_receipt, &refused);
  enum store_status status = empty_touched(c, w, rows, count, e);
  for (size_t from = 0, to; from < count && !status; from = to) {
    for (to = from + 1; to < count && rows[to].of == rows[from].of;)
      to++;
    status = put_fetched(c, w, rows + from, to - from, e);
    touch(c, rows[from].of);
  }
  if (!status)
    status = store_writer_commit(w, e);
  store_writer_free(w);
  return status;
}

enum store_status chroma_fill(struct chroma_search *c, struct error_text *e) {
  struct store *s = NULL;
  size_t count;
  struct chroma_fetched *rows = read_answers(c, &count);
  enum store_status status = open_writer(c, &s, e);
  if (!status)
    status = put_all(c, s, rows, count, e);
  store_close(s);
  for (size_t i = 0; i < count; i++)
    free(rows[i].vector);
  free(rows);
  return status;
}

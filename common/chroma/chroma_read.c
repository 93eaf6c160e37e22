#include "chroma/chroma_read.h"

#include "base/base64.h"

#include <stdio.h>
#include <stdlib.h>

#define ROWS_A_REQUEST 1000

/* ---- listing documents ---- */

struct entry_list {
  struct chroma_entry *list;
  size_t count, cap;
};

static void add_entry(struct entry_list *l, const struct chroma_entry *x) {
  if (l->count == l->cap) {
    l->cap = l->cap ? l->cap * 2 : 256;
    l->list = xreallocarray(l->list, l->cap, sizeof *l->list);
  }
  l->list[l->count++] = *x;
}

static int entry_order(const void *a, const void *b) {
  const struct chroma_entry *x = a, *y = b;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return (x->collection > y->collection) - (x->collection < y->collection);
}

/* Lists the documents of one collection by their first rows. */
static enum store_status list_entries(struct chroma *c, const struct chroma_collection *from, uint32_t number,
                                      struct entry_list *l, struct error_text *e) {
  enum store_status status = STORE_OK;
  for (size_t offset = 0, more = 1; more && !status; offset += ROWS_A_REQUEST) {
    struct chroma_call call;
    struct chroma_rows rows;
    struct chroma_row row;
    struct chroma_place place;
    size_t got = 0;
    chroma_call_init(&call, "POST");
    buf_printf(&call.path, "/collections/%s/get", from->id);
    buf_printf(&call.body,
               "{\"include\":[\"metadatas\"],\"where\":{\"bid_row\":0},\"limit\":%d,\"offset\":%zu}",
               ROWS_A_REQUEST, offset);
    status = chroma_perform(c, &call, 1, e);
    if (!status)
      for (chroma_rows_begin(&rows, buf_slice(&call.response.body)); chroma_rows_next(&rows, &row); got++)
        if (chroma_row_place(&row, &place) == 0)
          add_entry(l, &(struct chroma_entry){place.order, number, place.rows});
    more = got == ROWS_A_REQUEST;
    chroma_call_release(&call);
  }
  return status;
}

static enum store_status count_all(struct chroma *c, const struct chroma_collection *from, uint64_t *count,
                                   struct error_text *e) {
  struct chroma_call call;
  chroma_call_init(&call, "GET");
  buf_printf(&call.path, "/collections/%s/count", from->id);
  enum store_status status = chroma_perform(c, &call, 1, e);
  long long n = status ? 0 : json_to_int(buf_slice(&call.response.body), 0);
  *count = n > 0 ? (uint64_t)n : 0;
  chroma_call_release(&call);
  return status;
}

enum store_status chroma_entries(struct chroma *c, const struct chroma_collections *all, const char *wanted,
                                 struct chroma_entry **list, size_t *count, uint64_t *others,
                                 struct error_text *e) {
  struct entry_list l = {0};
  enum store_status status = STORE_OK;
  *others = 0;
  for (size_t i = 0; i < all->count && !status; i++) {
    uint64_t rows = 0, known = 0;
    size_t before = l.count;
    if (wanted && !wanted[i])
      continue;
    status = list_entries(c, &all->list[i], (uint32_t)i, &l, e);
    if (!status)
      status = count_all(c, &all->list[i], &rows, e);
    for (size_t k = before; k < l.count; k++)
      known += l.list[k].rows;
    *others += rows > known ? rows - known : 0;
  }
  if (l.count)
    qsort(l.list, l.count, sizeof *l.list, entry_order);
  *list = l.list;
  *count = l.count;
  return status;
}

/* ---- a row as a record ---- */

/* Appends the members of a JSON object, given as a JSON string, to an open object. */
static void add_members(struct buf *out, struct slice value, int braces, struct buf *scratch) {
  struct slice s = json_text(value, scratch);
  if (braces)
    s = s.len > 2 ? slice_of(s.data + 1, s.len - 2) : slice_of(NULL, 0);
  if (s.len && out->data[out->len - 1] != '{')
    buf_add_char(out, ',');
  buf_add_slice(out, s);
}

static void add_row_vector(const struct chroma_row *row, struct buf *out) {
  float x[VECTOR_DIMS_MAX];
  uint32_t dims = chroma_row_vector(row, x);
  json_key(out, "embedding");
  buf_add_char(out, '"');
  base64_add(out, x, dims * sizeof *x);
  buf_add_char(out, '"');
}

/* Appends a row as a record with its vector and "store", and a newline.  0, or -1 where BID did not write the row. */
static int chroma_row_record(const struct chroma_collection *from, const struct chroma_row *row,
                             struct buf *out) {
  struct chroma_place place;
  struct slice m = row->metadata;
  struct buf scratch;
  if (chroma_row_place(row, &place) != 0)
    return -1;
  buf_init(&scratch, (size_t)64 << 20);
  buf_add_char(out, '{');
  add_members(out, json_get(m, "bid_document"), 1, &scratch);
  add_members(out, json_get(m, "bid_extra"), 0, &scratch);
  json_str(out, "id", json_text(row->id, &scratch));
  json_str(out, "text", json_text(row->text, &scratch));
  json_str(out, "context", json_text(json_get(m, "context"), &scratch));
  json_raw(out, "chunk", json_text(json_get(m, "bid_chunk"), &scratch));
  if (json_kind(json_get(m, "bid_boilerplate")) == 't')
    json_bool(out, "boilerplate", 1);
  add_row_vector(row, out);
  json_cstr(out, "model", from->model);
  json_key(out, "store");
  buf_add_char(out, '{');
  json_cstr(out, "collection", from->name);
  json_str(out, "hash", json_text(json_get(m, "bid_hash"), &scratch));
  json_double(out, "scale", json_to_double(json_get(m, "bid_scale"), 0));
  buf_add_str(out, "}}\n");
  buf_release(&scratch);
  return 0;
}

/* ---- reading documents ---- */

/* Documents of one collection that one request fetches, or a part of a large document. */
struct chroma_run {
  const struct chroma_collection *from;
  const struct chroma_entry *first;
  size_t count, rows;
  uint32_t row_from, row_to; /* per document */
};

/* The longest run from list[at] on. */
static struct chroma_run next_run(const struct chroma_collections *all, const struct chroma_entry *list,
                                  size_t count, size_t at) {
  struct chroma_run r = {&all->list[list[at].collection], &list[at], 1, list[at].rows, 0, UINT32_MAX};
  while (at + r.count < count && list[at + r.count].collection == list[at].collection &&
         r.rows + list[at + r.count].rows <= ROWS_A_REQUEST)
    r.rows += list[at + r.count++].rows;
  return r;
}

struct placed_row {
  struct chroma_place at;
  struct chroma_row row;
};

static int placed_order(const void *a, const void *b) {
  const struct placed_row *x = a, *y = b;
  if (x->at.order != y->at.order)
    return x->at.order < y->at.order ? -1 : 1;
  return (x->at.row > y->at.row) - (x->at.row < y->at.row);
}

static enum store_status get_run(struct chroma *c, const struct chroma_run *run, struct chroma_call *call,
                                 struct error_text *e) {
  uint64_t last = run->first[run->count - 1].order;
  chroma_call_init(call, "POST");
  buf_printf(&call->path, "/collections/%s/get", run->from->id);
  buf_printf(&call->body,
             "{\"include\":[\"documents\",\"metadatas\",\"embeddings\"],\"where\":{\"$and\":["
             "{\"bid_order\":{\"$gte\":%llu}},{\"bid_order\":{\"$lte\":%llu}}",
             (unsigned long long)run->first->order, (unsigned long long)last);
  if (run->row_to != UINT32_MAX)
    buf_printf(&call->body, ",{\"bid_row\":{\"$gte\":%u}},{\"bid_row\":{\"$lt\":%u}}", run->row_from,
               run->row_to);
  buf_add_str(&call->body, "]}}");
  return chroma_perform(c, call, 1, e);
}

/* The rows of an answer, sorted. */
static struct placed_row *place_rows(struct slice answer, size_t *count) {
  struct chroma_rows rows;
  struct chroma_row row;
  size_t cap = ROWS_A_REQUEST, n = 0;
  struct placed_row *list = xcalloc(cap, sizeof *list);
  for (chroma_rows_begin(&rows, answer); chroma_rows_next(&rows, &row);) {
    if (n == cap)
      list = xreallocarray(list, cap *= 2, sizeof *list);
    list[n].row = row;
    n += chroma_row_place(&row, &list[n].at) == 0;
  }
  if (n)
    qsort(list, n, sizeof *list, placed_order);
  *count = n;
  return list;
}

/* Whether rows [i, i + rows) are those of the document from row `first` on, each exactly once. */
static int are_whole(const struct placed_row *rows, size_t count, size_t i, uint64_t order, uint32_t first,
                     uint32_t wanted) {
  for (uint32_t k = 0; k < wanted; k++)
    if (i + k >= count || rows[i + k].at.order != order || rows[i + k].at.row != first + k)
      return 0;
  return 1;
}

static void write_run(const struct chroma_run *run, const struct placed_row *rows, size_t count,
                      struct output *out, void (*fault)(void *arg, const char *why), void *arg) {
  char why[400];
  size_t i = 0;
  for (size_t d = 0; d < run->count && !out->error; d++) {
    const struct chroma_entry *x = &run->first[d];
    uint32_t end = run->row_to < x->rows ? run->row_to : x->rows, wanted = end - run->row_from;
    while (i < count && rows[i].at.order < x->order)
      i++;
    if (!are_whole(rows, count, i, x->order, run->row_from, wanted)) {
      snprintf(why, sizeof why,
               "collection %s: not all rows of document %llu are there: it was cut short while it was "
               "written; index it again",
               run->from->name, (unsigned long long)x->order);
      fault(arg, why);
      continue;
    }
    for (uint32_t k = 0; k < wanted; k++, i++) {
      chroma_row_record(run->from, &rows[i].row, &out->buf);
      output_flush_if_full(out);
    }
  }
}

static enum store_status dump_run(struct chroma *c, const struct chroma_run *run, struct output *out,
                                  void (*fault)(void *arg, const char *why), void *arg,
                                  struct error_text *e) {
  struct chroma_call call;
  size_t count;
  enum store_status status = get_run(c, run, &call, e);
  if (!status) {
    struct placed_row *rows = place_rows(buf_slice(&call.response.body), &count);
    write_run(run, rows, count, out, fault, arg);
    free(rows);
  }
  chroma_call_release(&call);
  return status;
}

enum store_status chroma_dump(struct chroma *c, const struct chroma_collections *all,
                              const struct chroma_entry *list, size_t count, struct output *out,
                              void (*fault)(void *arg, const char *why), void *arg, struct error_text *e) {
  enum store_status status = STORE_OK;
  for (size_t at = 0; at < count && !status && !out->error;) {
    struct chroma_run run = next_run(all, list, count, at);
    at += run.count;
    if (run.rows <= ROWS_A_REQUEST) {
      status = dump_run(c, &run, out, fault, arg, e);
      continue;
    }
    for (uint32_t row = 0; row < run.first->rows && !status; row += ROWS_A_REQUEST) {
      run.row_from = row;
      run.row_to = row + ROWS_A_REQUEST;
      status = dump_run(c, &run, out, fault, arg, e);
    }
  }
  return status;
}

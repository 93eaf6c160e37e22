/* store_segment_build.c: segments built row by row, written, copied, merged. */
#include "store/store_format.h"

#include "store/postings.h"
#include "store/store_guard.h"

#include <stdlib.h>

/* ---- building ---- */

void store_segment_builder_init(struct store_segment_builder *b, uint32_t dims) {
  memset(b, 0, sizeof *b);
  b->dims = dims;
  b->width = (uint32_t)vector_width(dims);
  b->postings = postings_builder_new();
}

void store_segment_builder_release(struct store_segment_builder *b) {
  free(b->doc);
  free(b->ids);
  free(b->length);
  free(b->item);
  free(b->flags);
  free(b->high);
  free(b->low);
  free(b->scale);
  free(b->sketch);
  free(b->factor);
  free(b->axis);
  postings_builder_free(b->postings);
  memset(b, 0, sizeof *b);
}

struct store_doc *store_segment_add_doc(struct store_segment_builder *b) {
  if (b->docs == b->docs_cap) {
    b->docs_cap = b->docs_cap ? b->docs_cap * 2 : 64;
    b->doc = xreallocarray(b->doc, b->docs_cap, sizeof *b->doc);
  }
  struct store_doc *d = &b->doc[b->docs++];
  memset(d, 0, sizeof *d);
  d->first = b->rows;
  return d;
}

static void grow_rows(struct store_segment_builder *b, uint32_t cap) {
  b->rows_cap = cap;
  b->ids = xreallocarray(b->ids, cap, 16);
  b->length = xreallocarray(b->length, cap, sizeof *b->length);
  b->item = xreallocarray(b->item, cap, sizeof *b->item);
  b->flags = xreallocarray(b->flags, cap, sizeof *b->flags);
  b->high = xreallocarray(b->high, cap, b->width / 2);
  b->low = xreallocarray(b->low, cap, b->width);
  b->scale = xreallocarray(b->scale, cap, sizeof *b->scale);
}

uint32_t store_segment_add_row(struct store_segment_builder *b) {
  if (b->rows == b->rows_cap)
    grow_rows(b, b->rows_cap ? b->rows_cap * 2 : 256);
  b->doc[b->docs - 1].rows++;
  b->length[b->rows] = b->item[b->rows] = 0;
  b->flags[b->rows] = 0;
  return b->rows++;
}

/* Computes the offsets of the parts and the total size. */
static size_t lay_out(const struct store_segment_builder *b, struct store_segment_head *h,
                      struct store_segment_directory *dir) {
  struct postings_result p = postings_result(b->postings);
  memset(h, 0, sizeof *h);
  memcpy(h->magic, SEGMENT_MAGIC, sizeof h->magic);
  h->rows = b->rows;
  h->docs = b->docs;
  h->dims = b->dims;
  h->width = b->width;
  h->terms = p.terms;
  uint64_t at = sizeof *h + sizeof *dir;
  for (int i = 0; i < PART_COUNT; i++) {
    at = (at + 15) / 64 * 64 + 48;
    dir->part[i].offset = at;
    dir->part[i].bytes = i == PART_SUMS ? store_segment_sums_before(dir, i) * sizeof(uint32_t)
                                        : store_segment_part_bytes(h, (enum store_segment_part)i, p.len);
    dir->part[i].first_sum = i == PART_SUMS ? 0 : store_segment_sums_before(dir, i);
    at += dir->part[i].bytes;
  }
  return at < 4096 ? 4096 : at; /* LMDB aligns only values on pages of their own */
}

static void make_sketches(struct store_segment_builder *b) {
  struct vector_rows r = {
      .rows = b->rows, .dims = b->dims, .width = b->width, .high = b->high, .low = b->low, .scale = b->scale};
  size_t groups = vector_groups(b->rows);
  b->sketch = xreallocarray(NULL, groups + 1, b->width);
  b->factor = xreallocarray(NULL, groups + 1, 32);
  b->axis = xreallocarray(NULL, b->width + (size_t)1, sizeof *b->axis);
  vector_make_sketches(&r, b->sketch, b->factor, b->axis);
}

size_t store_segment_seal(struct store_segment_builder *b) {
  struct store_segment_head h;
  struct store_segment_directory dir;
  postings_finish(b->postings, b->length);
  make_sketches(b);
  return lay_out(b, &h, &dir);
}

void store_segment_write(struct store_segment_builder *b, uint32_t id, void *value) {
  struct store_segment_head h;
  struct store_segment_directory dir;
  size_t size = lay_out(b, &h, &dir), at = sizeof h + sizeof dir;
  struct postings_result p = postings_result(b->postings);
  const void *source[PART_SUMS] = {b->doc,   b->ids,    b->length, b->item, b->flags, b->high, b->low,
                                   b->scale, b->sketch, b->factor, b->axis, p.hashes, p.where, p.bytes};
  char *out = value;
  for (int i = 0; i < PART_COUNT; i++) {
    size_t offset = dir.part[i].offset, bytes = dir.part[i].bytes;
    size_t given = i == PART_POSTINGS ? p.len : i == PART_SUMS ? 0 : bytes;
    memset(out + at, 0, offset - at);
    if (given)
      memcpy(out + offset, source[i], given);
    memset(out + offset + given, 0, bytes - given);
    at = offset + bytes;
  }
  memset(out + at, 0, size - at);
  h.id = id;
  h.sums_check = store_segment_write_sums(out, &dir);
  h.check = store_segment_head_check(&h, &dir);
  memcpy(out, &h, sizeof h);
  memcpy(out + sizeof h, &dir, sizeof dir);
}

void store_segment_copy(const void *value, size_t len, uint32_t id, const struct store_doc *docs,
                        const uint16_t *items, void *to) {
  struct store_segment_head h;
  struct store_segment_directory dir;
  char *out = to;
  memcpy(out, value, len);
  memcpy(&h, out, sizeof h);
  memcpy(&dir, out + sizeof h, sizeof dir);
  memcpy(out + dir.part[PART_DOCS].offset, docs, dir.part[PART_DOCS].bytes);
  memcpy(out + dir.part[PART_ITEMS].offset, items, dir.part[PART_ITEMS].bytes);
  h.id = id;
  h.sums_check = store_segment_write_sums(out, &dir);
  h.check = store_segment_head_check(&h, &dir);
  memcpy(out, &h, sizeof h);
}

/* ---- merging ---- */

static void copy_rows(struct store_segment_builder *b, const struct store_segment *seg, uint32_t from,
                      uint32_t count) {
  const struct vector_rows *v = &seg->vectors;
  while (b->rows_cap < b->rows + count)
    grow_rows(b, b->rows_cap ? b->rows_cap * 2 : 256);
  size_t to = b->rows, half = b->width / 2;
  memcpy(b->ids + to * 16, seg->ids + (size_t)from * 16, (size_t)count * 16);
  memcpy(b->length + to, seg->length + from, count * sizeof *b->length);
  memcpy(b->item + to, seg->item + from, count * sizeof *b->item);
  memcpy(b->flags + to, seg->flags + from, count);
  memcpy(b->high + to * half, v->high + from * half, count * half);
  memcpy(b->low + to * b->width, v->low + from * b->width, (size_t)count * b->width);
  memcpy(b->scale + to, v->scale + from, count * sizeof *b->scale);
  b->rows += count;
}

/* Copies the live documents; map gets the new number of each old row, UINT32_MAX for removed ones. */
static uint32_t *copy_docs(struct store_segment_builder *b, const struct store_segment *seg) {
  uint32_t *map = xmalloc((seg->rows + (size_t)1) * sizeof *map);
  for (uint32_t i = 0; i < seg->docs; i++) {
    const struct store_doc *d = &seg->doc[i];
    int dead = store_segment_doc_is_dead(seg, i);
    for (uint32_t r = 0; r < d->rows; r++)
      map[d->first + r] = dead ? UINT32_MAX : b->rows + r;
    if (dead)
      continue;
    struct store_doc *copy = store_segment_add_doc(b);
    uint32_t first = copy->first;
    *copy = *d;
    copy->first = first;
    copy_rows(b, seg, d->first, d->rows);
  }
  return map;
}

struct merge_list {
  uint32_t *rows;
  uint8_t *tf;
  uint32_t count;
};

static void gather_list(struct merge_list *l, const struct store_segment *seg, uint64_t term,
                        const uint32_t *map) {
  struct store_postings p;
  uint32_t rows[STORE_BLOCK];
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  for (int more = store_postings_open(&p, seg, term); more; more = store_postings_next(&p)) {
    store_postings_decode(&p, rows, text, context);
    for (uint32_t i = 0; i < p.count; i++) {
      uint32_t row = map[rows[i]];
      /* Rows that don't ascend could be more than the buffer holds; a checksum does not protect against
       * deliberate damage. */
      if (row == UINT32_MAX || (l->count && row <= l->rows[l->count - 1]))
        continue;
      l->rows[l->count] = row;
      l->tf[l->count++] = POSTINGS_TF(text[i], context[i]);
    }
  }
}

static void merge_postings(struct store_segment_builder *b, const struct store_segment *const *from,
                           size_t count, uint32_t *const *maps) {
  struct merge_list l = {xmalloc((b->rows + (size_t)1) * 4), xmalloc(b->rows + (size_t)1), 0};
  uint32_t *at = xcalloc(count, sizeof *at);
  for (;;) {
    uint64_t least = UINT64_MAX;
    int more = 0;
    for (size_t i = 0; i < count; i++)
      if (at[i] < from[i]->terms->count) {
        uint64_t h = from[i]->terms->hashes[at[i]];
        least = h < least ? h : least;
        more = 1;
      }
    if (!more)
      break;
    l.count = 0;
    for (size_t i = 0; i < count; i++)
      if (at[i] < from[i]->terms->count && from[i]->terms->hashes[at[i]] == least) {
        gather_list(&l, from[i], least, maps[i]);
        at[i]++;
      }
    postings_add_list(b->postings, least, l.rows, l.tf, l.count, b->length);
  }
  free(at);
  free(l.rows);
  free(l.tf);
}

void store_segment_merge(struct store_segment_builder *b, const struct store_segment *const *from,
                         size_t count) {
  uint32_t **maps = xcalloc(count, sizeof *maps);
  for (size_t i = 0; i < count; i++)
    maps[i] = copy_docs(b, from[i]);
  merge_postings(b, from, count, maps);
  for (size_t i = 0; i < count; i++)
    free(maps[i]);
  free(maps);
}

/* store_segment.c: segments: attached to their values, built row by row, written, copied, merged.  Does not use LMDB. */
#include "base/hash.h"
#include "store/postings.h"
#include "store/store_format.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- attaching ---- */

/* The size of a part, which follows from the head; of the postings: `postings` and their padding. */
static uint64_t store_segment_part_bytes(const struct store_segment_head *h, enum store_segment_part p,
                                         uint64_t postings) {
  switch (p) {
  case PART_DOCS:
    return (uint64_t)h->docs * sizeof(struct store_doc);
  case PART_IDS:
    return (uint64_t)h->rows * 16;
  case PART_LENGTHS:
  case PART_ITEMS:
    return (uint64_t)h->rows * 2;
  case PART_FLAGS:
    return h->rows;
  case PART_HIGH:
    return (uint64_t)h->rows * (h->width / 2);
  case PART_LOW:
    return (uint64_t)h->rows * h->width;
  case PART_SCALE:
    return (uint64_t)h->rows * 4;
  case PART_SKETCH:
    return (uint64_t)vector_groups(h->rows) * h->width;
  case PART_FACTOR:
    return (uint64_t)vector_groups(h->rows) * 32;
  case PART_AXIS:
    return (uint64_t)h->width * 4;
  case PART_HASHES:
    return (uint64_t)h->terms * 8;
  case PART_WHERE:
    return (uint64_t)h->terms * 4;
  case PART_POSTINGS:
    return postings + 8;
  default:
    return 0;
  }
}

uint64_t store_segment_head_check(const struct store_segment_head *h,
                                  const struct store_segment_directory *dir) {
  struct store_segment_head plain = *h;
  plain.check = 0;
  return hash_seeded(dir, sizeof *dir, hash_bytes(&plain, sizeof plain));
}

/* Number of checksummed blocks in all parts before `end`. */
static uint64_t store_segment_sums_before(const struct store_segment_directory *dir, int end) {
  uint64_t n = 0;
  for (int p = 0; p < end; p++)
    n += store_segment_block_count(dir->part[p].bytes);
  return n;
}

static int head_is_sound(const struct store_segment_head *h, const struct store_segment_directory *dir,
                         size_t len) {
  if (memcmp(h->magic, SEGMENT_MAGIC, sizeof h->magic) != 0 || h->check != store_segment_head_check(h, dir) ||
      h->rows > SEGMENT_ROWS_LIMIT || h->docs > h->rows || (h->rows && !h->docs) || (!h->rows && h->terms) ||
      h->dims > VECTOR_DIMS_MAX || h->width != vector_width(h->dims))
    return 0;
  for (int p = 0; p < PART_COUNT; p++) {
    uint64_t offset = dir->part[p].offset, bytes = dir->part[p].bytes;
    if (offset > len || bytes > len - offset || offset % 64 != 48)
      return 0;
    if (p < PART_POSTINGS ? bytes != store_segment_part_bytes(h, (enum store_segment_part)p, 0)
                          : bytes < 8 && p == PART_POSTINGS)
      return 0;
    if (p < PART_SUMS && dir->part[p].first_sum != store_segment_sums_before(dir, p))
      return 0;
  }
  return dir->part[PART_SUMS].bytes == store_segment_sums_before(dir, PART_SUMS) * sizeof(uint32_t);
}

static int sums_are_sound(const struct store_segment_head *h, const struct store_segment_directory *dir) {
  return h->sums_check ==
         hash_bytes((const char *)h + dir->part[PART_SUMS].offset, dir->part[PART_SUMS].bytes);
}

/* Whether the documents' rows are consecutive and fill the segment, which indexing by them relies on. */
int store_segment_docs_fill(const struct store_segment *seg) {
  const struct store_doc *doc = seg->doc;
  uint32_t docs = seg->docs, rows = seg->rows;
  uint64_t at = 0;
  for (uint32_t i = 0; i < docs; i++) {
    if (doc[i].first != at || doc[i].rows == 0 || (i && doc[i].id <= doc[i - 1].id))
      return 0;
    at += doc[i].rows;
  }
  return at == rows;
}

int store_segment_attach(struct store_segment *seg, struct store_terms *terms, const void *value, size_t len,
                         struct error_text *e) {
  const char *base = value;
  const struct store_segment_head *h = value;
  const struct store_segment_directory *dir = (const void *)(base + sizeof *h);
  if (len < sizeof *h + sizeof *dir || !head_is_sound(h, dir, len) || !sums_are_sound(h, dir)) {
    error_set(e, "a segment's header is damaged");
    return -1;
  }
#define PART(p) ((const void *)(base + dir->part[p].offset))
  memset(seg, 0, sizeof *seg);
  seg->id = h->id;
  seg->rows = seg->live_rows = h->rows;
  seg->docs = seg->live_docs = h->docs;
  seg->doc = PART(PART_DOCS);
  seg->ids = PART(PART_IDS);
  seg->length = PART(PART_LENGTHS);
  seg->item = PART(PART_ITEMS);
  seg->vectors = (struct vector_rows){.rows = h->rows,
                                      .dims = h->dims,
                                      .width = h->width,
                                      .high = PART(PART_HIGH),
                                      .low = PART(PART_LOW),
                                      .scale = PART(PART_SCALE),
                                      .sketch = PART(PART_SKETCH),
                                      .factor = PART(PART_FACTOR),
                                      .axis = PART(PART_AXIS)};
  *terms = (struct store_terms){PART(PART_HASHES), PART(PART_WHERE), h->terms, PART(PART_POSTINGS),
                                dir->part[PART_POSTINGS].bytes - 8};
  seg->terms = terms;
#undef PART
  return 0;
}

/* Documents of a segment have similar lengths, so the search starts at the interpolated position. */
uint32_t store_doc_of_row(const struct store_segment *seg, uint32_t row) {
  uint32_t low = 0, high = seg->docs, step = 1;
  uint32_t guess = row < seg->rows ? (uint32_t)((uint64_t)row * seg->docs / seg->rows) : 0;
  if (guess < seg->docs && seg->doc[guess].first > row) {
    for (high = guess; step < high && seg->doc[high - step].first > row; step *= 2)
      high -= step;
    low = step < high ? high - step : 0;
  } else if (guess < seg->docs) {
    for (low = guess; step < high - low && seg->doc[low + step].first <= row; step *= 2)
      low += step;
    high = step < high - low ? low + step : high;
  }
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (seg->doc[middle].first <= row)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* ---- verifying: "bid-store verify" (store_maintenance.c) also reads the postings ---- */

int store_segment_part_is_right(const void *value, enum store_segment_part p) {
  const struct store_segment_directory *dir =
      (const void *)((const char *)value + sizeof(struct store_segment_head));
  return store_segment_blocks_are_right(value, p, 0, store_segment_block_count(dir->part[p].bytes));
}

int store_segment_docs_are_sound(const struct store_segment *seg, const void *value) {
  return store_segment_part_is_right(value, PART_DOCS) && store_segment_part_is_right(value, PART_LENGTHS) &&
         store_segment_docs_fill(seg);
}

int store_segment_is_sound(const struct store_segment *seg, const void *value) {
  for (int i = 0; i < PART_SUMS; i++)
    if (!store_segment_part_is_right(value, (enum store_segment_part)i))
      return 0;
  return store_segment_docs_fill(seg);
}

/* ---- segments built row by row, written, copied, merged ---- */

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
  b->doc = xgrow(b->doc, b->docs, sizeof *b->doc);
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
  b->high = xreallocarray(b->high, cap, b->width / 2);
  b->low = xreallocarray(b->low, cap, b->width);
  b->scale = xreallocarray(b->scale, cap, sizeof *b->scale);
}

uint32_t store_segment_add_row(struct store_segment_builder *b) {
  if (b->rows == b->rows_cap)
    grow_rows(b, b->rows_cap ? b->rows_cap * 2 : 256);
  b->doc[b->docs - 1].rows++;
  b->length[b->rows] = b->item[b->rows] = 0;
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
  const void *source[PART_SUMS] = {b->doc,   b->ids,    b->length, b->item, NULL,     b->high, b->low,
                                   b->scale, b->sketch, b->factor, b->axis, p.hashes, p.where, p.bytes};
  char *out = value;
  for (int i = 0; i < PART_COUNT; i++) {
    size_t offset = dir.part[i].offset, bytes = dir.part[i].bytes;
    size_t given = i == PART_POSTINGS ? p.len : i == PART_SUMS || i == PART_FLAGS ? 0 : bytes;
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

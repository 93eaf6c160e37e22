/* store_segment.c: segments in memory: built, written, attached, merged, searched.  Does not use LMDB. */
#include "store/store_format.h"
#include "base/hash.h"

#include "store/postings.h"
#include "store/postings_kernels.h"
#include "store/store_guard.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- attaching ---- */

static uint64_t part_bytes(const struct store_segment_head *h, enum store_segment_part p, uint64_t postings) {
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

/* Number of blocks in all parts before `end`. */
static uint64_t sums_before(const struct store_segment_directory *dir, int end) {
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
    if (p < PART_POSTINGS ? bytes != part_bytes(h, (enum store_segment_part)p, 0)
                          : bytes < 8 && p == PART_POSTINGS)
      return 0;
    if (p < PART_SUMS && dir->part[p].first_sum != sums_before(dir, p))
      return 0;
  }
  return dir->part[PART_SUMS].bytes == sums_before(dir, PART_SUMS) * sizeof(uint32_t);
}

static int sums_are_sound(const struct store_segment_head *h, const struct store_segment_directory *dir) {
  return h->sums_check ==
         hash_bytes((const char *)h + dir->part[PART_SUMS].offset, dir->part[PART_SUMS].bytes);
}

/* Whether the documents' rows are consecutive and fill the segment, which indexing by them relies on. */
static int docs_are_sound(const struct store_doc *doc, uint32_t docs, uint32_t rows) {
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
  seg->flags = PART(PART_FLAGS);
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
    dir->part[i].bytes = i == PART_SUMS ? sums_before(dir, i) * sizeof(uint32_t)
                                        : part_bytes(h, (enum store_segment_part)i, p.len);
    dir->part[i].first_sum = i == PART_SUMS ? 0 : sums_before(dir, i);
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

static inline int doc_is_dead(const struct store_segment *seg, uint32_t doc) {
  return seg->dead_docs && (seg->dead_docs[doc / 64] >> (doc % 64) & 1);
}

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
    int dead = doc_is_dead(seg, i);
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

/* ---- postings ---- */

/* Whether the result of a search for a hash is reliable: the blocks with it and its neighbour are undamaged, and it
 * lies between them.  Since hashes ascend, what was read on the way doesn't matter. */
static int search_ended_well(const struct store_segment *seg, uint32_t low, uint64_t hash) {
  const struct store_terms *t = seg->terms;
  uint64_t end = low + 1 < t->count ? low + 2 : low + 1;
  if (!seg->guard)
    return 1;
  if (store_segment_guard_check(seg->guard, PART_HASHES, low * (uint64_t)8, end * 8) ||
      store_segment_guard_check(seg->guard, PART_WHERE, low * (uint64_t)4, low * (uint64_t)4 + 4))
    return 0;
  if ((low == 0 || t->hashes[low] <= hash) && (low + 1 == t->count || t->hashes[low + 1] > hash))
    return 1;
  store_segment_guard_blame(seg->guard, PART_HASHES);
  return 0;
}

/* The index of a hash, found by interpolation (hashes are evenly distributed) and searching from there; or count. */
static uint32_t find_term(const struct store_segment *seg, uint64_t hash) {
  const struct store_terms *t = seg->terms;
  if (t->count == 0)
    return 0;
  uint32_t guess = (uint32_t)((hash >> 32) * t->count >> 32), low = 0, high = t->count;
  for (uint32_t step = 64; step < t->count; step *= 4) {
    uint32_t a = guess > step ? guess - step : 0, b = t->count - guess > step ? guess + step : t->count;
    if ((a == 0 || t->hashes[a] <= hash) && (b == t->count || t->hashes[b] > hash)) {
      low = a;
      high = b;
      break;
    }
  }
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (t->hashes[middle] <= hash)
      low = middle;
    else
      high = middle;
  }
  return search_ended_well(seg, low, hash) && t->hashes[low] == hash ? low : t->count;
}

enum { LIST_INLINE, LIST_BLOCKS, LIST_REST };
enum { SMALL_LIST = 16 };
enum {
  VARINT_BYTES = 5,
  REST_BYTES = VARINT_BYTES + 1
}; /* maximum encoded size of a number, of a posting in the rest */

static uint32_t get_varint(const uint8_t **at, const uint8_t *end) {
  uint32_t v = 0;
  for (unsigned shift = 0; *at < end && shift < 32; shift += 7) {
    uint8_t c = *(*at)++;
    v |= (uint32_t)(c & 127) << shift;
    if (c < 128)
      break;
  }
  return v;
}

/* Whether bytes [from, from + n) of the postings, or as many as exist, are undamaged. */
static int are_right(const struct store_postings *p, const uint8_t *from, size_t n) {
  const struct store_terms *t = p->seg->terms;
  size_t left = (size_t)(p->end - from), at = (size_t)(from - t->postings);
  return store_segment_guard_check(p->seg->guard, PART_POSTINGS, at, at + (n < left ? n : left)) == 0;
}

/* Sets up the block at p->index; its numbers start at `data`.  0 past the end of the list. */
static int enter_block(struct store_postings *p) {
  if (p->index < p->blocks) {
    const uint8_t *h = p->at + 8 * (size_t)p->index;
    p->kind = LIST_BLOCKS;
    p->count = STORE_BLOCK;
    memcpy(&p->last, h, 4);
    p->row_bits = h[4] & 31;
    p->max_context = h[4] >> 5;
    p->tf_bits = h[5] & 15;
    p->max_text = h[6];
    p->min_length = postings_length_bound(h[7]);
    size_t bytes = 16u * (p->row_bits + (size_t)p->tf_bits);
    return p->row_bits <= 25 && (size_t)(p->end - p->data) >= bytes && are_right(p, p->data, bytes);
  }
  p->count = p->total % STORE_BLOCK;
  if (p->index > p->blocks || p->count == 0)
    return 0;
  p->kind = LIST_REST;
  if (!are_right(p, p->data, 3 + REST_BYTES * (size_t)p->count))
    return 0;
  p->last = p->seg->rows - 1;
  p->max_text = 63;
  p->max_context = 3;
  p->min_length = 0;
  if (p->total < SMALL_LIST)
    return 1;
  if (p->end - p->data < 3)
    return 0;
  p->max_text = p->data[0];
  p->max_context = p->data[1];
  p->min_length = postings_length_bound(p->data[2]);
  return 1;
}

int store_postings_open(struct store_postings *p, const struct store_segment *seg, uint64_t term) {
  const struct store_terms *t = seg->terms;
  uint32_t i = find_term(seg, term);
  memset(p, 0, sizeof *p);
  p->seg = seg;
  p->before = UINT32_MAX;
  if (i == t->count)
    return 0;
  uint32_t where = t->where[i];
  if (where & POSTINGS_INLINE) {
    p->kind = LIST_INLINE;
    p->total = p->count = 1;
    p->inline_row = p->last = (where & ~POSTINGS_INLINE) >> 8;
    p->inline_tf = (uint8_t)where;
    p->max_text = p->inline_tf >> 2;
    p->max_context = p->inline_tf & 3;
    if (p->last >= seg->rows)
      return 0;
    p->min_length = seg->length[p->last];
    return 1;
  }
  if (where >= t->postings_len)
    return 0;
  p->at = t->postings + where;
  p->end = t->postings + t->postings_len;
  if (!are_right(p, p->at, VARINT_BYTES))
    return 0;
  p->total = get_varint(&p->at, p->end);
  p->blocks = p->total / STORE_BLOCK;
  if ((size_t)(p->end - p->at) / 8 < p->blocks || !are_right(p, p->at, 8 * (size_t)p->blocks))
    return 0;
  p->data = p->at + 8 * (size_t)p->blocks;
  return enter_block(p);
}

int store_postings_next(struct store_postings *p) {
  if (p->kind != LIST_BLOCKS)
    return 0;
  p->data += 16u * (p->row_bits + (size_t)p->tf_bits);
  p->before = p->last;
  p->index++;
  return enter_block(p);
}

int store_postings_seek(struct store_postings *p, uint32_t row) {
  while (p->last < row)
    if (!store_postings_next(p))
      return 0;
  return 1;
}

static void decode_rest(const struct store_postings *p, uint32_t *rows, uint8_t *text, uint8_t *context) {
  const uint8_t *at = p->data + (p->total < SMALL_LIST ? 0 : 3);
  uint32_t row = p->before, most = p->seg->rows - 1;
  for (uint32_t i = 0; i < p->count; i++) {
    uint32_t v = get_varint(&at, p->end);
    uint8_t tf = v & 1 && at < p->end ? *at++ : 4;
    row += (v >> 1) + 1;
    rows[i] = row < most ? row : most;
    text[i] = tf >> 2;
    context[i] = tf & 3;
  }
}

void store_postings_decode(const struct store_postings *p, uint32_t rows[STORE_BLOCK],
                           uint8_t text_tf[STORE_BLOCK], uint8_t context_tf[STORE_BLOCK]) {
  uint32_t tf[STORE_BLOCK], row = p->before, most = p->seg->rows - 1;
  if (p->kind == LIST_INLINE) {
    rows[0] = p->inline_row;
    text_tf[0] = p->inline_tf >> 2;
    context_tf[0] = p->inline_tf & 3;
  } else if (p->kind == LIST_REST)
    decode_rest(p, rows, text_tf, context_tf);
  else {
    postings_unpack(p->data, p->row_bits, rows);
    postings_unpack(p->data + 16u * p->row_bits, p->tf_bits, tf);
    int over = 0;
    for (int i = 0; i < STORE_BLOCK; i++) {
      rows[i] = row += rows[i] + 1;
      over |= row > most;
    }
    for (int i = 0; over && i < STORE_BLOCK; i++) /* a damaged file */
      rows[i] = rows[i] < most ? rows[i] : most;
    for (int i = 0; i < STORE_BLOCK; i++) {
      text_tf[i] = (uint8_t)(tf[i] >> 2 & 63);
      context_tf[i] = tf[i] & 3;
    }
  }
}

static postings_score_function *score_block;

/* Runs before there are threads, since all of them read it. */
__attribute__((constructor)) static void choose_kernel(void) {
  score_block = postings_score(NULL);
}

uint32_t store_postings_count(const struct store_segment *seg, uint64_t term, uint32_t first, uint32_t end,
                              uint32_t row, int *here) {
  uint32_t rows[STORE_BLOCK], count = 0;
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  struct store_postings p;
  int more = store_postings_open(&p, seg, term) && store_postings_seek(&p, first);
  for (*here = 0; more && (p.before == UINT32_MAX || p.before + 1 < end); more = store_postings_next(&p)) {
    store_postings_decode(&p, rows, text, context);
    for (uint32_t i = 0; i < p.count; i++) {
      count += rows[i] >= first && rows[i] < end;
      *here |= rows[i] == row;
    }
  }
  return count;
}

static struct postings_block block_of(const struct store_postings *p) {
  return (struct postings_block){p->data,   p->row_bits,      p->tf_bits,
                                 p->before, p->seg->rows - 1, p->seg->length};
}

void store_postings_score(const struct store_postings *p, const struct store_bm25 *m, float *score) {
  uint32_t rows[STORE_BLOCK];
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  if (p->kind == LIST_BLOCKS) {
    struct postings_block b = block_of(p);
    score_block(&b, m, score);
    return;
  }
  store_postings_decode(p, rows, text, context);
  for (uint32_t i = 0; i < p->count; i++) {
    float tf = (float)text[i] + m->context * (float)context[i];
    score[rows[i]] += m->weight * store_bm25(m, tf, (float)p->seg->length[rows[i]]);
  }
}

uint32_t store_df(const struct store_segment *seg, uint64_t term) {
  struct store_postings p;
  int more = store_postings_open(&p, seg, term);
  if (!more || !seg->live_bits)
    return more ? p.total : 0;
  uint32_t rows[STORE_BLOCK], df = 0;
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  for (; more; more = store_postings_next(&p)) {
    store_postings_decode(&p, rows, text, context);
    for (uint32_t i = 0; i < p.count; i++)
      df += (uint32_t)(seg->live_bits[rows[i] / 64] >> (rows[i] % 64) & 1);
  }
  return df;
}

/* ---- verifying ---- */

struct verify {
  const struct store_segment *seg;
  void (*f)(void *, const char *);
  void *arg;
};

static void store_segment_fault(const struct verify *v, const char *what, long long at) {
  char text[128];
  if (at < 0)
    snprintf(text, sizeof text, "segment %u: %s", v->seg->id, what);
  else
    snprintf(text, sizeof text, "segment %u: %s %lld", v->seg->id, what, at);
  v->f(v->arg, text);
}

static void verify_list(const struct verify *v, uint32_t i) {
  const struct store_terms *t = v->seg->terms;
  struct store_postings p;
  uint32_t rows[STORE_BLOCK], n = 0, before = UINT32_MAX;
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  for (int more = store_postings_open(&p, v->seg, t->hashes[i]); more; more = store_postings_next(&p)) {
    store_postings_decode(&p, rows, text, context);
    for (uint32_t k = 0; k < p.count; k++, n++) {
      if (before != UINT32_MAX && rows[k] <= before) {
        store_segment_fault(v, "rows don't ascend in the postings of term", i);
        return;
      }
      before = rows[k];
      if (text[k] > p.max_text || context[k] > p.max_context || rows[k] > p.last ||
          v->seg->length[rows[k]] < p.min_length) {
        store_segment_fault(v, "a block's bounds are off in the postings of term", i);
        return;
      }
    }
  }
  if (n == 0 || n != p.total)
    store_segment_fault(v, "postings are cut short: term", i);
}

static int part_is_right(const void *value, enum store_segment_part p) {
  const struct store_segment_directory *dir =
      (const void *)((const char *)value + sizeof(struct store_segment_head));
  return store_segment_blocks_are_right(value, p, 0, store_segment_block_count(dir->part[p].bytes));
}

int store_segment_docs_are_sound(const struct store_segment *seg, const void *value) {
  return part_is_right(value, PART_DOCS) && part_is_right(value, PART_LENGTHS) &&
         docs_are_sound(seg->doc, seg->docs, seg->rows);
}

int store_segment_is_sound(const struct store_segment *seg, const void *value) {
  for (int i = 0; i < PART_SUMS; i++)
    if (!part_is_right(value, (enum store_segment_part)i))
      return 0;
  return docs_are_sound(seg->doc, seg->docs, seg->rows);
}

void store_segment_verify(const struct store_segment *seg, const void *value, void (*f)(void *, const char *),
                          void *arg) {
  struct verify v = {seg, f, arg};
  int faults = 0;
  for (int i = 0; i < PART_SUMS; i++)
    if (!part_is_right(value, (enum store_segment_part)i)) {
      char what[64];
      snprintf(what, sizeof what, "checksum of its %s is off",
               store_segment_part_name((enum store_segment_part)i));
      store_segment_fault(&v, what, -1);
      faults++;
    }
  if (!docs_are_sound(seg->doc, seg->docs, seg->rows))
    store_segment_fault(&v, "its documents don't fill its rows", -1);
  else if (!faults)
    for (uint32_t i = 0; i < seg->terms->count; i++) {
      if (i && seg->terms->hashes[i] <= seg->terms->hashes[i - 1])
        store_segment_fault(&v, "hashes don't ascend at term", i);
      verify_list(&v, i);
    }
}

/* ---- filters ---- */

static int has32(const uint32_t *list, size_t n, uint32_t v) {
  for (size_t i = 0; i < n; i++)
    if (list[i] == v)
      return 1;
  return 0;
}

static int has16(const uint16_t *list, size_t n, uint16_t v) {
  for (size_t i = 0; i < n; i++)
    if (list[i] == v)
      return 1;
  return 0;
}

static int has_year(const struct store_filter *f, int16_t v) {
  for (size_t i = 0; i < f->year_count; i++)
    if (f->years[i] == v)
      return 1;
  return 0;
}

static int dates_pass(const struct store_filter *f, const struct store_doc *d) {
  if ((f->since || f->until) && (d->filed == STORE_NO_DAY || d->filed < f->since || d->filed > f->until))
    return 0;
  return !f->as_of || (d->accepted != STORE_NO_TIME && d->accepted <= f->as_of);
}

/* A set of collections: a bitmap by id, since both may number thousands. */
struct id_set {
  uint64_t *bits;
  uint32_t max;
};

static struct id_set make_set(const uint32_t *ids, size_t count) {
  struct id_set s = {NULL, 0};
  for (size_t i = 0; i < count; i++)
    s.max = ids[i] > s.max ? ids[i] : s.max;
  if (count > 8) {
    s.bits = xcalloc(s.max / 64 + (size_t)1, sizeof *s.bits);
    for (size_t i = 0; i < count; i++)
      s.bits[ids[i] / 64] |= (uint64_t)1 << (ids[i] % 64);
  }
  return s;
}

static inline int in_set(const struct id_set *s, const uint32_t *ids, size_t count, uint32_t id) {
  if (!s->bits)
    return has32(ids, count, id);
  return id <= s->max && (s->bits[id / 64] >> (id % 64) & 1);
}

struct sieve {
  const struct store_segment *seg;
  const struct store_filter *f;
  struct id_set collections, companies;
};

static int doc_passes(const struct sieve *s, uint32_t i) {
  const struct store_filter *f = s->f;
  const struct store_doc *d = &s->seg->doc[i];
  if (f->collection_count && !in_set(&s->collections, f->collections, f->collection_count, d->collection))
    return 0;
  if (f->company_count && !in_set(&s->companies, f->companies, f->company_count, d->company))
    return 0;
  if (f->form_count && !has16(f->forms, f->form_count, d->form))
    return 0;
  if (f->year_count && !has_year(f, d->fiscal_year))
    return 0;
  if (!dates_pass(f, d) || doc_is_dead(s->seg, i))
    return 0;
  return !f->keep || f->keep(f->arg, s->seg, i);
}

static void set_run(uint64_t *bits, uint32_t from, uint32_t to) {
  for (uint32_t r = from; r < to; r++) {
    if (r % 64 == 0 && to - r >= 64) {
      bits[r / 64] = UINT64_MAX;
      r += 63;
    } else
      bits[r / 64] |= (uint64_t)1 << (r % 64);
  }
}

static void need_bits(struct store_selection *out, uint32_t rows) {
  if (out->bits)
    return;
  out->bits = xcalloc(rows / 64 + (size_t)1, sizeof *out->bits);
  set_run(out->bits, out->from, out->to);
}

/* Adds rows [from, to), which follow all rows added so far. */
static void select_run(struct store_selection *out, uint32_t rows, uint32_t from, uint32_t to) {
  if (from >= to || (out->count && from < out->to)) /* a damaged table of documents */
    return;
  if (out->count == 0)
    out->from = out->to = from;
  if (out->to != from)
    need_bits(out, rows);
  if (out->bits)
    set_run(out->bits, from, to);
  out->to = to;
  out->count += to - from;
}

/* bits: as returned by f->rows, or NULL. */
static void select_some(struct store_selection *out, const struct sieve *s, const struct store_doc *d,
                        const uint64_t *bits) {
  for (uint32_t r = d->first; r < store_segment_doc_end(s->seg, d); r++) {
    uint32_t i = r - d->first;
    if ((!s->f->item_count || has16(s->f->items, s->f->item_count, s->seg->item[r])) &&
        (!bits || (bits[i / 64] >> (i % 64) & 1)))
      select_run(out, s->seg->rows, r, r + 1);
  }
}

static int filter_is_open(const struct store_filter *f) {
  return !f || (!f->collection_count && !f->company_count && !f->form_count && !f->item_count &&
                !f->year_count && !f->since && !f->until && !f->as_of && !f->keep && !f->rows);
}

void store_select(const struct store_segment *seg, const struct store_filter *f,
                  struct store_selection *out) {
  static const struct store_filter open_filter;
  memset(out, 0, sizeof *out);
  if (filter_is_open(f) && !seg->dead_docs) {
    out->count = out->to = seg->rows;
    return;
  }
  f = f ? f : &open_filter;
  struct sieve s = {seg, f, make_set(f->collections, f->collection_count),
                    make_set(f->companies, f->company_count)};
  for (uint32_t i = 0; i < seg->docs; i++) {
    const struct store_doc *d = &seg->doc[i];
    if (!doc_passes(&s, i))
      continue;
    const uint64_t *bits = f->rows ? f->rows(f->arg, seg, i) : NULL;
    if (f->rows && !bits)
      continue;
    if (f->item_count || bits)
      select_some(out, &s, d, bits);
    else
      select_run(out, seg->rows, d->first, store_segment_doc_end(seg, d));
  }
  free(s.collections.bits);
  free(s.companies.bits);
}

void store_selection_release(struct store_selection *sel) {
  free(sel->bits);
  sel->bits = NULL;
}

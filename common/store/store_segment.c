/* store_segment.c: segments in memory: attached to their values, and verified.  Does not use LMDB. */
#include "store/store_format.h"
#include "base/hash.h"

#include "store/store_guard.h"

#include <stdio.h>

/* ---- attaching ---- */

uint64_t store_segment_part_bytes(const struct store_segment_head *h, enum store_segment_part p,
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

uint64_t store_segment_sums_before(const struct store_segment_directory *dir, int end) {
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

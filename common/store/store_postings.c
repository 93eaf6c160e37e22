/* store_postings.c: the postings of a term, found in a segment, read block by block, counted, scored. */
#include "store/store_format.h"

#include "store/postings.h"

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

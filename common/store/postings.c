/* postings.c */
#include "store/postings.h"
#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

#if defined __x86_64__
#include <immintrin.h>
#endif

/* A term of the batch, in an open-addressing table by hash.  Its posting in the current row is counted here and
 * becomes an entry when the next row begins, so that each occurrence touches one place in memory. */
struct postings_slot {
  uint64_t hash;
  uint32_t term; /* number + 1; 0: free */
  uint32_t row;
  uint8_t text, context;
};

struct postings_entry {
  uint32_t term, row;
  uint8_t tf;
};

struct postings_builder {
  struct postings_slot *slots;
  size_t mask;
  uint64_t *term_hash; /* by number */
  uint32_t *term_count;
  uint32_t terms;
  struct postings_entry *entries;
  size_t count, cap;
  uint64_t *hashes; /* results */
  uint32_t *where, results;
  struct buf bytes;
};

enum { BLOCK = 128, FIRST_SLOTS = 1 << 12, SMALL_LIST = 16 };

struct postings_builder *postings_builder_new(void) {
  struct postings_builder *b = xcalloc(1, sizeof *b);
  buf_init(&b->bytes, (size_t)1 << 31);
  return b;
}

void postings_builder_free(struct postings_builder *b) {
  if (!b)
    return;
  free(b->slots);
  free(b->term_hash);
  free(b->term_count);
  free(b->entries);
  free(b->hashes);
  free(b->where);
  buf_release(&b->bytes);
  free(b);
}

static struct postings_slot *find_slot(const struct postings_slot *slots, size_t mask, uint64_t hash) {
  size_t i = (size_t)hash & mask;
  while (slots[i].term && slots[i].hash != hash)
    i = (i + 1) & mask;
  return (struct postings_slot *)&slots[i];
}

static void grow_slots(struct postings_builder *b) {
  size_t mask = b->slots ? b->mask * 2 + 1 : FIRST_SLOTS - 1;
  struct postings_slot *slots = xcalloc(mask + 1, sizeof *slots);
  for (size_t i = 0; b->slots && i <= b->mask; i++)
    if (b->slots[i].term)
      *find_slot(slots, mask, b->slots[i].hash) = b->slots[i];
  free(b->slots);
  b->slots = slots;
  b->mask = mask;
}

static void add_term(struct postings_builder *b, struct postings_slot *s, uint64_t hash) {
  b->term_hash = xgrow(b->term_hash, b->terms, sizeof *b->term_hash);
  b->term_count = xgrow(b->term_count, b->terms, sizeof *b->term_count);
  b->term_hash[b->terms] = hash;
  b->term_count[b->terms] = 0;
  s->hash = hash;
  s->term = ++b->terms;
}

static void postings_add_entry(struct postings_builder *b, const struct postings_slot *s) {
  if (b->count == b->cap) { /* without a call: this runs for each posting */
    b->cap = b->cap ? b->cap * 2 : (size_t)1 << 16;
    b->entries = xreallocarray(b->entries, b->cap, sizeof *b->entries);
  }
  b->term_count[s->term - 1]++;
  b->entries[b->count++] = (struct postings_entry){s->term - 1, s->row, POSTINGS_TF(s->text, s->context)};
}

static void postings_count(struct postings_builder *b, uint64_t hash, uint32_t row, int in_context) {
  struct postings_slot *s = find_slot(b->slots, b->mask, hash);
  if (!s->term)
    add_term(b, s, hash);
  else if (s->row != row)
    postings_add_entry(b, s);
  if (s->row != row || (!s->text && !s->context)) {
    s->row = row;
    s->text = s->context = 0;
  }
  uint8_t *tf = in_context ? &s->context : &s->text;
  *tf = (uint8_t)(*tf + (*tf < 255));
}

void postings_add(struct postings_builder *b, const uint64_t *hashes, size_t n, uint32_t row,
                  int in_context) {
  while (!b->slots || b->terms + n > b->mask / 2)
    grow_slots(b);
  for (size_t i = 0; i < n; i++) /* few slots are in the processor's cache */
    __builtin_prefetch(&b->slots[hashes[i] & b->mask], 1);
  for (size_t i = 0; i < n; i++)
    postings_count(b, hashes[i], row, in_context);
}

/* Completes the last posting of every term. */
static void flush_slots(struct postings_builder *b) {
  for (size_t i = 0; b->slots && i <= b->mask; i++)
    if (b->slots[i].term)
      postings_add_entry(b, &b->slots[i]);
  free(b->slots);
  b->slots = NULL;
}

static uint8_t postings_length_code(uint16_t length) {
  unsigned exponent = 0, n = length;
  while (n >= 32)
    n >>= 1, exponent++;
  return (uint8_t)(n < 16 ? n : (exponent + 1) << 4 | (n - 16)); /* exponent + 1 is at most 12 */
}

uint16_t postings_length_bound(uint8_t code) {
  unsigned exponent = code >> 4, mantissa = code & 15;
  return (uint16_t)(exponent == 0 ? mantissa : (mantissa + 16) << (exponent - 1));
}

static void put_varint(struct buf *out, uint32_t v) {
  uint8_t bytes[5];
  size_t n = 0;
  for (; v >= 128; v >>= 7)
    bytes[n++] = (uint8_t)(v | 128);
  bytes[n++] = (uint8_t)v;
  buf_add(out, bytes, n);
}

static unsigned postings_bits_of(uint32_t v) {
  return v ? 32 - (unsigned)__builtin_clz(v) : 0;
}

static void postings_pack(struct buf *out, const uint32_t *v, unsigned bits) {
  uint64_t word = 0;
  unsigned have = 0;
  for (int i = 0; i < BLOCK; i++) {
    word |= (uint64_t)v[i] << have;
    for (have += bits; have >= 8; have -= 8, word >>= 8)
      buf_add_char(out, (char)(word & 255));
  }
}

static void unpack_scalar(const uint8_t *p, unsigned bits, uint32_t *out) {
  uint64_t mask = ((uint64_t)1 << bits) - 1;
  for (unsigned i = 0; i < BLOCK; i++) {
    uint64_t word;
    memcpy(&word, p + (i * bits >> 3), sizeof word);
    out[i] = (uint32_t)(word >> (i * bits & 7) & mask);
  }
}

#if defined __x86_64__
/* Eight numbers fill `bits` bytes, so their positions are the same in all sixteen groups. */
__attribute__((target("avx2"))) static void unpack_avx2(const uint8_t *p, unsigned bits, uint32_t *out) {
  const __m256i at =
      _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32((int)bits));
  const __m256i byte = _mm256_srli_epi32(at, 3), shift = _mm256_and_si256(at, _mm256_set1_epi32(7));
  const __m256i mask = _mm256_set1_epi32((int)(((uint64_t)1 << bits) - 1));
  for (unsigned i = 0; i < BLOCK; i += 8, p += bits) {
    __m256i v = _mm256_i32gather_epi32((const int *)(const void *)p, byte, 1);
    v = _mm256_and_si256(_mm256_srlv_epi32(v, shift), mask);
    _mm256_storeu_si256((__m256i *)(void *)(out + i), v);
  }
}

static int has_avx2;

/* Runs before there are threads, since all of them read it. */
__attribute__((constructor)) static void look_for_avx2(void) {
  has_avx2 = cpu_has(CPU_AVX2);
}
#else
enum { has_avx2 = 0 };
#define unpack_avx2 unpack_scalar
#endif

void postings_unpack(const uint8_t *p, unsigned bits, uint32_t out[128]) {
  (has_avx2 && bits <= 25 ? unpack_avx2 : unpack_scalar)(p, bits, out);
}

struct bounds {
  uint8_t text, context, length_code;
};

static struct bounds bounds_of(const uint32_t *rows, const uint8_t *tf, uint32_t n, const uint16_t *lengths) {
  struct bounds b = {0, 0, 0};
  uint16_t shortest = UINT16_MAX;
  for (uint32_t i = 0; i < n; i++) {
    uint8_t text = tf[i] >> 2, context = tf[i] & 3;
    b.text = text > b.text ? text : b.text;
    b.context = context > b.context ? context : b.context;
    shortest = lengths[rows[i]] < shortest ? lengths[rows[i]] : shortest;
  }
  b.length_code = postings_length_code(shortest);
  return b;
}

/* Encodes one full block: its header at `header` (8 bytes), its numbers appended to out. */
static void put_block(struct buf *out, size_t header, const uint32_t *rows, const uint8_t *tf,
                      uint32_t before, const uint16_t *lengths) {
  uint32_t gaps[BLOCK], tfs[BLOCK], all_gaps = 0, all_tf = 0;
  for (int i = 0; i < BLOCK; i++) {
    gaps[i] = rows[i] - (i ? rows[i - 1] : before) - 1;
    tfs[i] = tf[i];
    all_gaps |= gaps[i];
    all_tf |= tfs[i];
  }
  struct bounds b = bounds_of(rows, tf, BLOCK, lengths);
  uint8_t h[8] = {0,
                  0,
                  0,
                  0,
                  (uint8_t)(postings_bits_of(all_gaps) | (unsigned)b.context << 5),
                  (uint8_t)postings_bits_of(all_tf),
                  b.text,
                  b.length_code};
  memcpy(h, &rows[BLOCK - 1], 4);
  memcpy(out->data + header, h, sizeof h);
  postings_pack(out, gaps, postings_bits_of(all_gaps));
  postings_pack(out, tfs, postings_bits_of(all_tf));
}

static void put_rest(struct buf *out, const uint32_t *rows, const uint8_t *tf, uint32_t n, uint32_t before,
                     int bounded, const uint16_t *lengths) {
  if (bounded && n) {
    struct bounds b = bounds_of(rows, tf, n, lengths);
    uint8_t h[3] = {b.text, b.context, b.length_code};
    buf_add(out, h, sizeof h);
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t gap = rows[i] - (i ? rows[i - 1] : before) - 1;
    put_varint(out, gap << 1 | (tf[i] != 4));
    if (tf[i] != 4)
      buf_add_char(out, (char)tf[i]);
  }
}

static void put_list(struct buf *out, const uint32_t *rows, const uint8_t *tf, uint32_t n,
                     const uint16_t *lengths) {
  static const char zero[8];
  uint32_t blocks = n / BLOCK;
  put_varint(out, n);
  size_t header = out->len;
  for (uint32_t i = 0; i < blocks; i++)
    buf_add(out, zero, sizeof zero);
  for (uint32_t i = 0; i < blocks; i++)
    put_block(out, header + 8 * i, rows + BLOCK * i, tf + BLOCK * i, i ? rows[BLOCK * i - 1] : UINT32_MAX,
              lengths);
  uint32_t done = blocks * BLOCK;
  put_rest(out, rows + done, tf + done, n - done, done ? rows[done - 1] : UINT32_MAX, n >= SMALL_LIST,
           lengths);
}

void postings_add_list(struct postings_builder *b, uint64_t hash, const uint32_t *rows, const uint8_t *tf,
                       uint32_t count, const uint16_t *lengths) {
  if (count == 0)
    return;
  b->hashes = xgrow(b->hashes, b->results, sizeof *b->hashes);
  b->where = xgrow(b->where, b->results, sizeof *b->where);
  b->hashes[b->results] = hash;
  if (count == 1)
    b->where[b->results++] = POSTINGS_INLINE | rows[0] << 8 | tf[0];
  else {
    b->where[b->results++] = (uint32_t)b->bytes.len;
    put_list(&b->bytes, rows, tf, count, lengths);
  }
}

struct order {
  uint64_t hash;
  uint32_t term;
};

static int postings_by_hash(const void *a, const void *b) {
  const struct order *x = a, *y = b;
  return (x->hash > y->hash) - (x->hash < y->hash);
}

static struct order *terms_by_hash(const struct postings_builder *b) {
  struct order *order = xmalloc((b->terms + (size_t)1) * sizeof *order);
  for (uint32_t i = 0; i < b->terms; i++)
    order[i] = (struct order){b->term_hash[i], i};
  qsort(order, b->terms, sizeof *order, postings_by_hash);
  return order;
}

/* Counting sort of the entries by term; stable, so rows stay ascending. */
static void scatter(const struct postings_builder *b, uint32_t *start, uint32_t *rows, uint8_t *tf) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < b->terms; i++) {
    start[i] = at;
    at += b->term_count[i];
  }
  for (size_t i = 0; i < b->count; i++) {
    const struct postings_entry *e = &b->entries[i];
    uint32_t to = start[e->term]++;
    rows[to] = e->row;
    tf[to] = e->tf;
  }
  for (uint32_t i = 0; i < b->terms; i++)
    start[i] -= b->term_count[i];
}

void postings_finish(struct postings_builder *b, const uint16_t *lengths) {
  flush_slots(b);
  uint32_t *start = xmalloc((b->terms + (size_t)1) * sizeof *start);
  uint32_t *rows = xmalloc((b->count + 1) * sizeof *rows);
  uint8_t *tf = xmalloc(b->count + 1);
  struct order *order = terms_by_hash(b);
  scatter(b, start, rows, tf);
  for (uint32_t i = 0; i < b->terms; i++) {
    uint32_t t = order[i].term;
    postings_add_list(b, order[i].hash, rows + start[t], tf + start[t], b->term_count[t], lengths);
  }
  free(order);
  free(start);
  free(rows);
  free(tf);
}

struct postings_result postings_result(const struct postings_builder *b) {
  struct postings_result r = {b->hashes, b->where, b->results, (const uint8_t *)b->bytes.data, b->bytes.len};
  return r;
}

/* ---- unpacks, computes prefix sums and saturation, and adds scores, one block at a time ----
 *
 * Products, sums and quotients are rounded individually and in the same order by all kernels (ISO C forbids the
 * compiler to fuse them), so a score doesn't depend on the processor. */

#if defined __x86_64__
#include <immintrin.h>
#endif

static void postings_kernels_score_scalar(const struct postings_block *b, const struct store_bm25 *m,
                                          float *score) {
  uint32_t gaps[STORE_BLOCK], tfs[STORE_BLOCK], row = b->before;
  postings_unpack(b->data, b->row_bits, gaps);
  postings_unpack(b->data + 16 * (size_t)b->row_bits, b->tf_bits, tfs);
  for (int i = 0; i < STORE_BLOCK; i++) {
    row += gaps[i] + 1;
    uint32_t at = row < b->most ? row : b->most;
    float tf = (float)(tfs[i] >> 2 & 63) + m->context * (float)(tfs[i] & 3);
    score[at] += m->weight * store_bm25(m, tf, (float)b->lengths[at]);
  }
}

#if defined __x86_64__

#define AVX2 __attribute__((target("avx2")))

/* Inclusive prefix sums of eight numbers plus `before`. */
AVX2 static inline __m256i sums_of_8(__m256i v, __m256i before) {
  v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
  v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
  __m256i low = _mm256_permute2x128_si256(v, v, 0x08); /* the lower half moved to the upper one, zeros
                                                          below */
  v = _mm256_add_epi32(v, _mm256_shuffle_epi32(low, 0xff));
  return _mm256_add_epi32(v, before);
}

AVX2 static void postings_score_avx2(const struct postings_block *b, const struct store_bm25 *m,
                                     float *score) {
  uint32_t gaps[STORE_BLOCK], tfs[STORE_BLOCK];
  postings_unpack(b->data, b->row_bits, gaps);
  postings_unpack(b->data + 16 * (size_t)b->row_bits, b->tf_bits, tfs);
  const __m256i one = _mm256_set1_epi32(1), most = _mm256_set1_epi32((int)b->most);
  const __m256i last = _mm256_set1_epi32(7);
  __m256i before = _mm256_set1_epi32((int)b->before);
  for (int i = 0; i < STORE_BLOCK; i += 8) {
    uint32_t at[8];
    float add[8];
    __m256i gap = _mm256_loadu_si256((const __m256i *)(const void *)(gaps + i));
    __m256i tf = _mm256_loadu_si256((const __m256i *)(const void *)(tfs + i));
    __m256i rows = sums_of_8(_mm256_add_epi32(gap, one), before);
    before = _mm256_permutevar8x32_epi32(rows, last);
    rows = _mm256_min_epu32(rows, most);
    __m256i length = _mm256_i32gather_epi32((const int *)(const void *)b->lengths, rows, 2);
    length = _mm256_and_si256(length, _mm256_set1_epi32(0xffff));
    __m256 text = _mm256_cvtepi32_ps(_mm256_and_si256(_mm256_srli_epi32(tf, 2), _mm256_set1_epi32(63)));
    __m256 context = _mm256_cvtepi32_ps(_mm256_and_si256(tf, _mm256_set1_epi32(3)));
    __m256 f = _mm256_add_ps(text, _mm256_mul_ps(_mm256_set1_ps(m->context), context));
    __m256 under = _mm256_add_ps(_mm256_add_ps(f, _mm256_set1_ps(m->fixed)),
                                 _mm256_mul_ps(_mm256_set1_ps(m->slope), _mm256_cvtepi32_ps(length)));
    f = _mm256_div_ps(_mm256_mul_ps(f, _mm256_set1_ps(m->scale)), under);
    _mm256_storeu_ps(add, _mm256_mul_ps(_mm256_set1_ps(m->weight), f));
    _mm256_storeu_si256((__m256i *)(void *)at, rows);
    for (int k = 0; k < 8; k++)
      score[at[k]] += add[k];
  }
}

#endif

postings_score_function *postings_score(const char *kernel) {
  int any = kernel == NULL;
#if defined __x86_64__
  if (cpu_has(CPU_AVX2) && (any || strcmp(kernel, "avx2") == 0))
    return postings_score_avx2;
#endif
  return any || strcmp(kernel, "scalar") == 0 ? postings_kernels_score_scalar : NULL;
}

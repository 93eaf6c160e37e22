/* embed_static.c: static rows: a text's vector is the weighted sum of one int8 row a token, made length 1.
 *
 * Sections of the file (R rows, D dimensions, V tokens in the vocabulary, V <= R):
 *
 *     "rows"           int8 [R][D]; the first V belong to the tokens, by id, the others to pairs of tokens
 *     "weights"        int16 [R], 0 to 16383: weight of a row in a passage, the row's quantization step times
 *                      the token's learned importance
 *     "query-weights"  int16 [R]: the same in a query
 *     "pairs"          uint64 [a power of two], an open-addressed table of (first id << 48 | second id << 32
 * | row), all ones where free: two tokens side by side add that row too.  May be empty.
 *     "repeats"        int16 [1 to 256], 0 to 16384: what the first, second, ... occurrence of a row in a
 * text counts, in 16384ths; further ones count as the last.  Where it is missing, all count whole.
 *
 * Sums are of integers, so they are the same bytes whatever the order, the instructions used, or the
 * threads: floating-point rows were refused for that, and for being four times the memory.  32-bit sums hold
 * BLOCK rows (127 * 16383 * 1024 < 2^31) and are then emptied into doubles, exactly.  Two tokens are taken at
 * once, since multiply-add instructions take pairs of 16-bit numbers.  The scalar kernel is the oracle of the
 * tests.
 *
 * A model for a few texts (embed_options.few) has its rows and weights checked against the file's sums one by
 * one, as they are used, and encodes with one thread.
 *
 * D is a multiple of 64; asking for fewer dimensions (64 or more, a multiple of 64) takes the first ones of
 * each row: training puts what matters most in front.
 */
#include "base/cpu.h"
#include "model/embed_backend.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* ---- sums of rows ---- */

void embed_rows_scalar(int32_t *out, const int8_t *rows, size_t stride, size_t dimensions, const int32_t *row,
                       const int16_t *weight, size_t count) {
  memset(out, 0, dimensions * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    const int8_t *r = rows + (size_t)row[i] * stride;
    for (size_t d = 0; d < dimensions; d++)
      out[d] += (int32_t)weight[i] * r[d];
  }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define AHEAD 24 /* rows prefetched into the cache */

/* The weights of rows i and i + 1, packed; a missing second row has weight 0. */
static inline int32_t two_weights(const int16_t *weight, size_t i, size_t count) {
  uint32_t second = i + 1 < count ? (uint16_t)weight[i + 1] : 0;
  return (int32_t)((uint16_t)weight[i] | second << 16);
}

static inline const int8_t *row_at(const int8_t *rows, size_t stride, const int32_t *row, size_t i,
                                   size_t count) {
  return rows + (size_t)row[i < count ? i : count - 1] * stride;
}

/* Adds 16 dimensions of two rows, interleaved, to lo and hi; lo gets 0-3 and 8-11, hi 4-7 and 12-15. */
__attribute__((target("avx2"))) static inline void avx2_add(__m256i *lo, __m256i *hi, const int8_t *a,
                                                            const int8_t *b, __m256i w) {
  __m256i x = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)a));
  __m256i y = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)b));
  *lo = _mm256_add_epi32(*lo, _mm256_madd_epi16(_mm256_unpacklo_epi16(x, y), w));
  *hi = _mm256_add_epi32(*hi, _mm256_madd_epi16(_mm256_unpackhi_epi16(x, y), w));
}

/* 64 dimensions (one cache line per row), whose eight sums stay in registers. */
__attribute__((target("avx2"))) static void avx2_rows(int32_t *out, const int8_t *rows, size_t stride,
                                                      size_t dimensions, const int32_t *row,
                                                      const int16_t *weight, size_t count) {
  for (size_t d = 0; d < dimensions; d += 64) {
    __m256i lo[4], hi[4];
    for (int k = 0; k < 4; k++)
      lo[k] = hi[k] = _mm256_setzero_si256();
    for (size_t i = 0; i < count; i += 2) {
      const int8_t *a = row_at(rows, stride, row, i, count) + d,
                   *b = row_at(rows, stride, row, i + 1, count) + d;
      __builtin_prefetch(row_at(rows, stride, row, i + AHEAD, count) + d);
      __builtin_prefetch(row_at(rows, stride, row, i + AHEAD + 1, count) + d);
      __m256i w = _mm256_set1_epi32(two_weights(weight, i, count));
      for (int k = 0; k < 4; k++)
        avx2_add(&lo[k], &hi[k], a + 16 * k, b + 16 * k, w);
    }
    for (int k = 0; k < 4; k++) {
      __m256i *to = (__m256i *)(void *)(out + d + (size_t)(16 * k));
      _mm256_storeu_si256(to, _mm256_permute2x128_si256(lo[k], hi[k], 0x20));
      _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(lo[k], hi[k], 0x31));
    }
  }
}
#endif

int embed_static_kernels(embed_kernel *kernels[4], const char *names[4]) {
  int n = 0;
  kernels[n] = embed_rows_scalar, names[n++] = "scalar";
#if defined(__x86_64__)
  if (cpu_has(CPU_AVX2))
    kernels[n] = avx2_rows, names[n++] = "avx2";
#endif
  return n;
}

/* The fastest kernel for this machine. */
static embed_kernel *embed_static_kernel(void) {
  embed_kernel *kernels[4] = {0};
  const char *names[4];
  int count = embed_static_kernels(kernels, names);
  /* cppcheck-suppress CastIntegerToAddressAtReturn ; it takes the function pointer for a number */
  return kernels[count - 1];
}

/* ---- the backend ---- */

#define BLOCK 1024
#define WEIGHT_MAX 16383
#define DIMENSION_STEP 64
#define DIMENSION_MAX 1024
#define SEGMENT ((size_t)32 << 10) /* bytes of text tokenized at a time; split at white space */
#define THREAD_BYTES ((size_t)64 << 10)
#define THREADS_MAX 64
#define PAIR_FREE UINT64_MAX
#define REPEAT_BITS 14 /* 1 << 14 represents one full occurrence */
#define REPEATS_MAX 256

struct static_model {
  struct embed_backend base;
  struct model *model;
  const int8_t *rows;        /* [row_count][stride] */
  const int16_t *weights[2]; /* by role: [row_count] */
  const uint64_t *pairs;     /* [pair_mask + 1], or NULL */
  const int16_t *repeats;    /* [repeat_count], or NULL */
  size_t pair_mask, row_count, stride, repeat_count;
  const unsigned char *opens; /* bitmap by token: it is the first of some pair */
  embed_kernel *kernel;
  int few;          /* opened without verification: rows are verified when used */
  int again;        /* as of embed_again(): all but `own` is another's */
  struct sums *own; /* for encoding without other threads */
};

/* Sums in progress: `pending` rows are selected but not added yet. */
struct sums {
  const struct static_model *m;
  const int16_t *weights;
  double total[DIMENSION_MAX]; /* of integers, exact below 2^53; only where `spilled` */
  int spilled;
  int32_t row[BLOCK];
  int16_t weight[BLOCK];
  size_t pending;
  uint32_t *seen;   /* by row: text << 8 | occurrences in it; NULL where repeats count fully */
  uint32_t text;    /* text counter, 24 bits, never 0 */
  int32_t *ids;     /* tokens of a segment: [cap] */
  uint32_t *starts; /* their offsets */
  size_t cap;
};

static void sums_grow(struct sums *s, size_t cap) {
  s->cap = cap;
  s->ids = xreallocarray(s->ids, cap, sizeof *s->ids);
  s->starts = xreallocarray(s->starts, cap, sizeof *s->starts);
}

static struct sums *sums_new(const struct static_model *m) {
  struct sums *s = xcalloc(1, sizeof *s);
  s->m = m;
  sums_grow(s, SEGMENT / 2);
  s->seen = m->repeats ? xcalloc(m->row_count, sizeof *s->seen) : NULL;
  return s;
}

/* Those for encoding without other threads. */
static struct sums *sums_own(struct static_model *m) {
  if (m->own == NULL)
    m->own = sums_new(m);
  return m->own;
}

static void sums_free(struct sums *s) {
  if (s == NULL)
    return;
  free(s->ids);
  free(s->starts);
  free(s->seen);
  free(s);
}

static void sums_spill(struct sums *s) {
  int32_t part[DIMENSION_MAX];
  size_t d = (size_t)s->m->base.dimensions;
  if (!s->spilled)
    memset(s->total, 0, d * sizeof *s->total);
  s->spilled = 1;
  s->m->kernel(part, s->m->rows, s->m->stride, d, s->row, s->weight, s->pending);
  for (size_t i = 0; i < d; i += DIMENSION_STEP)
    for (size_t k = 0; k < DIMENSION_STEP; k++)
      s->total[i + k] += part[i + k];
  s->pending = 0;
}

/* Starts a text.  Counts of earlier texts are recognised by their number, so they are only cleared when it wraps
 * around. */
static void sums_begin(struct sums *s) {
  s->pending = 0;
  s->spilled = 0;
  if (!s->seen || ++s->text < 1 << 24)
    return;
  memset(s->seen, 0, s->m->row_count * sizeof *s->seen);
  s->text = 1;
}

static inline int16_t sums_weight(struct sums *s, int32_t row) {
  if (!s->seen)
    return s->weights[row];
  uint32_t mark = s->seen[row], count = mark >> 8 == s->text ? mark & 255 : 0;
  s->seen[row] = s->text << 8 | (count + 1 < s->m->repeat_count ? count + 1 : count);
  return (int16_t)((s->weights[row] * s->m->repeats[count] + (1 << (REPEAT_BITS - 1))) >> REPEAT_BITS);
}

static inline void sums_add(struct sums *s, int32_t row) {
  s->row[s->pending] = row;
  s->weight[s->pending] = sums_weight(s, row);
  if (++s->pending == BLOCK)
    sums_spill(s);
}

static inline int check_weight(const struct static_model *m, const int16_t *weights, size_t row,
                               struct error_text *e) {
  if (weights[row] >= 0 && weights[row] <= WEIGHT_MAX)
    return 0;
  error_set(e, "model %s: weight of row %zu is out of range; use another file", m->base.label, row);
  return -1;
}

static int32_t pair_row(const struct static_model *m, int32_t a, int32_t b) {
  uint64_t key = (uint64_t)a << 16 | (uint64_t)b;
  size_t at = (size_t)((key * 0x9E3779B97F4A7C15u) >> 32) & m->pair_mask;
  for (uint64_t entry; (entry = m->pairs[at]) != PAIR_FREE; at = (at + 1) & m->pair_mask)
    if (entry >> 32 == key)
      return (int32_t)(entry & 0xffffffff);
  return -1;
}

/* Verifies a row and its weight in an unverified model: 0, or -1 with *e. */
static int need_row(const struct sums *s, int32_t row, struct error_text *e) {
  const struct static_model *m = s->m;
  if (model_check(m->model, m->rows + (size_t)row * m->stride, m->stride, e) != 0 ||
      model_check(m->model, &s->weights[row], sizeof *s->weights, e) != 0)
    return -1;
  return check_weight(m, s->weights, (size_t)row, e);
}

static int need_rows(const struct sums *s, const int32_t *ids, size_t count, struct error_text *e) {
  for (size_t i = 0; i < count; i++)
    if (need_row(s, ids[i], e) != 0)
      return -1;
  return 0;
}

static int sums_ids(struct sums *s, const int32_t *ids, size_t count, struct error_text *e) {
  if (s->m->few && need_rows(s, ids, count, e) != 0)
    return -1;
  for (size_t i = 0; i < count; i++)
    sums_add(s, ids[i]);
  const struct static_model *m = s->m;
  if (!m->pairs)
    return 0;
  for (size_t i = 0; i + 1 < count; i++) {
    if (!(m->opens[ids[i] >> 3] >> (ids[i] & 7) & 1))
      continue;
    int32_t row = pair_row(m, ids[i], ids[i + 1]);
    if (row < 0)
      continue;
    if (m->few && need_row(s, row, e) != 0)
      return -1;
    sums_add(s, row);
  }
  return 0;
}

/* Normalises in double, then converts to float: the same everywhere, since IEEE 754 defines every rounding. */
static void embed_static_finish(const struct sums *s, float *restrict out) {
  size_t d = (size_t)s->m->base.dimensions;
  double square = 0;
  for (size_t i = 0; i < d; i++)
    square += s->total[i] * s->total[i];
  double scale = square > 0 ? 1 / sqrt(square) : 0;
  for (size_t i = 0; i < d; i += DIMENSION_STEP)
    for (size_t k = 0; k < DIMENSION_STEP; k++)
      out[i + k] = (float)(s->total[i + k] * scale);
}

/* Length of the next piece of text: about SEGMENT, without splitting a word. */
static size_t segment(struct slice text) {
  size_t n = text.len < SEGMENT ? text.len : SEGMENT;
  while (n < text.len && text.data[n] != ' ' && text.data[n] != '\n')
    n++;
  return n;
}

struct embed_static_worker {
  struct static_model *m;
  const struct slice *texts;
  size_t count;
  enum embed_role role;
  float *out;
  pthread_t thread;
};

static int encode_text(struct sums *s, struct slice text, struct error_text *e) {
  sums_begin(s);
  while (text.len > 0) {
    struct slice part = slice_of(text.data, segment(text));
    size_t n = wordpiece_encode(s->m->base.tokenizer, part, s->ids, NULL, s->cap);
    if (n > s->cap) {
      sums_grow(s, n);
      n = wordpiece_encode(s->m->base.tokenizer, part, s->ids, NULL, s->cap);
    }
    if (sums_ids(s, s->ids, n, e) != 0)
      return -1;
    text.data += part.len;
    text.len -= part.len;
  }
  sums_spill(s);
  return 0;
}

/* Fails only for an unverified model. */
static int encode_all(struct sums *s, const struct embed_static_worker *w, struct error_text *e) {
  s->weights = w->m->weights[w->role == EMBED_QUERY];
  for (size_t i = 0; i < w->count; i++) {
    if (encode_text(s, w->texts[i], e) != 0)
      return -1;
    embed_static_finish(s, w->out + i * (size_t)w->m->base.dimensions);
  }
  return 0;
}

static void *embed_static_work(void *arg) {
  struct embed_static_worker *w = arg;
  struct sums *s = sums_new(w->m);
  struct error_text none;
  (void)encode_all(s, w, &none);
  sums_free(s);
  return NULL;
}

/* Divides the texts among the threads by their bytes, in order. */
static void share(struct embed_static_worker *w, int threads, struct embed_static_worker whole,
                  size_t bytes) {
  size_t at = 0, done = 0;
  for (int t = 0; t < threads; t++) {
    size_t from = at, until = bytes / (size_t)threads * (size_t)(t + 1);
    while (at < whole.count && (done < until || t == threads - 1))
      done += whole.texts[at++].len;
    w[t] = whole;
    w[t].texts += from;
    w[t].out += from * (size_t)whole.m->base.dimensions;
    w[t].count = at - from;
  }
}

static int embed_static_encode(struct embed_backend *b, const struct slice *texts, size_t count,
                               enum embed_role role, int threads, float *out, size_t *truncated,
                               struct error_text *e) {
  (void)truncated; /* texts of any length are encoded completely */
  struct embed_static_worker w[THREADS_MAX], whole = {(struct static_model *)b, texts, count, role, out, 0};
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++)
    bytes += texts[i].len;
  if ((size_t)threads > bytes / THREAD_BYTES)
    threads = (int)(bytes / THREAD_BYTES);
  if (threads > THREADS_MAX)
    threads = THREADS_MAX;
  if (threads <= 1 || whole.m->few)
    return encode_all(sums_own(whole.m), &whole, e);
  int started = 1;
  share(w, threads, whole, bytes);
  while (started < threads && pthread_create(&w[started].thread, NULL, embed_static_work, &w[started]) == 0)
    started++;
  embed_static_work(&w[0]);
  for (int t = started; t < threads; t++) /* the share of a thread that could not be started is done here */
    embed_static_work(&w[t]);
  for (int t = 1; t < started; t++)
    pthread_join(w[t].thread, NULL);
  return 0;
}

/* The sum of the rows that were added. */
static void sums_put(struct sums *s, size_t dimensions, float *restrict out) {
  int32_t part[DIMENSION_MAX];
  if (s->spilled) {
    sums_spill(s);
    for (size_t i = 0; i < dimensions; i++)
      out[i] = (float)s->total[i];
    return;
  }
  s->m->kernel(part, s->m->rows, s->m->stride, dimensions, s->row, s->weight, s->pending);
  for (size_t i = 0; i < dimensions; i += DIMENSION_STEP)
    for (size_t k = 0; k < DIMENSION_STEP; k++)
      out[i + k] = (float)part[i + k];
}

static int embed_static_sum(struct embed_backend *b, size_t dimensions, struct slice text,
                            const struct embed_part *parts, size_t count, float *out, struct error_text *e) {
  struct sums *s = sums_own((struct static_model *)b);
  if (text.len > s->cap) /* no text has more tokens than bytes */
    sums_grow(s, text.len);
  size_t tokens = wordpiece_words(b->tokenizer, text, s->ids, s->starts, s->cap), from = 0, end;
  s->weights = s->m->weights[0];
  for (size_t i = 0; i < count; i++, from = end) {
    while (from < tokens && s->starts[from] < parts[i].start)
      from++;
    for (end = from; end < tokens && s->starts[end] < parts[i].end;)
      end++;
    sums_begin(s);
    if (sums_ids(s, s->ids + from, end - from, e) != 0)
      return -1;
    sums_put(s, dimensions, out + i * dimensions);
  }
  return 0;
}

static void close_static(struct embed_backend *b) {
  struct static_model *m = (struct static_model *)b;
  sums_free(m->own);
  if (!m->again) {
    wordpiece_free(b->tokenizer);
    free((void *)(uintptr_t)m->opens);
    model_close(m->model);
  }
  free(m);
}

static struct embed_backend *embed_static_again(const struct embed_backend *b) {
  struct static_model *m = xmalloc(sizeof *m);
  *m = *(const struct static_model *)b;
  m->own = NULL;
  m->again = 1;
  return &m->base;
}

static int check_weights(const struct static_model *m, struct error_text *e) {
  for (int role = 0; role < 2 && !m->few; role++)
    for (size_t i = 0; i < m->row_count; i++)
      if (check_weight(m, m->weights[role], i, e) != 0)
        return -1;
  return 0;
}

/* Checks the pairs against the rows and marks the tokens that begin one. */
static int take_pairs(struct static_model *m, size_t vocab, struct error_text *e) {
  struct slice s = model_section(m->model, "pairs");
  size_t slots = s.len / sizeof(uint64_t), used = 0;
  if (s.len == 0)
    return 0;
  if (model_check(m->model, s.data, s.len, e) != 0)
    return -1;
  unsigned char *opens = xcalloc(vocab / 8 + 1, 1);
  m->opens = opens;
  m->pairs = (const void *)s.data;
  m->pair_mask = slots - 1;
  int bad = s.len % sizeof(uint64_t) != 0 || (slots & (slots - 1)) != 0;
  for (size_t i = 0; i < slots && !bad; i++) {
    if (m->pairs[i] == PAIR_FREE)
      continue;
    size_t a = m->pairs[i] >> 48, row = m->pairs[i] & 0xffffffff;
    used++;
    bad = a >= vocab || row >= m->row_count;
    if (!bad)
      opens[a >> 3] = (unsigned char)(opens[a >> 3] | 1 << (a & 7));
  }
  if (!bad && used < slots)
    return 0;
  error_set(e, "model %s: its section \"pairs\" is malformed; use another file", m->base.label);
  return -1;
}

static int take_repeats(struct static_model *m, struct error_text *e) {
  struct slice s = model_section(m->model, "repeats");
  size_t count = s.len / sizeof(int16_t);
  if (s.len == 0)
    return 0;
  if (model_check(m->model, s.data, s.len, e) != 0)
    return -1;
  m->repeats = (const void *)s.data;
  m->repeat_count = count;
  int bad = s.len % sizeof(int16_t) != 0 || count > REPEATS_MAX;
  for (size_t i = 0; i < count && !bad; i++)
    bad = m->repeats[i] < 0 || m->repeats[i] > 1 << REPEAT_BITS;
  if (!bad)
    return 0;
  error_set(e, "model %s: its section \"repeats\" is malformed; use another file", m->base.label);
  return -1;
}

static int take_rows(struct static_model *m, struct error_text *e) {
  size_t vocab = wordpiece_vocab_size(m->base.tokenizer);
  struct slice rows = model_section(m->model, "rows");
  m->row_count = rows.len / m->stride;
  m->rows = model_array(m->model, "rows", m->row_count * m->stride, e);
  if (!m->rows)
    return -1;
  if (m->row_count < vocab) {
    error_set(e, "model %s: %zu rows for %zu tokens; use another file", m->base.label, m->row_count, vocab);
    return -1;
  }
  m->weights[0] = model_array(m->model, "weights", m->row_count * sizeof(int16_t), e);
  m->weights[1] =
      m->weights[0] ? model_array(m->model, "query-weights", m->row_count * sizeof(int16_t), e) : NULL;
  if (!m->weights[1] || check_weights(m, e) != 0 || take_repeats(m, e) != 0)
    return -1;
  return take_pairs(m, vocab, e);
}

static int take_dimensions(struct static_model *m, int asked, struct error_text *e) {
  int own = model_dimensions(m->model);
  m->stride = (size_t)own;
  m->base.dimensions = asked ? asked : own;
  if (own % DIMENSION_STEP != 0 || own > DIMENSION_MAX) {
    error_set(e, "model %s: %d dimensions in static rows; use another file", m->base.label, own);
    return -1;
  }
  if (m->base.dimensions > 0 && m->base.dimensions <= own && m->base.dimensions % DIMENSION_STEP == 0)
    return 0;
  error_set(e, "model %s has %d dimensions and can be cut to a smaller multiple of %d, not to %d",
            m->base.label, own, DIMENSION_STEP, asked);
  return -1;
}

static int take_tokenizer(struct static_model *m, struct error_text *e) {
  struct slice vocab = model_section(m->model, "vocab"), order = model_section(m->model, "order");
  struct error_text why;
  if (model_check(m->model, vocab.data, vocab.len, e) != 0 ||
      (m->few && model_check(m->model, order.data, order.len, e) != 0))
    return -1;
  m->base.tokenizer = m->few ? wordpiece_new_ordered(vocab, order, &why) : wordpiece_new(vocab, &why);
  if (!m->base.tokenizer)
    error_set(e, "model %s: %s", m->base.label, why.text);
  return m->base.tokenizer ? 0 : -1;
}

struct embed_backend *embed_static_open(struct model *model, int dimensions, struct error_text *e) {
  struct static_model *m = xcalloc(1, sizeof *m);
  m->model = model;
  m->kernel = embed_static_kernel();
  m->base.label = model_label(model);
  m->base.batch = 256;
  m->base.sum = embed_static_sum;
  m->base.again = embed_static_again;
  m->base.encode = embed_static_encode;
  m->base.close = close_static;
  m->few = model_is_unchecked(model);
  if (take_tokenizer(m, e) != 0 || take_dimensions(m, dimensions, e) != 0 || take_rows(m, e) != 0) {
    close_static(&m->base);
    return NULL;
  }
  return &m->base;
}

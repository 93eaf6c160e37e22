/* rerank.c: how like a question passages are to an encoder, and the file that keeps its vectors. */
#include "search/rerank.h"

#include "base/digest.h"
#include "base/hash.h"
#include "base/paths.h"
#include "base/slice.h"
#include "model/embed.h"
#include "model/embed_backend.h"
#include "vector/vector.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the cache ---- */

#define CHECK_SIZE sizeof(uint64_t)
#define SLOTS_LEAST 1024

struct rerank_cache {
  size_t dims, row;  /* numbers per row, bytes per row */
  struct buf path;   /* empty: no file */
  struct buf rows;   /* the complete and undamaged ones */
  size_t count;      /* of them */
  uint32_t *slots;   /* [slot_count] number of a row + 1 by its key, open addressing; 0: empty */
  size_t slot_count; /* a power of two, more than twice count */
};

static const uint8_t *rerank_cache_row(const struct rerank_cache *c, size_t i) {
  return (const uint8_t *)c->rows.data + i * c->row;
}

/* Checksum of digest and numbers, which surround it. */
static uint64_t rerank_cache_check(const struct rerank_cache *c, const uint8_t *row) {
  return hash_seeded(row + DIGEST_SIZE + CHECK_SIZE, c->dims * sizeof(float), hash_bytes(row, DIGEST_SIZE));
}

static int rerank_cache_is_whole(const struct rerank_cache *c, const uint8_t *row) {
  uint64_t check;
  memcpy(&check, row + DIGEST_SIZE, CHECK_SIZE);
  return check == rerank_cache_check(c, row);
}

/* The slot of the row with this key, or an empty one. */
static uint32_t *rerank_cache_slot(const struct rerank_cache *c, const uint8_t *key) {
  uint64_t at;
  memcpy(&at, key, sizeof at);
  for (;; at++) {
    uint32_t *slot = &c->slots[at & (c->slot_count - 1)];
    if (*slot == 0 || memcmp(rerank_cache_row(c, *slot - 1), key, DIGEST_SIZE) == 0)
      return slot;
  }
}

static void rerank_cache_index(struct rerank_cache *c, size_t count) {
  size_t slots = SLOTS_LEAST;
  while (slots < 4 * count)
    slots *= 2;
  free(c->slots);
  c->slots = xcalloc(slots, sizeof *c->slots);
  c->slot_count = slots;
  for (size_t i = 0; i < c->count; i++)
    *rerank_cache_slot(c, rerank_cache_row(c, i)) = (uint32_t)i + 1;
}

/* Adds a row that is complete and new. */
static void rerank_cache_take(struct rerank_cache *c, const uint8_t *row) {
  if (2 * (c->count + 1) > c->slot_count)
    rerank_cache_index(c, c->count + 1);
  uint32_t *slot = rerank_cache_slot(c, row);
  if (*slot != 0 || !rerank_cache_is_whole(c, row) || (c->count + 1) * c->row > RERANK_CACHE_MAX)
    return;
  buf_add(&c->rows, row, c->row);
  *slot = (uint32_t)++c->count;
}

static void rerank_cache_read(struct rerank_cache *c) {
  struct buf file;
  buf_init(&file, RERANK_CACHE_MAX);
  if (buf_read_file(&file, c->path.data) == 0)
    for (size_t at = 0; at + c->row <= file.len; at += c->row)
      rerank_cache_take(c, (const uint8_t *)file.data + at);
  buf_release(&file);
}

int rerank_cache_folder(struct buf *out) {
  return paths_cache(out) != 0 || (buf_add_str(out, "/rerank"), paths_make(out->data) != 0) ? -1 : 0;
}

struct rerank_cache *rerank_cache_open(const char *model, size_t dims) {
  struct rerank_cache *c = xcalloc(1, sizeof *c);
  c->dims = dims;
  c->row = DIGEST_SIZE + CHECK_SIZE + dims * sizeof(float);
  buf_init(&c->path, 65536);
  buf_init(&c->rows, RERANK_CACHE_MAX + 1);
  rerank_cache_index(c, 0);
  if (rerank_cache_folder(&c->path) != 0) {
    buf_clear(&c->path);
    return c;
  }
  buf_add_char(&c->path, '/');
  for (const char *p = model; *p != '\0'; p++)
    buf_add_char(&c->path, *p == '/' ? '_' : *p);
  buf_add_str(&c->path, ".vectors");
  rerank_cache_read(c);
  return c;
}

void rerank_cache_close(struct rerank_cache *c) {
  if (c == NULL)
    return;
  buf_release(&c->path);
  buf_release(&c->rows);
  free(c->slots);
  free(c);
}

int rerank_cache_get(const struct rerank_cache *c, const uint8_t key[DIGEST_SIZE], float *out) {
  uint32_t row = *rerank_cache_slot(c, key);
  if (row != 0)
    memcpy(out, rerank_cache_row(c, row - 1) + DIGEST_SIZE + CHECK_SIZE, c->dims * sizeof *out);
  return row != 0;
}

/* Appends after the last complete row; starts a file anew that would exceed its limit. */
static void rerank_cache_append(const struct rerank_cache *c, struct slice rows) {
  int fd = c->path.len > 0 ? open(c->path.data, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
  struct stat st;
  if (fd >= 0 && flock(fd, LOCK_EX) == 0 && fstat(fd, &st) == 0) {
    off_t end = st.st_size - st.st_size % (off_t)c->row;
    if ((size_t)end + rows.len > RERANK_CACHE_MAX)
      end = ftruncate(fd, 0) == 0 ? 0 : end;
    (void)slice_write_at(fd, rows, end); /* a truncated row is ignored when read */
  }
  if (fd >= 0)
    close(fd);
}

void rerank_cache_put(struct rerank_cache *c, uint8_t (*keys)[DIGEST_SIZE], const float *vectors,
                      size_t count) {
  struct buf rows;
  buf_init(&rows, RERANK_CACHE_MAX);
  for (size_t i = 0; i < count; i++) {
    static const char no_check[CHECK_SIZE];
    buf_add(&rows, keys[i], DIGEST_SIZE);
    buf_add(&rows, no_check, CHECK_SIZE);
    buf_add(&rows, vectors + i * c->dims, c->dims * sizeof *vectors);
    uint8_t *row = (uint8_t *)rows.data + i * c->row;
    uint64_t check = rerank_cache_check(c, row);
    memcpy(row + DIGEST_SIZE, &check, CHECK_SIZE);
    rerank_cache_take(c, row);
  }
  if (count > 0)
    rerank_cache_append(c, buf_slice(&rows));
  buf_release(&rows);
}

/* ---- the encoder ---- */

struct rerank {
  struct embedder *embedder;
  struct rerank_cache *cache; /* opened at the first question, when the dimensions are known */
  pthread_mutex_t lock;
};

struct rerank *rerank_open(const char *model, struct error_text *e) {
  struct embed_options o = {.model = model, .server = embed_child_open};
  struct embedder *embedder = embed_open(&o, e);
  if (embedder == NULL)
    return NULL;
  struct rerank *r = xcalloc(1, sizeof *r);
  r->embedder = embedder;
  pthread_mutex_init(&r->lock, NULL);
  return r;
}

void rerank_close(struct rerank *r) {
  if (r == NULL)
    return;
  rerank_cache_close(r->cache);
  embed_close(r->embedder);
  pthread_mutex_destroy(&r->lock);
  free(r);
}

/* Looks up vectors in the cache; computes and caches the missing ones. */
static int rerank_vectors(struct rerank *r, const struct slice *texts, size_t count, float *vectors,
                          struct error_text *e) {
  size_t dims = (size_t)embed_dimensions(r->embedder), wanted = 0;
  struct slice *unknown = xcalloc(count, sizeof *unknown);
  size_t *place = xcalloc(count, sizeof *place);
  uint8_t(*keys)[DIGEST_SIZE] = xcalloc(count, sizeof *keys);
  for (size_t i = 0; i < count; i++) {
    digest_of(texts[i].data, texts[i].len, keys[wanted]);
    if (rerank_cache_get(r->cache, keys[wanted], vectors + i * dims))
      continue;
    unknown[wanted] = texts[i];
    place[wanted++] = i;
  }
  float *made = xcalloc(wanted * dims + 1, sizeof *made);
  int status = wanted > 0 ? embed_encode(r->embedder, unknown, wanted, EMBED_PASSAGE, made, NULL, e) : 0;
  for (size_t i = 0; status == 0 && i < wanted; i++)
    memcpy(vectors + place[i] * dims, made + i * dims, dims * sizeof *made);
  if (status == 0)
    rerank_cache_put(r->cache, keys, made, wanted);
  free(made);
  free(keys);
  free(place);
  free(unknown);
  return status;
}

static int rerank_compare(struct rerank *r, struct slice question, const struct slice *texts, size_t count,
                          float *out, struct error_text *e) {
  if (embed_prepare(r->embedder, e) != 0)
    return -1;
  size_t dims = (size_t)embed_dimensions(r->embedder);
  if (r->cache == NULL)
    r->cache = rerank_cache_open(embed_name(r->embedder), dims);
  float *vectors = xcalloc((count + 1) * dims, sizeof *vectors), *asked = vectors + count * dims;
  int status = embed_encode(r->embedder, &question, 1, EMBED_QUERY, asked, NULL, e);
  if (status == 0)
    status = rerank_vectors(r, texts, count, vectors, e);
  for (size_t i = 0; status == 0 && i < count; i++)
    out[i] = vector_dot(asked, vectors + i * dims, dims);
  free(vectors);
  return status;
}

int rerank_likeness(struct rerank *r, struct slice question, const struct slice *texts, const size_t *of,
                    size_t count, float *out, size_t passages, struct error_text *e) {
  float worst = 2, best = -2, *cosines = xcalloc(count + 1, sizeof *cosines);
  pthread_mutex_lock(&r->lock);
  int status = rerank_compare(r, question, texts, count, cosines, e);
  pthread_mutex_unlock(&r->lock);
  for (size_t i = 0; i < passages; i++)
    out[i] = -1;
  for (size_t i = 0; i < count; i++)
    out[of[i]] = fmaxf(out[of[i]], cosines[i]);
  free(cosines);
  for (size_t i = 0; i < passages; i++) {
    worst = fminf(worst, out[i]);
    best = fmaxf(best, out[i]);
  }
  for (size_t i = 0; i < passages; i++)
    out[i] = best > worst ? (out[i] - worst) / (best - worst) : 0;
  return status;
}

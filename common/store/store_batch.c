/* store_batch.c: a batch of documents to be written: deep copies, and the hashes that tell versions apart. */
#include "store/store_analyze.h"

#include "record/json.h"

#include <stdlib.h>
#include <xxhash.h>

struct store_batch *store_batch_new(const char *model, uint32_t dims) {
  struct store_batch *b = xcalloc(1, sizeof *b);
  b->model = xstrdup(model);
  b->dims = dims;
  store_segment_builder_init(&b->segment, dims);
  return b;
}

static void free_facts(struct store_doc_facts *f) {
  free(f->company);
  free(f->ticker);
  free(f->cik);
  free(f->form);
  memset(f, 0, sizeof *f);
}

static void free_doc(struct store_batch_doc *d) {
  free(d->collection);
  free(d->copy);
  free(d->value);
  free_facts(&d->facts);
}

void store_batch_free(struct store_batch *b) {
  if (!b)
    return;
  for (size_t i = 0; i < b->count; i++)
    free_doc(&b->docs[i]);
  for (size_t i = 0; i < b->item_count; i++)
    free(b->items[i]);
  free(b->items);
  free(b->docs);
  free(b->model);
  store_segment_builder_release(&b->segment);
  free(b);
}

void store_batch_reset(struct store_batch *b) {
  store_segment_builder_release(&b->segment);
  store_segment_builder_init(&b->segment, b->dims);
  for (size_t i = 0; i < b->count; i++) {
    struct store_batch_doc *d = &b->docs[i];
    free(d->value);
    d->value = NULL;
    free_facts(&d->facts);
  }
  for (size_t i = 0; i < b->item_count; i++)
    free(b->items[i]);
  b->item_count = 0;
}

size_t store_batch_text_size(const struct store_document *d) {
  size_t n = d->url.len + d->json.len;
  for (size_t i = 0; i < d->count; i++) {
    const struct store_passage *p = &d->passages[i];
    n += p->id.len + p->text.len + p->context.len + p->chunk.len + p->extra.len + p->item.len;
  }
  return n;
}

static struct slice copy_slice(char **at, struct slice s) {
  struct slice out = slice_of(*at, s.len);
  if (s.len)
    memcpy(*at, s.data, s.len);
  *at += s.len;
  return out;
}

static void copy_passages(struct store_passage *to, const struct store_document *d, float *vectors,
                          char **at) {
  for (size_t i = 0; i < d->count; i++) {
    const struct store_passage *p = &d->passages[i];
    to[i] = *p;
    to[i].id = copy_slice(at, p->id);
    to[i].text = copy_slice(at, p->text);
    to[i].context = copy_slice(at, p->context);
    to[i].chunk = copy_slice(at, p->chunk);
    to[i].extra = copy_slice(at, p->extra);
    to[i].item = copy_slice(at, p->item);
    memcpy(vectors + i * d->dims, p->vector, d->dims * sizeof *vectors);
    to[i].vector = vectors + i * d->dims;
  }
}

static struct store_batch_doc *add_doc(struct store_batch *b, const struct store_document *d) {
  if (b->count == b->cap) {
    b->cap = b->cap ? b->cap * 2 : 32;
    b->docs = xreallocarray(b->docs, b->cap, sizeof *b->docs);
  }
  struct store_batch_doc *n = &b->docs[b->count++];
  memset(n, 0, sizeof *n);
  n->collection = xstrdup(d->collection);
  return n;
}

struct store_batch_doc *store_batch_add_unchanged(struct store_batch *b, const struct store_document *d) {
  struct store_batch_doc *n = add_doc(b, d);
  n->copy = xstrndup(d->url.data, d->url.len);
  n->url = slice_of(n->copy, d->url.len);
  n->given.count = d->count;
  n->unchanged = 1;
  return n;
}

struct store_batch_doc *store_batch_add(struct store_batch *b, const struct store_document *d,
                                        const uint64_t hash[2]) {
  struct store_batch_doc *n = add_doc(b, d);
  size_t passages = d->count * sizeof *d->passages, vectors = d->count * d->dims * sizeof(float);
  size_t texts = store_batch_text_size(d);
  n->copy = xmalloc(passages + vectors + texts + 1);
  char *at = n->copy + passages + vectors;
  n->given = *d;
  n->given.passages = (void *)n->copy;
  n->given.collection = n->collection;
  n->given.model = b->model;
  copy_passages((void *)n->copy, d, (void *)(n->copy + passages), &at);
  n->url = n->given.url = copy_slice(&at, d->url);
  n->given.json = copy_slice(&at, d->json);
  memcpy(n->hash, hash, sizeof n->hash);
  b->passages += d->count;
  b->bytes += texts + vectors;
  return n;
}

static void hash_slice(XXH3_state_t *state, struct slice s) {
  uint64_t len = s.len;
  XXH3_128bits_update(state, &len, sizeof len);
  if (s.len)
    XXH3_128bits_update(state, s.data, s.len);
}

static int is_listed(struct slice key, const char *const *names) {
  for (; *names; names++)
    if (slice_is(key, *names))
      return 1;
  return 0;
}

/* Hashes the members of an object except those listed. */
static void hash_members(XXH3_state_t *state, struct slice object, const char *const *but) {
  struct json_cursor c = {0};
  struct slice key, value;
  while (json_next_member(object, &c, &key, &value)) {
    static const char *const transient[] = {"cache", "recent", NULL};
    if (is_listed(key, but))
      continue;
    hash_slice(state, key);
    if (slice_is(key, "metadata") && json_kind(value) == '{')
      hash_members(state, value, transient);
    else
      hash_slice(state, value);
  }
}

/* When and how a document was fetched, and whether from the cache, is not part of its content. */
void store_document_hash(const struct store_document *d, uint64_t hash[2]) {
  static const char *const asked[] = {"capturedAt", "entity",  "period", "filingTypes",
                                      "query",      "sources", NULL};
  XXH3_state_t *state = XXH3_createState();
  if (!state)
    diag_oom();
  XXH3_128bits_reset(state);
  hash_slice(state, slice_str(d->model));
  hash_members(state, d->json, asked);
  for (size_t i = 0; i < d->count; i++) {
    const struct store_passage *p = &d->passages[i];
    hash_slice(state, p->id);
    hash_slice(state, p->text);
    hash_slice(state, p->context);
    hash_slice(state, p->chunk);
    hash_slice(state, p->extra);
    hash_slice(state, slice_of(p->boilerplate ? "b" : "", p->boilerplate != 0));
    hash_slice(state, slice_of((const char *)p->vector, d->dims * sizeof(float)));
  }
  XXH128_hash_t h = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  hash[0] = h.low64;
  hash[1] = h.high64;
}

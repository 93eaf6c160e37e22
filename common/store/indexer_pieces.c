#include "store/indexer_pieces.h"
#include "store/indexer_fields.h"
#include "store/indexer_members.h"

#include "base/base64.h"
#include "record/json.h"

#include <ctype.h>
#include <stdlib.h>

/* Members that are not stored with the document: those that belong to a passage, and what a job asked for when it was
 * fetched, which is no part of it (entity is kept: it says whose a document without metadata is). */
static const char *const own_fields[] = {"id",        "text",        "context", "chunk", "boilerplate",
                                         "embedding", "model",       "store",   "job",   "query",
                                         "period",    "filingTypes", "sources", NULL};

/* A passage whose bytes are in `bytes`, as offsets while that still grows. */
struct indexer_piece {
  size_t at;
  size_t id, text, context, chunk, shared, item; /* lengths, in this order */
  size_t vector;                                 /* number of floats before it in `vectors` */
  int boilerplate;
  float scale; /* scale of the stored row, where it is restored */
};

struct indexer_pieces {
  struct buf bytes, vectors;
  struct indexer_piece *list;
  size_t count, cap;
  uint32_t dims;
  int hashed;
  uint64_t hash[2]; /* content hash of a restored document */
  struct buf scratch, vector;

  struct buf shared, extras; /* what indexer_pieces_document() gives */
  struct store_passage *passages;
};

struct indexer_pieces *indexer_pieces_new(void) {
  struct indexer_pieces *g = xcalloc(1, sizeof *g);
  buf_init(&g->bytes, 2 * STORE_DOCUMENT_BYTES);
  buf_init(&g->vectors, (size_t)STORE_DOCUMENT_ROWS * VECTOR_DIMS_MAX * 4);
  buf_init(&g->scratch, RECORD_MAX);
  buf_init(&g->vector, VECTOR_DIMS_MAX * 4 + 64);
  buf_init(&g->shared, RECORD_MAX);
  buf_init(&g->extras, STORE_DOCUMENT_BYTES);
  return g;
}

void indexer_pieces_clear(struct indexer_pieces *g) {
  buf_clear(&g->bytes);
  buf_clear(&g->vectors);
  buf_clear(&g->shared);
  buf_clear(&g->extras);
  free(g->passages);
  g->passages = NULL;
  g->count = 0;
  g->dims = 0;
  g->hashed = 0;
}

void indexer_pieces_free(struct indexer_pieces *g) {
  if (!g)
    return;
  indexer_pieces_clear(g);
  buf_release(&g->bytes);
  buf_release(&g->vectors);
  buf_release(&g->scratch);
  buf_release(&g->vector);
  buf_release(&g->shared);
  buf_release(&g->extras);
  free(g->list);
  free(g);
}

size_t indexer_pieces_count(const struct indexer_pieces *g) {
  return g->count;
}

static int indexer_add_vector(struct indexer_pieces *g, const struct record *rec) {
  struct buf *raw = &g->vector;
  buf_clear(raw);
  struct slice text = json_text(rec->field[F_EMBEDDING], &g->scratch);
  if (text.len == 0 || base64_decode(text, raw) || raw->len % 4 || raw->len / 4 > VECTOR_DIMS_MAX ||
      raw->len == 0)
    return -1;
  if (g->count && raw->len / 4 != g->dims)
    return -1;
  g->dims = (uint32_t)(raw->len / 4);
  return buf_add_slice(&g->vectors, buf_slice(raw));
}

static size_t indexer_add_text(struct indexer_pieces *g, struct slice value) {
  struct slice s = json_text(value, &g->scratch);
  buf_add_slice(&g->bytes, s);
  return s.len;
}

static size_t add_shared(struct indexer_pieces *g, const struct record *rec) {
  size_t before = g->bytes.len;
  record_open_without(&g->bytes, rec, own_fields);
  buf_add_char(&g->bytes, '}');
  return g->bytes.len - before;
}

static struct indexer_piece *new_piece(struct indexer_pieces *g) {
  if (g->count == g->cap) {
    g->cap = g->cap ? g->cap * 2 : 256;
    g->list = xreallocarray(g->list, g->cap, sizeof *g->list);
  }
  return &g->list[g->count];
}

/* Reads the document's hash from a dump: 32 hex digits. */
static void read_hash(struct indexer_pieces *g, struct slice value) {
  struct slice s = json_text(value, &g->scratch);
  char half[17] = {0};
  g->hashed = s.len == 32;
  for (int i = 0; g->hashed && i < 2; i++) {
    memcpy(half, s.data + (size_t)i * 16, 16);
    g->hash[i] = strtoull(half, NULL, 16);
  }
}

/* Whether the text at the pieces' end of that length is an id: 32 hex digits. */
static int ends_with_id(const struct indexer_pieces *g, size_t len) {
  const char *id = g->bytes.data + g->bytes.len - len;
  size_t digits = 0;
  while (digits < len && isxdigit((unsigned char)id[digits]))
    digits++;
  return len == 32 && digits == len;
}

const char *indexer_pieces_add(struct indexer_pieces *g, const struct record *rec, int restore) {
  struct slice chunk = indexer_fields_chunk(rec);
  struct indexer_piece *p = new_piece(g);
  int restored = restore && json_kind(rec->field[F_STORE]) == '{';
  if (restored)
    read_hash(g, json_get(rec->field[F_STORE], "hash"));
  if (g->count >= STORE_DOCUMENT_ROWS)
    return "the document has too many passages";
  if (indexer_add_vector(g, rec))
    return "the embedding of a passage is no base64 of floats, or not as long as the others: bid-embed makes "
           "them";
  p->at = g->bytes.len;
  p->id = indexer_add_text(g, rec->field[F_ID]);
  int has_id = g->bytes.overflow || ends_with_id(g, p->id);
  p->text = indexer_add_text(g, rec->field[F_TEXT]);
  p->context = indexer_add_text(g, rec->field[F_CONTEXT]);
  buf_add_slice(&g->bytes, chunk);
  p->chunk = chunk.len;
  p->shared = add_shared(g, rec);
  p->item = indexer_add_text(g, json_get(chunk, "item"));
  p->boilerplate = json_kind(rec->field[F_BOILERPLATE]) == 't';
  p->scale = restored ? (float)json_to_double(json_get(rec->field[F_STORE], "scale"), 0) : 0;
  g->count++;
  return has_id ? NULL : "a passage has no id of 32 hex digits: bid-chunk makes them";
}

const char *indexer_pieces_fault(const struct indexer_pieces *g) {
  return g->bytes.overflow || g->vectors.overflow ? "the document is too large" : NULL;
}

static struct slice indexer_take(const char **at, size_t len) {
  struct slice s = slice_of(*at, len);
  *at += len;
  return s;
}

/* Fills all but `extra`; members: the JSON object of what is not stored by itself. */
static void fill_passage(const struct indexer_pieces *g, size_t i, struct store_passage *out,
                         struct slice *members) {
  const struct indexer_piece *p = &g->list[i];
  const char *at = g->bytes.data + p->at;
  out->id = indexer_take(&at, p->id);
  out->text = indexer_take(&at, p->text);
  out->context = indexer_take(&at, p->context);
  out->chunk = indexer_take(&at, p->chunk);
  *members = indexer_take(&at, p->shared);
  out->item = indexer_take(&at, p->item);
  out->vector = (const float *)(void *)g->vectors.data + i * g->dims;
  out->boilerplate = p->boilerplate;
  out->scale = p->scale;
}

void indexer_pieces_document(struct indexer_pieces *g, struct store_document *d) {
  struct slice *members = xcalloc(g->count, sizeof *members);
  g->passages = xcalloc(g->count, sizeof *g->passages);
  for (size_t i = 0; i < g->count; i++)
    fill_passage(g, i, &g->passages[i], &members[i]);
  indexer_members_shared(members, g->count, &g->shared);
  for (size_t i = 0; i < g->count; i++)
    g->passages[i].extra.len = indexer_members_extra(members[i], buf_slice(&g->shared), &g->extras);
  const char *at = g->extras.data ? g->extras.data : "";
  for (size_t i = 0; i < g->count; i++)
    g->passages[i].extra = indexer_take(&at, g->passages[i].extra.len);
  free(members);
  d->json = buf_slice(&g->shared);
  d->passages = g->passages;
  d->count = g->count;
  d->dims = g->dims;
  d->hash = g->hashed ? g->hash : NULL;
}

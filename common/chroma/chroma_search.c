/* chroma_search.c: questions to a Chroma server: its documents and candidates in a temporary store, which is searched. */
#include "chroma/chroma_search.h"

#include "base/buf.h"
#include "base/diag.h"
#include "base/digest.h"
#include "base/hash.h"
#include "chroma/chroma.h"
#include "record/json.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- documents on the server ---- */

struct chroma_known {
  char *url, *json; /* as of store_get_document() */
  char id[33];      /* of its first passage */
  uint64_t url_hash;
  size_t collection; /* index in the list */
};

struct chroma_catalog {
  struct chroma_collections collections;
  struct chroma_known *list; /* ordered by url_hash, then collection */
  size_t count;
  size_t reading; /* index of the collection whose documents are read */
};

/* Adds a row's document, where the row is valid. */
static void add_known(void *arg, const struct chroma_row *row, const struct chroma_place *place) {
  struct chroma_catalog *all = arg;
  struct chroma_known k = {.collection = all->reading};
  char *id = json_text_copy(row->id), *json = json_text_copy(json_get(row->metadata, "bid_document")),
       *url = json_text_copy(json_get(row->metadata, "sourceUrl"));
  (void)place;
  if (id && chroma_row_is_id(slice_str(id)) && json && *json == '{' && json_is_valid(slice_str(json))) {
    memcpy(k.id, id, sizeof k.id);
    k.json = json;
    k.url = url ? url : xstrdup("");
    k.url_hash = hash_bytes(k.url, strlen(k.url));
    all->list = xgrow(all->list, all->count, sizeof *all->list);
    all->list[all->count++] = k;
  } else {
    free(json);
    free(url);
  }
  free(id);
}

static int known_order(const void *a, const void *b) {
  const struct chroma_known *x = a, *y = b;
  if (x->url_hash != y->url_hash)
    return x->url_hash < y->url_hash ? -1 : 1;
  return (x->collection > y->collection) - (x->collection < y->collection);
}

/* Reads the documents that BID wrote, in all collections with a known model. */
static enum store_status chroma_catalog_read(struct chroma *c, struct chroma_catalog *all,
                                             struct error_text *e) {
  enum store_status status = chroma_list(c, &all->collections, e);
  for (size_t i = 0; i < all->collections.count && !status; i++) {
    const struct chroma_collection *from = &all->collections.list[i];
    all->reading = i;
    if (from->dims && from->model[0])
      status = chroma_each_document(c, from, add_known, all, e);
  }
  if (all->count)
    qsort(all->list, all->count, sizeof *all->list, known_order);
  return status;
}

static void chroma_catalog_release(struct chroma_catalog *all) {
  for (size_t i = 0; i < all->count; i++) {
    free(all->list[i].url);
    free(all->list[i].json);
  }
  free(all->list);
  chroma_collections_release(&all->collections);
}

/* Finds the document with this URL in a collection; NULL: none. */
static const struct chroma_known *chroma_catalog_find(const struct chroma_catalog *all, struct slice url,
                                                      const char *collection) {
  uint64_t url_hash = hash_bytes(url.data, url.len);
  size_t from = 0, to = all->count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (all->list[middle].url_hash < url_hash)
      from = middle + 1;
    else
      to = middle;
  }
  for (; from < all->count && all->list[from].url_hash == url_hash; from++)
    if (slice_is(url, all->list[from].url) &&
        strcmp(all->collections.list[all->list[from].collection].name, collection) == 0)
      return &all->list[from];
  return NULL;
}

/* ---- candidates ---- */

struct chroma_wish { /* a candidate to be fetched */
  size_t collection;
  float distance;
  char id[33];
};

struct chroma_search {
  struct chroma *chroma;
  struct chroma_catalog known;
  struct search_remote remote;
  char *folder;
  struct search *local; /* or NULL */
  struct searcher *words;
  struct chroma_wish *wishes; /* for the question */
  size_t wish_count;
  const struct chroma_known **allowed; /* [known.count] allowed documents, by collection */
  size_t *first;                       /* [collections + 1] index in allowed of each collection's first */
  struct chroma_call *answers;         /* fetched answers, until they are stored */
  size_t answer_count;
  const struct chroma_known **touched; /* documents that are to have the empty passage alone */
  size_t touched_count;
};

#define DEPTH 200      /* minimum number of candidate passages per question */
#define LOCAL_DEPTH 80 /* of these, from a local store by words */
#define WORDS 6        /* words passed to Chroma's full-text filter */

/* ---- allowed documents ---- */

static int allowed_order(const void *a, const void *b) {
  const struct chroma_known *x = *(const struct chroma_known *const *)a,
                            *y = *(const struct chroma_known *const *)b;
  if (x->collection != y->collection)
    return x->collection < y->collection ? -1 : 1;
  return (x > y) - (x < y);
}

/* Sets allowed and first: the documents of the snapshot that pass the filter. */
static void chroma_candidates_allow(struct chroma_search *c, const struct store_snapshot *snap,
                                    const struct store_filter *filter) {
  const struct store_segment *seg;
  struct store_filter documents = *filter;
  size_t n = store_segments(snap, &seg), count = 0;
  documents.item_count = 0; /* only Chroma has the passages' items */
  for (size_t i = 0; i < n; i++) {
    struct store_selection sel;
    store_select(&seg[i], &documents, &sel);
    for (uint32_t d = 0; d < seg[i].docs && sel.count; d++) {
      const struct store_doc *x = &seg[i].doc[d];
      const struct chroma_known *k = NULL;
      struct error_text e;
      struct slice url;
      if (store_selected(&sel, x->first) && store_document_url(snap, x->id, &url, &e) == STORE_OK)
        k = chroma_catalog_find(&c->known, url, store_collection_name(snap, x->collection));
      if (k)
        c->allowed[count++] = k;
    }
    store_selection_release(&sel);
  }
  if (count)
    qsort(c->allowed, count, sizeof(struct chroma_known *), allowed_order);
  for (size_t i = 0, at = 0; i <= c->known.collections.count; i++) {
    while (at < count && c->allowed[at]->collection < i)
      at++;
    c->first[i] = at;
  }
}

static size_t documents_of(const struct chroma_search *c, size_t collection) {
  size_t n = 0;
  for (size_t i = 0; i < c->known.count; i++)
    n += c->known.list[i].collection == collection;
  return n;
}

/* ---- requests ---- */

/* Appends "item 1a" as "1A". */
static void add_asked_item(struct buf *out, const char *item) {
  char upper[64];
  size_t n = 0;
  if (strncasecmp(item, "item ", 5) == 0)
    item += 5;
  for (; n < sizeof upper - 1 && item[n]; n++)
    upper[n] = (char)toupper((unsigned char)item[n]);
  json_add_string(out, upper, n);
}

/* Appends the "where" filter for a collection: its documents, unless all are allowed, and the items. */
static void add_where(const struct chroma_search *c, size_t collection, const struct search_request *r,
                      struct buf *out) {
  size_t from = c->first[collection], to = c->first[collection + 1], items = r->items.count;
  int some = to - from < documents_of(c, collection);
  if (!some && !items)
    return;
  buf_add_str(out, ",\"where\":");
  buf_add_str(out, some && items ? "{\"$and\":[" : "");
  for (size_t i = from; some && i < to; i++) {
    buf_add_str(out, i == from ? "{\"sourceUrl\":{\"$in\":[" : ",");
    json_add_cstr(out, c->allowed[i]->url);
  }
  buf_add_str(out, some ? items ? "]}}," : "]}}" : "");
  for (size_t i = 0; i < items; i++) {
    buf_add_str(out, i == 0 ? "{\"item\":{\"$in\":[" : ",");
    add_asked_item(out, r->items.items[i]);
  }
  buf_add_str(out, items ? "]}}" : "");
  buf_add_str(out, some && items ? "]}" : "");
}

/* Appends the question's longest words, as they may occur in a text. */
static void add_question_words(const struct query *q, struct buf *out) {
  size_t best[WORDS], n = 0;
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *t = &q->tokens[i];
    if (t->kind == QUERY_ROUTED || t->kind == QUERY_FILLER || t->end - t->start < 3)
      continue;
    size_t at = n < WORDS ? n++ : WORDS;
    for (; at > 0 && q->tokens[best[at - 1]].end - q->tokens[best[at - 1]].start < t->end - t->start; at--)
      if (at < WORDS)
        best[at] = best[at - 1];
    if (at < WORDS)
      best[at] = i;
  }
  if (n == 0)
    return;
  buf_add_str(out, ",\"where_document\":{\"$or\":[");
  for (size_t i = 0; i < n; i++) {
    const struct query_token *t = &q->tokens[best[i]];
    char word[64];
    size_t len = t->end - t->start < sizeof word ? t->end - t->start : sizeof word;
    memcpy(word, q->text.data + t->start, len);
    for (int upper = 0; upper < 2; upper++) {
      word[0] = (char)(upper ? toupper((unsigned char)word[0]) : tolower((unsigned char)word[0]));
      buf_add_str(out, i || upper ? ",{\"$contains\":" : "{\"$contains\":");
      json_add_string(out, word, len);
      buf_add_char(out, '}');
    }
  }
  buf_add_str(out, "]}");
}

static size_t depth_of(const struct search_wanted *w) {
  return 2 * w->request->n > DEPTH ? 2 * w->request->n : DEPTH;
}

static void add_query(const struct chroma_search *c, size_t collection, const struct search_wanted *w,
                      struct chroma_call *call) {
  struct buf *out = &call->body;
  chroma_call_init(call, "POST");
  call->collection = collection;
  buf_printf(&call->path, "/collections/%s/%s", c->known.collections.list[collection].id,
             w->dims ? "query" : "get");
  buf_add_str(out, w->dims ? "{\"include\":[\"distances\"],\"query_embeddings\":[" : "{\"include\":[]");
  if (w->dims)
    json_add_floats(out, w->vector, w->dims);
  buf_printf(out, "%s,\"%s\":%zu", w->dims ? "]" : "", w->dims ? "n_results" : "limit", depth_of(w));
  add_where(c, collection, w->request, out);
  if (!w->dims)
    add_question_words(w->query, out);
  buf_add_char(out, '}');
}

static void add_wish(struct chroma_search *c, size_t collection, struct slice id, float distance) {
  if (!chroma_row_is_id(id))
    return;
  c->wishes = xgrow(c->wishes, c->wish_count, sizeof *c->wishes);
  struct chroma_wish *w = &c->wishes[c->wish_count++];
  w->collection = collection;
  w->distance = distance;
  memcpy(w->id, id.data, 32);
  w->id[32] = '\0';
}

/* Reads the ids of a query's single question, or of a get. */
static void read_wishes(struct chroma_search *c, size_t collection, struct slice answer, int nested) {
  struct json_cursor ids = {0}, distances = {0}, inner = {0};
  struct slice list = json_get(answer, "ids"), far = json_get(answer, "distances"), id, distance = {0};
  struct buf scratch;
  if (json_kind(list) != '[' || (nested && !json_next_element(list, &inner, &list)) || json_kind(list) != '[')
    return;
  inner = (struct json_cursor){0};
  if (!nested || json_kind(far) != '[' || !json_next_element(far, &inner, &far) || json_kind(far) != '[')
    far = slice_str("[]");
  buf_init(&scratch, 4096);
  while (json_next_element(list, &ids, &id)) {
    int known = json_next_element(far, &distances, &distance);
    add_wish(c, collection, json_text(id, &scratch), known ? (float)json_to_double(distance, 2) : 2);
  }
  buf_release(&scratch);
}

static int wish_order(const void *a, const void *b) {
  const struct chroma_wish *x = a, *y = b;
  if (x->distance != y->distance)
    return x->distance < y->distance ? -1 : 1;
  return strcmp(x->id, y->id);
}

/* Adds the nearest passages over all collections to the wishes: first only ids, so that many collections cost
 * little. */
static enum store_status chroma_candidates_ask(struct chroma_search *c, const struct search_wanted *w,
                                               struct error_text *e) {
  size_t n = c->known.collections.count, count = 0;
  struct chroma_call *calls = xcalloc(n + 1, sizeof *calls);
  for (size_t i = 0; i < n; i++) {
    if (c->first[i] == c->first[i + 1] || (w->dims && c->known.collections.list[i].dims != w->dims))
      continue;
    add_query(c, i, w, &calls[count++]);
  }
  enum store_status status = chroma_perform(c->chroma, calls, count, e);
  for (size_t i = 0; i < count; i++) {
    if (!status)
      read_wishes(c, calls[i].collection, buf_slice(&calls[i].response.body), w->dims > 0);
    chroma_call_release(&calls[i]);
  }
  free(calls);
  if (c->wish_count)
    qsort(c->wishes, c->wish_count, sizeof *c->wishes, wish_order);
  if (c->wish_count > depth_of(w))
    c->wish_count = depth_of(w);
  return status;
}

/* Adds what a local store finds by words, in collections that Chroma has. */
static void chroma_candidates_add_local(struct chroma_search *c, const struct search_request *request) {
  const struct search_answer *a = NULL;
  struct search_fault f;
  struct search_request r = *request;
  char id[33];
  r.mode = RANK_TEXT;
  r.n = LOCAL_DEPTH;
  r.fold = r.threshold = 0;
  if (!c->local || searcher_run(c->words, &r, &a, &f) != 0)
    return;
  for (size_t i = 0; i < a->result.count; i++) {
    const struct rank_place *at = &a->result.hits[i].at;
    const char *name = search_collection_name(c->local, at->seg->doc[at->doc].collection);
    digest_hex(store_row_id(at->seg, at->row), STORE_ID_BYTES, id);
    for (size_t k = 0; k < c->known.collections.count; k++)
      if (strcmp(c->known.collections.list[k].name, name) == 0 && c->first[k] < c->first[k + 1])
        add_wish(c, k, slice_of(id, 32), 2);
  }
}

static int by_collection_and_id(const void *a, const void *b) {
  const struct chroma_wish *x = a, *y = b;
  if (x->collection != y->collection)
    return x->collection < y->collection ? -1 : 1;
  return strcmp(x->id, y->id);
}

/* Fetches all wishes into answers, one call per collection. */
static enum store_status chroma_candidates_fetch(struct chroma_search *c, struct error_text *e) {
  if (c->wish_count)
    qsort(c->wishes, c->wish_count, sizeof *c->wishes, by_collection_and_id);
  c->answers = xcalloc(c->wish_count + 1, sizeof *c->answers);
  for (size_t i = 0; i < c->wish_count; i++) {
    const struct chroma_wish *w = &c->wishes[i];
    int new_one = i == 0 || c->wishes[i - 1].collection != w->collection;
    if (new_one) {
      struct chroma_call *call = &c->answers[c->answer_count++];
      chroma_call_init(call, "POST");
      call->collection = w->collection;
      buf_printf(&call->path, "/collections/%s/get", c->known.collections.list[w->collection].id);
      buf_add_str(&call->body, "{\"include\":[\"documents\",\"metadatas\",\"embeddings\"],\"ids\":[");
    } else if (strcmp(c->wishes[i - 1].id, w->id) == 0)
      continue;
    buf_printf(&c->answers[c->answer_count - 1].body, "%s\"%s\"", new_one ? "" : ",", w->id);
  }
  for (size_t i = 0; i < c->answer_count; i++)
    buf_add_str(&c->answers[i].body, "]}");
  return chroma_perform(c->chroma, c->answers, c->answer_count, e);
}

/* ---- the temporary store ---- */

static void ignore_receipt(void *arg, const struct store_receipt *r) {
  enum store_status *status = arg;
  if (r->status)
    *status = r->status;
}

static enum store_status put_passages(const struct chroma_search *c, struct store_writer *w,
                                      const struct chroma_known *k, const struct store_passage *passages,
                                      size_t count, struct error_text *e) {
  const struct chroma_collection *of = &c->known.collections.list[k->collection];
  struct store_document d = {.collection = of->name,
                             .model = of->model,
                             .dims = of->dims,
                             .url = slice_str(k->url),
                             .json = slice_str(k->json),
                             .passages = passages,
                             .count = count};
  return store_writer_add(w, &d, e);
}

/* Stores the document with one empty passage, which is needed for planning. */
static enum store_status put_empty(const struct chroma_search *c, struct store_writer *w,
                                   const struct chroma_known *k, struct error_text *e) {
  static const float zero[VECTOR_DIMS_MAX];
  struct store_passage empty = {.id = slice_of(k->id, 32), .chunk = slice_str("{}"), .vector = zero};
  return put_passages(c, w, k, &empty, 1, e);
}

/* ---- storing candidates ---- */

/* Decodes a text where it is in the answer, which is not read again. */
static struct slice decoded(struct slice value) {
  return json_text_in_place(value, (char *)(uintptr_t)value.data);
}

struct chroma_fetched {
  const struct chroma_known *of;
  struct chroma_place place;
  struct store_passage passage;
  float *vector;
};

static int fetched_order(const void *a, const void *b) {
  const struct chroma_fetched *x = a, *y = b;
  if (x->of != y->of)
    return x->of < y->of ? -1 : 1;
  return (x->place.row > y->place.row) - (x->place.row < y->place.row);
}

/* 0, or -1 where the row doesn't belong to a known document. */
static int read_fetched(struct chroma_search *c, size_t collection, const struct chroma_row *row,
                        struct chroma_fetched *out) {
  const struct chroma_collection *from = &c->known.collections.list[collection];
  float x[VECTOR_DIMS_MAX];
  if (chroma_row_place(row, &out->place) != 0 || chroma_row_vector(row, x) != from->dims)
    return -1;
  struct slice m = row->metadata, url = json_get(m, "sourceUrl"), context = json_get(m, "context"),
               chunk = json_get(m, "bid_chunk"), item = json_get(m, "item");
  out->passage = (struct store_passage){.scale = (float)json_to_double(json_get(m, "bid_scale"), 0),
                                        .id = decoded(row->id),
                                        .text = decoded(row->text),
                                        .context = decoded(context),
                                        .chunk = decoded(chunk),
                                        .item = decoded(item)};
  out->of = chroma_catalog_find(&c->known, decoded(url), from->name);
  if (!out->of || !chroma_row_is_id(out->passage.id) || !json_is_valid(out->passage.chunk))
    return -1;
  out->vector = xcalloc(from->dims, sizeof *out->vector);
  memcpy(out->vector, x, from->dims * sizeof *x);
  out->passage.vector = out->vector;
  return 0;
}

static struct chroma_fetched *read_answers(struct chroma_search *c, size_t *count) {
  struct chroma_fetched *list = xcalloc(c->wish_count + 1, sizeof *list);
  size_t n = 0;
  for (size_t i = 0; i < c->answer_count; i++) {
    struct chroma_rows rows;
    struct chroma_row row;
    for (chroma_rows_begin(&rows, buf_slice(&c->answers[i].response.body));
         n < c->wish_count && chroma_rows_next(&rows, &row);)
      n += read_fetched(c, c->answers[i].collection, &row, &list[n]) == 0;
  }
  if (n)
    qsort(list, n, sizeof *list, fetched_order);
  *count = n;
  return list;
}

static enum store_status put_fetched(const struct chroma_search *c, struct store_writer *w,
                                     const struct chroma_fetched *rows, size_t count, struct error_text *e) {
  struct store_passage *list = xcalloc(count, sizeof *list);
  for (size_t i = 0; i < count; i++)
    list[i] = rows[i].passage;
  enum store_status status = put_passages(c, w, rows[0].of, list, count, e);
  free(list);
  return status;
}

static void touch(struct chroma_search *c, const struct chroma_known *k) {
  c->touched = xgrow(c->touched, c->touched_count, sizeof(struct chroma_known *));
  c->touched[c->touched_count++] = k;
}

static enum store_status put_all(struct chroma_search *c, struct store *s, const struct chroma_fetched *rows,
                                 size_t count, struct error_text *e) {
  enum store_status refused = STORE_OK;
  struct store_writer *w = store_writer_new(s, 0, ignore_receipt, &refused);
  enum store_status status = STORE_OK;
  for (size_t i = 0; i < c->touched_count && !status; i++)
    status = put_empty(c, w, c->touched[i], e);
  c->touched_count = 0;
  for (size_t from = 0, to; from < count && !status; from = to) {
    for (to = from + 1; to < count && rows[to].of == rows[from].of;)
      to++;
    status = put_fetched(c, w, rows + from, to - from, e);
    touch(c, rows[from].of);
  }
  if (!status)
    status = store_writer_commit(w, e);
  store_writer_free(w);
  return status;
}

/* Stores the fetched passages in their documents, and empties those of the previous question: all, before the first. */
static enum store_status chroma_fill(struct chroma_search *c, struct error_text *e) {
  struct store *s = NULL;
  struct store_options o = {.path = c->folder, .write = 1, .create = 1};
  size_t count;
  struct chroma_fetched *rows = read_answers(c, &count);
  enum store_status status = store_open(&s, &o, e);
  if (!status)
    status = put_all(c, s, rows, count, e);
  store_close(s);
  for (size_t i = 0; i < count; i++)
    free(rows[i].vector);
  free(rows);
  return status;
}

/* ---- a temporary folder ---- */

/* A temporary store that lives as long as this process: in memory (/dev/shm) where available, else
 * in $TMPDIR or /tmp.  Orphaned folders of killed processes are removed. */

#define PREFIX "bid-scratch-"

static void remove_folder(const char *folder) {
  DIR *d = opendir(folder);
  for (struct dirent *x; d && (x = readdir(d)) != NULL;)
    if (x->d_name[0] != '.')
      unlinkat(dirfd(d), x->d_name, 0);
  if (d)
    closedir(d);
  rmdir(folder);
}

/* Removes folders of dead processes; those of other users can't be removed anyway. */
static void remove_left(const char *parent) {
  char path[4096];
  DIR *d = opendir(parent);
  for (struct dirent *x; d && (x = readdir(d)) != NULL;) {
    if (strncmp(x->d_name, PREFIX, strlen(PREFIX)) != 0)
      continue;
    long pid = strtol(x->d_name + strlen(PREFIX), NULL, 10);
    if (pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH &&
        snprintf(path, sizeof path, "%s/%s", parent, x->d_name) < (int)sizeof path)
      remove_folder(path);
  }
  if (d)
    closedir(d);
}

/* Creates a folder and returns its path, to be freed; NULL with *e. */
static char *scratch_store_make(struct error_text *e) {
  const char *set = getenv("TMPDIR"), *parents[] = {"/dev/shm", set && *set ? set : "/tmp"};
  char path[4096];
  for (int i = 0; i < 2; i++) {
    remove_left(parents[i]);
    snprintf(path, sizeof path, "%s/" PREFIX "%ld-XXXXXX", parents[i], (long)getpid());
    if (mkdtemp(path))
      return xstrdup(path);
  }
  error_set(e, "%s: no temporary folder can be made there: %s", parents[1], strerror(errno));
  return NULL;
}

/* Removes the folder and its contents; NULL is allowed. */
static void scratch_store_remove(char *folder) {
  if (folder)
    remove_folder(folder);
  free(folder);
}

static int chroma_search_fault(struct search_fault *f, enum store_status status, const struct error_text *e) {
  f->category = store_category(status);
  f->status = store_exit_status(status);
  f->e = *e;
  return -1;
}

static void forget_answers(struct chroma_search *c) {
  for (size_t i = 0; i < c->answer_count; i++)
    chroma_call_release(&c->answers[i]);
  free(c->answers);
  c->answers = NULL;
  c->answer_count = 0;
}

static int chroma_search_ask(void *arg, const struct store_snapshot *snap, const struct search_wanted *w,
                             struct search_fault *f) {
  struct chroma_search *c = arg;
  struct error_text e;
  forget_answers(c); /* of a failed question */
  c->wish_count = 0;
  chroma_candidates_allow(c, snap, w->filter);
  enum store_status status = chroma_candidates_ask(c, w, &e);
  if (!status) {
    chroma_candidates_add_local(c, w->request);
    status = chroma_candidates_fetch(c, &e);
  }
  return status ? chroma_search_fault(f, status, &e) : 0;
}

static int chroma_search_put(void *arg, struct search_fault *f) {
  struct error_text e;
  enum store_status status = chroma_fill(arg, &e);
  forget_answers(arg);
  return status ? chroma_search_fault(f, status, &e) : 0;
}

static void open_local(struct chroma_search *c, const struct search_list *stores) {
  struct search_options o = {.stores = *stores, .many = 1};
  struct search_fault f;
  c->local = search_open(&o, &f); /* local stores are optional */
  c->words = c->local ? searcher_new(c->local) : NULL;
}

struct chroma_search *chroma_search_open(const char *address, const struct search_list *local,
                                         struct search_fault *f) {
  struct chroma_search *c = xcalloc(1, sizeof *c);
  struct error_text e;
  enum store_status status = chroma_open(&c->chroma, address, &e);
  if (!status)
    status = chroma_catalog_read(c->chroma, &c->known, &e);
  if (!status && c->known.count == 0) {
    error_set(
        &e, "%s: no collection there has documents of BID: bid-index --to or bid-store copy puts some there",
        chroma_name(c->chroma));
    status = STORE_MISSING;
  }
  c->allowed = xcalloc(c->known.count + 1, sizeof(struct chroma_known *));
  c->first = xcalloc(c->known.collections.count + 2, sizeof *c->first);
  for (size_t i = 0; i < c->known.count; i++)
    touch(c, &c->known.list[i]);
  if (!status)
    status = (c->folder = scratch_store_make(&e)) ? chroma_fill(c, &e) : STORE_IO;
  if (status) {
    chroma_search_fault(f, status, &e);
    chroma_search_close(c);
    return NULL;
  }
  open_local(c, local);
  c->remote = (struct search_remote){chroma_search_ask, chroma_search_put, c};
  return c;
}

void chroma_search_close(struct chroma_search *c) {
  if (!c)
    return;
  forget_answers(c);
  searcher_free(c->words);
  search_close(c->local);
  chroma_catalog_release(&c->known);
  scratch_store_remove(c->folder);
  chroma_close(c->chroma);
  free(c->wishes);
  free(c->allowed);
  free(c->first);
  free(c->touched);
  free(c);
}

const char *chroma_search_store(const struct chroma_search *c) {
  return c->folder;
}

const struct search_remote *chroma_search_remote(struct chroma_search *c) {
  return &c->remote;
}

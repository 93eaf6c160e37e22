/* search.c: what the questions to a store share: its snapshot and lists, the thesaurus, --where. */
#include "search/search_internal.h"
#include "base/paths.h"
#include "base/sandbox.h"
#include "model/embed.h"
#include "record/error.h"
#include "record/json.h"
#include "record/record.h"
#include "search/jq_filter.h"

#include <stdio.h>
#include <stdlib.h>

#define THESAURUS_BYTES ((size_t)4 << 20)

void search_fault_set(struct search_fault *f, const char *category, int status, const char *format, ...) {
  va_list args;
  f->category = category;
  f->status = status;
  va_start(args, format);
  vsnprintf(f->e.text, sizeof f->e.text, format, args);
  va_end(args);
}

static void search_store_fault(struct search_fault *f, enum store_status status, const struct error_text *e) {
  if (status == STORE_MISSING)
    search_fault_set(f, ERROR_NO_COLLECTION, error_exit_status(ERROR_NO_COLLECTION),
                     "there is no collection yet (%s): " SEARCH_HOW_TO_INDEX, e->text);
  else
    search_fault_set(f, store_category(status), store_exit_status(status), "%s", e->text);
}

static int load_thesaurus(struct search *s, struct slice question, struct search_fault *f) {
  struct buf path;
  struct error_text e;
  buf_init(&path, 65536);
  buf_init(&s->thesaurus_text, THESAURUS_BYTES);
  int found = paths_data(&path, "thesaurus.tsv") == 0 && buf_read_file(&s->thesaurus_text, path.data) == 0;
  s->terms = terms_new_small();
  if (found)
    s->thesaurus = thesaurus_new(buf_slice(&s->thesaurus_text), s->terms, question, &e);
  if (found && s->thesaurus == NULL)
    search_fault_set(f, ERROR_INTERNAL, 78, "%s: %s", path.data, e.text);
  buf_release(&path);
  return found && s->thesaurus == NULL ? -1 : 0;
}

static void load_known(struct search *s) {
  const struct store_company *list;
  size_t n = store_companies(s->snap, &list);
  s->companies = xcalloc(n + 1, sizeof *s->companies);
  for (size_t i = 0; i < n; i++)
    s->companies[i] = (struct query_company){list[i].name, list[i].ticker, list[i].cik};
  s->known.companies = s->companies;
  s->known.company_count = n;
  s->known.form_count = store_forms(s->snap, &s->known.forms);
}

/* The object that a jq filter gets for a document: its record and the collection's name. */
static int search_add_object(struct search *s, const struct store_segment *seg, uint32_t doc, struct buf *all,
                             struct error_text *e) {
  struct buf json;
  buf_init(&json, RECORD_MAX);
  enum store_status status = store_get_document(s->snap, seg->doc[doc].id, &json, e);
  if (status == STORE_OK && json.len > 1 && json.data[0] == '{') {
    buf_add_char(all, '{');
    json_cstr(all, "collection", search_collection_name(s, seg->doc[doc].collection));
    if (json.len > 2)
      buf_add_char(all, ',');
    buf_add(all, json.data + 1, json.len - 1);
  }
  buf_release(&json);
  return status == STORE_OK ? 0 : -1;
}

/* The objects of all documents that are not removed. */
struct objects {
  struct buf all;
  size_t *of; /* [count] index in search.kept */
  size_t count;
};

static int collect_objects(struct search *s, struct objects *o, struct error_text *e) {
  size_t docs = 0;
  s->kept_base = xcalloc(s->seg_count + 1, sizeof *s->kept_base);
  for (size_t i = 0; i < s->seg_count; i++) {
    s->kept_base[i] = docs;
    docs += s->segs[i].docs;
  }
  s->kept = xcalloc(docs + 1, 1);
  o->of = xcalloc(docs + 1, sizeof *o->of);
  for (size_t i = 0; i < s->seg_count; i++)
    for (uint32_t d = 0; d < s->segs[i].docs; d++) {
      if (s->segs[i].dead_docs != NULL && (s->segs[i].dead_docs[d / 64] >> (d % 64) & 1))
        continue;
      size_t begun = jq_filter_begin(&o->all);
      if (search_add_object(s, &s->segs[i], d, &o->all, e) != 0)
        return -1;
      if (jq_filter_end(&o->all, begun))
        o->of[o->count++] = s->kept_base[i] + d;
    }
  return 0;
}

static int run_where(struct search *s, const char *where, struct search_fault *f) {
  struct objects o = {.count = 0};
  buf_init(&o.all, (size_t)4 << 30);
  int status = collect_objects(s, &o, &f->e);
  f->category = ERROR_INTERNAL;
  f->status = 70;
  if (status == 0) {
    uint8_t *keep = xcalloc(o.count + 1, 1);
    jq_filter_use(where);
    status = jq_filter_run(buf_slice(&o.all), o.count, keep, &f->e);
    for (size_t i = 0; i < o.count; i++)
      s->kept[o.of[i]] = keep[i];
    free(keep);
    f->category = ERROR_INVALID_REQUEST;
    f->status = 64;
  }
  free(o.of);
  buf_release(&o.all);
  return status;
}

#define USUAL_MODEL "bid-static"

static void *open_ahead(void *arg) {
  struct ahead *a = arg;
  struct embed_options o = {.model = USUAL_MODEL, .threads = 1};
  struct error_text e; /* reported when the model is opened again */
  a->embedder = embed_open(&o, &e);
  return NULL;
}

static void join_ahead(struct ahead *a) {
  pthread_mutex_lock(&a->lock);
  if (a->started)
    pthread_join(a->thread, NULL);
  a->started = 0;
  pthread_mutex_unlock(&a->lock);
}

struct embedder *search_share_ahead(struct ahead *a, const char *model) {
  join_ahead(a);
  return a->embedder != NULL && strcmp(embed_name(a->embedder), model) == 0 ? embed_again(a->embedder) : NULL;
}

/* Opens a further store; LMDB can't open a file twice. */
static enum store_status open_another(struct search *s, const char *path, struct error_text *e) {
  struct store_options so = {.path = path};
  for (size_t i = 0; i < s->store_count; i++)
    if (store_is_at(s->stores[i], path)) {
      error_set(e, "%s: is named twice", path);
      return STORE_IO;
    }
  enum store_status status = store_open(&s->stores[s->store_count], &so, e);
  s->store_count += status == STORE_OK;
  return status;
}

static enum store_status open_stores(struct search *s, struct error_text *e) {
  const struct search_list *named = &s->options.stores;
  enum store_status status = STORE_OK;
  s->stores = xcalloc(named->count + 1, sizeof(struct store *));
  if (named->count == 0)
    status = open_another(s, NULL, e);
  for (size_t i = 0; i < named->count && !status; i++)
    status = open_another(s, named->items[i], e);
  return status ? status : store_joint_begin(s->stores, s->store_count, &s->snap, e);
}

static void close_store(struct search *s) {
  if (s->snap != NULL)
    store_snapshot_end(s->snap);
  for (size_t i = 0; i < s->store_count; i++)
    store_close(s->stores[i]);
  free(s->stores);
  free(s->companies);
  planner_free(s->planner);
  free(s->kept);
  free(s->kept_base);
  s->snap = NULL;
  s->stores = NULL;
  s->store_count = 0;
  s->companies = NULL;
  s->planner = NULL; /* it contains the store's companies */
  s->kept = NULL;
  s->kept_base = NULL;
  s->segs = NULL;
  s->seg_count = 0;
  s->known = (struct query_known){0};
}

static int open_store(struct search *s, struct search_fault *f) {
  const struct search_options *o = &s->options;
  struct error_text e = {""};
  enum store_status status = open_stores(s, &e);
  if (o->confined)
    sandbox_no_more_changes();
  if (status == STORE_MISSING && o->analyse) {
    close_store(s); /* the next opening would leak these resources */
    return 0;
  }
  if (status == STORE_OK) {
    s->seg_count = store_segments(s->snap, &s->segs);
    load_known(s);
    status = store_snapshot_check(s->snap, &e);
  }
  if (status != STORE_OK) {
    search_store_fault(f, status, &e);
    close_store(s);
    return -1;
  }
  return o->where != NULL ? run_where(s, o->where, f) : 0;
}

int search_is_outdated(const struct search *s) {
  for (size_t i = 0; s->snap != NULL && i < s->store_count; i++)
    if (store_is_outdated(s->stores[i], s->snap))
      return 1;
  return 0;
}

void search_close_store(struct search *s) {
  close_store(s);
}

int search_is_closed(const struct search *s) {
  return s->snap == NULL;
}

int search_reopen_store(struct search *s, struct search_fault *f) {
  if (open_store(s, f) == 0)
    return 0;
  close_store(s);
  return -1;
}

struct search *search_open(const struct search_options *o, struct search_fault *f) {
  struct search *s = xcalloc(1, sizeof *s);
  s->options = *o;
  s->model = o->model;
  s->many = o->many;
  pthread_mutex_init(&s->ahead.lock, NULL);
  pthread_mutex_init(&s->planner_lock, NULL);
  s->ahead.started = o->many && o->vectors && o->model == NULL &&
                     pthread_create(&s->ahead.thread, NULL, open_ahead, &s->ahead) == 0;
  if (load_thesaurus(s, s->options.question, f) == 0 && open_store(s, f) == 0)
    return s;
  search_close(s);
  return NULL;
}

void search_close(struct search *s) {
  if (s == NULL)
    return;
  join_ahead(&s->ahead);
  embed_close(s->ahead.embedder);
  pthread_mutex_destroy(&s->ahead.lock);
  close_store(s);
  thesaurus_free(s->thesaurus);
  terms_free(s->terms);
  buf_release(&s->thesaurus_text);
  pthread_mutex_destroy(&s->planner_lock);
  free(s);
}

const struct store_snapshot *search_snapshot(const struct search *s) {
  return s->snap;
}

const char *search_collection_name(const struct search *s, uint32_t id) {
  return store_collection_name(s->snap, id);
}

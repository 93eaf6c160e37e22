/* search.c: a request becomes a filter and a vector, the ranker does the rest. */
#include "search/search.h"
#include "base/near_name.h"

#include "base/base64.h"
#include "base/clock.h"
#include "model/embed_backend.h"
#include "compare/filing_news.h"
#include "record/error.h"
#include "search/jq_filter.h"
#include "search/rerank.h"
#include "record/json.h"
#include "base/paths.h"
#include "query/company_names.h"
#include "query/plan_json.h"
#include "record/record.h"

#include <ctype.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define THESAURUS_BYTES ((size_t)4 << 20)
#define DAY 86400
#define PLAN_TEXT ((size_t)1 << 20)

/* The most frequent model of the collections, opened in a thread in parallel with the store; read completely where
 * many questions are expected. */
struct ahead {
  pthread_t thread;
  pthread_mutex_t lock;
  int started;
  struct embedder *embedder; /* until taken */
};

struct search {
  struct store **stores; /* [store_count] */
  size_t store_count;
  struct store_snapshot *snap;
  struct buf thesaurus_text;
  struct thesaurus *thesaurus;
  struct terms *terms; /* used to read the thesaurus, for the first searcher: its cache has those words */
  struct query_company *companies;
  struct query_known known;
  struct search_options options;
  struct planner *planner; /* opened for the first question without a plan */
  pthread_mutex_t planner_lock;
  struct rerank *rerank; /* opened when first requested */
  pthread_mutex_t rerank_lock;
  const char *model; /* given by option, or NULL */
  uint8_t *kept;     /* for --where: by segment and document, or NULL */
  size_t *kept_base; /* index in kept of each segment's first document */
  size_t seg_count;
  const struct store_segment *segs;
  int many;
  struct ahead ahead;
};

/* A question being answered. */
struct asked {
  struct query query;
  struct plan plan;
  struct search_scope scope;
  struct buf plan_text, missing; /* texts of the plan; what the store lacks */
  int nobody;                    /* only documents without a known company may answer */
  int unsure;              /* the named company may not be one, and the store lacks it: see search_unsure() */
  struct error_text doubt; /* why a plan was rejected, or empty */
  struct slice doubtful;   /* the ambiguous words */
  struct rank_options options;
  const char *model; /* of the searched collections, or NULL */
  float *vector;     /* [dims] */
  size_t dims;       /* 0: no vector */
  struct buf warning;
  uint32_t *collections, *companies; /* for the filter; grow as needed */
  uint16_t *forms, *items;
};

struct searcher {
  struct search *shared;
  struct terms *terms;
  struct asked asked;
  struct ranker *ranker;
  char *ranker_model;
  struct embedder *embedder;
  char *failed_model; /* could not be opened: not tried again */
  struct error_text why_failed;
  struct search_answer answer;
  struct search_passage passage;
  struct filing_news *news; /* created when first requested */
  struct buf text;
  int threads; /* 0: no limit */
};

/* ---- opening ---- */

static void search_fault_(struct search_fault *f, const char *category, int status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void search_fault_(struct search_fault *f, const char *category, int status, const char *format, ...) {
  va_list args;
  f->category = category;
  f->status = status;
  va_start(args, format);
  vsnprintf(f->e.text, sizeof f->e.text, format, args);
  va_end(args);
}

#define HOW_TO_INDEX "filings or PDFs must be indexed first, for example with bid-ingest -e AAPL -f 10-K"

static void search_store_fault(struct search_fault *f, enum store_status status, const struct error_text *e) {
  if (status == STORE_MISSING)
    search_fault_(f, ERROR_NO_COLLECTION, error_exit_status(ERROR_NO_COLLECTION),
                  "there is no collection yet (%s): " HOW_TO_INDEX, e->text);
  else
    search_fault_(f, store_category(status), store_exit_status(status), "%s", e->text);
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
    search_fault_(f, ERROR_INTERNAL, 78, "%s: %s", path.data, e.text);
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

struct objects {
  struct buf all;
  size_t *start;
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
  o->start = xcalloc(docs + 1, sizeof *o->start);
  for (size_t i = 0; i < s->seg_count; i++)
    for (uint32_t d = 0; d < s->segs[i].docs; d++) {
      int dead = s->segs[i].dead_docs != NULL && (s->segs[i].dead_docs[d / 64] >> (d % 64) & 1);
      o->start[o->count++] = o->all.len;
      if (!dead && search_add_object(s, &s->segs[i], d, &o->all, e) != 0)
        return -1;
      if (dead)
        buf_add_str(&o->all, "null");
    }
  o->start[o->count] = o->all.len;
  return 0;
}

static int run_where(struct search *s, const char *where, struct search_fault *f) {
  struct objects o = {.count = 0};
  buf_init(&o.all, (size_t)4 << 30);
  int status = collect_objects(s, &o, &f->e);
  if (status == 0) {
    struct slice *objects = xcalloc(o.count + 1, sizeof *objects);
    uint8_t *keep = xcalloc(o.count + 1, 1);
    size_t live = 0;
    for (size_t i = 0; i < o.count; i++) /* removed documents are skipped */
      if (o.start[i + 1] - o.start[i] > 4)
        objects[live++] = slice_of(o.all.data + o.start[i], o.start[i + 1] - o.start[i]);
    status = jq_filter_run(where, objects, live, keep, &f->e);
    live = 0;
    for (size_t i = 0; i < o.count; i++)
      if (o.start[i + 1] - o.start[i] > 4)
        s->kept[i] = keep[live++];
    free(objects);
    free(keep);
    f->category = ERROR_INVALID_REQUEST;
    f->status = 64;
  } else {
    f->category = ERROR_INTERNAL;
    f->status = 70;
  }
  free(o.start);
  buf_release(&o.all);
  return status;
}

#define USUAL_MODEL "bid-static"

static void *open_ahead(void *arg) {
  struct ahead *a = arg;
  struct embed_options o = {.model = USUAL_MODEL, .threads = 1, .server = embed_child_open};
  struct error_text e; /* reported when the model is opened again */
  a->embedder = embed_open(&o, &e);
  return NULL;
}

/* Takes ownership of the embedder opened ahead; NULL where there is none for that model. */
static struct embedder *take_ahead(struct ahead *a, const char *model) {
  struct embedder *taken = NULL;
  pthread_mutex_lock(&a->lock);
  if (a->started)
    pthread_join(a->thread, NULL);
  a->started = 0;
  if (a->embedder != NULL && (model == NULL || strcmp(embed_name(a->embedder), model) == 0)) {
    taken = a->embedder;
    a->embedder = NULL;
  }
  pthread_mutex_unlock(&a->lock);
  return taken;
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

void search_let_go(struct search *s) {
  close_store(s);
}

int search_is_gone(const struct search *s) {
  return s->snap == NULL;
}

int search_come_back(struct search *s, struct search_fault *f) {
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
  pthread_mutex_init(&s->rerank_lock, NULL);
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
  embed_close(take_ahead(&s->ahead, NULL));
  pthread_mutex_destroy(&s->ahead.lock);
  close_store(s);
  thesaurus_free(s->thesaurus);
  terms_free(s->terms);
  buf_release(&s->thesaurus_text);
  pthread_mutex_destroy(&s->planner_lock);
  pthread_mutex_destroy(&s->rerank_lock);
  rerank_close(s->rerank);
  free(s);
}

const struct store_snapshot *search_snapshot(const struct search *s) {
  return s->snap;
}

const char *search_collection_name(const struct search *s, uint32_t id) {
  return store_collection_name(s->snap, id);
}

/* ---- per thread ---- */

static struct searcher *make_searcher(struct search *shared, struct terms *terms) {
  struct searcher *s = xcalloc(1, sizeof *s);
  s->shared = shared;
  s->terms = terms;
  store_text_init(&s->passage.text);
  buf_init(&s->passage.document, RECORD_MAX);
  buf_init(&s->text, QUERY_BYTES * 4);
  query_init(&s->asked.query);
  plan_init(&s->asked.plan);
  buf_init(&s->asked.plan_text, PLAN_TEXT);
  buf_init(&s->asked.missing, 16384);
  buf_init(&s->asked.warning, 4096);
  return s;
}

struct searcher *searcher_new(struct search *shared) {
  pthread_mutex_lock(&shared->ahead.lock);
  struct terms *terms = shared->terms;
  shared->terms = NULL;
  pthread_mutex_unlock(&shared->ahead.lock);
  return make_searcher(shared, terms ? terms : terms_new_small());
}

struct searcher *searcher_new_lasting(struct search *shared) {
  return make_searcher(shared, terms_new());
}

static void asked_release(struct asked *a) {
  query_release(&a->query);
  plan_release(&a->plan);
  buf_release(&a->plan_text);
  buf_release(&a->missing);
  buf_release(&a->warning);
  free(a->vector);
  free(a->collections);
  free(a->companies);
  free(a->forms);
  free(a->items);
}

void searcher_free(struct searcher *s) {
  if (s == NULL)
    return;
  rank_free(s->ranker);
  filing_news_free(s->news);
  embed_close(s->embedder);
  asked_release(&s->asked);
  store_text_release(&s->passage.text);
  buf_release(&s->passage.document);
  buf_release(&s->text);
  terms_free(s->terms);
  free(s->ranker_model);
  free(s->failed_model);
  free(s);
}

void searcher_forget(struct searcher *s) {
  if (s == NULL)
    return;
  rank_free(s->ranker);
  s->ranker = NULL;
  filing_news_free(s->news);
  s->news = NULL;
  store_text_release(&s->passage.text); /* it caches a block of the old snapshot */
  buf_clear(&s->passage.document);
}

struct search *searcher_shared(struct searcher *s) {
  return s->shared;
}

struct terms *searcher_terms(struct searcher *s) {
  return s->terms;
}

struct search_passage *searcher_passage(struct searcher *s) {
  return &s->passage;
}

const struct wordpiece *searcher_tokenizer(struct searcher *s) {
  return s->embedder != NULL ? embed_tokenizer(s->embedder) : NULL;
}

int searcher_load(struct searcher *s, const struct rank_place *at, struct search_passage *p,
                  struct error_text *e) {
  const struct store_snapshot *snap = s->shared->snap;
  buf_clear(&p->document);
  store_row_id(at->seg, at->row); /* the id that is shown */
  if (store_get_text(snap, at->seg, at->row, &p->text, e) != STORE_OK ||
      store_snapshot_check(snap, e) != STORE_OK)
    return -1;
  return store_get_document(snap, at->seg->doc[at->doc].id, &p->document, e) == STORE_OK ? 0 : -1;
}

/* ---- the filter ---- */

/* Lists the collections, at most a dozen. */
static void list_collections(const struct search *s, struct buf *out) {
  const struct store_collection *list;
  size_t n = store_collections(s->snap, &list);
  for (size_t i = 0; i < n && i < 12; i++)
    buf_printf(out, "%s%s", i ? ", " : "", list[i].name);
  if (n > 12)
    buf_printf(out, " and %zu more", n - 12);
  if (n == 0)
    buf_add_str(out, "none");
}

/* The collection or, with "of company", the ticker or name closest to a name: puts "; the nearest is X" into room, or
 * nothing. */
static void nearest_stored(const struct search *s, const char *what, const char *name, char room[128]) {
  const struct store_collection *collections;
  const struct store_company *companies;
  size_t n = strcmp(what, "matches") == 0 ? store_collections(s->snap, &collections) : 0;
  size_t m = strcmp(what, "of company") == 0 ? store_companies(s->snap, &companies) : 0;
  struct near_name near;
  near_name_init(&near, name);
  for (size_t i = 0; i < n; i++)
    near_name_try(&near, collections[i].name);
  for (size_t i = 1; i < m; i++) {
    near_name_try(&near, companies[i].ticker);
    near_name_try(&near, companies[i].name);
  }
  room[0] = '\0';
  if (near.best)
    snprintf(room, 128, "; the nearest is %.80s", near.best);
}

static int no_collection(struct searcher *s, struct search_fault *f, const char *what, const char *name) {
  struct buf list;
  char nearest[128];
  nearest_stored(s->shared, what, name, nearest);
  buf_init(&list, 380);
  list_collections(s->shared, &list);
  search_fault_(f, ERROR_NO_COLLECTION, error_exit_status(ERROR_NO_COLLECTION),
                "no collection %s %s%s; there are: %s%s", what, name, nearest, list.data ? list.data : "many",
                strcmp(what, "matches") == 0 && !slice_is(buf_slice(&list), "none") ? "" : "; " HOW_TO_INDEX);
  buf_release(&list);
  return -1;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Ids, ascending. */
static int filter_collections(struct searcher *s, struct asked *a, const struct search_request *r,
                              struct search_fault *fault_out) {
  const struct store_collection *list;
  struct store_filter *f = &a->options.filter;
  size_t n = store_collections(s->shared->snap, &list), count = 0;
  if (n == 0)
    return no_collection(s, fault_out, "in", store_path(s->shared->stores[0]));
  a->collections = xreallocarray(a->collections, n * r->collections.count + 1, sizeof *a->collections);
  for (size_t g = 0; g < r->collections.count; g++) {
    size_t before = count;
    for (size_t i = 0; i < n; i++)
      if (fnmatch(r->collections.items[g], list[i].name, 0) == 0)
        a->collections[count++] = list[i].id;
    if (count == before)
      return no_collection(s, fault_out, "matches", r->collections.items[g]);
  }
  qsort(a->collections, count, sizeof *a->collections, by_number);
  f->collections = a->collections;
  f->collection_count = count;
  return 0;
}

static int search_is_long(const struct search_request *r) {
  return r->plan.len == 0 && (r->companies.count > PLAN_COMPANIES || r->forms.count > PLAN_FORMS);
}

/* A list of companies too long for a plan, used unchanged. */
static int filter_companies(struct searcher *s, struct asked *a, const struct search_request *r,
                            struct search_fault *fault_out) {
  size_t count = 0, all = s->shared->known.company_count;
  for (size_t i = 0; i < r->companies.count; i++) {
    a->companies = xreallocarray(a->companies, count + all + 1, sizeof *a->companies);
    size_t n = query_find_companies(&s->shared->known, r->companies.items[i], a->companies + count, all);
    if (n == 0)
      return no_collection(s, fault_out, "of company", r->companies.items[i]);
    count += n;
  }
  a->options.filter.companies = a->companies;
  a->options.filter.company_count = count;
  return 0;
}

static int filter_forms(struct searcher *s, struct asked *a, const struct search_request *r,
                        struct search_fault *fault_out) {
  size_t count = 0, all = s->shared->known.form_count;
  for (size_t i = 0; i < r->forms.count; i++) {
    a->forms = xreallocarray(a->forms, count + all + 1, sizeof *a->forms);
    count += query_find_forms(&s->shared->known, r->forms.items[i], a->forms + count, all);
  }
  if (r->forms.count > 0 && count == 0)
    return no_collection(s, fault_out, "of form", r->forms.items[0]);
  a->options.filter.forms = a->forms;
  a->options.filter.form_count = count;
  return 0;
}

/* "1a" and "Item 1A" mean "1A"; an item without passages excludes everything. */
static void filter_items(struct searcher *s, struct asked *a, const struct search_request *r) {
  const char *const *list;
  size_t n = store_items(s->shared->snap, &list), count = 0;
  a->items = xreallocarray(a->items, n * r->items.count + 1, sizeof *a->items);
  for (size_t i = 0; i < r->items.count; i++) {
    const char *item = r->items.items[i];
    if (strncasecmp(item, "item ", 5) == 0)
      item += 5;
    for (size_t k = 1; k < n; k++)
      if (strcasecmp(list[k], item) == 0)
        a->items[count++] = (uint16_t)k;
  }
  if (r->items.count > 0 && count == 0)
    a->items[count++] = UINT16_MAX;
  a->options.filter.items = a->items;
  a->options.filter.item_count = count;
}

static int read_day(const char *text, int32_t *day, const char *option, struct search_fault *f) {
  int64_t seconds;
  if (clock_when(text, &seconds) != 0) {
    search_fault_(f, ERROR_INVALID_REQUEST, 64, "--%s: '%s' is no date (2024-05-31) and no span (6months)",
                  option, text);
    return -1;
  }
  *day = (int32_t)(seconds / DAY - (seconds % DAY < 0));
  return 0;
}

static int filter_dates(const struct search_request *r, struct store_filter *f, struct search_fault *e) {
  f->since = f->until = 0;
  if (r->since != NULL || r->until != NULL)
    f->since = INT32_MIN + 1, f->until = INT32_MAX;
  if (r->since != NULL && read_day(r->since, &f->since, "since", e) != 0)
    return -1;
  if (r->until != NULL && read_day(r->until, &f->until, "until", e) != 0)
    return -1;
  if (r->since != NULL && r->until != NULL && f->since > f->until) {
    search_fault_(e, ERROR_INVALID_REQUEST, 64, "--since %s is after --until %s: no day is within", r->since,
                  r->until);
    return -1;
  }
  if (r->as_of == NULL)
    return 0;
  if (clock_when(r->as_of, &f->as_of) != 0) {
    search_fault_(e, ERROR_INVALID_REQUEST, 64, "--as-of: '%s' is no date (2024-05-31, 2024-05-31T21:30:00Z)",
                  r->as_of);
    return -1;
  }
  if (strlen(r->as_of) == 10) /* a date includes the whole day */
    f->as_of += DAY - 1;
  return 0;
}

struct names_look {
  const struct store_segment *seg;
  const struct store_doc *doc;
  int words, absent;
};

static void look_for_word(void *arg, const struct term *t) {
  struct names_look *look = arg;
  int here;
  look->words++;
  look->absent |= store_postings_count(look->seg, t->hash, look->doc->first,
                                       look->doc->first + look->doc->rows, look->doc->first, &here) == 0;
}

/* Whether passages of the document contain all words. */
static int document_holds(const struct searcher *s, const struct store_segment *seg,
                          const struct store_doc *d, struct slice words) {
  struct names_look look = {seg, d, 0, 0};
  terms_scan(s->terms, words, 0, look_for_word, &look);
  return look.words > 0 && !look.absent;
}

#define TICKER_LEAST 3 /* letters: shorter tickers have too many other meanings */

/* Whether the document names a company of the plan: by its name as in the question, without the legal form, or by a
 * ticker that is not an ordinary word. */
static int document_names(const struct searcher *s, const struct store_segment *seg,
                          const struct store_doc *d) {
  const struct plan *plan = &s->asked.plan;
  for (size_t i = 0; i < plan->company_count; i++) {
    const struct plan_company *c = &plan->companies[i];
    struct query_core core;
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)c->name.len, c->name.len ? c->name.data : "");
    query_core_of(name, &core);
    const struct slice *last = core.count ? &core.word[core.count - 1] : NULL;
    if (last && document_holds(s, seg, d, slice_of(name, (size_t)(last->data + last->len - name))))
      return 1;
    if (c->how != PLAN_GIVEN && c->how != PLAN_CIK && document_holds(s, seg, d, c->matched))
      return 1;
    if (c->ticker.len >= TICKER_LEAST && !query_is_ordinary(terms_stem(s->terms, c->ticker)) &&
        document_holds(s, seg, d, c->ticker))
      return 1;
  }
  return 0;
}

/* Applies --where and the plan. */
static int keep_document(void *arg, const struct store_segment *seg, uint32_t doc) {
  const struct searcher *s = arg;
  const struct search *shared = s->shared;
  if (shared->kept != NULL && !shared->kept[shared->kept_base[(size_t)(seg - shared->segs)] + doc])
    return 0;
  if (s->asked.nobody)
    return seg->doc[doc].company == 0 && document_names(s, seg, &seg->doc[doc]);
  return s->asked.scope.plan == NULL || search_scope_fits(&s->asked.scope, seg, doc);
}

/* Reports the first lines, and the number of others. */
static void lines_fault(struct search_fault *f, const struct buf *lines, const char *more) {
  enum { SHOWN = 3 };
  struct buf text;
  size_t count = 0;
  buf_init(&text, lines->len + 64);
  for (size_t at = 0, len; at < lines->len; at += len + 1, count++) {
    len = (size_t)((char *)memchr(lines->data + at, '\n', lines->len - at) - (lines->data + at));
    if (count < SHOWN)
      buf_printf(&text, "%s%.*s", count ? "; " : "", (int)len, lines->data + at);
  }
  if (count > SHOWN)
    buf_printf(&text, "; and %zu more such", count - SHOWN);
  search_fault_(f, ERROR_NO_CONTENT, error_exit_status(ERROR_NO_CONTENT), "%s%s", text.len ? text.data : "",
                more);
  buf_release(&text);
}

static int has_nobodys(const struct search *s) {
  for (size_t i = 0; i < s->seg_count; i++)
    for (uint32_t d = 0; d < s->segs[i].docs; d++)
      if (s->segs[i].doc[d].company == 0)
        return 1;
  return 0;
}

/* Restricts to documents of the plan's companies, forms and windows; -1 where there are none.  A document of an
 * unknown company may belong to any: the ranker checks whether it contains the name. */
static int filter_plan(struct searcher *s, struct asked *a, const struct search_request *r,
                       struct search_fault *fault_out) {
  struct store_filter *f = &a->options.filter;
  struct search_scope *scope = &a->scope;
  search_scope_make(scope, &a->plan, &s->shared->known, s->shared->snap, r->filings, r->filing_count);
  buf_clear(&a->missing);
  search_scope_missing(scope, &a->missing);
  if (a->doubt.text[0])
    buf_printf(&a->missing, "%s\n", a->doubt.text);
  if (scope->documents == 0 && !a->nobody && !a->unsure && has_nobodys(s->shared)) {
    a->nobody = 1;
    return 0;
  }
  f->companies = scope->companies;
  f->company_count = scope->company_count;
  if (scope->documents == 0) {
    const struct plan_company *c = &a->plan.companies[0];
    char how[128];
    snprintf(how, sizeof how, "; read some first, for example with bid-ingest -e %.*s -f 10-K",
             c->ticker.len ? (int)c->ticker.len : (int)strlen(c->cik),
             c->ticker.len ? c->ticker.data : c->cik);
    lines_fault(fault_out, &a->missing, how);
    return -1;
  }
  scope->reach = scope->fitting ? SCOPE_FITTING : scope->telling ? SCOPE_TELLING : SCOPE_RECALLING;
  if (scope->reach != SCOPE_RECALLING || scope->recalling > 0)
    return 0;
  lines_fault(fault_out, &a->missing, "");
  return -1;
}

static const uint64_t *news_rows(void *arg, const struct store_segment *seg, uint32_t doc) {
  return filing_news_rows(((const struct searcher *)arg)->news, seg, doc);
}

/* Restricts to the newest filings that pass, and to their passages that the previous filings lack. */
static int filter_news(struct searcher *s, struct asked *a, struct search_fault *fault_out) {
  struct store_filter *f = &a->options.filter;
  if (s->news == NULL)
    s->news = filing_news_new(s->shared->snap);
  f->rows = NULL;
  enum store_status status = filing_news_compare(s->news, f, &a->missing, &fault_out->e);
  f->rows = news_rows;
  if (status == STORE_ABSENT) {
    struct error_text why = fault_out->e;
    if (a->missing.len)
      lines_fault(fault_out, &a->missing, "; bid-ingest -n 2 reads the two newest");
    else
      search_fault_(fault_out, ERROR_NO_CONTENT, error_exit_status(ERROR_NO_CONTENT), "%s", why.text);
  } else if (status) {
    fault_out->category = store_category(status);
    fault_out->status = store_exit_status(status);
  }
  return status ? -1 : 0;
}

static int make_filter(struct searcher *s, struct asked *a, const struct search_request *r,
                       struct search_fault *e) {
  struct store_filter *f = &a->options.filter;
  if (filter_collections(s, a, r, e) != 0)
    return -1;
  int by_plan = a->plan.company_count > 0 && !a->unsure;
  if (search_is_long(r) && filter_companies(s, a, r, e) != 0)
    return -1;
  if (by_plan ? filter_plan(s, a, r, e) != 0 : filter_forms(s, a, r, e) != 0)
    return -1;
  filter_items(s, a, r);
  f->arg = s;
  if (s->shared->kept != NULL || a->scope.plan != NULL)
    f->keep = keep_document;
  if (filter_dates(r, f, e) != 0)
    return -1;
  return r->news ? filter_news(s, a, e) : 0;
}

/* ---- the vector ---- */

/* The collection with most passages among those searched; its model makes the vectors.  NULL where there is none. */
static const struct store_collection *main_collection(const struct searcher *s,
                                                      const struct store_filter *f) {
  const struct store_collection *list;
  size_t n = store_collections(s->shared->snap, &list);
  uint64_t most = 0;
  const struct store_collection *chosen = NULL;
  for (size_t i = 0; i < n; i++) {
    int in = f->collection_count == 0 || bsearch(&list[i].id, f->collections, f->collection_count,
                                                 sizeof *f->collections, by_number) != NULL;
    if (in && list[i].passages > most)
      most = list[i].passages, chosen = &list[i];
  }
  return chosen;
}

/* Opens the model called `name` (NULL: $BID_MODEL) as the embedder for `model`: its label must be equal including the
 * fingerprint. */
static int try_embedder(struct searcher *s, const char *name, const char *model, struct error_text *e) {
  struct embed_options o = {.model = name, .threads = 1, .few = !s->shared->many, .server = embed_child_open};
  embed_close(s->embedder);
  s->embedder = embed_open(&o, e);
  if (s->embedder == NULL)
    return -1;
  if (strcmp(embed_name(s->embedder), model) == 0)
    return 0;
  error_set(
      e, "the collection was made with model %s, and this one is %s; name its file with --model or BID_MODEL",
      model, embed_name(s->embedder));
  return -1;
}

/* Tries the requested model, else the collection's by name, else $BID_MODEL. */
static int open_embedder(struct searcher *s, const char *model, struct error_text *e) {
  if (s->embedder != NULL && strcmp(embed_name(s->embedder), model) == 0)
    return 0;
  if (s->failed_model != NULL && strcmp(s->failed_model, model) == 0) {
    *e = s->why_failed;
    return -1;
  }
  struct embedder *ahead = take_ahead(&s->shared->ahead, model);
  if (ahead != NULL) {
    embed_close(s->embedder);
    s->embedder = ahead;
    return 0;
  }
  char *file = xstrndup(model, strcspn(model, "@"));
  const char *asked = s->shared->model, *other = getenv("BID_MODEL");
  int status = try_embedder(s, asked ? asked : file, model, e);
  if (status != 0 && asked == NULL && other != NULL && *other)
    status = try_embedder(s, NULL, model, e);
  free(file);
  if (status == 0)
    return 0;
  free(s->failed_model);
  s->failed_model = xstrdup(model);
  s->why_failed = *e;
  return -1;
}

static int given_vector(struct asked *a, const struct search_request *r, size_t dims, struct error_text *e) {
  struct buf bytes;
  buf_init(&bytes, VECTOR_DIMS_MAX * sizeof(float));
  int status = base64_decode(r->embedding, &bytes);
  if (status != 0 || bytes.len == 0 || bytes.len % sizeof(float) != 0) {
    error_set(e, "the question's embedding is no base64 of float32");
    status = -1;
  } else if (bytes.len != dims * sizeof *a->vector) {
    error_set(e, "the question's embedding has %zu dimensions, the collection's have %zu",
              bytes.len / sizeof *a->vector, dims);
    status = -1;
  } else {
    a->vector = xreallocarray(a->vector, bytes.len, 1);
    a->dims = dims;
    memcpy(a->vector, bytes.data, bytes.len);
  }
  buf_release(&bytes);
  return status;
}

/* The abbreviation that starts with token i, or NULL. */
static const struct query_spelling *spelling_at(const struct query *q, size_t i) {
  for (size_t k = 0; k < q->spelling_count; k++)
    if (q->spellings[k].first == i)
      return &q->spellings[k];
  return NULL;
}

/* The text to embed: the question without routed and filler words, with abbreviations spelled out. */
static void vector_text(struct searcher *s, const struct query *q) {
  buf_clear(&s->text);
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *t = &q->tokens[i];
    const struct query_spelling *spelled = spelling_at(q, i);
    if (t->kind == QUERY_ROUTED || t->kind == QUERY_FILLER)
      continue;
    if (s->text.len > 0)
      buf_add_char(&s->text, ' ');
    if (spelled != NULL)
      buf_add_slice(&s->text, spelled->phrase);
    else
      buf_add(&s->text, q->text.data + t->start, t->end - t->start);
    i += spelled != NULL ? spelled->count - 1U : 0;
  }
  if (s->text.len == 0)
    buf_add_slice(&s->text, buf_slice(&q->text));
}

/* Without thesaurus phrases: measurements showed that adding them to the vector loses more than it finds. */
static int embed_question(struct searcher *s, struct asked *a, struct error_text *e) {
  size_t dims = (size_t)embed_dimensions(s->embedder);
  a->vector = xreallocarray(a->vector, dims, sizeof *a->vector);
  vector_text(s, &a->query);
  struct slice text = buf_slice(&s->text);
  if (embed_encode(s->embedder, &text, 1, EMBED_QUERY, a->vector, NULL, e) != 0)
    return -1;
  a->dims = vector_dot(a->vector, a->vector, dims) > 0 ? dims : 0;
  return 0;
}

/* Leaves a->dims at 0 where no vector is needed.  0, or -1 with *e. */
static int make_vector(struct searcher *s, struct asked *a, const struct search_request *r,
                       struct error_text *e) {
  const struct store_collection *of = main_collection(s, &a->options.filter);
  const char *model = a->model = of ? of->model : NULL;
  a->dims = 0;
  if (r->mode == RANK_TEXT || model == NULL)
    return 0;
  if (r->embedding.len > 0) {
    if (r->embedding_model.len > 0 && !slice_is(r->embedding_model, model)) {
      error_set(e, "the question was embedded with %.*s, the collection with %s", (int)r->embedding_model.len,
                r->embedding_model.data, model);
      return -1;
    }
    return given_vector(a, r, of->dims, e);
  }
  return open_embedder(s, model, e) == 0 ? embed_question(s, a, e) : -1;
}

/* ---- a question ---- */

static void use_ranker(struct searcher *s, const char *model) {
  if (s->ranker != NULL &&
      (model == s->ranker_model || (model && s->ranker_model && strcmp(model, s->ranker_model) == 0)))
    return;
  rank_free(s->ranker);
  free(s->ranker_model);
  s->ranker_model = model ? xstrdup(model) : NULL;
  s->ranker = rank_new(s->shared->snap, s->ranker_model, s->terms);
}

void searcher_set_threads(struct searcher *s, int threads) {
  s->threads = threads;
}

/* ---- the plan ---- */

/* Whether the planner has the store's company by name, or by ticker where it has no name. */
static int search_is_listed(const struct planner *planner, const struct search *s, size_t number) {
  const struct query_company *c = &s->known.companies[number];
  struct slice name = slice_str(c->name[0] ? c->name : c->ticker);
  struct plan_request ask = {.entities = &name, .entity_count = 1};
  struct error_text why;
  struct plan plan;
  plan_init(&plan);
  int found = plan_make(planner, &ask, &plan, &why) == 0 && plan.company_count == 1 &&
              search_scope_is_company(&plan.companies[0], &s->known, number);
  plan_release(&plan);
  return found;
}

#define INITIALS_LEAST 4 /* shorter initials match too many companies */

static int is_numeral(struct slice word) {
  return word.len > 0 && strspn(word.data, "IVX") >= word.len;
}

static unsigned numeral_value(struct slice word) {
  static const char digits[] = "IVX";
  static const unsigned values[] = {1, 5, 10};
  unsigned sum = 0, last = 0;
  for (size_t i = word.len; i-- > 0;) {
    unsigned value = values[strchr(digits, word.data[i]) - digits];
    sum = value < last ? sum - value : sum + value;
    last = value > last ? value : last;
  }
  return sum;
}

/* "CIGF V" for Commonwealth Income & Growth Fund V, or "CIGF5" (digits); returns its length, 0 where it
 * would be ambiguous. */
static size_t search_initials(const char *name, int digits, char out[NAME_WORDS + NAME_JOINED]) {
  struct query_core core;
  size_t n = 0;
  query_core_of(name, &core);
  int numbered = core.count > 1 && is_numeral(core.word[core.count - 1]);
  for (size_t i = 0; i + (size_t)numbered < core.count; i++)
    if (!isalpha((unsigned char)core.word[i].data[0]))
      return 0;
    else
      out[n++] = (char)toupper((unsigned char)core.word[i].data[0]);
  if (n < INITIALS_LEAST || query_is_ordinary(slice_of(out, n)))
    return 0;
  if (digits && !numbered)
    return 0;
  if (digits)
    n += (size_t)snprintf(out + n, NAME_JOINED, "%u", numeral_value(core.word[core.count - 1]));
  else if (numbered)
    n += (size_t)snprintf(out + n, NAME_JOINED, " %.*s", (int)core.word[core.count - 1].len,
                          core.word[core.count - 1].data);
  return n;
}

/* Adds the store's companies to the planner: first those with a CIK, then those unknown by name or ticker, with a
 * number of our own. */
static void add_companies(struct planner *planner, const struct search *s) {
  for (int own_ones = 0; own_ones < 2; own_ones++)
    for (size_t i = 1; i < s->known.company_count; i++) {
      const struct query_company *c = &s->known.companies[i];
      char own[16];
      snprintf(own, sizeof own, "%zu", i + SCOPE_OWN_CIK);
      if ((c->cik[0] == '\0') == own_ones && (!own_ones || !search_is_listed(planner, s, i)))
        planner_add(planner, slice_str(own_ones ? own : c->cik), slice_str(c->ticker), slice_str(c->name));
      for (int digits = 0; digits < 2; digits++) {
        char initials[NAME_WORDS + NAME_JOINED];
        size_t length = (c->cik[0] == '\0') == own_ones ? search_initials(c->name, digits, initials) : 0;
        if (length > 0 && (!own_ones || !search_is_listed(planner, s, i)))
          planner_add(planner, slice_str(own_ones ? own : c->cik), slice_str(""), slice_of(initials, length));
      }
    }
}

/* NULL with *f. */
static const struct planner *search_planner(struct search *s, struct search_fault *f) {
  struct error_text e;
  pthread_mutex_lock(&s->planner_lock);
  if (s->planner == NULL && (s->planner = planner_open(&e)) != NULL)
    add_companies(s->planner, s);
  pthread_mutex_unlock(&s->planner_lock);
  if (s->planner == NULL)
    search_fault_(f, ERROR_INTERNAL, 78, "%s", e.text);
  return s->planner;
}

#define GIVEN 64 /* limit of companies, names or forms for a plan */

static size_t slices_of(const struct search_list *list, struct slice to[GIVEN]) {
  size_t n = 0;
  for (; n < list->count && n < GIVEN; n++)
    to[n] = slice_str(list->items[n]);
  return n;
}

#define UNSURE 0.75    /* confidence in a company below which a name in the store wins */
#define WORD_LETTERS 4 /* minimum letters of a distinctive word */
#define TICKER_LETTERS 5

/* The only company of the store whose name begins with the words; 0: none, or several. */
static size_t stored_by_name(const struct search *s, struct slice words) {
  size_t found = 0;
  for (size_t i = 1; i < s->known.company_count; i++)
    if (search_scope_may_begin(words, s->known.companies[i].name) &&
        search_scope_begins_name(words, s->known.companies[i].name)) {
      if (found)
        return 0;
      found = i;
    }
  return found;
}

/* The only company of the store with the word in its name ("Philips"), if no name begins with it. */
static size_t stored_by_word(const struct search *s, struct slice word) {
  size_t found = 0;
  for (size_t i = 1; i < s->known.company_count; i++)
    if (word.len >= WORD_LETTERS && search_scope_has_word(word, s->known.companies[i].name)) {
      if (found)
        return 0;
      found = i;
    }
  return found;
}

#define NAME_TOKENS 8 /* limit of tokens of a name matched as a whole */

/* Whether the whole name occurs in the question, however ordinary its words are; 0: no. */
static int search_finds_name(const struct query *q, const char *name, struct slice *words) {
  size_t first = strcspn(name, " ,.");
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *t = &q->tokens[i];
    if (t->end - t->start != first || strncasecmp(q->text.data + t->start, name, first) != 0)
      continue;
    for (size_t k = i + 1; k < q->token_count && k < i + NAME_TOKENS; k++) {
      *words = slice_of(q->text.data + t->start, q->tokens[k].end - t->start);
      if (search_scope_is_name(*words, name))
        return 1;
    }
  }
  return 0;
}

/* The only company of the store whose name starts with or contains a word of the question, *words: that word.
 * Everyday words don't count, unless they are a company's whole name and capitalised inside the sentence ("The
 * Buckle"). */
static size_t stored_in_question(const struct search *s, const struct query *q, struct slice *words) {
  size_t found = 0;
  for (size_t i = 1; i < s->known.company_count; i++)
    if (search_finds_name(q, s->known.companies[i].name, words))
      return i;
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *t = &q->tokens[i];
    struct slice raw = slice_of(q->text.data + t->start, t->end - t->start), word = query_bare(raw);
    int ordinary = query_is_ordinary(slice_of(q->own.data + t->stem, t->stem_len));
    if (t->kind == QUERY_STOP || word.len < WORD_LETTERS || isdigit((unsigned char)word.data[0]) ||
        (ordinary && (i == 0 || !isupper((unsigned char)word.data[0]))))
      continue;
    size_t number = stored_by_name(s, word);
    if (number == 0 && !ordinary &&
        isupper((unsigned char)word.data[0])) /* "harbour dues" doesn't mean Ystad Harbour */
      number = stored_by_word(s, word);
    if (number == 0 || number == found ||
        (ordinary && !search_scope_is_name(word, s->known.companies[number].name)))
      continue;
    if (found)
      return 0;
    found = number;
    *words = raw;
  }
  return found;
}

static void search_take_hash(void *arg, const struct term *t) {
  *(uint64_t *)arg = t->hash;
}

/* The only company of the store whose documents contain the word, if it looks like a ticker; 0: none, or several. */
static size_t stored_by_text(const struct searcher *s, struct slice word) {
  const struct search *shared = s->shared;
  uint32_t rows[STORE_BLOCK];
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  uint64_t term = 0;
  size_t found = 0;
  if (word.len < 2 || word.len > TICKER_LETTERS || shared->snap == NULL)
    return 0;
  for (size_t i = 0; i < word.len; i++)
    if (!isupper((unsigned char)word.data[i]))
      return 0;
  terms_scan(s->terms, word, 0, search_take_hash, &term);
  for (size_t i = 0; i < shared->seg_count; i++) {
    const struct store_segment *seg = &shared->segs[i];
    struct store_postings p;
    int more = store_df(seg, term) > 0 && store_postings_open(&p, seg, term);
    for (; more; more = store_postings_next(&p)) {
      store_postings_decode(&p, rows, text, context);
      for (uint32_t k = 0; k < p.count; k++) {
        size_t company = seg->doc[store_doc_of_row(seg, rows[k])].company;
        if (company == 0 || (found && company != found))
          return 0;
        found = company;
      }
    }
  }
  return found;
}

static int search_is_stored(const struct search *s, const struct plan_company *c) {
  for (size_t i = 1; i < s->known.company_count; i++)
    if (search_scope_is_company(c, &s->known, i))
      return 1;
  return 0;
}

/* The only company of the store whose name starts with a word one typing error away ("aple"), or 0. */
static size_t stored_by_slip(const struct search *s, struct slice word) {
  size_t found = 0;
  char slip[NEAR_NAME_MAX + 1], first[NEAR_NAME_MAX + 1];
  for (size_t i = 0; i < word.len; i++)
    if (!islower((unsigned char)word.data[i]))
      return 0;
  if (word.len < WORD_LETTERS || word.len > NEAR_NAME_MAX)
    return 0;
  snprintf(slip, sizeof slip, "%.*s", (int)word.len, word.data);
  for (size_t i = 1; i < s->known.company_count; i++) {
    const char *name = s->known.companies[i].name;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(name, " ,."), name);
    if (near_name_distance(slip, first) != 1)
      continue;
    if (found)
      return 0;
    found = i;
  }
  return found;
}

/* The company of the store that is more likely than the planner's, or 0. */
static size_t stored_rather(const struct search *s, const struct plan_company *c) {
  if (c->how == PLAN_CIK || search_is_stored(s, c))
    return 0;
  size_t slip = c->how == PLAN_TICKER || c->how == PLAN_TYPO ? stored_by_slip(s, c->matched) : 0,
         named = slip ? 0 : stored_by_name(s, c->matched);
  if (c->sure < UNSURE || (named && search_scope_is_vehicle(c->matched, s->known.companies[named].name)))
    return slip ? slip : named;
  return slip;
}

/* "Acme" more likely means the Acme in the store than another one. */
static void prefer_stored(const struct search *s, struct plan *plan) {
  for (size_t i = 0; i < plan->company_count; i++) {
    struct plan_company *c = &plan->companies[i];
    size_t number = stored_rather(s, c);
    if (number == 0)
      continue;
    const struct query_company *stored = &s->known.companies[number];
    if (stored->cik[0])
      snprintf(c->cik, sizeof c->cik, "%s", stored->cik);
    else
      snprintf(c->cik, sizeof c->cik, "%zu", number + SCOPE_OWN_CIK);
    c->name = slice_str(stored->name);
    c->ticker = slice_str(stored->ticker);
  }
}

/* Only a part of a company's name, "Commerce", "Capital's", which may be an ordinary word. */
static int search_is_partial(const struct plan_company *c) {
  char name[256];
  snprintf(name, sizeof name, "%.*s", (int)c->name.len, c->name.data ? c->name.data : "");
  return c->how == PLAN_NAME && !search_scope_is_name(c->matched, name);
}

/* Where the store has no documents of the companies named in a question, passages of another company may still answer
 * it: what it paid them, sold them, owes them.  Or the words are ordinary ones: "Total income".  So the question is
 * searched unchanged, and passages without the name are dropped (search_tells); only if nothing remains, the company
 * is reported missing.  Not if the company was given by an option, or is the possessor of what is asked for
 * ("Walmart's tariffs"). */
static int search_unsure(const struct search *s, const struct plan *plan) {
  for (size_t i = 0; i < plan->company_count; i++) {
    const struct plan_company *c = &plan->companies[i];
    int possessive = query_bare(c->matched).len < c->matched.len;
    if (c->how == PLAN_GIVEN || c->how == PLAN_CIK || (possessive && !search_is_partial(c)) ||
        search_is_stored(s, c))
      return 0;
  }
  return plan->company_count > 0;
}

static void blank_words(struct buf *text, struct slice question, struct slice words) {
  size_t at = (size_t)(words.data - question.data);
  if (words.len > 0 && at <= question.len && words.len <= question.len - at)
    memset(text->data + at, ' ', words.len);
}

/* Where the store has none of the companies found, or the plan is in doubt about one: plans again with the companies that
 * the other words name: "a tariff probe by the Commerce Department, a threat to apple".  Returns whether the store has
 * these. */
static int plan_without(const struct search *s, struct asked *a, const struct planner *planner,
                        const struct plan_request *ask) {
  struct plan_request other = *ask;
  struct error_text why;
  struct plan plan;
  buf_add_slice(&a->plan_text, ask->question);
  for (size_t i = 0; i < a->plan.company_count; i++)
    blank_words(&a->plan_text, ask->question, a->plan.companies[i].matched);
  blank_words(&a->plan_text, ask->question, a->plan.doubtful);
  other.question = buf_slice(&a->plan_text);
  plan_init(&plan);
  int stored = plan_make(planner, &other, &plan, &why) == 0 && plan.company_count > 0;
  for (size_t i = 0; stored && i < plan.company_count; i++)
    stored = search_is_stored(s, &plan.companies[i]);
  struct plan old = a->plan;
  a->plan = stored ? plan : old;
  plan_release(stored ? &old : &plan);
  return stored;
}

/* The only candidate of a rejected plan that is in the store, or 0; similar tickers don't count. */
static size_t stored_candidate(const struct search *s, const struct plan *plan) {
  size_t found = 0;
  for (size_t c = 0; c < plan->candidate_count; c++)
    for (size_t i = 1; i < s->known.company_count; i++)
      if (i != found && plan->candidates[c].how != PLAN_TYPO &&
          search_scope_is_company(&plan->candidates[c], &s->known, i)) {
        if (found)
          return 0;
        found = i;
      }
  return found;
}

/* The company of the store that is meant where the planner knows none: by a name that is unique in the store but not
 * for the planner, by a word of its name, or by a ticker in its documents.  *words: what names it.  0: none. */
static size_t stored_instead(const struct searcher *s, const struct asked *a, const struct search_request *r,
                             const struct plan_request *ask, struct slice *words) {
  const struct search *shared = s->shared;
  size_t candidate = stored_candidate(shared, &a->plan);
  if (candidate || a->plan.company_count > 0) {
    *words = a->plan.doubtful;
    return a->plan.company_count > 0 ? 0 : candidate;
  }
  if (r->companies.count == 0)
    return a->plan.candidate_count == 0 ? stored_in_question(shared, &a->query, words) : 0;
  if (ask->entity_count != 1 || ask->alias_count > 0)
    return 0;
  *words = ask->entities[0];
  size_t number = stored_by_word(shared, *words);
  return number ? number : stored_by_text(s, *words);
}

/* Makes the plan again with that company given. */
static int plan_stored(const struct searcher *s, struct asked *a, const struct planner *planner,
                       const struct plan_request *ask, size_t number, struct slice words,
                       struct error_text *why) {
  const struct query_company *c = &s->shared->known.companies[number];
  struct slice name = slice_str(c->cik[0] ? c->cik : c->name);
  struct plan_request one = *ask;
  one.entities = &name;
  one.entity_count = 1;
  plan_release(&a->plan);
  plan_init(&a->plan);
  int made = plan_make(planner, &one, &a->plan, why);
  if (made == 0 && a->plan.company_count > 0) {
    a->plan.companies[0].matched = words;
    a->plan.companies[0].how = PLAN_NAME;
  }
  return made;
}

/* Without routing only given companies count. */
static int make_plan(struct searcher *s, struct asked *a, const struct search_request *r,
                     struct search_fault *f) {
  struct slice entities[GIVEN], aliases[GIVEN], forms[GIVEN];
  struct error_text why;
  if (search_is_long(r) || (!r->routing && r->companies.count == 0))
    return 0;
  const struct planner *planner = search_planner(s->shared, f);
  if (planner == NULL)
    return -1;
  struct plan_request ask = {.question = r->routing ? r->query : slice_str(""),
                             .entities = entities,
                             .entity_count = slices_of(&r->companies, entities),
                             .aliases = aliases,
                             .alias_count = slices_of(&r->aliases, aliases),
                             .forms = forms,
                             .form_count = slices_of(&r->forms, forms),
                             .period = slice_str(r->period ? r->period : ""),
                             .since = slice_str(r->since ? r->since : ""),
                             .as_of = slice_str(r->as_of ? r->as_of : "")};
  int made = plan_make(planner, &ask, &a->plan, &why);
  struct slice words;
  size_t known = made != 0 || r->companies.count == 0 ? stored_instead(s, a, r, &ask, &words) : 0;
  if (known)
    made = plan_stored(s, a, planner, &ask, known, words, &why);
  if (made == 0) {
    prefer_stored(s->shared, &a->plan);
    if (r->companies.count == 0 && search_unsure(s->shared, &a->plan))
      plan_without(s->shared, a, planner, &ask);
    return 0;
  }
  if (r->companies.count == 0 && a->plan.candidate_count > 0) { /* only words of the question are ambiguous */
    if (plan_without(s->shared, a, planner, &ask)) {
      a->doubt = why;
      return 0;
    }
    a->doubtful = a->plan.doubtful;
    plan_release(&a->plan);
    plan_init(&a->plan);
    a->unsure = 1;
    a->doubt = why;
    return 0;
  }
  search_fault_(f, ERROR_INVALID_REQUEST, error_exit_status(ERROR_INVALID_REQUEST), "%s", why.text);
  return -1;
}

static int take_plan(struct searcher *s, struct asked *a, const struct search_request *r,
                     struct search_fault *f) {
  plan_release(&a->plan);
  plan_init(&a->plan);
  buf_clear(&a->plan_text);
  buf_clear(&a->missing);
  a->scope.plan = NULL;
  a->unsure = a->nobody = 0;
  a->doubt.text[0] = '\0';
  a->doubtful = slice_str("");
  if (r->plan.len == 0)
    return make_plan(s, a, r, f);
  if (plan_read_json(r->plan, &a->plan, &a->plan_text) != 0 || a->plan.candidate_count > 0) {
    search_fault_(f, ERROR_INVALID_REQUEST, error_exit_status(ERROR_INVALID_REQUEST),
                  a->plan.candidate_count ? "it is not clear which company is meant"
                                          : "\"plan\" is no plan of bid-plan");
    return -1;
  }
  if (a->plan.company_count == 0) { /* the store may know the company */
    plan_release(&a->plan);
    plan_init(&a->plan);
    return make_plan(s, a, r, f);
  }
  prefer_stored(s->shared, &a->plan);
  return 0;
}

#define LOOKED_AT 20 /* passages of which one must contain a name or year */
#define SURE 0.95    /* confidence from which the question is certainly about a company */

static int search_is_sure(const struct plan *plan) {
  for (size_t i = 0; i < plan->company_count; i++)
    if (plan->companies[i].sure >= SURE)
      return 1;
  return 0;
}

/* Whether a company of the plan has this CIK, or is number `stored` of the store. */
static int is_planned(const struct search *shared, const struct plan *plan, const char *cik, size_t stored) {
  for (size_t i = 0; i < plan->company_count; i++)
    if ((cik[0] && strcmp(plan->companies[i].cik, cik) == 0) ||
        (stored && search_scope_is_company(&plan->companies[i], &shared->known, stored)))
      return 1;
  return 0;
}

/* A company given by an option may also be named in the question, by a name known to the planner or the store. */
static void mark_given(const struct search *shared, const struct plan *plan, struct query *q) {
  struct slice words;
  size_t stored = stored_in_question(shared, q, &words);
  for (size_t i = 0; i < plan->other_count; i++)
    if (is_planned(shared, plan, plan->others[i].cik, 0))
      query_mark_name(q, plan->others[i].matched);
  if (stored && is_planned(shared, plan, "", stored))
    query_mark_name(q, words);
}

/* Marks words that name a company, which are not search terms; takes over the plan's forms. */
static void obey_plan(const struct search *shared, const struct search_request *r, const struct plan *plan,
                      struct query *q) {
  char name[64];
  for (size_t i = 0; i < plan->company_count; i++)
    if (search_is_stored(shared, &plan->companies[i]))
      query_mark_name(q, plan->companies[i].matched);
  if (r->companies.count > 0)
    mark_given(shared, plan, q);
  for (size_t i = 0; i < plan->form_count; i++) {
    snprintf(name, sizeof name, "%.*s", (int)plan->forms[i].len, plan->forms[i].data);
    q->form_count += query_find_forms(&shared->known, name, q->forms + q->form_count,
                                      sizeof q->forms / sizeof *q->forms - q->form_count);
  }
  q->form_named = plan->forms_named;
}

/* Parses the question again where typos were corrected. */
static void mend(struct searcher *s, struct asked *a, const struct search_request *r) {
  struct query *q = &a->query;
  struct buf text, notes;
  if (s->shared->snap == NULL)
    return;
  buf_init(&text, 2 * QUERY_BYTES);
  buf_init(&notes, QUERY_BYTES);
  if (rank_mend_typos(q, s->shared->snap, s->terms, &text, &notes) > 0 && text.len <= QUERY_BYTES &&
      query_parse(q, buf_slice(&text), s->terms, s->shared->thesaurus) == 0) {
    if (r->routing)
      obey_plan(s->shared, r, &a->plan, q);
    if (q->notes.len > 0)
      buf_add_char(&q->notes, ',');
    buf_add_slice(&q->notes, buf_slice(&notes));
  }
  buf_release(&text);
  buf_release(&notes);
}

static int analyse(struct searcher *s, struct asked *a, const struct search_request *r,
                   struct search_fault *f) {
  struct query *q = &a->query;
  if (query_parse(q, r->query, s->terms, s->shared->thesaurus) != 0) {
    search_fault_(f, ERROR_INVALID_REQUEST, 64, "the question is longer than %zu bytes", QUERY_BYTES);
    return -1;
  }
  if (q->text.len == 0) {
    search_fault_(f, ERROR_INVALID_REQUEST, 64, "the question is empty");
    return -1;
  }
  if (take_plan(s, a, r, f) != 0)
    return -1;
  a->unsure |= r->companies.count == 0 && search_unsure(s->shared, &a->plan);
  if (r->routing)
    obey_plan(s->shared, r, &a->plan, q);
  mend(s, a, r);
  query_finish(q);
  return 0;
}

/* Nothing was found because the named company is missing. */
static int fail_unsure(struct searcher *s, struct asked *a, const struct search_request *r,
                       struct search_fault *f) {
  if (a->doubt.text[0]) {
    search_fault_(f, ERROR_INVALID_REQUEST, error_exit_status(ERROR_INVALID_REQUEST), "%s", a->doubt.text);
    return -1;
  }
  return filter_plan(s, a, r, f);
}

static void begin_answer(struct searcher *s) {
  struct asked *a = &s->asked;
  s->answer.query = &a->query;
  s->answer.plan = &a->plan;
  s->answer.scope = a->scope.plan ? &a->scope : NULL;
  s->answer.missing = &a->missing;
  s->answer.news = a->options.filter.rows ? s->news : NULL;
  s->answer.warning = a->warning;
}

int searcher_analyse(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                     struct search_fault *f) {
  buf_clear(&s->asked.warning);
  s->answer = (struct search_answer){0};
  *out = &s->answer;
  int status = analyse(s, &s->asked, r, f);
  begin_answer(s);
  return status;
}

int searcher_survey(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                    struct search_fault *f) {
  struct asked *a = &s->asked;
  if (searcher_analyse(s, r, out, f) != 0)
    return -1;
  int unsure = a->unsure && !search_is_sure(&a->plan); /* else its own filings are fetched first */
  if ((unsure || (a->plan.company_count > 0 && has_nobodys(s->shared))) && s->shared->snap != NULL &&
      searcher_run(s, r, out, f) == 0 && (unsure || a->nobody))
    a->plan.company_count = 0; /* the store answers without it */
  if (a->plan.company_count > 0) {
    search_scope_make(&a->scope, &a->plan, &s->shared->known, s->shared->snap, r->filings, r->filing_count);
    search_scope_missing(&a->scope, &a->missing);
  }
  begin_answer(s);
  return 0;
}

/* ---- reranking ---- */

#define RERANKED 50 /* passages: contain the right one for 95 of 100 questions */

/* Weight of the encoder's similarity relative to the model's output: chosen on the questions of
 * test/quality/README.md. */
#define RERANK_WEIGHT 4.0F

static int search_reranks(const struct search *s, const struct search_request *r) {
  return s->options.rerank != NULL && r->mode != RANK_VECTOR;
}

static struct rerank *search_reranker(struct search *s, struct error_text *e) {
  pthread_mutex_lock(&s->rerank_lock);
  if (s->rerank == NULL)
    s->rerank = rerank_open(s->options.rerank, e);
  pthread_mutex_unlock(&s->rerank_lock);
  return s->rerank;
}

static int by_sum(const void *a, const void *b) {
  const struct rank_hit *x = a, *y = b;
  return (x->sum < y->sum) - (x->sum > y->sum);
}

/* Sorts by the new sums.  The probability of a rank is kept: only the order has improved. */
static void search_reorder(struct rank_hit *hits, size_t count) {
  float *score = xcalloc(2 * count, sizeof *score), *relevance = score + count;
  for (size_t i = 0; i < count; i++) {
    score[i] = hits[i].score;
    relevance[i] = hits[i].relevance;
  }
  qsort(hits, count, sizeof *hits, by_sum);
  for (size_t i = 0; i < count; i++) {
    hits[i].score = score[i];
    hits[i].relevance = relevance[i];
  }
  free(score);
}

/* The texts for the encoder, concatenated in `all`; -1 with *e on an error of the store. */
static int search_texts(struct searcher *s, const struct rank_hit *hits, size_t count, struct buf *all,
                        struct slice *texts, struct error_text *e) {
  size_t *end = xcalloc(count, sizeof *end);
  int status = 0;
  for (size_t i = 0; status == 0 && i < count; i++) {
    struct store_text *t = &s->passage.text;
    status = store_get_text(s->shared->snap, hits[i].at.seg, hits[i].at.row, t, e) == STORE_OK ? 0 : -1;
    if (status == 0 && t->context.len > 0) {
      buf_add_slice(all, t->context);
      buf_add_char(all, '\n');
    }
    if (status == 0)
      buf_add_slice(all, t->text);
    end[i] = all->len;
  }
  for (size_t i = 0, from = 0; status == 0 && i < count; from = end[i++])
    texts[i] = slice_of(all->data + from, end[i] - from);
  free(end);
  return status;
}

/* Reorders the best hits by an encoder's similarity. */
static int search_rerank(struct searcher *s, const struct search_request *r, struct search_fault *f) {
  struct rank_result *found = &s->answer.result;
  size_t count = found->count < RERANKED ? found->count : RERANKED;
  struct rank_hit *hits = found->hits;
  struct rerank *reranker = count > 1 ? search_reranker(s->shared, &f->e) : NULL;
  if (count < 2)
    return 0;
  struct slice texts[RERANKED];
  float likeness[RERANKED];
  struct buf all;
  buf_init(&all, RECORD_MAX);
  int status = reranker && search_texts(s, hits, count, &all, texts, &f->e) == 0
                   ? rerank_likeness(reranker, r->query, texts, count, likeness, &f->e)
                   : -1;
  buf_release(&all);
  for (size_t i = 0; status == 0 && i < count; i++) {
    hits[i].likeness = likeness[i];
    hits[i].sum += RERANK_WEIGHT * likeness[i];
  }
  if (status == 0)
    search_reorder(hits, count);
  f->category = ERROR_INTERNAL;
  f->status = 78;
  return status;
}

/* Everything before the search.  0, or -1 with *f. */
static int search_prepare(struct searcher *s, const struct search_request *r, struct search_fault *f) {
  struct asked *a = &s->asked;
  struct error_text e;
  a->options = (struct rank_options){.mode = r->mode,
                                     .n = r->n,
                                     .exact = r->exact,
                                     .fold = r->fold,
                                     .threshold = r->threshold,
                                     .narrow = r->routing,
                                     .threads = s->threads};
  buf_clear(&a->warning);
  if (analyse(s, a, r, f) != 0 || make_filter(s, a, r, f) != 0)
    return -1;
  int dated = a->scope.plan != NULL && a->scope.reach == SCOPE_RECALLING;
  if ((a->unsure || dated) && a->options.n < LOOKED_AT)
    a->options.n = LOOKED_AT;
  if (search_reranks(s->shared, r) && a->options.n < RERANKED)
    a->options.n = RERANKED;
  int failed = make_vector(s, a, r, &e) != 0;
  if (failed && r->mode == RANK_VECTOR) {
    search_fault_(f, ERROR_MODEL_MISMATCH, error_exit_status(ERROR_MODEL_MISMATCH), "%s", e.text);
    return -1;
  }
  if (failed)
    buf_printf(&a->warning, "searched by text alone: %s", e.text);
  return 0;
}

/* Whether the words occur in the passage as whole words, in any case, but capitalised where they are: "Shell" is not
 * "shell". */
static int search_holds(struct searcher *s, const struct rank_place *at, struct slice words) {
  struct store_text *t = &s->passage.text;
  struct error_text e;
  char name[128];
  words = query_bare(words);
  if (words.len == 0 || words.len >= sizeof name ||
      store_get_text(s->shared->snap, at->seg, at->row, t, &e) != STORE_OK)
    return 0;
  snprintf(name, sizeof name, "%.*s", (int)words.len, words.data);
  for (size_t i = 0; i + words.len <= t->text.len; i++)
    if (strncasecmp(t->text.data + i, name, words.len) == 0 &&
        (!isupper((unsigned char)name[0]) || t->text.data[i] == name[0]) &&
        (i == 0 || !isalnum((unsigned char)t->text.data[i - 1])) &&
        (i + words.len == t->text.len || !isalnum((unsigned char)t->text.data[i + words.len])))
      return 1;
  return 0;
}

#define EVEN 0.51 /* not more likely than not a company: "Fund V" */

/* Whether the words that named a company may also be ordinary ones. */
static int may_be_words(const struct plan_company *c) {
  return c->sure <= EVEN || (c->sure < UNSURE && search_is_partial(c));
}

#define CLEAR 0.85   /* confidence from which it is asked about, whatever else the words may mean */
#define TELLING 0.5F /* of the question's own words, including the name: fewer means only a mention */

/* Notes that the passages are not the requested companies' own. */
static void note_absent(struct asked *a) {
  for (size_t c = 0; c < a->plan.company_count; c++)
    if (a->plan.companies[c].sure >= CLEAR) {
      buf_add_str(&a->missing, "no document of ");
      search_scope_add_company(&a->plan.companies[c], &a->missing);
      buf_add_str(&a->missing, " is in the store; the passages are of others, which name it\n");
    }
}

/* For companies that the store lacks, keeps only passages that name them, each of them; for one that is clearly asked
 * about, those with more of the question than its name. */
static void keep_naming(struct searcher *s, struct asked *a) {
  struct rank_result *found = &s->answer.result;
  size_t kept = 0, all = found->count < LOOKED_AT ? found->count : LOOKED_AT, named = 0;
  int anyones = 0;
  for (size_t c = 0; c < a->plan.company_count; c++)
    anyones |= may_be_words(&a->plan.companies[c]);
  for (size_t c = 0; c < a->plan.company_count; c++) {
    const struct plan_company *company = &a->plan.companies[c];
    int held = may_be_words(company);
    for (size_t i = 0; !held && i < all; i++)
      held = search_holds(s, &found->hits[i].at, company->matched) &&
             (company->sure < CLEAR || found->hits[i].f.body >= TELLING);
    named += (size_t)held;
  }
  for (size_t i = 0; i < all; i++) {
    int naming = anyones;
    for (size_t c = 0; !naming && c < a->plan.company_count; c++)
      naming = search_holds(s, &found->hits[i].at, a->plan.companies[c].matched);
    if (naming)
      found->hits[kept++] = found->hits[i];
  }
  found->count = named == a->plan.company_count ? kept : 0;
  if (found->count > 0)
    note_absent(a);
}

static int has_letter(struct slice words) {
  for (size_t i = 0; i < words.len; i++)
    if (isalpha((unsigned char)words.data[i]))
      return 1;
  return 0;
}

/* Whether one of the best passages contains the words that may name a company; a number is more likely a count. */
static int holds_doubtful(struct searcher *s, const struct asked *a) {
  const struct rank_result *found = &s->answer.result;
  int held = !has_letter(a->doubtful);
  for (size_t i = 0; !held && i < found->count && i < LOOKED_AT; i++)
    held = search_holds(s, &found->hits[i].at, a->doubtful);
  return held;
}

/* Fetches the passages that may answer this question from the remote source. */
static int bring(struct searcher *s, const struct search_request *r, struct search_fault *f) {
  const struct search_remote *remote = s->shared->options.remote;
  struct asked *a = &s->asked;
  if (remote == NULL)
    return 0;
  if (search_is_gone(s->shared) && search_come_back(s->shared, f) != 0)
    return -1;
  if (search_prepare(s, r, f) != 0)
    return -1;
  struct search_wanted w = {r, &a->query, &a->options.filter, a->vector, a->dims};
  if (remote->ask(remote->arg, s->shared->snap, &w, f) != 0)
    return -1;
  searcher_forget(s);
  search_let_go(s->shared);
  struct search_fault again;
  int put = remote->put(remote->arg, f), back = search_come_back(s->shared, &again);
  if (put == 0 && back != 0)
    *f = again;
  return put != 0 || back != 0 ? -1 : 0;
}

/* Keeps passages that contain a requested year. */
static void keep_dated(struct rank_result *found) {
  size_t kept = 0;
  for (size_t i = 0; i < found->count; i++)
    if (found->hits[i].f.years > 0)
      found->hits[kept++] = found->hits[i];
  found->count = kept;
}

int searcher_run(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                 struct search_fault *f) {
  struct asked *a = &s->asked;
  s->answer = (struct search_answer){0};
  *out = &s->answer;
  int prepared = bring(s, r, f) == 0 ? search_prepare(s, r, f) : -1;
  begin_answer(s);
  if (prepared != 0)
    return -1;
  use_ranker(s, a->model);
  struct error_text damage;
  int failed =
      rank_search(s->ranker, &a->query, a->dims ? a->vector : NULL, &a->options, &s->answer.result, &f->e);
  enum store_status status = store_snapshot_check(s->shared->snap, &damage);
  if (failed || status) { /* discards results from damaged postings or vectors */
    f->category = ERROR_INTERNAL;
    f->status = status ? store_exit_status(status) : 70;
    f->e = status ? damage : f->e;
    return -1;
  }
  s->answer.model = a->dims ? a->model : NULL;
  if (search_reranks(s->shared, r) && search_rerank(s, r, f) != 0)
    return -1;
  if (a->unsure && a->plan.company_count > 0)
    keep_naming(s, a);
  else if (a->unsure && !holds_doubtful(s, a))
    s->answer.result.count = 0;
  if (a->nobody && s->answer.result.count > 0)
    buf_clear(&a->missing);
  if (a->scope.plan != NULL && a->scope.reach == SCOPE_RECALLING)
    keep_dated(&s->answer.result);
  if (s->answer.result.count > r->n)
    s->answer.result.count = r->n;
  if (a->scope.plan != NULL && a->scope.reach != SCOPE_FITTING && s->answer.result.count == 0 &&
      a->missing.len > 0) {
    lines_fault(f, &a->missing, ""); /* no passage that could mention the period does */
    return -1;
  }
  return (a->unsure || a->nobody) && s->answer.result.count == 0 ? fail_unsure(s, a, r, f) : 0;
}

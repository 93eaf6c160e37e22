/* search_batch.c: questions as records: the request that each makes, and the threads that answer them in order.
 *
 * Records are collected until there are many or the input pauses; then threads take them one by one. */
#include "search/search_call.h"

#include "base/diag.h"
#include "query/plan_json.h"
#include "record/error.h"
#include "record/json.h"
#include "search/search_company.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- the request that a record makes ---- */

/* The members of a record that are read; record_reader's fields. */
enum search_request_field {
  F_QUERY,
  F_QUESTION,
  F_COLLECTION,
  F_COMPANY,
  F_ENTITY,
  F_FORM,
  F_TYPES,
  F_ITEM,
  F_SINCE,
  F_UNTIL,
  F_AS_OF,
  F_N,
  F_NEW,
  F_FOLD,
  F_MODE,
  F_EMBEDDING,
  F_MODEL,
  F_PERIOD,
  F_PLAN,
  F_JOB,
  F_ERROR,
  F_ID
};

/* Their names. */
static const char *const search_request_fields[] = {
    "query", "question", "collection", "company", "entity", "form", "filingTypes", "item",
    "since", "until",    "asOf",       "n",       "new",    "fold", "mode",        "embedding",
    "model", "period",   "plan",       "job",     "error",  "id",   NULL};

#define SEARCH_REQUEST_LISTS 8 /* per record */

/* Decoded strings of one request, and lists of them; initialise with {0}. */
struct search_request_strings {
  char **kept;
  size_t count, cap;
  const char **lists[SEARCH_REQUEST_LISTS];
  size_t list_count;
  const char *why; /* what is wrong with one of them (static), or NULL */
};

static int search_mode(const char *name, enum rank_mode *mode) {
  struct option_choice modes = SEARCH_MODES;
  int result = program_choice_set(&modes, name);
  *mode = (enum rank_mode)modes.chosen;
  return result;
}

static const char *keep_text_of(struct search_request_strings *s, struct slice value) {
  struct buf scratch;
  if (s->count == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 16;
    s->kept = xreallocarray(s->kept, s->cap, sizeof *s->kept);
  }
  buf_init(&scratch, RECORD_MAX);
  struct slice text = json_text(value, &scratch);
  if (text.len && memchr(text.data, '\0', text.len))
    s->why = "a text of the record has a NUL";
  char *copy = xstrndup(text.len ? text.data : "", text.len);
  buf_release(&scratch);
  s->kept[s->count++] = copy;
  return copy;
}

/* Frees the strings of a request; its memory for pointers is kept for the next one. */
static void search_request_release(struct search_request_strings *s) {
  while (s->count)
    free(s->kept[--s->count]);
  while (s->list_count)
    free((void *)s->lists[--s->list_count]);
  s->why = NULL;
}

static size_t add_to_list(const char **items, size_t count, struct search_request_strings *s,
                          struct slice value, int numbers) {
  int number = numbers && json_kind(value) == '0';
  const char *text = json_kind(value) == '"' || number ? keep_text_of(s, value) : "";
  if (json_kind(value) != '"' && json_kind(value) != 'n' && !number)
    s->why = "a list of the record has something other than strings";
  if (*text != '\0')
    items[count++] = text;
  return count;
}

/* A string or an array of strings replaces the option's list. */
static void read_list_or_numbers(struct search_list *list, struct search_request_strings *s,
                                 struct slice value, int numbers) {
  struct json_cursor c = {0}, again = {0};
  struct slice element;
  size_t room = 1, count = 0;
  if (json_kind(value) != '"' && json_kind(value) != '[' && !(numbers && json_kind(value) == '0'))
    return;
  while (json_kind(value) == '[' && json_next_element(value, &c, &element))
    room++;
  const char **items = s->lists[s->list_count++] = xcalloc(room, sizeof *items);
  if (json_kind(value) != '[')
    count = add_to_list(items, count, s, value, numbers);
  while (json_kind(value) == '[' && json_next_element(value, &again, &element))
    count = add_to_list(items, count, s, element, numbers);
  *list = (struct search_list){items, count};
}

static void read_list_of(struct search_list *list, struct search_request_strings *s, struct slice value) {
  read_list_or_numbers(list, s, value, 0);
}

static void read_text_of(const char **to, struct search_request_strings *s, struct slice value) {
  if (json_kind(value) == '"')
    *to = keep_text_of(s, value);
}

static void read_flag_of(int *to, struct slice value) {
  if (json_kind(value) == 't' || json_kind(value) == 'f')
    *to = json_kind(value) == 't';
}

static void read_entity_of(struct search_request *r, struct search_request_strings *s, struct slice value) {
  if (json_kind(value) == '{') {
    read_list_of(&r->aliases, s, json_get(value, "aliases"));
    value = json_get(value, "id");
    if (json_kind(value) && !strchr("\"[n", json_kind(value)))
      s->why = "\"id\" of \"entity\" is no string and no list of strings";
  }
  read_list_of(&r->companies, s, value);
}

/* A filter that is not understood must not be ignored.  NULL, or the fault. */
static const char *check_kinds(const struct record *rec) {
  static const struct {
    int field;
    const char *kinds, *why;
  } checks[] = {{F_COLLECTION, "\"[", "\"collection\" is no string and no list of strings"},
                {F_COMPANY, "\"[0", "\"company\" is no string and no list of strings"},
                {F_ENTITY, "\"[{", "\"entity\" is no string, no list and no object with an \"id\""},
                {F_FORM, "\"[", "\"form\" is no string and no list of strings"},
                {F_TYPES, "\"[", "\"filingTypes\" is no string and no list of strings"},
                {F_ITEM, "\"[", "\"item\" is no string and no list of strings"},
                {F_SINCE, "\"", "\"since\" is no string"},
                {F_UNTIL, "\"", "\"until\" is no string"},
                {F_AS_OF, "\"", "\"asOf\" is no string"},
                {F_PERIOD, "\"", "\"period\" is no string"},
                {F_PLAN, "{", "\"plan\" is no object"},
                {F_MODE, "\"", "\"mode\" is none of hybrid, vector, text"},
                {F_N, "0", "\"n\" is not 1 to 1000"},
                {F_NEW, "tf", "\"new\" is neither true nor false"},
                {F_FOLD, "tf", "\"fold\" is neither true nor false"}};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    char kind = json_kind(rec->field[checks[i].field]);
    if (kind && kind != 'n' && !strchr(checks[i].kinds, kind))
      return checks[i].why;
  }
  return NULL;
}

/* Changes *r, which has the defaults, by the members of the record; its texts belong to *s, the record and `query`.
 * NULL, or what is wrong (static): a member of a wrong kind, no query. */
static const char *search_request_read(const struct record *rec, struct search_request *r,
                                       struct search_request_strings *s, struct buf *query) {
  struct slice q = rec->field[json_kind(rec->field[F_QUERY]) == '"' ? F_QUERY : F_QUESTION];
  const char *mode = NULL;
  if (json_kind(q) != '"')
    return "no \"query\" in the record";
  const char *why = check_kinds(rec);
  if (!why)
    why = plan_job_fault(rec->line);
  if (why)
    return why;
  r->query = json_text(q, query);
  if (r->query.len && memchr(r->query.data, '\0', r->query.len))
    return "the question has a NUL";
  read_list_of(&r->collections, s, rec->field[F_COLLECTION]);
  read_list_or_numbers(&r->companies, s, rec->field[F_COMPANY], 1); /* a CIK as jq makes one */
  read_entity_of(r, s, rec->field[F_ENTITY]);
  read_list_of(&r->forms, s, rec->field[F_FORM]);
  read_list_of(&r->forms, s, rec->field[F_TYPES]);
  read_list_of(&r->items, s, rec->field[F_ITEM]);
  read_text_of(&r->since, s, rec->field[F_SINCE]);
  read_text_of(&r->until, s, rec->field[F_UNTIL]);
  read_text_of(&r->as_of, s, rec->field[F_AS_OF]);
  read_text_of(&r->period, s, rec->field[F_PERIOD]);
  read_text_of(&mode, s, rec->field[F_MODE]);
  if (json_kind(rec->field[F_PLAN]) == '{')
    r->plan = rec->field[F_PLAN];
  r->embedding = json_kind(rec->field[F_EMBEDDING]) == '"' ? rec->field[F_EMBEDDING] : r->embedding;
  if (r->embedding.len >= 2 && r->embedding.data[0] == '"') /* base64 has no escapes */
    r->embedding = slice_of(r->embedding.data + 1, r->embedding.len - 2);
  if (json_kind(rec->field[F_MODEL]) == '"')
    r->embedding_model = slice_of(rec->field[F_MODEL].data + 1, rec->field[F_MODEL].len - 2);
  read_flag_of(&r->news, rec->field[F_NEW]);
  read_flag_of(&r->fold, rec->field[F_FOLD]);
  long long n = json_kind(rec->field[F_N]) == '0' ? json_to_int(rec->field[F_N], 0) : (long long)r->n;
  if (n < 1 || n > (long long)RANK_MAX)
    return "\"n\" is not 1 to 1000";
  r->n = (size_t)n;
  if (s->why)
    return s->why;
  return mode != NULL && search_mode(mode, &r->mode) != 0 ? "\"mode\" is none of hybrid, vector, text" : NULL;
}

/* ---- threads ---- */

#define GATHER 1024
#define WATCH_NANOSECONDS 300000000L /* interval of checking the store while idle */
#define MAX_THREADS 64
#define ANSWER_BYTES ((size_t)1 << 30)
#define HAVE_BYTES ((size_t)1 << 20)

/* One question and its answer. */
struct search_batch_job {
  struct buf line, out;
  uint64_t number;
  int failed, found;
  struct search_fault fault;
};

struct search_batch_run {
  struct search_batch *batch;
  struct search_batch_job *jobs;
  size_t count;
  atomic_size_t next;
  struct searcher *searchers[MAX_THREADS];
  size_t threads;
  struct program *program;
  struct search_fault lost; /* why the store could not be reopened */
  int is_lost;
  pthread_t watcher;
  pthread_mutex_t busy; /* held while questions are answered */
  pthread_cond_t end;
  int watched, ending;
};

/* A job in progress. */
struct task {
  struct search_request request;
  struct search_request_strings strings;
  struct record rec;
  struct buf query;
};

struct search_batch_worker {
  struct search_batch_run *run;
  struct searcher *searcher;
  struct task task;
};

/* ---- what is written ---- */

static void write_answer(struct search_batch *b, struct searcher *s, struct search_batch_job *j,
                         const struct record *rec, const struct search_answer *a) {
  if (b->analyse) {
    record_open(&j->out, rec, "explain", (char *)NULL);
    json_key(&j->out, "explain");
    search_add_explanation(a, &j->out);
  } else {
    record_open(&j->out, rec, "embedding", "model", "matches", "context", "explain", "missing",
                a->warning.len > 0 ? "warning" : (char *)NULL, (char *)NULL);
    j->failed = search_add_answer(s, a, &b->output, &j->out, &j->fault.e) != 0;
    if (j->failed) { /* a passage can't be read: no partial answer */
      j->fault.category = ERROR_INTERNAL;
      j->fault.status = EX_DATAERR;
      buf_clear(&j->out);
      return;
    }
  }
  record_close(&j->out);
}

static void write_bundle(struct search_batch *b, struct searcher *s, struct search_batch_job *j,
                         const struct task *t, const struct search_answer *a) {
  const struct search_request *r = &t->request;
  struct error_text e;
  struct search_output o = b->output;
  o.edgar = edgar_of(b->edgar, j->number);
  o.id = t->rec.field[F_ID];
  if (b->html) {
    search_add_page(s, r->query, a, j->failed ? &j->fault : NULL, &o, &j->out, &e);
    return;
  }
  if (b->people) {
    search_show_bundle(s, a, j->failed ? &j->fault : NULL, &o, b->width, b->colour, &j->out);
    return;
  }
  size_t before = j->out.len;
  if (search_add_bundle(s, r->query, a, j->failed ? &j->fault : NULL, &o, &j->out, &e) != 0) {
    j->failed = 1; /* a passage can't be read */
    j->fault = (struct search_fault){ERROR_INTERNAL, EX_DATAERR, e};
    j->out.len = before;
    search_add_bundle(s, r->query, a, &j->fault, &o, &j->out, &e);
  }
  buf_add_char(&j->out, '\n');
}

/* ---- jobs for EDGAR ---- */

/* Adds the accession numbers of the filings of the plan's companies and forms whose main document is stored. */
static void add_stored_filings(const struct search_batch *b, const struct search_scope *scope,
                               struct buf *out) {
  struct buf json;
  struct error_text e;
  buf_init(&json, RECORD_MAX);
  for (size_t i = 0; i < scope->seg_count; i++)
    for (uint32_t d = 0; d < scope->segs[i].docs; d++) {
      const struct store_doc *doc = &scope->segs[i].doc[d];
      int dead = scope->segs[i].dead_docs && (scope->segs[i].dead_docs[d / 64] >> (d % 64) & 1);
      if (dead || search_scope_owner(scope, doc) < 0 || !search_scope_fits_form(scope, doc))
        continue;
      buf_clear(&json);
      if (store_get_document(search_snapshot(b->shared), doc->id, &json, &e) != STORE_OK)
        continue;
      struct slice metadata = json_get(buf_slice(&json), "metadata"),
                   number = json_get(metadata, "accessionNumber");
      if (json_kind(number) == '"' &&
          slice_eq(json_get(metadata, "href"), json_get(buf_slice(&json), "sourceUrl")))
        buf_printf(out, "%s%.*s", out->len ? "," : "", (int)number.len - 2, number.data + 1);
    }
  buf_release(&json);
}

/* Writes the job of a question for sec-filings and figures.  It names no source where the store has all that is asked for. */
static void write_want(struct search_batch *b, struct search_batch_job *j, const struct record *rec,
                       const struct search_answer *a) {
  struct plan plan = *a->plan; /* EDGAR doesn't know companies that only the store knows */
  plan.company_count = 0;
  for (size_t i = 0; i < a->plan->company_count; i++)
    if (!search_company_is_own(&a->plan->companies[i]))
      plan.companies[plan.company_count++] = a->plan->companies[i];
  if (plan.company_count == 0 && !a->everyone)
    return;
  int lacks = b->edgar_always || a->missing->len > 0 || a->plan->forms_named ||
              (a->scope && search_scope_wants_newest(a->scope));
  record_open(&j->out, rec, "sources", "job", "plan", "error", "content", "have", (char *)NULL);
  json_raw(&j->out, "sources", slice_str(lacks && plan.company_count ? "[\"sec-filings\"]" : "[]"));
  json_uint(&j->out, "job", j->number);
  json_key(&j->out, "plan");
  plan_add_json(&plan, &j->out);
  json_bool(&j->out, "content", 1);
  struct buf have;
  buf_init(&have, HAVE_BYTES);
  if (lacks && a->scope)
    add_stored_filings(b, a->scope, &have);
  json_str(&j->out, "have", buf_slice(&have));
  buf_release(&have);
  record_close(&j->out);
}

/* Without a store: all jobs that have a plan. */
static void write_blind_want(struct search_batch *b, struct search_batch_job *j, const struct task *t) {
  struct plan plan;
  struct buf text, missing;
  plan_init(&plan);
  buf_init(&text, QUERY_BYTES * 4);
  buf_init(&missing, 64);
  buf_add_str(&missing, "all\n");
  struct search_answer a = {.plan = &plan, .missing = &missing};
  if (json_kind(t->rec.field[F_PLAN]) == '{' && plan_read_json(t->rec.field[F_PLAN], &plan, &text) == 0) {
    a.everyone = plan.screen[0] != '\0';
    write_want(b, j, &t->rec, &a);
  }
  plan_release(&plan);
  buf_release(&text);
  buf_release(&missing);
}

/* ---- one question ---- */

static void search_batch_fail(struct search_batch_job *j, const char *category, int status, const char *why) {
  j->failed = 1;
  j->fault.category = category;
  j->fault.status = status;
  error_set(&j->fault.e, "%s", why);
}

/* Takes the error from an error record in place of a job; rejections by bid-plan keep the question. */
static void take_error(struct search_batch_job *j, const struct record *rec) {
  struct buf category, message;
  buf_init(&category, 4096);
  buf_init(&message, 65536);
  struct slice why = json_text(json_get(rec->field[F_ERROR], "message"), &message);
  search_batch_fail(j, error_category(json_text(json_get(rec->field[F_ERROR], "category"), &category)),
                    EXIT_NOTHING, "it failed before");
  error_set(&j->fault.e, "%.*s", (int)why.len, why.data);
  buf_release(&category);
  buf_release(&message);
}

/* Whether a job gives a company without a name: "-e ''". */
static int names_nobody(const struct record *rec) {
  struct slice entity = rec->field[F_ENTITY], id = json_kind(entity) == '{' ? json_get(entity, "id") : entity;
  return json_kind(id) == '"' && id.len == 2;
}

static void search_batch_ask(struct search_batch *b, struct searcher *s, struct task *t,
                             struct search_batch_job *j, const struct search_fault *lost,
                             const struct search_answer **a) {
  const char *why = search_request_read(&t->rec, &t->request, &t->strings, &t->query);
  if (t->rec.is_error) { /* the store may know a company that bid-plan doesn't */
    t->request.plan = slice_of(NULL, 0);
    if (why != NULL || b->fault != NULL || names_nobody(&t->rec)) {
      take_error(j, &t->rec);
      return;
    }
  }
  if (why != NULL) {
    search_batch_fail(j, ERROR_INVALID_REQUEST, EX_USAGE, why);
    return;
  }
  if (b->fault != NULL || lost != NULL) {
    j->failed = 1;
    j->fault = lost != NULL ? *lost : *b->fault;
    return;
  }
  t->request.filing_count = edgar_filings(edgar_of(b->edgar, j->number), &t->request.filings);
  j->failed = (b->wants     ? searcher_survey
               : b->analyse ? searcher_analyse
                            : searcher_run)(s, &t->request, a, &j->fault) != 0;
}

static void search_batch_answer(struct search_batch *b, struct searcher *s, struct task *t,
                                struct search_batch_job *j, const struct search_fault *lost) {
  const struct search_answer *a = NULL;
  const char *why;
  size_t at;
  t->request = b->base;
  buf_clear(&t->query);
  record_parse(j->line.data, j->line.len, search_request_fields, &t->rec, &why, &at);
  t->rec.number = j->number;
  search_batch_ask(b, s, t, j, lost, &a);
  const struct edgar *listed = b->bundle ? edgar_of(b->edgar, j->number) : NULL;
  int found = !j->failed && (a->result.count > 0 || (listed && edgar_facts(listed).len > 0));
  if (b->wants) {
    if (b->fault != NULL || lost != NULL)
      write_blind_want(b, j, t);
    else if (!j->failed)
      write_want(b, j, &t->rec, a);
    j->failed = 0;
  } else if (b->bundle)
    write_bundle(b, s, j, t, a);
  else if (!j->failed)
    write_answer(b, s, j, &t->rec, a);
  j->found = found && !j->failed;
  search_request_release(&t->strings);
}

static void *search_batch_work(void *arg) {
  struct search_batch_worker *w = arg;
  struct search_batch_run *run = w->run;
  for (size_t i; (i = atomic_fetch_add(&run->next, 1)) < run->count;)
    search_batch_answer(run->batch, w->searcher, &w->task, &run->jobs[i], run->is_lost ? &run->lost : NULL);
  return NULL;
}

/* ---- the loop ---- */

static void print(struct program *p, struct search_batch_job *j) {
  struct record rec = {.number = j->number};
  buf_add_slice(&p->out.buf, buf_slice(&j->out));
  if (j->failed && j->out.len == 0)
    program_error(p, &rec, j->fault.category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", j->fault.e.text);
  else if (j->failed)
    program_fail(p, EXIT_NOTHING);
  output_flush_if_full(&p->out);
}

/* A long-lived reader must not keep old pages from being reused, miss updates, or block "bid-store compact": the
 * store is closed when necessary, between questions and while idle. */
static void close_if_outdated(struct search_batch_run *run) {
  struct search *shared = run->batch->shared;
  if (shared == NULL || !search_is_outdated(shared))
    return;
  for (size_t i = 0; i < run->threads; i++)
    searcher_forget(run->searchers[i]);
  search_close_store(shared);
}

/* Jobs for EDGAR go on without the store: with all that their plans name. */
static void search_batch_go_blind(struct program *p, const struct search_batch *b,
                                  const struct search_fault *f) {
  if (!b->wants)
    return;
  diag_warn("%s", f->e.text);
  program_fail(p, f->status);
}

static void reopen_if_closed(struct search_batch_run *run) {
  close_if_outdated(run);
  run->is_lost = run->batch->shared != NULL && search_is_closed(run->batch->shared) &&
                 search_reopen_store(run->batch->shared, &run->lost) != 0;
  if (run->is_lost)
    search_batch_go_blind(run->program, run->batch, &run->lost);
}

static void *watch_store(void *arg) {
  struct search_batch_run *run = arg;
  pthread_mutex_lock(&run->busy);
  while (!run->ending) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WATCH_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    if (pthread_cond_timedwait(&run->end, &run->busy, &until) == ETIMEDOUT && !run->ending)
      close_if_outdated(run);
  }
  pthread_mutex_unlock(&run->busy);
  return NULL;
}

/* By the monotonic clock: where the other one is set back, the watcher would sleep for as long. */
static void watch_begin(struct search_batch_run *run) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&run->busy, NULL);
  pthread_cond_init(&run->end, &attributes);
  pthread_condattr_destroy(&attributes);
  run->watched = run->batch->shared != NULL && pthread_create(&run->watcher, NULL, watch_store, run) == 0;
}

static void watch_end(struct search_batch_run *run) {
  pthread_mutex_lock(&run->busy);
  run->ending = 1;
  pthread_cond_signal(&run->end);
  pthread_mutex_unlock(&run->busy);
  if (run->watched)
    pthread_join(run->watcher, NULL);
  pthread_cond_destroy(&run->end);
  pthread_mutex_destroy(&run->busy);
}

static void answer_all(struct program *p, struct search_batch_run *run) {
  struct search_batch_worker workers[MAX_THREADS];
  pthread_t threads[MAX_THREADS];
  size_t n = run->threads < run->count ? run->threads : run->count, started = 0;
  atomic_store(&run->next, 0);
  for (size_t i = 0; i < n; i++) {
    if (run->searchers[i] == NULL && run->batch->shared != NULL)
      run->searchers[i] = searcher_new_lasting(run->batch->shared);
    if (run->searchers[i] != NULL) /* parallel questions use one core each */
      searcher_set_threads(run->searchers[i], n > 1);
    workers[i] = (struct search_batch_worker){.run = run, .searcher = run->searchers[i]};
    buf_init(&workers[i].task.query, QUERY_BYTES * 2);
    if (i > 0 && pthread_create(&threads[started], NULL, search_batch_work, &workers[i]) == 0)
      started++;
  }
  if (n > 0)
    search_batch_work(&workers[0]);
  for (size_t i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
  for (size_t i = 0; i < n; i++) {
    buf_release(&workers[i].task.query);
    free(workers[i].task.strings.kept);
  }
  for (size_t i = 0; i < run->count; i++) {
    run->batch->found += (uint64_t)run->jobs[i].found;
    print(p, &run->jobs[i]);
  }
  run->count = 0;
}

/* Answers the collected questions. */
static void search_batch_settle(struct program *p, void *arg) {
  struct search_batch_run *run = arg;
  if (run->count == 0)
    return;
  pthread_mutex_lock(&run->busy);
  reopen_if_closed(run);
  answer_all(p, run);
  pthread_mutex_unlock(&run->busy);
}

static int search_batch_gather(struct program *p, const struct record *rec, void *arg) {
  struct search_batch_run *run = arg;
  struct search_batch_job *j = &run->jobs[run->count++];
  buf_clear(&j->line);
  buf_clear(&j->out);
  buf_add_slice(&j->line, rec->line);
  j->number = rec->number;
  j->failed = j->found = 0;
  if (run->count == GATHER)
    search_batch_settle(p, run);
  return 0;
}

void search_batch_run(struct program *p, struct search_batch *b) {
  struct search_batch_run run = {.batch = b, .program = p};
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  run.threads = b->threads ? b->threads : cores > 0 ? (size_t)cores : 1;
  if (run.threads > MAX_THREADS)
    run.threads = MAX_THREADS;
  run.jobs = xcalloc(GATHER, sizeof *run.jobs);
  for (size_t i = 0; i < GATHER; i++) {
    buf_init(&run.jobs[i].line, RECORD_MAX);
    buf_init(&run.jobs[i].out, ANSWER_BYTES);
  }
  p->settle = search_batch_settle;
  p->errors_too = b->bundle || b->wants;
  p->operand_count = 0;
  if (b->fault != NULL)
    search_batch_go_blind(p, b, b->fault);
  watch_begin(&run);
  program_each_record(p, search_request_fields, search_batch_gather, &run);
  watch_end(&run);
  for (size_t i = 0; i < GATHER; i++) {
    buf_release(&run.jobs[i].line);
    buf_release(&run.jobs[i].out);
  }
  for (size_t i = 0; i < run.threads; i++)
    searcher_free(run.searchers[i]);
  free(run.jobs);
}

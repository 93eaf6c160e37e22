/* searcher.c: answers one question: plan, filter, vector, rank. */
#include "compare/filing_news.h"
#include "query/query.h"
#include "record/error.h"
#include "record/record.h"
#include "tables/figure_words.h"
#include "search/search_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define PLAN_TEXT ((size_t)1 << 20)

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
  rank_units_free(s->units);
  filing_news_free(s->news);
  embed_close(s->embedder);
  asked_release(&s->asked);
  store_text_release(&s->passage.text);
  buf_release(&s->passage.document);
  buf_release(&s->text);
  terms_free(s->terms);
  free(s->ranker_model);
  free(s->hits);
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

void search_find_units(struct searcher *s, struct rank_units *u, const struct rank_hit *h,
                       struct slice text) {
  rank_find_units(s->ranker, u, h, text);
}

const struct rank_units *search_units(struct searcher *s, const struct rank_hit *h, struct slice text) {
  if (s->units == NULL)
    s->units = rank_units_new();
  search_find_units(s, s->units, h, text);
  return s->units;
}

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

/* Nothing was found because the named company is missing. */
static int fail_unsure(struct searcher *s, struct asked *a, const struct search_request *r,
                       struct search_fault *f) {
  if (a->doubt.text[0]) {
    search_fault_set(f, ERROR_INVALID_REQUEST, error_exit_status(ERROR_INVALID_REQUEST), "%s", a->doubt.text);
    return -1;
  }
  return search_filter_plan(s, a, r, f);
}

static void begin_answer(struct searcher *s) {
  struct asked *a = &s->asked;
  s->answer.query = &a->query;
  s->answer.plan = &a->plan;
  s->answer.scope = a->scope.plan ? &a->scope : NULL;
  s->answer.missing = &a->missing;
  s->answer.news = a->options.filter.rows ? s->news : NULL;
  s->answer.warning = a->warning;
  s->answer.everyone = a->everyone;
}

int searcher_analyse(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                     struct search_fault *f) {
  buf_clear(&s->asked.warning);
  s->answer = (struct search_answer){0};
  *out = &s->answer;
  int status = search_plan_question(s, &s->asked, r, f);
  begin_answer(s);
  return status;
}

int searcher_survey(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                    struct search_fault *f) {
  struct asked *a = &s->asked;
  if (searcher_analyse(s, r, out, f) != 0)
    return -1;
  int unsure = a->unsure && !search_is_sure(&a->plan); /* else its own filings are fetched first */
  if ((unsure || (a->plan.company_count > 0 && search_has_ownerless(s->shared))) && s->shared->snap != NULL &&
      searcher_run(s, r, out, f) == 0 && (unsure || a->ownerless_only))
    a->plan.company_count = 0; /* the store answers without it */
  if (a->plan.company_count > 0) {
    search_scope_make(&a->scope, &a->plan, &s->shared->known, s->shared->snap, r->filings, r->filing_count);
    search_missing(&a->scope, &a->missing);
  }
  begin_answer(s);
  return 0;
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
  if (search_plan_question(s, a, r, f) != 0 || search_filter_make(s, a, r, f) != 0)
    return -1;
  a->options.newest = r->routing && a->plan.window_count == 0;
  int dated = a->scope.plan != NULL && a->scope.reach == SCOPE_RECALLING;
  if ((a->unsure || dated) && a->options.n < SEARCH_LOOKED_AT)
    a->options.n = SEARCH_LOOKED_AT;
  int failed = search_vector_make(s, a, r, &e) != 0;
  if (failed && r->mode == RANK_VECTOR) {
    search_fault_set(f, ERROR_MODEL_MISMATCH, error_exit_status(ERROR_MODEL_MISMATCH), "%s", e.text);
    return -1;
  }
  if (failed)
    buf_printf(&a->warning, "searched by text alone: %s", e.text);
  return 0;
}

/* Fetches the passages that may answer this question from the remote source. */
static int fetch_remote(struct searcher *s, const struct search_request *r, struct search_fault *f) {
  const struct search_remote *remote = s->shared->options.remote;
  struct asked *a = &s->asked;
  if (remote == NULL)
    return 0;
  if (search_is_closed(s->shared) && search_reopen_store(s->shared, f) != 0)
    return -1;
  if (search_prepare(s, r, f) != 0)
    return -1;
  struct search_wanted w = {r, &a->query, &a->options.filter, a->vector, a->dims};
  if (remote->ask(remote->arg, s->shared->snap, &w, f) != 0)
    return -1;
  searcher_forget(s);
  search_close_store(s->shared);
  struct search_fault again;
  int put = remote->put(remote->arg, f), back = search_reopen_store(s->shared, &again);
  if (put == 0 && back != 0)
    *f = again;
  return put != 0 || back != 0 ? -1 : 0;
}

/* Ranks the passages.  0, or -1 with *f. */
static int rank_hits(struct searcher *s, const struct search_request *r, struct search_fault *f) {
  struct asked *a = &s->asked;
  use_ranker(s, a->model);
  a->options.dims = a->dims;
  a->options.embedder = a->dims && r->embedding.len == 0 ? s->embedder : NULL;
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
  if (s->answer.result.damage != NULL)
    buf_printf(&a->warning, "sentences are not compared: %s", s->answer.result.damage);
  s->answer.model = a->dims ? a->model : NULL;
  return 0;
}

/* Keeps the hits that are of what was asked, as many as were asked for. */
static void keep_asked(struct searcher *s, const struct search_request *r) {
  struct asked *a = &s->asked;
  if (a->unsure && a->plan.company_count > 0)
    search_keep_naming(s, a);
  else if (a->unsure && !search_finds_doubtful(s, a))
    s->answer.result.count = 0;
  if (a->ownerless_only && s->answer.result.count > 0)
    buf_clear(&a->missing);
  if (a->scope.plan != NULL && a->scope.reach == SCOPE_RECALLING)
    search_keep_dated(&s->answer.result);
  if (s->answer.result.count > r->n)
    s->answer.result.count = r->n;
}

/* "Show the 8-K": the filing itself is asked for, and the store has none; other reports tell nothing of it. */
static int asks_for_filing(const struct asked *a) {
  static const char *const dates[] = {FIGURE_WORDS_DATE, "open", "latest", "newest", NULL};
  if (a->scope.plan == NULL || a->scope.reach == SCOPE_FITTING || !a->plan.forms_named)
    return 0;
  for (size_t i = 0; i < a->plan.company_count; i++)
    if (a->scope.of[i].of_form > 0)
      return 0;
  for (size_t i = 0; i < a->query.token_count; i++) {
    const struct query_token *t = &a->query.tokens[i];
    struct slice word = slice_of(a->query.text.data + t->start, t->end - t->start);
    if ((t->kind == QUERY_WORD || t->kind == QUERY_EVERYDAY) && word.len > 1 &&
        strcspn(word.data, "0123456789") >= word.len && !slice_among_nocase(word, dates))
      return 0;
  }
  return 1;
}

int searcher_run(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                 struct search_fault *f) {
  struct asked *a = &s->asked;
  s->answer = (struct search_answer){0};
  *out = &s->answer;
  int prepared = fetch_remote(s, r, f) == 0 ? search_prepare(s, r, f) : -1;
  begin_answer(s);
  if (prepared == 0 && a->everyone) {
    search_say_everyone(a);
    return 0;
  }
  if (prepared != 0 || rank_hits(s, r, f) != 0)
    return -1;
  keep_asked(s, r);
  if (asks_for_filing(a))
    s->answer.result.count = 0;
  if (search_show_each_company(s, &f->e) != 0) {
    f->category = ERROR_INTERNAL;
    f->status = 70;
    return -1;
  }
  if (a->of_another || search_misses_period(a, &s->answer.result))
    search_lower_confidence(&s->answer.result);
  if (a->scope.plan != NULL && a->scope.reach != SCOPE_FITTING && s->answer.result.count == 0 &&
      a->missing.len > 0) {
    search_lines_fault(f, &a->missing, ""); /* no passage that could mention the period does */
    return -1;
  }
  return (a->unsure || a->ownerless_only) && s->answer.result.count == 0 ? fail_unsure(s, a, r, f) : 0;
}

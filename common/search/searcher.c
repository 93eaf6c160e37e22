/* searcher.c: answers one question: a request becomes a plan, a filter and a vector, the ranker does the rest. */
#include "search/search_internal.h"
#include "compare/filing_news.h"
#include "query/company_names.h"
#include "record/error.h"
#include "record/record.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

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
  if ((unsure || (a->plan.company_count > 0 && search_has_nobodys(s->shared))) && s->shared->snap != NULL &&
      searcher_run(s, r, out, f) == 0 && (unsure || a->nobody))
    a->plan.company_count = 0; /* the store answers without it */
  if (a->plan.company_count > 0) {
    search_scope_make(&a->scope, &a->plan, &s->shared->known, s->shared->snap, r->filings, r->filing_count);
    search_missing(&a->scope, &a->missing);
  }
  begin_answer(s);
  return 0;
}

#define LOOKED_AT 20 /* passages of which one must contain a name or year */

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
  int dated = a->scope.plan != NULL && a->scope.reach == SCOPE_RECALLING;
  if ((a->unsure || dated) && a->options.n < LOOKED_AT)
    a->options.n = LOOKED_AT;
  if (search_reranks(s->shared, r) && a->options.n < SEARCH_RERANKED)
    a->options.n = SEARCH_RERANKED;
  int failed = search_vector_make(s, a, r, &e) != 0;
  if (failed && r->mode == RANK_VECTOR) {
    search_fault_set(f, ERROR_MODEL_MISMATCH, error_exit_status(ERROR_MODEL_MISMATCH), "%s", e.text);
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

/* Not more likely than not a company: "Fund V".  Between two hundredths, which a plan's JSON rounds to. */
#define EVEN 0.505

/* Whether the words that named a company may also be ordinary ones. */
static int may_be_words(const struct plan_company *c) {
  return c->sure <= EVEN || (c->sure < SEARCH_UNSURE && search_is_partial(c));
}

/* Words of the question that a passage should hold. */
struct search_wants {
  uint64_t name[QUERY_TOKENS], word[QUERY_TOKENS];
  uint8_t held[QUERY_TOKENS];
  size_t names, words;
};

static void note_name_word(void *arg, const struct term *t) {
  struct search_wants *w = arg;
  if (t->kind != TERM_STOP && w->names < QUERY_TOKENS)
    w->name[w->names++] = t->hash;
}

static void note_held_word(void *arg, const struct term *t) {
  struct search_wants *w = arg;
  for (size_t i = 0; i < w->words; i++)
    w->held[i] |= t->kind != TERM_STOP && t->hash == w->word[i];
}

/* Whether the passage holds half of the question's own words or more, besides those that name its companies: what is
 * asked of them.  A thesaurus phrase counts as the everyday words that led to it. */
static int search_tells(struct searcher *s, const struct rank_hit *hit) {
  const struct asked *a = &s->asked;
  const struct query *q = &a->query;
  struct store_text *t = &s->passage.text;
  struct search_wants w = {.names = 0};
  struct error_text e;
  size_t held = 0;
  for (size_t c = 0; c < a->plan.company_count; c++)
    terms_scan(s->terms, a->plan.companies[c].matched, 0, note_name_word, &w);
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *token = &q->tokens[i];
    uint64_t hash = terms_hash(slice_of(q->own.data + token->stem, token->stem_len));
    int own = token->kind == QUERY_WORD || token->kind == QUERY_EVERYDAY;
    for (size_t k = 0; own && k < w.names; k++)
      own = w.name[k] != hash;
    if (!own)
      continue;
    w.held[w.words] = token->kind == QUERY_EVERYDAY && hit->f.phrase > 0;
    w.word[w.words++] = hash;
  }
  if (w.words == 0 || store_get_text(s->shared->snap, hit->at.seg, hit->at.row, t, &e) != STORE_OK)
    return w.words == 0;
  terms_scan(s->terms, t->text, 0, note_held_word, &w);
  for (size_t i = 0; i < w.words; i++)
    held += w.held[i];
  return 2 * held >= w.words;
}

/* Whether nobody said whose document a passage is of. */
static int is_nobodys(const struct rank_place *at) {
  return at->seg->doc[store_doc_of_row(at->seg, at->row)].company == 0;
}

/* Whether the passage is of a document without a company of which one of the found passages names this one: it may well
 * be the company's own, whatever this passage says. */
static int search_may_be_own(struct searcher *s, const struct rank_result *found, size_t all, size_t i,
                             const struct plan_company *company) {
  const struct rank_place *at = &found->hits[i].at;
  uint32_t doc = store_doc_of_row(at->seg, at->row);
  if (!is_nobodys(at))
    return 0;
  for (size_t k = 0; k < all; k++) {
    const struct rank_place *other = &found->hits[k].at;
    if (other->seg == at->seg && store_doc_of_row(other->seg, other->row) == doc &&
        search_holds(s, other, company->matched))
      return 1;
  }
  return 0;
}

/* Notes that the passages are not of documents that are known to be the requested companies'. */
static void note_absent(struct asked *a, const struct rank_result *kept) {
  int unknown = 0;
  for (size_t i = 0; i < kept->count; i++)
    unknown |= is_nobodys(&kept->hits[i].at);
  for (size_t c = 0; c < a->plan.company_count; c++)
    if (!may_be_words(&a->plan.companies[c])) {
      buf_add_str(&a->missing, "no document of ");
      search_company_add(&a->plan.companies[c], &a->missing);
      buf_add_str(
          &a->missing,
          unknown ? " is known in the store; the passages are of documents whose company is unknown, or "
                    "of others, which name it; bid-ingest --reports FOLDER -e COMPANY says whose they are\n"
                  : " is in the store; the passages are of others, which name it\n");
    }
}

/* Whether a passage of another company is of the named forms, and of the asked windows or holds an asked year.  *scope:
 * of *plan, which names no company. */
static int search_obeys(struct plan *plan, const struct search_scope *scope, const struct rank_hit *hit) {
  size_t windows = plan->window_count;
  plan->window_count = hit->f.years > 0 ? 0 : windows;
  int fits = search_scope_fits(scope, hit->at.seg, store_doc_of_row(hit->at.seg, hit->at.row));
  plan->window_count = windows;
  return fits;
}

/* Removes the passages of others that are not of the forms and windows of the question. */
static void keep_obeying(struct searcher *s, const struct asked *a, struct rank_result *found) {
  struct plan plan = a->plan;
  struct search_scope scope;
  size_t kept = 0;
  plan.company_count = 0;
  plan.form_count = plan.forms_named ? plan.form_count : 0;
  search_scope_make(&scope, &plan, &s->shared->known, s->shared->snap, NULL, 0);
  for (size_t i = 0; i < found->count; i++)
    if (is_nobodys(&found->hits[i].at) || search_obeys(&plan, &scope, &found->hits[i]))
      found->hits[kept++] = found->hits[i];
  found->count = kept;
}

#define DOUBTED 0.5F /* the most that is said for passages of others, or of other periods: even */

/* Lowers the probability, and with it relevances: never "likely", no passage "high". */
static void search_temper(struct rank_result *found) {
  found->confidence = found->confidence < DOUBTED ? found->confidence : DOUBTED;
  for (size_t i = 0; i < found->count; i++) {
    float relevance = found->hits[i].score * found->confidence;
    found->hits[i].relevance = relevance < SEARCH_HIGH ? relevance : nextafterf(SEARCH_HIGH, 0);
  }
}

/* Whether a passage is of a document of a known company. */
static int has_others(const struct rank_result *found) {
  for (size_t i = 0; i < found->count; i++)
    if (!is_nobodys(&found->hits[i].at))
      return 1;
  return 0;
}

/* For companies that the store lacks, keeps only passages that name them, each of them, and hold what is asked of them, and
 * those of documents that may be theirs. */
static void keep_naming(struct searcher *s, struct asked *a) {
  struct rank_result *found = &s->answer.result;
  int anyones = 0;
  for (size_t c = 0; c < a->plan.company_count; c++)
    anyones |= may_be_words(&a->plan.companies[c]);
  if (!anyones)
    keep_obeying(s, a, found);
  size_t kept = 0, all = found->count < LOOKED_AT ? found->count : LOOKED_AT, named = 0;
  uint8_t own[LOOKED_AT] = {0};
  for (size_t c = 0; c < a->plan.company_count; c++) {
    const struct plan_company *company = &a->plan.companies[c];
    int held = may_be_words(company);
    for (size_t i = 0; i < all; i++)
      own[i] |= (uint8_t)search_may_be_own(s, found, all, i, company);
    for (size_t i = 0; !held && i < all; i++)
      held = own[i] ||
             (search_holds(s, &found->hits[i].at, company->matched) && search_tells(s, &found->hits[i]));
    named += (size_t)held;
  }
  for (size_t i = 0; i < all; i++) {
    int naming = anyones || own[i];
    for (size_t c = 0; !naming && c < a->plan.company_count; c++)
      naming = search_holds(s, &found->hits[i].at, a->plan.companies[c].matched) &&
               search_tells(s, &found->hits[i]);
    if (naming)
      found->hits[kept++] = found->hits[i];
  }
  found->count = named == a->plan.company_count ? kept : 0;
  if (found->count > 0)
    note_absent(a, found);
  if (!anyones && has_others(found))
    search_temper(found);
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

/* Whether the asked period is in no passage: only documents of other periods are there, and none is said to tell of
 * it by holding its year. */
static int misses_period(const struct asked *a, const struct rank_result *found) {
  if (a->scope.plan == NULL || a->scope.reach == SCOPE_FITTING || a->plan.window_count == 0)
    return 0;
  for (size_t i = 0; a->scope.reach == SCOPE_TELLING && i < found->count; i++)
    if (found->hits[i].f.years > 0)
      return 0;
  return 1;
}

/* The company of the plan whose document the passage is of, or -1. */
static int asked_owner(const struct search_scope *scope, const struct rank_hit *hit) {
  uint32_t company = hit->at.seg->doc[store_doc_of_row(hit->at.seg, hit->at.row)].company;
  for (size_t i = 0; i < scope->company_count; i++)
    if (scope->companies[i] == company)
      return scope->plan_company[i];
  return -1;
}

static size_t count_owned(const struct search_scope *scope, const struct rank_result *found, int company) {
  size_t count = 0;
  for (size_t i = 0; i < found->count; i++)
    count += asked_owner(scope, &found->hits[i]) == company;
  return count;
}

/* Appends a hit in place of the last one whose company has others, if there is such a one. */
static void displace_hit(const struct search_scope *scope, struct rank_result *found,
                         const struct rank_hit *hit) {
  size_t i = found->count;
  while (i > 0 && count_owned(scope, found, asked_owner(scope, &found->hits[i - 1])) < 2)
    i--;
  if (i == 0)
    return; /* more companies than passages are asked for */
  memmove(&found->hits[i - 1], &found->hits[i], (found->count - i) * sizeof *found->hits);
  found->hits[found->count - 1] = *hit;
}

/* Searches the documents of one company of the plan for its best passage. */
static int search_one_company(struct searcher *s, size_t company, struct rank_result *out,
                              struct error_text *e) {
  const struct asked *a = &s->asked;
  struct rank_options options = a->options;
  uint32_t numbers[SCOPE_NUMBERS];
  size_t count = 0;
  for (size_t i = 0; i < a->scope.company_count; i++)
    if (a->scope.plan_company[i] == company)
      numbers[count++] = a->scope.companies[i];
  options.n = 1;
  options.filter.companies = numbers;
  options.filter.company_count = count;
  return rank_search(s->ranker, &a->query, a->dims ? a->vector : NULL, &options, out, e);
}

/* Where several companies are asked about: the best passage of each that has an answer is among those shown, and a
 * company without one is named. */
static int show_each_company(struct searcher *s, struct error_text *e) {
  struct asked *a = &s->asked;
  struct rank_result *found = &s->answer.result, one;
  if (a->scope.plan == NULL || a->unsure || a->nobody || a->plan.company_count < 2 || found->count == 0)
    return 0;
  s->hits =
      xreallocarray(s->hits, found->count, sizeof *s->hits); /* the ranker's own end with its next search */
  memcpy(s->hits, found->hits, found->count * sizeof *s->hits);
  found->hits = s->hits;
  for (size_t c = 0; c < a->plan.company_count; c++) {
    if (a->scope.of[c].fitting == 0 || may_be_words(&a->plan.companies[c]) ||
        count_owned(&a->scope, found, (int)c) > 0)
      continue;
    if (search_one_company(s, c, &one, e) != 0)
      return -1;
    if (one.count > 0) {
      displace_hit(&a->scope, found, &one.hits[0]);
      continue;
    }
    buf_add_str(&a->missing, "no passage of ");
    search_company_add(&a->plan.companies[c], &a->missing);
    buf_add_str(&a->missing, " answers this\n");
  }
  return 0;
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
  a->options.dims = a->dims;
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
  if (show_each_company(s, &f->e) != 0) {
    f->category = ERROR_INTERNAL;
    f->status = 70;
    return -1;
  }
  if (a->of_another || misses_period(a, &s->answer.result))
    search_temper(&s->answer.result);
  if (a->scope.plan != NULL && a->scope.reach != SCOPE_FITTING && s->answer.result.count == 0 &&
      a->missing.len > 0) {
    search_lines_fault(f, &a->missing, ""); /* no passage that could mention the period does */
    return -1;
  }
  return (a->unsure || a->nobody) && s->answer.result.count == 0 ? fail_unsure(s, a, r, f) : 0;
}

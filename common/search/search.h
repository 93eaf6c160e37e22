/* search.h: answers one question: from request to filter, embedding, ranking, answer; the core of bid-search.
 *
 * struct search is shared: the store's snapshot, its lists, the thesaurus.  A struct searcher belongs to one thread.
 */
#ifndef BID_SEARCH_H
#define BID_SEARCH_H

#include "base/buf.h"
#include "base/diag.h"
#include "model/embed.h"
#include "query/plan.h"
#include "query/query.h"
#include "search/rank.h"
#include "search/search_scope.h"
#include "store/store.h"

/* The "edgar" member of a retrieval's bundles and its errors, built from the records that fetching and indexing
 * produced (what sec-filings discovered, receipts, facts, error records).  A record belongs to the job with the
 * number in its "job" member.  Receipts and errors without one belong to the jobs that list the filing; errors
 * that name no filing belong to all jobs. */

#define EDGAR_FILINGS 200  /* limit of filings listed per job */
#define EDGAR_COMPANIES 16 /* limit of companies per job */

struct edgar;
struct edgar_set;

/* Reads records from fd until its end.  NULL with *e on a read error; a bad line is an error of all jobs. */
struct edgar_set *edgar_read(int fd, struct error_text *e);
void edgar_free(struct edgar_set *set); /* set may be NULL */

/* Calls stored() for each filing's URL to find out whether the store has it. */
void edgar_mark(struct edgar_set *set, int (*stored)(void *arg, struct slice url), void *arg);

/* The records of a job, or NULL. */
const struct edgar *edgar_of(const struct edgar_set *set, uint64_t job);

/* The filings in the form that search_scope_make() takes. */
size_t edgar_filings(const struct edgar *g, const struct scope_filing **list);

/* Appends {company, forms, filings[{form, filingDate, accessionNumber, href, reportDate, fiscalYear, fiscalPeriod,
 * primaryDocument, company, recent, ingested}], attempt{discovered, ingested, unchanged, failed}, facts[],
 * disagreements[]}.  plan: for forms, or NULL; disagreements: an array, or empty.  Filings have a company where there
 * are several. */
void edgar_add(const struct edgar *g, const struct plan *plan, struct slice disagreements, struct buf *out);

/* The facts as elements of a JSON array, without brackets. */
struct slice edgar_facts(const struct edgar *g);

/* Prints date, form and URL of each filing. */
void edgar_show(const struct edgar *g, struct buf *out);

/* Appends the errors to an open array, without duplicates; and an error "stale" with its URL for a listed filing that
 * the store lacks and that is newer than `newest` (the latest filing date in the store, or STORE_NO_DAY for any). */
void edgar_add_errors(const struct edgar *g, struct buf *out);
void edgar_add_stale(const struct edgar *g, const struct search_scope *scope, struct buf *out);

/* A list of strings; both arrays belong to the caller. */
struct search_list {
  const char *const *items;
  size_t count;
};

/* A question with its filters; strings belong to the caller. */
struct search_request {
  struct slice query;
  struct search_list collections; /* globs */
  struct search_list companies;   /* tickers, CIKs, names */
  struct search_list aliases;     /* other names of the first one */
  struct search_list forms, items;
  const char *period;                /* or NULL */
  const char *since, *until, *as_of; /* dates, or NULL */
  enum rank_mode mode;
  size_t n;
  int exact, fold, routing, threshold;
  int news;                                /* only what the newest filings add to the ones before them */
  struct slice embedding, embedding_model; /* the question's vector (base64), or empty */
  struct slice plan;                       /* plan from bid-plan, a JSON object; empty: it is made here */
  const struct scope_filing *filings;      /* result of discovery */
  size_t filing_count;
};

struct search_fault {
  const char *category; /* error.h */
  int status;           /* exit status */
  struct error_text e;
};

/* What a question needs, for a remote source of passages. */
struct search_wanted {
  const struct search_request *request;
  const struct query *query;
  const struct store_filter *filter; /* for the snapshot */
  const float *vector;
  size_t dims; /* 0: without a vector */
};

/* Copies the passages that may answer a question from a remote source into the store that is searched.  Not
 * thread-safe.  Both functions return 0, or -1 with *f. */
struct search_remote {
  int (*ask)(void *arg, const struct store_snapshot *snap, const struct search_wanted *w,
             struct search_fault *f);
  int (*put)(void *arg, struct search_fault *f); /* stores them; nobody has the store open */
  void *arg;
};

struct search_options {
  struct search_list stores; /* paths, searched as one store; none: $BID_STORE or its default */
  const char *where;         /* jq expression over documents, or NULL */
  const char *model;         /* NULL: the collections' own */
  struct slice question;     /* the only question that will be asked, or empty */
  int many;                  /* many questions are expected: prepare and cache more */
  int confined;              /* once the stores are open, no file is changed any more (base/sandbox.h) */
  int vectors;               /* they will need vectors: open the default model with the store */
  const struct search_remote *remote; /* or NULL */
  int analyse;                        /* questions are only analysed; a missing store is then not an error */
};

struct search;
struct searcher;

/* NULL with *f.  A missing store has the category no-collection. */
struct search *search_open(const struct search_options *o, struct search_fault *f);
void search_close(struct search *s);
const struct store_snapshot *search_snapshot(const struct search *s);

/* For long-lived processes, while no searcher runs: closes the store if it has changed or another process waits for
 * exclusive access; 1 where it did.  Call searcher_forget() on all searchers first. */
int search_is_outdated(const struct search *s);
void search_close_store(struct search *s);
/* Reopens the store.  0, or -1 with *f, after which it can be tried again. */
int search_reopen_store(struct search *s, struct search_fault *f);
int search_is_closed(const struct search *s);

struct searcher *searcher_new(struct search *s);
/* For many questions: has a larger cache of words. */
struct searcher *searcher_new_lasting(struct search *s);
void searcher_free(struct searcher *s);
/* Drops all references to the snapshot; the next question uses the shared current one. */
void searcher_forget(struct searcher *s);

/* Maximum threads for its questions; 0 (the default): as many as there are cores, if worthwhile. */
void searcher_set_threads(struct searcher *s, int threads);

struct search_answer {
  const struct plan *plan;          /* owned by the searcher */
  const struct search_scope *scope; /* likewise; NULL: no company is named */
  const struct buf *missing;        /* likewise: what the plan wants and the store lacks, one line each */
  const struct query *query;        /* owned by the searcher, like all below, until its next question */
  struct rank_result result;
  const struct filing_news *news; /* owned by the searcher, for requests with `news`; else NULL */
  const char *model;              /* of the vectors; NULL: only text was searched */
  struct buf warning; /* owned by the searcher; why vectors were not used although requested, or empty */
  int everyone;       /* the question is for all companies that meet a condition: there are no hits */
};

/* Answers a question.  0, or -1 with *f (an answer without hits still describes the request).  The answer is valid
 * until the next question or searcher_free(). */
int searcher_run(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                 struct search_fault *f);

/* Determines what the store has for a question, without a search: an answer without hits whose scope, where a company
 * is named, lists the documents.  0, or -1 with *f where the question is rejected. */
int searcher_survey(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                    struct search_fault *f);

/* Only analyses the question: an answer without hits.  0, or -1 with *f. */
int searcher_analyse(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                     struct search_fault *f);

/* Whether the question is about a company other than those the caller gave; then *why says so. */
int search_plan_names_another(const struct plan *plan, struct error_text *why);

/* ---- writing answers (search_json.c): functions with *e return 0, or -1 where the store is damaged ---- */

struct search_output {
  int explain, neighbours;
  int full;                  /* whole passages for display */
  int documents;             /* the hits' documents alone, each once */
  size_t context_tokens;     /* size of the prompt-ready context; 0: none */
  const struct edgar *edgar; /* for bundles: results from EDGAR, or NULL */
  struct slice id;           /* for bundles: the job's own id as JSON, given back, or empty */
};

/* Appends the first digits of a passage's id, 32 at most. */
void search_add_id(struct buf *out, const struct rank_place *at, int digits);

/* Appends one hit as an object without a newline. */
int search_add_hit(struct searcher *s, const struct search_answer *a, size_t i, const struct search_output *o,
                   struct buf *out, struct error_text *e);

/* Appends `"matches":[...]`, the members for --context and --explain, and a "warning" if there is one, to an open
 * object. */
int search_add_answer(struct searcher *s, const struct search_answer *a, const struct search_output *o,
                      struct buf *out, struct error_text *e);

/* Appends the document of hit i as an object, if no hit before it has the same. */
int search_add_document(struct searcher *s, const struct search_answer *a, size_t i, struct buf *out,
                        struct error_text *e);

/* Appends the explanation as an object. */
void search_add_explanation(const struct search_answer *a, struct buf *out);

/* Appends the prompt-ready context: the reported figures, if any, each with its filing's link, in half of the tokens at most; then
 * passages in order, each with "[n]", its context line and its source; within `tokens` tokens by the model's tokenizer (four bytes
 * per token without one).  a and g may be NULL. */
void search_add_block(struct searcher *s, const struct search_answer *a, const struct edgar *g, size_t tokens,
                      struct buf *out, struct error_text *e);

/* Appends {id, query, rag{matches, context}, edgar, errors[]}, the id where the job has one, without a newline; a may be NULL (the question could not be
 * analysed), f may be NULL (no error). */
int search_add_bundle(struct searcher *s, struct slice query, const struct search_answer *a,
                      const struct search_fault *f, const struct search_output *o, struct buf *out,
                      struct error_text *e);
/* Appends an array of disagreements between the passages and the facts (an array) of their company
 * (verify/disagreement.h); nothing where there are none. */
int search_add_disagreements(struct searcher *s, const struct search_answer *a, struct slice facts,
                             struct buf *out, struct error_text *e);
/* Appends only its errors, as an array. */
void search_add_errors(const struct search_answer *a, const struct search_fault *f,
                       const struct search_output *o, struct buf *out);

/* ---- for display (search_show.c) ---- */

/* The text for an answer without passages: that there is nothing, or only figures; empty if the question was
 * rejected, since the error says enough.  Static. */
const char *search_nothing_text(const struct search_fault *f, const struct search_output *o);

/* Appends a bundle for a terminal: passages, filings on EDGAR, errors. */
void search_show_bundle(struct searcher *s, const struct search_answer *a, const struct search_fault *f,
                        const struct search_output *o, size_t width, int colour, struct buf *out);

/* Appends a hit for a terminal of `width` columns; colour: with escape sequences. */
int search_show_hit(struct searcher *s, const struct search_answer *a, size_t i,
                    const struct search_output *o, size_t width, int colour, struct buf *out,
                    struct error_text *e);
/* The document of hit i, for a terminal, if no hit before it has the same. */
int search_show_document(struct searcher *s, const struct search_answer *a, size_t i, size_t width,
                         int colour, struct buf *out, struct error_text *e);

/* The relevance of a hit as a word: high, fair or low.  From about .3 on, every third such passage answers the
 * question ("relevance" in bid-quality(7)). */
#define SEARCH_HIGH 0.3F
#define SEARCH_FAIR 0.05F
const char *search_relevance_word(const struct rank_hit *h);

/* States as a sentence whether the question is answered here: likely from SEARCH_LIKELY on; unsure from
 * RANK_ANSWERED on, or where no passage has fair relevance, in which case it adds that none stands out.  Printed
 * by search_show_verdict(). */
#define SEARCH_LIKELY 0.8F
void search_add_verdict(const struct search_answer *a, struct buf *out);
void search_show_verdict(const struct search_answer *a, size_t width, int colour, struct buf *out);

/* Appends a fact of "edgar" as a line: company, figure, period, value, filing; not masked. */
void search_add_fact(struct slice fact, struct buf *out);

/* "5 of 134 passages, in 12 ms". */
void search_show_time(const struct search_answer *a, double seconds, int colour, struct buf *out);
void search_show_explanation(const struct search_answer *a, int colour, struct buf *out);

/* Appends the whole answer as an HTML page (search_page.c), with EDGAR's filings and errors; a may be NULL (failed),
 * f may be NULL (no error). */
int search_add_page(struct searcher *s, struct slice query, const struct search_answer *a,
                    const struct search_fault *f, const struct search_output *o, struct buf *out,
                    struct error_text *e);

/* ---- shared by the files ---- */

/* A hit's document (raw JSON) and passage. */
struct search_passage {
  struct store_text text;
  struct buf document;
};

/* Reads them into *p, usually the searcher's own.  0, or -1 with *e. */
int searcher_load(struct searcher *s, const struct rank_place *at, struct search_passage *p,
                  struct error_text *e);

/* Reads the passage before (step -1) or after (1) a place of the same document.  1, 0 where there is none, or -1 with
 * *e. */
int search_neighbour(struct searcher *s, const struct rank_place *at, int step, struct store_text *t,
                     struct error_text *e);

/* What a searcher has, owned by it.  searcher_tokenizer(): its model's, NULL where that isn't open. */
struct search_passage *searcher_passage(struct searcher *s);
struct terms *searcher_terms(struct searcher *s);
const struct wordpiece *searcher_tokenizer(struct searcher *s);
struct search *searcher_shared(struct searcher *s);

/* The sentences and rows of a hit's text with the chance that each holds the answer; valid until the next call. */
const struct rank_units *search_units(struct searcher *s, const struct rank_hit *h, struct slice text);

/* The same into the caller's. */
void search_find_units(struct searcher *s, struct rank_units *u, const struct rank_hit *h, struct slice text);

/* The name of a collection; "" for an unknown number. */
const char *search_collection_name(const struct search *s, uint32_t id);

#endif

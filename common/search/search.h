/* search.h: what bid-search does with one question: request to filter, embedding, ranking, answer.
 *
 * struct search is shared: the store's snapshot, what it knows, the thesaurus.  A struct searcher belongs to
 * one thread.
 */
#ifndef BID_SEARCH_H
#define BID_SEARCH_H

#include "base/buf.h"
#include "base/diag.h"
#include "search/edgar.h"
#include "model/embed.h"
#include "query/plan.h"
#include "query/query.h"
#include "search/rank.h"
#include "search/search_scope.h"
#include "store/store.h"

/* Any number of strings; both arrays belong to the caller. */
struct search_list {
  const char *const *items;
  size_t count;
};

/* A question with its scope; strings belong to the caller. */
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
  int news;                                /* of the newest filings only what those before them did not say */
  struct slice embedding, embedding_model; /* the question's own vector (base64), or empty */
  struct slice plan;                  /* what bid-plan made of it, a JSON object; empty: it is made here */
  const struct scope_filing *filings; /* what discovery chose for it */
  size_t filing_count;
};

struct search_fault {
  const char *category; /* error.h */
  int status;           /* exit status */
  struct error_text e;
};

/* What a question is to be answered from, for who brings passages. */
struct search_wanted {
  const struct search_request *request;
  const struct query *query;
  const struct store_filter *filter; /* of the snapshot */
  const float *vector;
  size_t dims; /* 0: there is no vector */
};

/* Brings the passages that a question may be answered from into the store that is searched, from elsewhere.  Not for
 * several threads.  Both return 0, or -1 with *f. */
struct search_remote {
  int (*ask)(void *arg, const struct store_snapshot *snap, const struct search_wanted *w,
             struct search_fault *f);
  int (*put)(void *arg, struct search_fault *f); /* into the store; nobody has it open */
  void *arg;
};

struct search_options {
  struct search_list stores; /* paths, ranked as one; none: $BID_STORE or its default */
  const char *where;         /* jq expression over documents, or NULL */
  const char *model;         /* NULL: what the collections were made with */
  const char *rerank;        /* encoder that reads the best again; NULL: none does */
  struct slice question;     /* the only one that will come, or empty */
  int many;                  /* many questions will come: what makes each faster is prepared and remembered */
  int vectors;               /* they will need vectors: the usual model is opened beside the store */
  const struct search_remote *remote; /* or NULL */
  int analyse; /* questions are only analysed: without a store nothing is known, which is no fault */
};

struct search;
struct searcher;

/* NULL with *f filled.  Where there is no store yet, that is the category no-collection. */
struct search *search_open(const struct search_options *o, struct search_fault *f);
void search_close(struct search *s);
const struct store_snapshot *search_snapshot(const struct search *s);

/* For a process that lasts, while no searcher runs: lets go of the store where there is news in it, or where somebody
 * waits to have it alone; 1 where it did.  Searchers forget what they hold of it by searcher_forget() first. */
int search_is_outdated(const struct search *s);
void search_let_go(struct search *s);
/* Opens it again.  0, or -1 with *f; then it can be tried again. */
int search_come_back(struct search *s, struct search_fault *f);
int search_is_gone(const struct search *s);

struct searcher *searcher_new(struct search *s);
/* For many questions: remembers more words. */
struct searcher *searcher_new_lasting(struct search *s);
void searcher_free(struct searcher *s);
/* Nothing of the snapshot is held any more; the next question begins with the shared one's. */
void searcher_forget(struct searcher *s);

/* Threads that its next question may take; 0 (as at first): as many as there are cores and pay. */
void searcher_set_threads(struct searcher *s, int threads);

struct search_answer {
  const struct plan *plan;          /* of the searcher */
  const struct search_scope *scope; /* the same; NULL: no company is named */
  const struct buf *missing;        /* the same: what the plan wants and the store lacks, a line each */
  const struct query *query;        /* of the searcher, as is all below, until its next question */
  struct rank_result result;
  const struct filing_news *news; /* the searcher's, where only news were asked for; else NULL */
  const char *model;              /* that the vectors are of; NULL: text alone was searched */
  struct buf warning; /* the searcher's; why vectors were not used although they were asked for; empty:
                         nothing is amiss */
};

/* 0, or -1 with *f (an answer without hits then tells what was asked for).  An answer is released by the next question or by searcher_free(). */
int searcher_run(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                 struct search_fault *f);

/* What of the store a question may be answered from, without a search: an answer without hits whose scope, where a
 * company is named, says what is there.  0, or -1 with *f where the question is refused. */
int searcher_survey(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                    struct search_fault *f);

/* Analyses the question only: an answer without hits.  0, or -1 with *f. */
int searcher_analyse(struct searcher *s, const struct search_request *r, const struct search_answer **out,
                     struct search_fault *f);

/* ---- writing answers (search_json.c) ---- */

struct search_output {
  int explain, neighbours;
  size_t context_tokens;     /* of the prompt-ready block; 0: none */
  const struct edgar *edgar; /* of bundles: what EDGAR gave, or NULL */
};

/* Appends one hit as an object without a newline. */
int search_add_hit(struct searcher *s, const struct search_answer *a, size_t i, const struct search_output *o,
                   struct buf *out, struct error_text *e);

/* Appends `"matches":[...]`, what --context and --explain ask for, and a "warning" where there is one, as members of
 * an open object. */
int search_add_answer(struct searcher *s, const struct search_answer *a, const struct search_output *o,
                      struct buf *out, struct error_text *e);

/* Appends the explanation as an object. */
void search_add_explanation(const struct search_answer *a, struct buf *out);

/* Appends the prompt-ready block: passages in their order, each with "[n]", its context line and its source,
 * within `tokens` tokens by the model's tokenizer (four bytes a token without one).  Returns the tokens used.
 */
size_t search_add_context(struct searcher *s, const struct search_answer *a, size_t tokens, struct buf *out,
                          struct error_text *e);

/* Appends {query, rag{matches, context}, edgar, errors[]} without a newline; a may be NULL (nothing is known of the
 * question), f may be NULL (did not fail). */
int search_add_bundle(struct searcher *s, struct slice query, const struct search_answer *a,
                      const struct search_fault *f, const struct search_output *o, struct buf *out,
                      struct error_text *e);
/* Appends an array of where the passages say other than the facts (an array) of their company (verify/disagreement.h);
 * nothing where they don't. */
int search_add_disagreements(struct searcher *s, const struct search_answer *a, struct slice facts,
                             struct buf *out, struct error_text *e);
/* Its errors alone, as an array. */
void search_add_errors(const struct search_answer *a, const struct search_fault *f,
                       const struct search_output *o, struct buf *out);

/* ---- for people (search_show.c) ---- */

/* Appends a bundle for a terminal: passages, filings of EDGAR, what went wrong. */
void search_show_bundle(struct searcher *s, const struct search_answer *a, const struct search_fault *f,
                        const struct search_output *o, size_t width, int colour, struct buf *out);

/* Appends a hit for a terminal of `width` columns; colour: with escape sequences. */
int search_show_hit(struct searcher *s, const struct search_answer *a, size_t i,
                    const struct search_output *o, size_t width, int colour, struct buf *out,
                    struct error_text *e);
/* How likely a hit answers the question, in a word: high, fair or low.  From about .3 on every third such passage answers
 * (the estimate is that of "relevance", bid-quality(7)). */
#define SEARCH_HIGH 0.3F
#define SEARCH_FAIR 0.05F
const char *search_relevance_word(const struct rank_hit *h);

/* Whether the question is answered here at all, a sentence: likely from SEARCH_LIKELY on, unsure from RANK_ANSWERED on;
 * and that no passage stands out, where none is of fair relevance.  search_show_verdict() draws it. */
#define SEARCH_LIKELY 0.8F
void search_add_verdict(const struct search_answer *a, struct buf *out);
void search_show_verdict(const struct search_answer *a, size_t width, int colour, struct buf *out);

/* A fact of "edgar" in a line: whose, what, when, how much, from which filing; its text is not masked. */
void search_add_fact(struct slice fact, struct buf *out);

/* "5 of 134 passages, in 12 ms". */
void search_show_time(const struct search_answer *a, double seconds, int colour, struct buf *out);
void search_show_explanation(const struct search_answer *a, int colour, struct buf *out);

/* Appends the whole answer as one file of HTML (search_page.c), with what EDGAR has and what went wrong; a may be NULL
 * (failed), f may be NULL (did not). */
int search_add_page(struct searcher *s, struct slice query, const struct search_answer *a,
                    const struct search_fault *f, const struct search_output *o, struct buf *out,
                    struct error_text *e);

/* ---- between the files ---- */

/* A hit's document (raw JSON) and passage. */
struct search_passage {
  struct store_text text;
  struct buf document;
};
struct search_passage *searcher_passage(struct searcher *s);
int searcher_load(struct searcher *s, const struct rank_place *at, struct search_passage *p,
                  struct error_text *e);
struct terms *searcher_terms(struct searcher *s);
const struct wordpiece *searcher_tokenizer(struct searcher *s);
const char *search_collection_name(const struct search *s, uint32_t id);
struct search *searcher_shared(struct searcher *s);

#endif

/* search_internal.h: shared by search.c, searcher.c, search_plan.c, search_stored.c, search_filter.c,
 * search_hits.c and search_vector.c only. */
#ifndef BID_SEARCH_INTERNAL_H
#define BID_SEARCH_INTERNAL_H

#include "search/search.h"
#include "search/search_company.h"

#include <pthread.h>
#include "store/store.h"
#include "text/terms.h"

/* The most frequent model of the collections, opened in a thread in parallel with the store; read completely where
 * many questions are expected. */
struct ahead {
  pthread_t thread;
  pthread_mutex_t lock;
  int started;
  struct embedder *embedder; /* shared by the searchers, which end before */
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
  int everyone;                  /* it is for all companies that meet a condition */
  int of_another; /* the store lacks the company that was asked about; the plan is for one that mentions it */
  int ownerless_only;      /* only documents without a known company may answer */
  int ownerless_too;       /* they may answer too, where they name the companies */
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
  struct rank_hit *hits; /* the answer's hits, where they come from several searches */
  struct search_passage passage;
  struct filing_news *news; /* created when first requested */
  struct rank_units *units;
  struct buf text;
  int threads; /* 0: no limit */
};

#define SEARCH_HOW_TO_INDEX                                                                                  \
  "filings or PDFs must be indexed first, for example with bid-ingest -e AAPL -f 10-K"

void search_fault_set(struct search_fault *f, const char *category, int status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* An embedder of the model opened ahead; NULL where that is another model. */
struct embedder *search_share_ahead(struct ahead *a, const char *model);

/* ---- what the question is about (search_plan.c) ---- */

#define SEARCH_UNSURE 0.75 /* confidence in a company below which a name in the store wins */

/* Parses and plans the question into a.  0, or -1 with *f. */
int search_plan_question(struct searcher *s, struct asked *a, const struct search_request *r,
                         struct search_fault *f);

/* Whether a company of the plan is certainly asked about. */
int search_is_sure(const struct plan *plan);

/* ---- the companies of the store (search_stored.c); a result of 0: none, or several ---- */

/* The planner, which knows them too; opened by the first caller.  NULL with *f. */
const struct planner *search_planner(struct search *s, struct search_fault *f);

/* Whether the store has a company of a plan. */
int search_is_stored(const struct search *s, const struct plan_company *c);

/* The only one with the word in its name ("Philips"). */
size_t search_stored_by_word(const struct search *s, struct slice word);

/* The only one whose documents contain the word, if it looks like a ticker. */
size_t search_stored_by_text(const struct searcher *s, struct slice word);

/* Whether a word of these stands in no document of the store. */
int search_stored_lacks(const struct searcher *s, struct slice words);

/* The only one whose name starts with or contains a word of the question, *words: that word. */
size_t search_stored_in_question(const struct search *s, const struct query *q, struct slice *words);

/* The one that is more likely than the planner's. */
size_t search_stored_rather(const struct search *s, const struct plan_company *c);

/* The only company of the store whose name begins with the words that are doubtful in a rejected plan; 0: none, or several. */
size_t search_stored_doubtful(const struct search *s, const struct plan *plan);

/* ---- where it is searched (search_filter.c) ---- */

/* Makes a's filter from the request and the plan.  0, or -1 with *f where nothing passes. */
int search_filter_make(struct searcher *s, struct asked *a, const struct search_request *r,
                       struct search_fault *f);

/* Whether the request names more companies or forms than a plan holds; they are then used unchanged. */
int search_is_long(const struct search_request *r);

/* The filter's part for documents of the plan's companies, forms and windows.  0, or -1 with *f where nothing passes. */
int search_filter_plan(struct searcher *s, struct asked *a, const struct search_request *r,
                       struct search_fault *f);

/* Whether the filter lets passages of this collection pass. */
int search_filter_has(const struct store_filter *f, uint32_t collection);

/* Whether the store has documents without a known company. */
int search_has_ownerless(const struct search *s);

/* Adds to a->missing what answers a question for all companies. */
void search_say_everyone(struct asked *a);

/* Reports the first lines, and the number of others. */
void search_lines_fault(struct search_fault *f, const struct buf *lines, const char *more);

/* ---- its vector (search_vector.c) ---- */

/* Sets a->model and a->vector; leaves a->dims at 0 where no vector is needed.  0, or -1 with *e. */
int search_vector_make(struct searcher *s, struct asked *a, const struct search_request *r,
                       struct error_text *e);

/* ---- the hits, held against the question (search_hits.c) ---- */

#define SEARCH_LOOKED_AT 20 /* passages of which one must contain a name or year */

/* For companies that the store lacks: keeps only passages that name them and contain what is asked about them,
 * and passages of documents that may be theirs.  Keeps none unless each of them is named. */
void search_keep_naming(struct searcher *s, struct asked *a);

/* Whether one of the best passages contains the words that may name a company; a number is more likely a count. */
int search_finds_doubtful(struct searcher *s, const struct asked *a);

/* Keeps passages that contain a requested year. */
void search_keep_dated(struct rank_result *found);

/* Whether no passage is about the requested period: all are from documents of other periods, and none contains
 * its year. */
int search_misses_period(const struct asked *a, const struct rank_result *found);

/* Lowers the probability of an answer and the relevances: never "likely", no passage "high". */
void search_lower_confidence(struct rank_result *found);

/* Whether the passage contains all the words. */
int search_has_words(struct searcher *s, const struct rank_place *at, struct slice words);

/* Where several companies are asked about: makes sure that the best passage of each is among those shown, and
 * names companies without one in a->missing.  0, or -1 with *e. */
int search_show_each_company(struct searcher *s, struct error_text *e);

/* The company (a number as in store_doc) with a document that mentions the words throughout, while hardly any document of another
 * company does: a part that is spun off, a target.  0: none. */
size_t search_subject_of(const struct searcher *s, struct slice words);

#endif

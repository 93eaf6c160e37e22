/* rank.h: from an analysed question to ranked passages of a snapshot.
 *
 *   filter    the options' filter and what the question was narrowed to become one bitmap a segment
 *   text      BM25 (Robertson and Zaragoza 2009, k1, b) over the terms of text and, with their own weight, of
 *             context; term frequencies of both are added before saturation, as BM25F has it.  Under a filter
 *             the document frequencies are those of what passes it
 *   vector    vector_search() over the rows that pass
 *   fusion    the best of both are candidates; both scores, each brought to 0..1 within the question, are
 *             added with fixed weights (a convex combination: it keeps how far apart candidates are, which
 *             reciprocal ranks throw away)
 *   priors    what the question says of year, quarter, form, amounts adds to a candidate's score
 *   text again  the best candidates' texts are read: phrases, neighbouring words, tables
 *   folding   a passage that repeats a better one (another year's filing) is counted with it
 *
 * A ranker belongs to one thread.  A snapshot may serve several rankers.
 */
#ifndef BID_RANK_H
#define BID_RANK_H

#include "query/query.h"
#include "store/store.h"
#include "text/terms.h"

enum rank_mode { RANK_HYBRID, RANK_VECTOR, RANK_TEXT };

struct rank_options {
  enum rank_mode mode;
  size_t n;      /* hits wanted, 1 to RANK_MAX */
  int exact;     /* never scan 1-bit sketches first */
  int fold;      /* fold near-duplicates */
  int threshold; /* nothing at all where no candidate is relevant */
  int threads;   /* for vectors; 0: as many as there are cores and pay */
  int narrow;    /* let the question's companies and forms narrow the search */
  struct store_filter filter;
};

#define RANK_MAX ((size_t)1000)
#define RANK_FOLDED 8 /* ids of folded passages that a hit names */

struct rank_place {
  const struct store_segment *seg;
  uint32_t row, doc;
};

struct rank_hit {
  struct rank_place at;
  float score;                       /* 0 to about 1; what the list is sorted by */
  float text, vector;                /* its parts: BM25 and cosine, brought to 0..1 */
  float bm25, cosine;                /* as computed */
  float period, form, table, phrase; /* what the priors and the text added */
  float sign;                        /* what the kind of passage (passage_kind.h) added */
  float fused;                       /* text and vector together */
  float coverage;  /* share of the question's words, by their weight, that the passage or its context holds */
  float relevance; /* estimated chance of being relevant, 0 to 1 */
  size_t folded_count; /* near-duplicates that were folded into it */
  struct rank_place folded[RANK_FOLDED];
};

struct rank_result {
  struct rank_hit *hits; /* of the ranker, valid until its next search */
  size_t count;
  size_t found;                        /* candidates before folding and the threshold */
  uint64_t searched;                   /* passages that passed the filter */
  size_t candidates;                   /* 1-bit candidates looked at; 0: no sketches */
  int exact;                           /* every row was compared with 12 bits, none left out by a bound */
  float best;                          /* highest relevance of a candidate */
  int narrowed_company, narrowed_form; /* whether the question's routes narrowed the search */
};

struct ranker;

/* All are kept by reference; vectors of other models than `model` (NULL: none) are not searched. */
struct ranker *ranker_new(const struct store_snapshot *snap, const char *model, struct terms *terms);
void ranker_free(struct ranker *r);

/* vector: the question's, of the model's dimensions, or NULL (then as with RANK_TEXT).
 * 0, or -1 with *e where the store fails. */
int ranker_search(struct ranker *r, const struct query *q, const float *vector, const struct rank_options *o,
                  struct rank_result *out, struct error_text *e);

/* What the scores are made with; one fixed setting for all sets.  For measuring. */
struct rank_tuning {
  float k1, b, context;                 /* BM25; context: what a word there counts */
  float vector;                         /* weight of the vector part in hybrid, the text part has the rest */
  float expansion;                      /* weight of thesaurus terms against the question's own */
  float year, year_near, quarter, form; /* added where the document's is the asked one */
  float table, statement, phrase, pair; /* added by the candidate's text */
  float sign, sign_named;               /* added where the passage is of a kind that the question is about */
  float cause;                          /* added to reasons where a question asks for them */
  float annual;                         /* added to annual reports where a year is asked for and no quarter */
  float aside;                          /* taken off lists, covers and audits that it isn't about */
  float page;                           /* share taken off a further passage of a page that already has one */
  float recent;                         /* added to the newest filing of a search without a year */
  float boilerplate;                    /* taken off */
  float idf;                            /* exponent of the inverse document frequency */
  float everywhere;                     /* share of all passages from which on a thesaurus word is left out */
  float fold;                           /* Jaccard similarity from which on passages are folded */
  size_t depth, reread;                 /* candidates of each part; candidates whose text is read */
  size_t signed_depth;                  /* candidates of the asked kind */
};
extern const struct rank_tuning rank_tuning_default;
void ranker_tune(struct ranker *r, const struct rank_tuning *t);

#endif

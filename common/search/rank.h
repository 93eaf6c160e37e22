/* rank.h: from an analysed question to ranked passages of a snapshot.
 *
 *   filter    the options' filter and what the question was narrowed to become one bitmap a segment
 *   text      BM25 (Robertson and Zaragoza 2009, k1, b) over the terms of text and, with their own weight, of
 *             context; term frequencies of both are added before saturation, as BM25F has it.  Under a filter
 *             the document frequencies are those of what passes it
 *   vector    vector_search() over the rows that pass
 *   features  the best of both are candidates, each with what is known of it (rank_features.h): both scores, its
 *             document's period and form, what kind of passage it is; the best by these are read, which adds
 *             how much of the question stands how close together
 *   model     a linear function of the features, fitted on questions of people (data/gen/ranker.py)
 *   folding   a passage that repeats a better one (another year's filing) is counted with it
 *
 * A ranker belongs to one thread.  A snapshot may serve several rankers.
 */
#ifndef BID_RANK_H
#define BID_RANK_H

#include "query/query.h"
#include "search/rank_features.h"
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
  float score;        /* chance that it answers, where the question is answered at all: 0 to 1 */
  float sum;          /* what the list is sorted by: what the features add up to */
  float bm25, cosine; /* as computed */
  float likeness;     /* by an encoder that read it again (rerank.h); 0: none did */
  struct rank_features f;
  float relevance;     /* score times the chance that the question is answered here */
  size_t folded_count; /* near-duplicates that were folded into it */
  struct rank_place folded[RANK_FOLDED];
};

struct rank_result {
  struct rank_hit *hits; /* of the ranker, valid until its next search */
  size_t count;
  size_t found;                       /* candidates before folding and the threshold */
  uint64_t searched;                  /* passages that passed the filter */
  size_t candidates;                  /* 1-bit candidates looked at; 0: no sketches */
  int exact;                          /* every row was compared with 12 bits, none left out by a bound */
  float confidence;                   /* chance that the question is answered here, 0 to 1 */
  struct rank_answer_features answer; /* which that follows from */
  int narrowed_form;                  /* whether the forms that the plan names narrowed the search */
};

struct ranker;

/* All are kept by reference; vectors of other models than `model` (NULL: none) are not searched. */
struct ranker *ranker_new(const struct store_snapshot *snap, const char *model, struct terms *terms);
void ranker_free(struct ranker *r);

/* vector: the question's, of the model's dimensions, or NULL (then as with RANK_TEXT).
 * 0, or -1 with *e where the store fails. */
int ranker_search(struct ranker *r, const struct query *q, const float *vector, const struct rank_options *o,
                  struct rank_result *out, struct error_text *e);

/* Appends the routed question with words that no passage holds, and that one slip of the keys makes of one that some
 * hold, as that one; and to notes what was changed, JSON strings with commas between.  Returns how many. */
size_t rank_mend_typos(const struct query *q, const struct store_snapshot *snap, struct terms *terms,
                       struct buf *text, struct buf *notes);

/* What the candidates are found with; one setting for all stores.  What orders them is rank_features.h.  For
 * measuring. */
struct rank_tuning {
  float k1, b, context; /* BM25; context: what a word there counts */
  float expansion;      /* weight of thesaurus terms against the question's own */
  float idf;            /* exponent of the inverse document frequency */
  float everywhere;     /* share of all passages from which on a thesaurus word is left out */
  float page;           /* taken off a further passage of a page that already has one */
  float fold;           /* Jaccard similarity from which on passages are folded */
  size_t depth, reread; /* candidates of each part; candidates whose text is read */
  size_t signed_depth;  /* candidates of the asked kind */
};
extern const struct rank_tuning rank_tuning_default;
void ranker_tune(struct ranker *r, const struct rank_tuning *t);

#endif

/* rank.h: from an analysed question to ranked passages of a snapshot.
 *
 *   filter    the options' filter and the restrictions derived from the question become one bitmap per segment
 *   text      BM25 (Robertson and Zaragoza 2009, k1, b) over the terms of text and, with a weight of their own, of
 *             context; both term frequencies are added before saturation, as in BM25F.  Under a filter the
 *             document frequencies are those of the rows that pass
 *   vector    vector_search() over the rows that pass
 *   features  the best of both are candidates, each with features (rank_features.h): both scores and the period of its
 *             document; the best by these are read, which adds how many of the question's terms occur, how close
 *             together, and how near a sentence is
 *   model     a linear function of the features, fitted on questions written by people (data/gen/ranker.py)
 *   folding   a passage that nearly duplicates a better one (another year's filing) is counted with it
 *
 * A ranker is not thread-safe.  A snapshot may serve several rankers.
 */
#ifndef BID_RANK_H
#define BID_RANK_H

#include "query/query.h"
#include "search/rank_features.h"
#include "store/store.h"
#include "text/terms.h"

struct embedder;

enum rank_mode { RANK_HYBRID, RANK_VECTOR, RANK_TEXT };

struct rank_options {
  enum rank_mode mode;
  size_t n;                  /* number of hits requested, 1 to RANK_MAX */
  int exact;                 /* don't use 1-bit sketches */
  int fold;                  /* fold near-duplicates */
  int threshold;             /* return nothing where no candidate is relevant */
  int threads;               /* for vectors; 0: as many as there are cores, if worthwhile */
  int narrow;                /* restrict the search to the question's companies and forms */
  int newest;                /* no period is asked for: a newer report goes before those that it follows */
  size_t dims;               /* of the question's vector, where there is one */
  struct embedder *embedder; /* which made that vector; NULL: sentences are not read */
  struct store_filter filter;
};

#define RANK_MAX ((size_t)1000)
#define RANK_READ ((size_t)20)     /* best candidates whose text is read, for up to ten hits */
#define RANK_COMPARED ((size_t)10) /* of these the best by all else, whose sentences are compared */
#define RANK_FOLDED 8              /* ids of folded passages listed per hit */

struct rank_place {
  const struct store_segment *seg;
  uint32_t row, doc;
};

#define RANK_NEAREST 3 /* sentences of a passage that are kept */

/* Bytes of a passage's text. */
struct rank_span {
  uint32_t start, end;
};

struct rank_hit {
  struct rank_place at;
  float score;        /* probability that it answers the question, given that the question is answered: 0
                         to 1 */
  float sum;          /* sort key: the model's output */
  float bm25, cosine; /* raw scores */
  struct rank_span nearest[RANK_NEAREST]; /* its sentences nearest to the question, nearest first; empty
                                             ones: none, or sentences were not read */
  struct rank_features f;
  float relevance;     /* score times the probability that the question is answered here */
  size_t folded_count; /* near-duplicates folded into it */
  struct rank_place folded[RANK_FOLDED];
};

struct rank_result {
  struct rank_hit *hits; /* owned by the ranker, valid until its next search */
  size_t count;
  size_t found;                       /* candidates before folding and the threshold */
  uint64_t searched;                  /* passages that pass the filter */
  size_t candidates;                  /* sketch candidates examined; 0: no sketches were used */
  int exact;                          /* every row was compared with 12 bits, none excluded by a bound */
  float confidence;                   /* probability that the question is answered here, 0 to 1 */
  struct rank_answer_features answer; /* the features for that probability */
  int narrowed_form;                  /* whether the plan's forms restricted the search */
  const char *damage; /* why sentences were not read: the model's file; NULL: nothing is wrong */
};

struct ranker;

/* All arguments are kept by reference; vectors of models other than `model` (NULL: none) are not searched. */
struct ranker *rank_new(const struct store_snapshot *snap, const char *model, struct terms *terms);
void rank_free(struct ranker *r);

/* vector: the question's, with o->dims dimensions, or NULL (then as with RANK_TEXT); vectors of another length, which
 * stores that are searched together may have, are not searched.  0, or -1 with *e on an error of the store. */
int rank_search(struct ranker *r, const struct query *q, const float *vector, const struct rank_options *o,
                struct rank_result *out, struct error_text *e);

/* ---- the parts of a passage that answer (rank_units.c) ---- */

enum rank_unit_kind {
  UNIT_SENTENCE,
  UNIT_HEADING,
  UNIT_ROW,
  UNIT_LABEL, /* a row without values, which names the rows below it */
  UNIT_HEAD   /* a row of a table's head, or the rule below it */
};

/* U(name, description) */
#define RANK_UNIT_FEATURES(U)                                                                                \
  U(body, "share of the question's own words, by idf")                                                       \
  U(coverage, "the same, with what stands above it: head, group, sentence before")                           \
  U(expansion, "share of the thesaurus's words")                                                             \
  U(years, "share of the asked years")                                                                       \
  U(causes, "words that give reasons, where they are asked for")                                             \
  U(nearest, "1 / rank among the passage's clauses by cosine")                                               \
  U(number_amount, "holds a number, where an amount is asked for")                                           \
  U(number_other, "holds a number, where none is")                                                           \
  U(row_amount, "a row, where an amount is asked for")                                                       \
  U(row_other, "a row, where none is")                                                                       \
  U(title, "a heading, a label, a table's head")

struct rank_unit_features {
#define U(name, what) float name;
  RANK_UNIT_FEATURES(U)
#undef U
};
enum { RANK_UNIT_COUNT = sizeof(struct rank_unit_features) / sizeof(float) };
extern const char *const rank_unit_names[RANK_UNIT_COUNT];

#define RANK_UNIT_TERMS 1024 /* terms of a unit that are read */
#define RANK_CAPTION 200     /* bytes of a sentence above a table that belongs to it */

/* A sentence, row or heading of a passage. */
struct rank_unit {
  struct rank_span at;
  enum rank_unit_kind kind;
  uint32_t table;  /* of a row: the first unit of its table */
  uint32_t parent; /* of a row: the heading of its group; itself: none */
  int captioned;   /* of the first row of a table: the sentence above is needed to understand it */
  float chance;    /* that it holds the answer, if the passage does; 1 over all units */
  struct rank_unit_features f;
  uint32_t first, terms, numbers; /* private */
};

static inline int rank_unit_is_row(const struct rank_unit *u) {
  return u->kind == UNIT_ROW || u->kind == UNIT_LABEL || u->kind == UNIT_HEAD;
}

/* Whether it may answer by itself; heads and labels only say what rows are. */
static inline int rank_unit_answers(const struct rank_unit *u) {
  return u->kind != UNIT_HEAD && u->kind != UNIT_LABEL;
}

struct rank_units {
  struct rank_unit *list;
  size_t count, cap;
  uint64_t *hashes; /* private, like all below */
  size_t hash_cap;
  struct rank_words *words;
};

struct rank_units *rank_units_new(void);
void rank_units_free(struct rank_units *u);

/* Splits a passage's text into units, without their chances. */
void rank_units_split(struct rank_units *u, struct slice text);

/* The same with their chances, for a hit of the ranker's last question. */
void rank_find_units(struct ranker *r, struct rank_units *u, const struct rank_hit *hit, struct slice text);

/* The first unit that unit i may need: the one before it, or before its table. */
size_t rank_units_above(const struct rank_units *u, size_t i);

/* Whether unit i can't be understood without unit k above it: its table's head and caption, its group's labels. */
int rank_units_needs(const struct rank_units *u, size_t i, size_t k);

/* Corrects typos: appends the routed question, in which each word that no passage contains is replaced by one that
 * some contain and that differs by a single typing error; appends the changes to notes as comma-separated JSON
 * strings.  Returns their number. */
size_t rank_correct_typos(const struct query *q, const struct store_snapshot *snap, struct terms *terms,
                          struct buf *text, struct buf *notes);

/* Parameters of candidate generation, the same for all stores; ranking is in rank_features.h. */
struct rank_tuning {
  float k1, b, context; /* BM25; context: weight of a word there */
  float expansion;      /* weight of thesaurus terms relative to the question's own */
  float idf;            /* exponent of the inverse document frequency */
  float everywhere;     /* share of passages above which a thesaurus word is ignored */
  float older;          /* penalty for a report that a newer one follows, where the newest is wanted */
  float fold;           /* Jaccard similarity above which passages are folded */
  size_t depth;         /* candidates of each kind */
};
extern const struct rank_tuning rank_tuning_default;

#endif

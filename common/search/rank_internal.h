/* rank_internal.h: what rank.c, rank_bm25.c and rank_passages.c share; nobody else includes it. */
#ifndef BID_RANK_INTERNAL_H
#define BID_RANK_INTERNAL_H

#include "search/rank.h"

#define RANK_READ_TERMS 4096 /* terms of a passage that are looked at */
#define RANK_CROWDS 1024
#define RANK_UNLIKE 0.3F

/* What a search covers: the rows that pass, by segment.  Rows have one number over all segments: base[s] +
 * row. */
struct rank_scope {
  const struct store_segment *segs;
  size_t seg_count;
  struct store_selection *sel; /* [seg_count] */
  uint32_t *base;              /* [seg_count + 1] */
  uint64_t rows;               /* that pass */
  int filtered;                /* rows is less than all live ones */
};

/* Of a term in all segments: its postings, those of removed documents included, and the live rows that hold it. */
uint64_t rank_total(const struct rank_scope *scope, uint64_t hash);
uint64_t rank_frequency(const struct rank_scope *scope, uint64_t hash);
float rank_idf(double rows, double frequency, float exponent);

/* ---- BM25 (rank_bm25.c) ---- */

/* BM25 scores of all rows. */
struct rank_text {
  float *score; /* [rows]; 0: no term matches */
  size_t rows, cap;
  uint64_t *keys; /* of the best rows, while they are sought */
  size_t key_cap;
  uint32_t *sign_rows; /* [sign_count] those that have one of `signs` as a flag, ascending */
  size_t sign_count, sign_cap;
  unsigned signs;
  float idf[QUERY_TERMS]; /* of q->terms */
  float ideal;            /* sum of weight * idf of the question's own terms */
  uint64_t *required; /* bitmap of rows that hold every word of the quoted phrases; NULL: none are quoted */
  struct rank_posting *postings;
  size_t posting_cap;
};
struct rank_posting {
  uint32_t row; /* over all segments */
  float tf;     /* saturated */
};

void rank_text_score(struct rank_text *t, const struct rank_scope *scope, const struct store_snapshot *snap,
                     const struct query *q, const struct rank_tuning *tuning);
void rank_text_release(struct rank_text *t);

/* The best rows by score, best first; which of equal ones are in is by passage id, their order isn't; returns how many.  signs: only rows that have one of these
 * flags; 0: all. */
size_t rank_text_best(struct rank_text *t, const struct rank_scope *scope, unsigned signs, uint32_t *rows,
                      size_t max);

/* ---- whom the question asks about (rank_companies.c) ---- */

#define RANK_NAMES 8
#define RANK_NAME_TERMS 24

struct rank_names {
  uint64_t term[RANK_NAME_TERMS]; /* terms_hash() */
  size_t first[RANK_NAMES + 1];   /* of each name in term */
  size_t count;                   /* of names */
  int absent[RANK_NAMES];         /* a word of it is nowhere in the store */
  int upper[RANK_NAMES]; /* all in capitals: it may be an abbreviation that the document writes out */
};

void rank_names_begin(struct rank_names *n, const struct query *q, const struct rank_scope *scope);

/* Where a name of the question stands, from what says least to what says most for a passage. */
enum rank_standing {
  RANK_NOWHERE,    /* its document doesn't hold the name */
  RANK_AWAY,       /* other passages of the document mention it */
  RANK_HERE,       /* only this passage and a few others do */
  RANK_THROUGHOUT, /* the document is about it */
};
/* Of the name that stands worst, among those in capitals or the others. */
enum rank_standing rank_names_standing(const struct rank_names *n, const struct rank_place *at, int upper);

/* ---- a passage's terms (rank_terms.c) ---- */

#define RANK_TABULAR 0.15F /* share of numbers from which on a passage may be a statement */

struct rank_words {
  uint32_t row;            /* over all segments */
  uint32_t page;           /* 0: unknown */
  uint32_t context, count; /* terms of the context, and behind them those of the text */
  float numbers;           /* share of numbers among the text's terms */
  uint64_t term[];         /* as of terms_hashes(); RANK_READ_TERMS of each at most */
};

/* Opens passages; belongs to one thread. */
struct rank_opener;
struct rank_opener *rank_opener_new(struct terms *terms);
void rank_opener_free(struct rank_opener *o);

/* The passage at `at`, whose row over all segments is `row`; valid until the next call.  NULL with *e where
 * the store fails. */
const struct rank_words *rank_words_get(struct rank_opener *o, const struct store_snapshot *snap,
                                        const struct rank_place *at, uint32_t row, struct error_text *e);

/* ---- what reading a passage shows (rank_passages.c) ---- */

struct rank_reading {
  float coverage; /* share of the question's idf mass that stands in text or context, 0 to 1 */
  float phrase;   /* thesaurus phrases, 0 to 1 */
  float pair;     /* neighbouring words of the question that are neighbours here, 0 to 1 */
  float body, context, near, line, expansion, years; /* as in rank_features.h */
  int rare;
  float numbers;       /* share of numbers among the text's terms */
  float causes, dates; /* as in rank_features.h */
  int quoted;          /* holds every quoted phrase */
  uint32_t *shingles;  /* owned; kept from one reading to the next */
  size_t shingle_count, shingle_cap;
  uint8_t crowd[RANK_CROWDS]; /* how many shingles have a hash of this kind */
  size_t crowds;              /* that aren't empty */
  int overcrowded;            /* one has more than a byte holds */
  int settled;                /* shingles are sorted and different */
};

struct rank_reader;
struct rank_reader *rank_reader_new(void);
void rank_reader_free(struct rank_reader *r);
/* Call once a question; idf as in rank_text. */
void rank_reader_begin(struct rank_reader *r, const struct query *q, const float *idf);
/* *out: zeros, or an earlier reading. */
void rank_read(struct rank_reader *r, const struct rank_words *w, struct rank_reading *out);
void rank_reading_release(struct rank_reading *r);

/* Jaccard similarity of two readings' shingles; where it is surely below RANK_UNLIKE, only a bound of it. */
float rank_similarity(struct rank_reading *a, struct rank_reading *b);

/* ---- candidates and their features (rank_describe.c) ---- */

struct rank_candidate {
  uint32_t row; /* over all segments */
  struct rank_hit hit;
  struct rank_reading *reading; /* of the ranker; NULL: its text wasn't read */
  int has_vector;
  uint32_t page; /* 0: unknown */
};

/* What the features are made with besides the candidate. */
struct rank_asking {
  const struct query *q;
  const char *const *forms; /* names, as in store_doc */
  int narrow, narrowed;     /* periods and forms count; a company was named */
  int has_vector;
  enum rank_model model;
  float ideal; /* of rank_text */
  enum rank_model
      answer_model; /* enum rank_model: of the answer's chance, where cosines of one model say nothing of others */
  int32_t newest; /* day of the newest candidate; set by rank_describe() */
};

/* Kinds of passages (passage_kind.h) that hold what stands in these places. */
unsigned rank_asked_signs(const struct query *q, unsigned places);

/* Fills in all that is known before passages are read, but bm25 and f.cosine, which are there, and the sums. */
void rank_describe(struct rank_asking *a, struct rank_candidate *list, size_t count);
/* Fills in the rest of one that was read, and its sum. */
void rank_describe_read(const struct rank_asking *a, struct rank_candidate *c);

/* ---- whether it is answered here (rank_answer.c) ---- */

/* order: the best candidates first, `read` of which were read. */
void rank_answer_describe(const struct rank_asking *a, const struct rank_names *names,
                          struct rank_candidate *const *order, size_t read, struct rank_answer_features *out);

/* ---- the order of candidates (rank_order.c) ---- */

struct rank_item {
  uint64_t key;
  void *of;
};

/* The lowest key is the best score's; of equal scores, the lowest row's. */
uint64_t rank_key(float score, uint32_t row);

/* Sorts by keys, which differ, the lowest one first; scratch: room for n. */
void rank_sort(struct rank_item *items, struct rank_item *scratch, size_t n);

#endif

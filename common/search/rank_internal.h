/* rank_internal.h: shared by rank*.c only. */
#ifndef BID_RANK_INTERNAL_H
#define BID_RANK_INTERNAL_H

#include "search/rank.h"

#include "model/embed.h"
#include "query/query.h"

#define RANK_READ_TERMS 4096 /* limit of a passage's terms that are read */
#define RANK_CROWDS 1024
#define RANK_UNLIKE 0.3F

/* The rows covered by a search, by segment.  Rows are numbered over all segments: base[s] + row. */
struct rank_scope {
  const struct store_segment *segs;
  size_t seg_count;
  struct store_selection *sel; /* [seg_count] */
  uint32_t *base;              /* [seg_count + 1] */
  uint64_t rows;               /* number of rows that pass */
  int filtered;                /* rows is less than the number of live rows */
};

/* ---- BM25 (rank_bm25.c) ---- */

/* BM25 scores of all rows. */
struct rank_text {
  float *score; /* [rows]; 0: no term matches */
  size_t rows, cap;
  uint64_t *keys; /* of the best rows, during selection */
  size_t key_cap;
  uint32_t *sign_rows; /* [sign_count] rows with one of `signs` among their flags, ascending */
  size_t sign_count, sign_cap;
  unsigned signs;
  float idf[QUERY_TERMS];          /* per term of q->terms */
  uint64_t frequency[QUERY_TERMS]; /* rows that pass and contain the term; 0 for what occurs everywhere */
  float ideal;                     /* sum of weight * idf over the question's own terms */
  uint64_t *required; /* bitmap of rows that contain every word of the quoted phrases; NULL: no quotes */
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

/* The best rows, best first; ties are selected by passage id, in no particular order.  Returns how many.  signs: only
 * rows with one of these flags; 0: all. */
size_t rank_text_best(struct rank_text *t, const struct rank_scope *scope, unsigned signs, uint32_t *rows,
                      size_t max);

/* ---- names in the question (rank_answer.c) ---- */

#define RANK_NAMES 8
#define RANK_NAME_TERMS 24

struct rank_names {
  uint64_t term[RANK_NAME_TERMS]; /* terms_hash() */
  size_t first[RANK_NAMES + 1];   /* index in term of each name's first */
  size_t count;                   /* number of names */
  int absent[RANK_NAMES];         /* one of its words occurs nowhere in the store */
  int upper[RANK_NAMES];          /* all capitals: may be an abbreviation that the document spells out */
};

void rank_names_begin(struct rank_names *n, const struct query *q, const struct rank_scope *scope);

/* ---- a passage's terms (rank_passages.c) ---- */

#define RANK_TABULAR 0.15F /* share of numbers from which a passage may be a statement */

struct rank_words {
  uint32_t row;            /* over all segments */
  uint32_t page;           /* 0: unknown */
  uint32_t context, count; /* terms of the context, followed by those of the text */
  float numbers;           /* share of numbers among the text's terms */
  uint64_t term[];         /* as of terms_hashes(); at most RANK_READ_TERMS of each */
};

/* Reads passages; not thread-safe. */
struct rank_opener;
struct rank_opener *rank_opener_new(struct terms *terms);
void rank_opener_free(struct rank_opener *o);

/* The passage at `at`, whose row over all segments is `row`; valid until the next call.  NULL with *e on an error of
 * the store. */
const struct rank_words *rank_words_get(struct rank_opener *o, const struct store_snapshot *snap,
                                        const struct rank_place *at, uint32_t row, struct error_text *e);
/* The same, its text alone: for what needs its function words or their order. */
const struct store_text *rank_opener_read(struct rank_opener *o, const struct store_snapshot *snap,
                                          const struct rank_place *at, struct error_text *e);

/* ---- the nearest sentence (rank_sentences.c) ---- */

struct rank_sentences;
struct rank_sentences *rank_sentences_new(void);
void rank_sentences_free(struct rank_sentences *s);
/* Call once per question; question: [dims], kept by reference.  Nothing is read where a model is missing, or slow. */
void rank_sentences_begin(struct rank_sentences *s, struct embedder *model, const float *question,
                          size_t dims);
int rank_sentences_are_read(const struct rank_sentences *s);
/* *nearest: the highest cosine with the question of a sentence, clause, or row of the passage, with its heading; -1
 * where it has none.  spans: as in struct rank_hit.  0, or -1 with *e on an error of the model. */
int rank_sentences_nearest(struct rank_sentences *s, const struct store_text *passage, float *nearest,
                           struct rank_span spans[RANK_NEAREST], struct error_text *e);

/* ---- features from a passage's text (rank_passages.c) ---- */

struct rank_reading {
  float coverage; /* share of the question's idf mass found in text or context, 0 to 1 */
  float phrase;   /* thesaurus phrases found, 0 to 1 */
  float pair;     /* adjacent words of the question that are adjacent here, 0 to 1 */
  float body, context, near, line, expansion, years; /* as in rank_features.h */
  int rare;
  float numbers;       /* share of numbers among the text's terms */
  float causes, dates; /* as in rank_features.h */
  float sentence;      /* cosine of the nearest one, where sentences are read */
  int quoted;          /* contains every quoted phrase */
  int outside;         /* contains every phrase of the question that is marked outside */
  uint32_t *shingles;  /* owned; reused by later readings */
  size_t shingle_count, shingle_cap;
  uint8_t crowd[RANK_CROWDS]; /* histogram of the shingles' hashes */
  size_t crowds;              /* non-empty bins */
  int overcrowded;            /* a bin exceeds a byte */
  int settled;                /* shingles are sorted and unique */
};

struct rank_reader;
struct rank_reader *rank_reader_new(void);
void rank_reader_free(struct rank_reader *r);
/* Call once per question; idf as in rank_text. */
void rank_reader_begin(struct rank_reader *r, const struct query *q, const float *idf);
/* *out: zero-initialised, or an earlier reading. */
void rank_read(struct rank_reader *r, const struct rank_words *w, struct rank_reading *out);
void rank_reading_release(struct rank_reading *r);

/* What the ranker's last question was read with. */
struct rank_last {
  const struct query *q;
  struct terms *terms;
  struct rank_reader *reader;
};

/* Splits a hit's text into units with their chances (rank_units.c). */
void rank_units_find(const struct rank_last *last, struct rank_units *u, const struct rank_hit *hit,
                     struct slice text);

/* Jaccard similarity of two readings' shingles; where it is certainly below RANK_UNLIKE, only an upper bound. */
float rank_similarity(struct rank_reading *a, struct rank_reading *b);

/* ---- candidates and their features (rank_features.c) ---- */

struct rank_candidate {
  uint32_t row; /* over all segments */
  struct rank_hit hit;
  struct rank_reading *reading; /* owned by the ranker; NULL: its text wasn't read */
  int has_vector;
  uint32_t page; /* 0: unknown */
};

/* Inputs of the features other than the candidate. */
struct rank_asking {
  const struct query *q;
  const char *const *forms; /* names by number, as in store_doc */
  int narrow, narrowed;     /* periods and forms are used; the search was restricted to a company */
  int has_vector;
  enum rank_model model;
  float ideal; /* from rank_text */
  const uint64_t *frequency;
  enum rank_model
      answer_model; /* enum rank_model for the answer's probability, since cosines of different models
                       aren't comparable */
  int32_t newest;   /* date of the newest candidate; set by rank_describe() */
  size_t unstated;  /* measures that none of the best candidates states; set once these are known */
};

/* The flags (passage_kind.h) of passages in these places of a report. */
unsigned rank_asked_signs(const struct query *q, unsigned places);

/* Fills in everything known before passages are read, except bm25 and f.cosine, which must be set, and the outputs. */
void rank_describe(struct rank_asking *a, struct rank_candidate *list, size_t count);
/* Fills in the remaining features of a passage that was read, and its output. */
void rank_describe_read(const struct rank_asking *a, struct rank_candidate *c);
/* The same for the nearest sentences of the first `count` of order; for the others up to `read` an average is taken. */
void rank_describe_sentences(const struct rank_asking *a, struct rank_candidate *const *order, size_t count,
                             size_t read);

/* ---- whether the question is answered here (rank_answer.c) ---- */

/* order: candidates, best first, of which the first `read` were read. */
void rank_answer_describe(const struct rank_asking *a, const struct rank_names *names,
                          struct rank_candidate *const *order, size_t read, struct rank_answer_features *out);

/* ---- older reports (rank_features.c) ---- */

/* Subtracts `penalty` from the outputs of those of the first `count` candidates whose report another candidate's, of
 * the same company and kind, follows; they must be sorted again then. */
void rank_demote_older(const struct rank_asking *a, struct rank_candidate *const *order, size_t count,
                       float penalty);

/* ---- the order of candidates (rank.c) ---- */

struct rank_item {
  uint64_t key;
  void *of;
};

/* A sort key: lowest for the highest score; of equal scores, for the lowest row. */
uint64_t rank_key(float score, uint32_t row);

/* Sorts by distinct keys, ascending; scratch has room for n. */
void rank_sort(struct rank_item *items, struct rank_item *scratch, size_t n);

/* ---- measures (rank_answer.c) ---- */

/* The measures that a question asks for, and whether passages state them.
 *
 * Most questions that a company's filings don't answer ask for a finer figure than they give: "by city", "per seat", "how
 * many trucks", "the average wage".  The words of such a question may all stand in a passage.  So a measure is looked for as
 * it is put: the noun right after "per", "by", "each" or "a"; a number beside what is counted; "average" near another word of
 * the question.
 */

#define RANK_MEASURES 4

enum rank_measure_kind { RANK_MEASURE_SPLIT, RANK_MEASURE_COUNT, RANK_MEASURE_TYPICAL };

struct rank_measure {
  enum rank_measure_kind kind;
  uint64_t noun[2]; /* terms_hash(); of RANK_MEASURE_TYPICAL its own word; 0: none */
  int stated;
};

struct rank_measures {
  struct rank_measure of[RANK_MEASURES];
  size_t count;
  uint64_t own[QUERY_TERMS]; /* terms_hash() of the question's own words */
  size_t own_count;
};

void rank_measures_find(struct rank_measures *m, const struct query *q);

/* Notes the measures that a passage's text states. */
void rank_measures_look(struct rank_measures *m, struct terms *terms, struct slice text);

/* How many were stated nowhere. */
size_t rank_measures_missing(const struct rank_measures *m);

#endif

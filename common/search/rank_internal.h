/* rank_internal.h: shared by rank*.c only. */
#ifndef BID_RANK_INTERNAL_H
#define BID_RANK_INTERNAL_H

#include "search/rank.h"

#include "model/embed.h"
#include "query/query.h"

#define RANK_READ_TERMS 4096 /* limit of a passage's terms that are read */
#define RANK_SHINGLE_WORDS 128

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
  float idf[QUERY_TERMS];          /* per term of q->terms */
  uint64_t frequency[QUERY_TERMS]; /* rows that pass and contain the term; 0 for what occurs everywhere */
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

/* The best rows, best first; ties are selected by passage id, in no particular order.  Returns how many. */
size_t rank_text_best(struct rank_text *t, const struct rank_scope *scope, uint32_t *rows, size_t max);

/* ---- a passage's terms (rank_passages.c) ---- */

struct rank_words {
  uint32_t context, count; /* terms of the context, followed by those of the text */
  float numbers;           /* share of numbers among the text's terms */
  uint64_t term[];         /* as of terms_hashes(); at most RANK_READ_TERMS of each */
};

/* Room for the terms of one passage. */
struct rank_words *rank_words_new(void);

/* Fills w with the terms of a passage. */
void rank_words_take(struct rank_words *w, struct terms *terms, const struct store_text *passage);

/* ---- the nearest sentence (rank_sentences.c) ---- */

struct rank_sentences;
struct rank_sentences *rank_sentences_new(void);
void rank_sentences_free(struct rank_sentences *s);
/* Call once per question; question: [dims], kept by reference.  Nothing is read where a model is missing, or slow. */
void rank_sentences_begin(struct rank_sentences *s, struct embedder *model, const float *question,
                          size_t dims);
int rank_sentences_are_read(const struct rank_sentences *s);
/* The heading right above a passage: the last part of its context. */
struct slice rank_heading(struct slice context);
/* *nearest: the highest cosine with the question of a sentence, clause, or row of the text, with its heading; -1
 * where it has none.  spans: as in struct rank_hit.  0, or -1 with *e on an error of the model. */
int rank_sentences_nearest(struct rank_sentences *s, struct slice text, struct slice heading, float *nearest,
                           struct rank_span spans[RANK_NEAREST], struct error_text *e);

/* ---- features from a passage's text (rank_passages.c) ---- */

struct rank_reading {
  float coverage; /* share of the question's idf mass found in text or context, 0 to 1 */
  float phrase;   /* thesaurus phrases found, 0 to 1 */
  float pair;     /* adjacent words of the question that are adjacent here, 0 to 1 */
  float body, near, line, expansion,
      years;           /* body: as coverage, in the text alone; others as in rank_features.h */
  float numbers;       /* share of numbers among the text's terms */
  float causes, dates; /* words that give reasons, where they are asked for; days of months */
  float sentence;      /* cosine of the nearest one, where sentences are compared */
  int quoted;          /* contains every quoted phrase */
  int outside;         /* contains every phrase of the question that is marked outside */
  uint64_t shingles[RANK_SHINGLE_WORDS]; /* bitmap of each three terms that follow each other, by hash */
  int shingle_count;
  size_t text_at, text_len, heading_at, heading_len; /* among the ranker's texts */
};

struct rank_reader;
struct rank_reader *rank_reader_new(void);
void rank_reader_free(struct rank_reader *r);
/* Call once per question; idf as in rank_text. */
void rank_reader_begin(struct rank_reader *r, const struct query *q, const float *idf);
/* All but the nearest sentence and the shingles. */
void rank_read(struct rank_reader *r, const struct rank_words *w, struct rank_reading *out);
void rank_shingles_take(const struct rank_words *w, struct rank_reading *out);

/* What the ranker's last question was read with. */
struct rank_last {
  const struct query *q;
  struct terms *terms;
  struct rank_reader *reader;
};

/* Splits a hit's text into units with their chances (rank_units.c). */
void rank_units_find(const struct rank_last *last, struct rank_units *u, const struct rank_hit *hit,
                     struct slice text);

/* Jaccard similarity of two readings' shingles. */
float rank_similarity(const struct rank_reading *a, const struct rank_reading *b);

/* ---- candidates and their features (rank_features.c) ---- */

struct rank_candidate {
  uint32_t row; /* over all segments */
  struct rank_hit hit;
  struct rank_reading *reading; /* owned by the ranker; NULL: its text wasn't read */
  int has_vector;
};

/* Inputs of the features other than the candidate. */
struct rank_asking {
  const struct query *q;
  const char *const *forms; /* names by number, as in store_doc */
  int narrow, narrowed;     /* periods and forms are used; the search was restricted to a company */
  int has_vector;
  enum rank_model model;
  const uint64_t *frequency;
  enum rank_model
      answer_model; /* enum rank_model for the answer's probability, since cosines of different models
                       aren't comparable */
  int32_t newest;   /* date of the newest candidate; set by rank_describe() */
  size_t unstated;  /* measures that none of the best candidates states; set once these are known */
};

/* Fills in everything known before passages are read, except bm25 and f.cosine, which must be set, and the outputs. */
void rank_describe(struct rank_asking *a, struct rank_candidate *list, size_t count);
/* Fills in the remaining features of the first `read` of order, whose passages were read, and their outputs.  sentences: whether
 * sentences are compared afterwards; else the passage's own cosine is that of its sentence. */
void rank_describe_read(const struct rank_asking *a, struct rank_candidate *const *order, size_t read,
                        int sentences);
/* The same once the sentences of the first `count` were compared. */
void rank_describe_sentences(const struct rank_asking *a, struct rank_candidate *const *order, size_t count);

/* ---- whether the question is answered here (rank_answer.c) ---- */

/* order: candidates, best first, of which the first `read` were read. */
void rank_answer_describe(const struct rank_asking *a, struct rank_candidate *const *order, size_t read,
                          struct rank_answer_features *out);

/* ---- older reports (rank_features.c) ---- */

/* Subtracts `penalty` from the outputs of those of the first `read` candidates whose report that of one of `count`, of
 * the same company and kind, follows; they must be sorted again then. */
void rank_demote_older(const struct rank_asking *a, struct rank_candidate *const *order, size_t read,
                       size_t count, float penalty);

/* ---- measures (rank_answer.c) ---- */

/* The measures that a question asks for, and whether passages state them.
 *
 * Most questions that a company's filings don't answer ask for a finer figure than they give: "by city", "per seat".  The words
 * of such a question may all stand in a passage.  So a measure is looked for as it is put: the noun right after "per", "by",
 * "each" or "a".
 */

#define RANK_MEASURES 4

struct rank_measure {
  uint64_t noun; /* terms_hash() */
  int stated;
};

struct rank_measures {
  struct rank_measure of[RANK_MEASURES];
  size_t count;
};

void rank_measures_find(struct rank_measures *m, const struct query *q);

/* Notes the measures that a passage's text states. */
void rank_measures_look(struct rank_measures *m, struct terms *terms, struct slice text);

/* How many were stated nowhere. */
size_t rank_measures_missing(const struct rank_measures *m);

#endif

/* rank_features.h: the features of a candidate, and the model that combines them.
 *
 * Every feature is a float that increases with the property it measures, most from 0 to 1; none refers to a company,
 * form or collection by name.  The model is linear: one weight per feature, with one column for hybrid searches and
 * one for text-only searches, fitted by data/gen/ranker.py (`make ranker`) into
 * data/tables/rank_weights.tsv.
 */
#ifndef BID_RANK_FEATURES_H
#define BID_RANK_FEATURES_H

/* F(name, whether it is known before the passage is read, required sign of its weight (0: any), description).  The
 * signs are required because an unconstrained fit gives opposite weights to features that are nearly equal. */
#define RANK_FEATURES(F)                                                                                     \
  F(text, 1, 1, "BM25, 1 for the question's best candidate")                                                 \
  F(vector, 1, 1, "cosine between the candidates' worst and best")                                           \
  F(year_same, 1, 1, "the document's year is the last one asked for")                                        \
  F(quarter_same, 1, 1, "the document's quarter is asked for")                                               \
  F(recent, 1, 1, "no year is asked for: halves with each year that the document is older than the newest")  \
  F(coverage, 0, 1, "share of the question's own words, by idf, in text or context")                         \
  F(near, 0, 1, "the same, within 40 terms of the text")                                                     \
  F(line, 0, 1, "the same, within 12 terms of the text")                                                     \
  F(pair, 0, 1, "share of the question's neighbouring words that are neighbours here")                       \
  F(phrase, 0, 1, "phrases of the thesaurus, several count more")                                            \
  F(expansion, 0, 1, "share of the thesaurus's words, by idf")                                               \
  F(years, 0, 1, "share of the asked years that text or context hold")                                       \
  F(table_amount, 0, 1, "share of numbers, where an amount is asked for")                                    \
  F(dates, 0, 1, "days of months, where one is asked for")                                                   \
  F(sentence, 0, 1, "cosine of the nearest sentence with its heading, between those compared, else 0")

struct rank_features {
#define F(name, early, sign, what) float name;
  RANK_FEATURES(F)
#undef F
};

enum { RANK_FEATURE_COUNT = sizeof(struct rank_features) / sizeof(float) };

/* Names in the order of the struct. */
extern const char *const rank_feature_names[RANK_FEATURE_COUNT];

enum rank_model { RANK_MODEL_HYBRID, RANK_MODEL_TEXT, RANK_MODEL_COUNT };

/* The model's output; early: from the features known before reading, which have weights of their own. */
float rank_features_score(const struct rank_features *f, enum rank_model model, int early);

/* The probability that a passage with this score answers the question, given that it is answered; 0 to 1. */
float rank_features_chance(float score, enum rank_model model);

/* ---- whether the question is answered here ---- */

/* G(name, required sign of its weight, description): of the question and its best candidates */
#define RANK_ANSWER_FEATURES(G)                                                                              \
  G(cosine, 1, "highest cosine of those that were read")                                                     \
  G(coverage, 1, "highest coverage")                                                                         \
  G(whole, 1, "all the question's own words stand within 40 terms")                                          \
  G(best, 1, "what the features of the best candidate add up to")                                            \
  G(narrowed, 1, "a company of the store was named, and some word stands in its documents")                  \
  G(year_missing, -1, "none of the best few candidates is of the asked year, or holds it")                   \
  G(year_beyond, -1,                                                                                         \
    "a year is asked for that lies two years or more after the newest candidate, or a quarter of none")      \
  G(outside, -1, "asks for what filings hardly speak of, and none of the best few candidates does")          \
  G(place_nowhere, -1,                                                                                       \
    "a country or state it names is nowhere in the documents that are searched: the company's, if it names " \
    "one")                                                                                                   \
  G(unstated, -1, "measures that none of the best candidates states, up to two")

struct rank_answer_features {
#define G(name, sign, what) float name;
  RANK_ANSWER_FEATURES(G)
#undef G
};

enum { RANK_ANSWER_COUNT = sizeof(struct rank_answer_features) / sizeof(float) };

extern const char *const rank_answer_names[RANK_ANSWER_COUNT];

/* The probability that the question is answered here, 0 to 1: a logistic function of the mean of this model's output
 * and that of the text-only model, since the cosine of a short question is not informative; divided by RANK_CALIBRATION,
 * since questions of writers who were not fitted on are answered less often than the fit says. */
#define RANK_CALIBRATION 1.75F
float rank_answer_chance(const struct rank_answer_features *f, enum rank_model model);

/* Below this probability no hits are returned: see test/quality/ANSWERABILITY.md. */
#define RANK_ANSWERED 0.5F

#endif

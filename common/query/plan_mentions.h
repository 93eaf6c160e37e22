/* plan_mentions.h: the companies that a text names, and which of them it is about. */
#ifndef BID_PLAN_MENTIONS_H
#define BID_PLAN_MENTIONS_H

#include "query/plan.h"
#include "query/plan_directory.h"

#define MENTIONS 24
#define MENTION_SURE 0.5  /* a score above it: a company is meant */
#define MENTION_MAYBE 0.0 /* above it: that is in doubt, and asked back */
#define MENTION_LEAST                                                                                        \
  -1.5 /* above it: the words are taken for ordinary ones, and that is said; below, it goes without saying */

/* Why a company isn't asked about, whoever else is named. */
enum mention_aside {
  ASIDE_NOT,
  ASIDE_TAKEN_BACK, /* "Ollie's? no wait, Burlington" */
  ASIDE_OPEN        /* "which suppliers depend on Walmart": whoever is asked about isn't named */
};

/* Signs that words name a company; a mention's score is the sum of their weights (plan_signs.h). */
struct mention {
  size_t from, to;  /* tokens */
  uint32_t company; /* of the directory */
  enum plan_how how;
  int way;        /* enum directory_way */
  double score;   /* log-odds that the words name a company here */
  double margin;  /* by how much this company is likelier than the next one of these words */
  double subject; /* grammar's signs that the question is about it */
  int group;      /* mentions that are listed side by side have the same */
  int possessive; /* without an apostrophe: "Teslas" */
  int listed;     /* beside a sure one */
  enum mention_aside aside;
  uint32_t rivals[PLAN_CANDIDATES]; /* companies of these words, the likeliest first, itself included */
  size_t rival_count;
};

struct mentions {
  struct mention list[MENTIONS];
  size_t count;
  struct mention left_out; /* the likeliest that was taken for ordinary words though it might be a company */
  int has_left_out;
};

/* What the finder reads. */
struct mention_text {
  const struct directory *directory;
  const struct plan_words *words;
  const struct plan_text *t;
  const uint8_t *taken;   /* enum plan_taken; forms and periods are signs */
  struct plan_word *word; /* of each token: [t->count] */
  size_t vocabulary;      /* tokens of the vocabulary of companies */
  int period;             /* it names a period or a form: a figure of a report is asked for */
  int compares;           /* the question compares */
  int capitals_tell;      /* capitals mark names here: neither all of the words have them nor none */
  int telegraphic;        /* a search line, no sentence */
  struct buf *signs;      /* a line for each candidate that was weighed, for fitting the weights; or NULL */
};

/* Companies that the words name, left to right; of mentions that overlap the longest.  Counterparties included. */
void mentions_find(const struct mention_text *m, struct mentions *out);

/* Fills subject, group and aside of each mention. */
void mentions_weigh_subjects(const struct mention_text *m, struct mentions *list);

/* Whether mention i is one that the question is about. */
int mention_is_subject(const struct mentions *list, size_t i);

#endif

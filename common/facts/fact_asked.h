/* fact_asked.h: the figures that a question asks for. */
#ifndef BID_FACT_ASKED_H
#define BID_FACT_ASKED_H

#include "facts/fact_phrase.h"

#define FACT_ASKED_WORDS 8

/* A figure that the question asks for: a label of the table, or a formula of labels; and its bytes of the question. */
struct fact_asked_word {
  char *asked;
  size_t from, to;
  struct slice part; /* what was asked, if that is a part of the company: "China revenue"; or empty */
  int unreported;    /* by the company at hand */
};

struct fact_asked {
  const struct concept_table *table;
  struct fact_phrases phrases;
  struct fact_asked_word words[FACT_ASKED_WORDS];
  size_t word_count;
  struct fact_asked_word maybe
      [FACT_ASKED_WORDS]; /* of phrases that mean another thing, but perhaps a part with a name of its own */
  size_t maybe_count;
  struct slice rejected[FACT_ASKED_WORDS]; /* phrases with a figure's words that mean another thing */
  size_t rejected_count;
  struct slice unit; /* the currency asked for, or empty */
};

/* Reads a question; the arguments are those of fact_phrases_read().  Release with fact_asked_release(). */
void fact_asked_read(struct fact_asked *f, const struct concept_table *table, struct slice query,
                     struct slice plan, struct slice brands);
void fact_asked_release(struct fact_asked *f);

/* Whether the question names a figure, a company and a period and nothing else: then it asks for the figure. */
int fact_asked_alone(const struct fact_asked *f);

#endif

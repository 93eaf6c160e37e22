/* fact_clause.h: whether the clause around a figure's words asks for the figure.
 *
 * fact_phrase.h reads the noun phrase beside a figure's words.  What the rest of the clause says may still change what is
 * asked: "how much revenue did Apple lose to currency", "revenue when the CEO changed", "cash spent on servers".  So every
 * word of the clause has to be known: of the company, the period, the grammar of a question, or another figure's phrase.
 * One that isn't, a condition, or a verb that a balance can't have, makes the question one for another thing.
 */
#ifndef BID_FACT_CLAUSE_H
#define BID_FACT_CLAUSE_H

#include "facts/fact_phrase.h"

/* The kinds of a word (struct fact_phrase_token); the lists of data/tables/figure_words.tsv say what they mean. */
enum {
  WORD_COMPANY = 1,
  WORD_OWNER = 2, /* ends in a possessive: what follows is its */
  WORD_FRAME = 4,
  WORD_ENDS = 8,
  WORD_AUXILIARY = 16,
  WORD_INTO = 32,
  WORD_HEAD = 64,
  WORD_SPLITS = 128,
  WORD_CHANGES = 256,
  WORD_EXCLUDES = 512,
  WORD_PLACE = 1024,
  WORD_FIGURE = 2048, /* of the words of a figure */
  WORD_TIME = 4096,   /* has a digit: a year, a quarter, a count */
  WORD_COVERED = 8192 /* says how figures relate, or is polite: no thing of its own */
};

/* The text of a word. */
struct slice fact_clause_word(const struct fact_phrases *p, size_t i);

/* "The year the plant opened", "the time of the merger": whether word i is the span of time of something. */
int fact_clause_is_occasion(const struct fact_phrases *p, size_t i);

/* What the clause makes of the figure whose phrase is the words [from, to): FACT_PHRASE_WHOLE where it adds nothing.  Lengthens
 * the phrase by the words that change it. */
enum fact_phrase_kind fact_clause_read(const struct fact_phrases *p, const struct concept_word *word,
                                       int parted, size_t *from, size_t *to);

#endif

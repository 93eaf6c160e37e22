/* fact_phrase.h: reads the noun phrase around a figure's words in a question.
 *
 * A figure of company facts answers a question only where the phrase around its words names nothing else.  What the
 * question's frame carries (the company, the period, grammar, verbs of reporting, units) is passed over; any other
 * word that stands with the figure's words either narrows them to a part of the company ("China revenue", "gross
 * margin of the iPhone") or makes another thing of them ("goodwill impairment", "net income excluding a gain").  The
 * classes of words are lists of data/tables/figure_words.tsv.
 */
#ifndef BID_FACT_PHRASE_H
#define BID_FACT_PHRASE_H

#include "facts/concepts.h"

enum fact_phrase_kind {
  FACT_PHRASE_WHOLE, /* the figure itself */
  FACT_PHRASE_PART,  /* a part of it, by product, segment or region */
  FACT_PHRASE_OTHER  /* another thing, of which the figure says nothing */
};

struct fact_phrase {
  enum fact_phrase_kind kind;
  struct slice text; /* of the question: the figure's words with those that narrow or change it */
};

#define FACT_PHRASE_TOKENS 256

struct fact_phrase_token {
  size_t from, to; /* bytes of the question */
  unsigned kind;   /* WORD_COMPANY ... */
  int stop;        /* a mark stands before it */
};

struct fact_phrases {
  struct slice query, brands;
  const struct concept_table *table;
  struct fact_phrase_token tokens[FACT_PHRASE_TOKENS];
  size_t count;
  size_t company_count;
  int asks_when; /* fact_choose.h finds the period */
  int paid;      /* it asks for what was paid */
};

/* Reads a question; plan is that of bid-plan(1), JSON, brands the text of data/aliases.tsv or empty.  All
 * must outlive p. */
void fact_phrases_read(struct fact_phrases *p, const struct concept_table *table, struct slice query,
                       struct slice plan, struct slice brands);

/* The figure whose name begins at byte `at` of the question, and its length; NULL for none.  Where the question asks for what
 * was paid, "tax" and "interest" are names, too. */
const struct concept_word *fact_phrases_word_at(const struct fact_phrases *p, size_t at, size_t *taken);

/* The phrase around the figure's words, bytes [from, to) of the question, which are a name of `word`. */
struct fact_phrase fact_phrase_at(const struct fact_phrases *p, size_t from, size_t to,
                                  const struct concept_word *word);

/* Whether the question has a year in it, be it a period or not ("notes due 2030"). */
int fact_phrases_have_year(const struct fact_phrases *p);

/* Whether all words outside [from, to) belong to the question's frame: it names the figure and nothing else. */
int fact_phrases_bare(const struct fact_phrases *p, size_t from, size_t to);

/* The longest run of words that are no company, period, grammar or known figure: what a question without a known figure
 * asks for; or empty. */
struct slice fact_phrases_unknown(const struct fact_phrases *p);

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

/* What the clause makes of the figure whose phrase is the words [from, to): FACT_PHRASE_WHOLE where it adds nothing.  Lengthens
 * the phrase by the words that change it. */
enum fact_phrase_kind fact_clause_read(const struct fact_phrases *p, const struct concept_word *word,
                                       int parted, size_t *from, size_t *to);

#endif

/* match.h: a claim held against a figure of the evidence: what of them agrees, differs, or isn't said.
 *
 * Value, company, currency, kind, year and span are compared as such.  The line has a score: a weighted sum of a few signs
 * (enum match_sign), of which only differences within one claim mean something. */
#ifndef BID_MATCH_H
#define BID_MATCH_H

#include "text/numbers.h"
#include "verify/evidence_prose.h"
#include "verify/evidence_words.h"
#include "verify/owners.h"

/* A number of an answer as a claim: its clause, period, direction and kind, and what its sentence names.  A
 * claim is the clause of a number: "and kayak sales $190 million" of a sentence with two.  What the clause
 * lacks, the sentence has: its year, its companies, the passages that it cites. */

enum { CLAIM_MARKS = 32, CLAIM_CONCEPTS = 16 };

/* A figure of data/concepts.tsv that a sentence names, in which words. */
struct claim_concept {
  const struct concept_word *word;
  struct slice text;
  int plain; /* the whole company's, not "iPhone revenue" */
};

struct claim_sentence {
  const struct evidence *e;
  struct slice text;
  struct stated stated;
  struct periods periods;
  struct evidence_listed *listed; /* of each number: its place in the lists of the sentence */
  struct evidence_words words;
  struct claim_concept concepts[CLAIM_CONCEPTS];
  int marks[CLAIM_MARKS];
  size_t mark_count, concept_count;
  int quoted;                 /* the mark of a passage that has the sentence word by word, or 0 */
  int told_year, told_months; /* the last ones that the answer named before the sentence, or 0 */
  const struct owners *owners;
  struct owner_names names;
  unsigned char *cited;   /* per item: whether the sentence may be about it */
  unsigned char *foreign; /* per item: it is of another company than the sentence names */
};

struct claim_view {
  const struct claim_sentence *s;
  const struct stated_number *n;
  int year, months, quarter, day; /* 0 where not told; day as in an item */
  int guessed; /* the year is the one before that of the sentence; 2: or may be that, "to A from B in 2025" */
  int direction; /* 1 or -1: told as an increase or a decrease */
  enum evidence_kind kind;
  struct slice clause;
  struct evidence_words own; /* of its clause, or of the sentence where the clause names nothing */
  int bare;                  /* its clause names nothing, and the sentence has other numbers */
  double most_line_words;    /* the most that claim_line_words() gives for a line of a table */
};

/* Reads a sentence, whose text, owners and evidence are set; release it. */
void claim_sentence_read(struct claim_sentence *s);
void claim_sentence_release(struct claim_sentence *s);

/* Whether the sentence cites a passage; without marks it cites all. */
int claim_cites_mark(const struct claim_sentence *s, int mark);

/* Reads what the sentence says of its number v->n. */
void claim_read(struct claim_view *v);

/* Whether one of the words stands in a text: at the beginning of a word, or with a leading blank behind one. */
int claim_has_word(struct slice text, const char *const *words);

int claim_has_concept(const struct claim_sentence *s, const struct concept_word *word);

/* A word weighs more the fewer lines and sentences of the evidence have it. */
double claim_weight(const struct claim_view *v, uint64_t word);

/* The weight of a line's words that the clause has. */
double claim_line_words(const struct claim_view *v, const struct evidence_item *item);

/* How much of an item's label the sentence has, by the number of its words: 1 where both name one word of the table. */
double claim_about(const struct claim_sentence *s, const struct evidence_item *item);

/* The same by the rarity of the words in tables: "Europe" is almost all of "Europe net sales". */
double claim_named(const struct claim_sentence *s, const struct evidence_item *item);

enum agree { UNSAID, AGREES, DIFFERS, DOUBTFUL };

/* How a claim's value is a figure's. */
enum match_value { VALUE_OTHER, VALUE_SAME, VALUE_ROUNDED, VALUE_SCALED };

/* What speaks for or against a line: weights of words by their rarity, and facts that are 0 or 1. */
enum match_sign {
  SIGN_OWN,        /* words of the label, or beside the number, that the clause has */
  SIGN_OTHER,      /* those that only the rest of the sentence has */
  SIGN_LOST,       /* those that the sentence lacks */
  SIGN_PLACE,      /* words of the column's head, the heading above, or the rest of the figure's sentence */
  SIGN_PLACE_LOST, /* those that the sentence lacks */
  SIGN_ABOVE,      /* words of the heading above that the clause has, of a line that it names */
  SIGN_RIVALS,     /* words of other parts of the figure's list */
  SIGN_YEAR,
  SIGN_DAY,   /* -1 where it is another */
  SIGN_TOTAL, /* both tell of a total */
  SIGN_CHANGE,
  SIGN_OPPOSITE, /* "end of year" for "beginning of year", another unit */
  SIGN_NAME,     /* the sentence names another concept than the line's */
  MATCH_SIGNS
};

struct match {
  const struct evidence_item *item;
  enum match_value value;
  enum agree company, currency, kind, year, span;
  int peer;     /* may be meant instead of another figure, if it has another value */
  double score; /* of its line */
  double signs[MATCH_SIGNS];
};

/* Holds a claim against all figures of the evidence: matches[k] for item k.  To be freed. */
struct match *match_all(const struct claim_view *v);

/* Whether a value is one that the number may be rounded from, or that its words bound. */
int match_near(const struct stated_number *n, double value);

/* How the number is a figure's value. */
enum match_value match_value(const struct stated_number *n, const struct evidence_item *item);

/* Whether the number is stated in another currency than an item's. */
int match_other_currency(const struct stated_number *n, const struct evidence_item *item);

/* Whether the sentence says another sign than the figure has: a profit for a loss, a rise for a fall, an inflow for an outflow. */
enum agree match_sign(const struct claim_view *v, const struct evidence_item *item);

/* Whether another number of the sentence has the figure's value. */
int match_is_stated_too(const struct claim_view *v, const struct evidence_item *item);

/* The figure of the same line so many years later; NULL where it has none. */
const struct evidence_item *match_beside(const struct evidence *e, const struct evidence_item *item,
                                         int years);

/* ---- relation.c ---- */

enum relation_found {
  RELATION_NONE,
  RELATION_LIKELY, /* the figures give the number, but the sentence doesn't say how, or doesn't name both */
  RELATION_FOUND
};

/* Finds the figures from which the number was computed, "rose 6%" of two revenues, and how. */
enum relation_found relation_find(const struct claim_view *v, struct claim_computation *c);

/* The same from other numbers of the sentence, of which each has its figure: "$2 million and $7 million, $9 million in all". */
int relation_of_stated(const struct claim_view *v, const struct stated_number *const *numbers,
                       const struct evidence_item *const *items, size_t count, struct claim_computation *c);

#endif

/* claim.h: a number of an answer as a claim: its clause, period, direction and kind, and what its sentence names.
 *
 * A claim is the clause of a number: "and kayak sales $190 million" of a sentence with two.  What the clause lacks, the
 * sentence has: its year, its companies, the passages that it cites. */
#ifndef BID_CLAIM_H
#define BID_CLAIM_H

#include "verify/evidence_prose.h"
#include "verify/evidence_words.h"
#include "text/numbers.h"
#include "verify/owners.h"

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

#endif

/* concepts.h: the tables data/concepts.tsv and data/concept_successions.tsv, and comparison of names. */
#ifndef BID_CONCEPTS_H
#define BID_CONCEPTS_H

#include "base/diag.h"
#include "base/buf.h"
#include "text/plan_text.h"

#define CONCEPT_KEY 96
#define CONCEPT_TOKENS 10 /* of a word; longer ones are not found in questions */

struct concept_word {
  struct slice words, label, alternatives; /* as in the table */
};

struct concept_succession {
  struct slice concept, successors, source;
};

struct concept_key {
  char text[CONCEPT_KEY]; /* tokens with blanks between them */
  size_t word;            /* in the table */
};

struct concept_name { /* one spelling of a word */
  struct slice text;
  size_t word, next; /* in the table; the next name with its first letter, plus 1 */
};

struct concept_table {
  struct buf words_text, successions_text;
  struct concept_word *words;
  size_t word_count;
  struct concept_succession *successions;
  size_t succession_count;
  struct concept_key *keys;       /* ascending */
  struct concept_name *names;     /* of each key's word, in the order of the table */
  size_t key_count, initial[256]; /* the first name with a letter, in lower case, plus 1 */
};

/* 0, or -1 with why where a table is missing or malformed. */
int concept_table_load(struct concept_table *t, struct error_text *why);
void concept_table_release(struct concept_table *t);

/* The entry for a word or its label, ignoring case and punctuation; NULL where there is none. */
const struct concept_word *concept_word_find(const struct concept_table *t, struct slice word);
const struct concept_succession *concept_succession_find(const struct concept_table *t, struct slice concept);

/* Removes the next part from a list separated by `mark`, trimmed; 0 at the end. */
int concept_list_next(struct slice *list, char mark, struct slice *part);

/* Whether two texts are equal ignoring case, blanks and punctuation other than '&'. */
int concept_same_words(struct slice a, struct slice b);

/* The dissimilarity of two names: 0 equal, 1 very different. */
double concept_distance(struct slice asked, struct slice name);

/* The longest word of the table at the start of text, and its length in *taken; NULL where there is none. */
const struct concept_word *concept_word_at(const struct concept_table *t, struct slice text, size_t *taken);

/* The longest word of the table at token i of a text, and its tokens in *taken; NULL where there is none. */
const struct concept_word *concept_word_at_token(const struct concept_table *t, const struct plan_text *text,
                                                 size_t i, size_t *taken);

/* Splits a formula at its last operator outside brackets, so that it is evaluated from left to right; 0 where there is
 * none. */
char concept_formula_split(struct slice formula, struct slice *left, struct slice *right);

/* What stands inside brackets that enclose all of a text; else empty. */
struct slice concept_formula_inside(struct slice text);

/* The figure in "revenue growth" or "growth of revenue"; empty if the text does not mention growth. */
struct slice concept_formula_growth(struct slice asked);

#endif

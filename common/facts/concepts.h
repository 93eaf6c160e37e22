/* concepts.h: the tables data/concepts.tsv and data/concept_successions.tsv, and names that are near others. */
#ifndef BID_CONCEPTS_H
#define BID_CONCEPTS_H

#include "base/diag.h"
#include "base/buf.h"

struct concept_word {
  struct slice words, label, alternatives; /* as the table has them */
};

struct concept_succession {
  struct slice concept, successors, source;
};

struct concept_table {
  struct buf words_text, successions_text;
  struct concept_word *words;
  size_t word_count;
  struct concept_succession *successions;
  size_t succession_count;
};

/* 0, or -1 with why where a table is missing or broken. */
int concept_table_load(struct concept_table *t, struct error_text *why);
void concept_table_release(struct concept_table *t);

/* The entry of a word or its label, case and marks apart; NULL where there is none. */
const struct concept_word *concept_word_find(const struct concept_table *t, struct slice word);
const struct concept_succession *concept_succession_find(const struct concept_table *t, struct slice concept);

/* The next part of a list separated by `mark`, blanks around it dropped; 0 at the end.  *list moves on. */
int concept_list_next(struct slice *list, char mark, struct slice *part);

/* Whether two texts are the same but for case, blanks and marks other than '&'. */
int concept_same_words(struct slice a, struct slice b);

/* How far a name is from what was asked for: 0 the same, 1 very unlike. */
double concept_distance(struct slice asked, struct slice name);

/* The longest word of the table that the text at its beginning has, and the bytes it takes; NULL where none. */
const struct concept_word *concept_word_at(const struct concept_table *t, struct slice text, size_t *taken);

#endif

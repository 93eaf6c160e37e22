/* claim_subject.h: what a sentence is about: the year of a number, the figures that it names. */
#ifndef BID_CLAIM_SUBJECT_H
#define BID_CLAIM_SUBJECT_H

#include "verify/claim_view.h"

/* The year for a number of the sentence; the previous one where the words say so without naming a year. */
int claim_year(const struct claim_sentence *s, const struct stated_number *n);

/* "Rose to A from B in 2025", "swung from B to A in 2025": the one named year may be A's, and B's the one before.  That year, without a
 * named one the year before that of the last figure that was found, or NULL; 0 where the number is no such B. */
int claim_year_before(const struct claim_view *v, const struct evidence_item *last);

/* Finds the concepts of the table named in the sentence. */
void claim_find_concepts(struct claim_sentence *s, const struct concept_table *table);

/* How much of an item's label the sentence contains: 1 for all words, or where both denote the same word of the
 * table. */
double claim_about(const struct claim_sentence *s, const struct evidence_item *item);

/* Whether the number's own noun, "$90.7 billion of term debt", is another than a line's: it has none of its words, and isn't a
 * name of its figure. */
int claim_has_other_noun(const struct claim_view *v, const struct evidence_item *item);

#endif

/* evidence_prose.h: the numbers of a sentence as items of the evidence, each with its own words. */
#ifndef BID_EVIDENCE_PROSE_H
#define BID_EVIDENCE_PROSE_H

#include "verify/evidence.h"
#include "text/numbers.h"

/* Appends an empty item. */
struct evidence_item *evidence_push(struct evidence *e);

/* Appends a number; `in` is the text that its offsets refer to. */
void evidence_take(struct evidence *e, const struct stated_number *n, struct slice in, struct slice label,
                   const struct evidence_words *words, const struct concept_word *concept, int mark,
                   int year);

/* Appends all numbers of a sentence. */
void evidence_sentence(struct evidence *e, int mark, struct slice text);

/* The year for a number of a sentence, as numbers_year_of(); a change between two years is the later one's: "was $5 in 2024 compared
 * to $4 in 2023, an increase of $1".  direction: as in an item. */
int evidence_year_of(const struct stated *s, struct slice text, const struct stated_number *n, int direction);

#endif

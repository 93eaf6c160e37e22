/* evidence_prose.h: the numbers of a sentence as items of the evidence, each with its own words. */
#ifndef BID_EVIDENCE_PROSE_H
#define BID_EVIDENCE_PROSE_H

#include "verify/evidence.h"
#include "verify/periods.h"

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

/* ---- the lists of a sentence: of numbers, of periods, and of other parts, which belong to each other in turn ----
 *
 * A list of periods has no number between: "the three and six months ended June 30, 2025", "June 30, 2025 and 2024".  Its entries are
 * written out: the first of these has two, (3 months, June 30, 2025) and (6 months, June 30, 2025). */

struct evidence_listed {
  struct period_told of; /* of its list of periods; without one the nearest, but for the year */
  struct slice part,
      list; /* its part of another list, "Cardinal" of "McKesson and Cardinal", and the whole; or empty */
  size_t first, count; /* of its own list of numbers: the index of the first one, and how many, 1 or more */
};

/* Returns the place of each number of a text in its lists, to be freed. */
struct evidence_listed *evidence_lists_read(const struct stated *s, const struct periods *p);

#endif

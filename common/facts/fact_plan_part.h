/* fact_plan_part.h: figures of a part of the company that a question names, "services revenue", "iPhone sales"; for the
 * fact_plan*.c files alone.
 *
 * Company facts have figures of the whole company only.  Those of its parts are tagged in its filings: in the one that reports the
 * period, and in newer ones as a comparison.  The filing's document comes through bid-fetch, whose cache has it where an
 * answer was read from it before.  Of a part that the filing doesn't know there is no figure, and that is said. */
#ifndef BID_FACT_PLAN_PART_H
#define BID_FACT_PLAN_PART_H

#include "facts/fact_plan_notes.h"

/* Writes the figures of word->part in a window as records; says where there are none.  c: the company's facts, for its fiscal
 * years, or NULL.  Returns how many. */
size_t fact_plan_write_part(struct fact_plan *f, const struct fact_company *c, struct fact_asked_word *word,
                            const struct fact_window *w);

/* Likewise where the phrase probably means another thing: only if every word of it names the part, and silently. */
size_t fact_plan_try_part(struct fact_plan *f, const struct fact_company *c, struct fact_asked_word *word,
                          const struct fact_window *w);

#endif

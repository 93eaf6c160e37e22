/* fact_plan_write.h: writes the rows of a figure that a window of a question picks; for the fact_plan*.c files alone. */
#ifndef BID_FACT_PLAN_WRITE_H
#define BID_FACT_PLAN_WRITE_H

#include "facts/fact_plan_notes.h"

/* Writes the figures of a word in a window as records; returns how many.  A balance without a period is the newest quarter's; a
 * range of days in which no fiscal year ends may hold the end of a quarter. */
size_t fact_plan_write(struct fact_plan *f, const struct fact_company *c, const struct fact_splits *splits,
                       struct fact_asked_word *word, const struct fact_window *w);

#endif

/* fact_screen.h: a rule over all companies of a calendar period, by the SEC's frames. */
#ifndef BID_FACT_SCREEN_H
#define BID_FACT_SCREEN_H

#include "facts/concepts.h"
#include "facts/fact_write.h"
#include "record/program.h"

/* The rule is a word, concept or formula, then '>', '>=', '<' or '<=' and a number, with '%', k, M, B or T behind it:
 * "research and development / revenue > 20%".  Writes the `limit` companies with the largest values. */
void fact_screen_run(struct program *p, const struct concept_table *table, const char *rule,
                     const char *period, size_t limit, enum fact_format format);

#endif

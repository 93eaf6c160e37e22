/* fact_screen.h: applies a condition to all companies in a calendar period, using the SEC's frames. */
#ifndef BID_FACT_SCREEN_H
#define BID_FACT_SCREEN_H

#include "facts/concepts.h"
#include "facts/fact_write.h"
#include "record/program.h"

/* rule: a word, concept or formula, then '>', '>=', '<' or '<=' and a number, optionally followed by '%', k, M, B or
 * T: "research and development / revenue > 20%".  Writes the `limit` companies with the largest values. */
void fact_screen_run(struct program *p, const struct concept_table *table, const char *rule,
                     const char *period, size_t limit, enum fact_format format);

#endif

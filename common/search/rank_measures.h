/* rank_measures.h: the measures that a question asks for, and whether passages state them.
 *
 * Most questions that a company's filings don't answer ask for a finer figure than they give: "by city", "per seat", "how
 * many trucks", "the average wage".  The words of such a question may all stand in a passage.  So a measure is looked for as
 * it is put: the noun right after "per", "by", "each" or "a"; a number beside what is counted; "average" near another word of
 * the question.
 */
#ifndef BID_RANK_MEASURES_H
#define BID_RANK_MEASURES_H

#include "query/query.h"

#define RANK_MEASURES 4

enum rank_measure_kind { RANK_MEASURE_SPLIT, RANK_MEASURE_COUNT, RANK_MEASURE_TYPICAL };

struct rank_measure {
  enum rank_measure_kind kind;
  uint64_t noun[2]; /* terms_hash(); of RANK_MEASURE_TYPICAL its own word; 0: none */
  int stated;
};

struct rank_measures {
  struct rank_measure of[RANK_MEASURES];
  size_t count;
  uint64_t own[QUERY_TERMS]; /* terms_hash() of the question's own words */
  size_t own_count;
};

void rank_measures_find(struct rank_measures *m, const struct query *q);

/* Notes the measures that a passage's text states. */
void rank_measures_look(struct rank_measures *m, struct terms *terms, struct slice text);

/* How many were stated nowhere. */
size_t rank_measures_missing(const struct rank_measures *m);

#endif

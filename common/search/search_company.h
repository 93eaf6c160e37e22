/* search_company.h: the companies of the store beside the one that a plan or some words name.
 *
 * Names are compared by their words, in any case, without legal forms and punctuation (query/query.h).
 */
#ifndef BID_SEARCH_COMPANY_H
#define BID_SEARCH_COMPANY_H

#include "query/plan.h"
#include "query/query.h"

/* Companies without a CIK that are on no list get this number plus their number in the store. */
#define SCOPE_OWN_CIK 4000000000U
int search_company_is_own(const struct plan_company *c);

/* Whether a company of the store is the plan's: by CIK, else by ticker, else by name. */
int search_company_is(const struct plan_company *c, const struct query_known *known, size_t number);

/* How words match a company's name: a word of it, its beginning, all of it. */
enum search_match { MATCH_NONE, MATCH_WORD, MATCH_BEGINNING, MATCH_WHOLE };

/* least: what is looked for; of a beginning or more, which it is. */
enum search_match search_company_match(struct slice words, const char *name, enum search_match least);

/* Appends "Apple Inc. (AAPL)", or "CIK 0000320193". */
void search_company_add(const struct plan_company *c, struct buf *out);

#endif

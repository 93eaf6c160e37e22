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

/* Whether the words are the start of a company's name, or the whole name. */
int search_company_begins_name(struct slice words, const char *name);
int search_company_is_name(struct slice words, const char *name);
/* A cheap pre-test: 0 where search_company_begins_name() is certainly false. */
int search_company_may_begin(struct slice words, const char *name);

/* Whether the name is of a financing vehicle of the company that the words name: "CarMax Auto Owner Trust 2019-3". */
int search_company_is_vehicle(struct slice words, const char *name);

/* Whether the name contains the word, in any case. */
int search_company_has_word(struct slice word, const char *name);

/* Appends "Apple Inc. (AAPL)", or "CIK 0000320193". */
void search_company_add(const struct plan_company *c, struct buf *out);

#endif

/* plan_business.h: names with a line of business or "stock" behind them, which are no part of them. */
#ifndef BID_PLAN_BUSINESS_H
#define BID_PLAN_BUSINESS_H

#include "query/mentions.h"

/* The company for "DR Horton homes", "papa johns pizza", "Nvidia stock".  1 with *found, else 0. */
int plan_business_resolve(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                          struct mention *found);

/* Whether tokens [from, to) are only words for a line of business or for shares, and others that name nothing. */
int plan_business_is_all(const struct plan_words *w, const struct plan_text *t, size_t from, size_t to);

#endif

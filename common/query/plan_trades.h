/* plan_trades.h: what companies do, and the words that speak of it (data/trades.tsv): "toro" beside "mowers" is the company,
 * "crocs" beside "wild" is not.  A set of trades is a mask of 64 bits; 0 says that nothing is known. */
#ifndef BID_PLAN_TRADES_H
#define BID_PLAN_TRADES_H

#include "base/diag.h"
#include "query/plan_text.h"

#include <stdint.h>

struct plan_trades;

/* The bytes of trades.tsv, kept by reference; may be empty.  NULL with *why. */
struct plan_trades *plan_trades_new(struct slice tsv, struct error_text *why);
void plan_trades_free(struct plan_trades *t);

/* The trades that a folded word speaks of, with or without a plural's s. */
uint64_t plan_trades_of_word(const struct plan_trades *t, const char *fold);

/* The trades of a company: by its CIK, else by the words of its name. */
uint64_t plan_trades_of_company(const struct plan_trades *t, uint32_t cik, struct slice name);

/* How much a word that speaks of these trades tells: 1 of few, less of many, 0 of none. */
float plan_trades_weight(uint64_t trades);

#endif

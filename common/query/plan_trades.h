/* plan_trades.h: the trades of companies and of words (data/trades.tsv): "toro" near "mowers" is the company, "crocs"
 * near "wild" is not.  A set of trades is a mask of 64 bits; 0: nothing is known. */
#ifndef BID_PLAN_TRADES_H
#define BID_PLAN_TRADES_H

#include "base/diag.h"
#include "query/plan_text.h"

#include <stdint.h>

struct plan_trades;

/* The bytes of trades.tsv, kept by reference; may be empty.  NULL with *why. */
struct plan_trades *plan_trades_new(struct slice tsv, struct error_text *why);
void plan_trades_free(struct plan_trades *t);

/* The trades of a folded word, in the singular or plural. */
uint64_t plan_trades_of_word(const struct plan_trades *t, const char *fold);

/* The trades of a company: by its CIK, else by the words of its name. */
uint64_t plan_trades_of_company(const struct plan_trades *t, uint32_t cik, struct slice name);

/* The trade of words about what no company does ("treaty", "essay"); it has no companies. */
uint64_t plan_trades_outside(const struct plan_trades *t);

/* How specific a word of these trades is: 1 for few trades, less for many, 0 for none. */
float plan_trades_weight(uint64_t trades);

#endif

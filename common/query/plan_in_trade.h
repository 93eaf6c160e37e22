/* plan_in_trade.h: finds companies by the beginning of their name and a word of their trade. */
#ifndef BID_PLAN_IN_TRADE_H
#define BID_PLAN_IN_TRADE_H

#include "query/mentions.h"

/* The company for "Prosperity Bank" (Prosperity Bancshares) or "Mesa Airlines" (Mesa Air Group): its name begins with the words before
 * the last one, and the last one is a word of its trade.  1 with *found; 0; -1 where several companies of that trade begin so and
 * none is much more likely: *found has them as rivals. */
int plan_in_trade(const struct directory *d, const struct plan_words *words, const struct plan_trades *trades,
                  const struct plan_text *t, struct mention *found);

/* Whether a name such as "Community Bank", which is not the whole name of the company found, may be another company's of that trade as
 * well, since its words are common ones: then *found has them as rivals. */
int plan_in_trade_is_shared(const struct directory *d, const struct plan_words *words,
                            const struct plan_trades *trades, const struct plan_text *t,
                            struct mention *found);

#endif

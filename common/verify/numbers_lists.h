/* numbers_lists.h: the scale that the numbers of a range or a list share. */
#ifndef BID_NUMBERS_LISTS_H
#define BID_NUMBERS_LISTS_H

#include "verify/numbers.h"

/* Gives numbers without a scale, a percent sign or cents those of the last number of their range or list: "5.6 to 6.4 billion",
 * "$209.6, $33.7 and $28.0 billion". */
void numbers_share_scales(struct stated *s, struct slice t);

#endif

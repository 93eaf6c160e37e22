/* plan_spelled.h: other spellings of a name given by itself. */
#ifndef BID_PLAN_SPELLED_H
#define BID_PLAN_SPELLED_H

#include "query/plan_text.h"

/* "https://www.nvidia.com/en-us", "ir@nvidia.com": the name in a URL or e-mail address, or the whole text. */
struct slice plan_spelled_host(struct slice name);

/* "lottery dot com", "Wiley (John) & Sons", "Zebra Technology": writes the dot, what is in brackets first, or a word in -y or -ies in the
 * other number into *written; 0 where there is none. */
int plan_spelled_plainly(const struct plan_text *t, struct buf *written);

#endif

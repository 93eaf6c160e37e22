/* pager.h: what is longer than the screen goes through a pager. */
#ifndef BID_PAGER_H
#define BID_PAGER_H

#include "base/buf.h"

/* Shows text through $PAGER (default "less", with LESS=FRX unless set) where stdout is a terminal that it is longer
 * than, and empties it; otherwise does nothing.  Returns whether it was shown. */
int pager_show(struct buf *text);

#endif

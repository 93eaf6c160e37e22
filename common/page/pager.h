/* pager.h: shows long output through a pager. */
#ifndef BID_PAGER_H
#define BID_PAGER_H

#include "base/buf.h"
#include "base/helper.h"

/* Where stdout is a terminal with fewer lines than text, shows it through $PAGER (default "less", with LESS=FRX
 * unless set) and empties it; else does nothing.  Returns whether it was shown. */
int pager_show(struct buf *text);

/* The pager, for a helper of a program that is held when it shows its output. */
helper_run pager_run;

#endif

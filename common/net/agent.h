/* agent.h: who asks: the contact line that the sources get to see. */
#ifndef BID_AGENT_H
#define BID_AGENT_H

#include "base/buf.h"

/* The contact line: BID_USER_AGENT or the first line of bid.conf.  browser: in the form of one.  0, or -1 where
 * there is none, or one that breaks a header. */
int agent_line(struct buf *out, int browser);

/* Whether a line has an e-mail address, which the SEC asks for. */
int agent_has_address(const char *line);

/* Whether requests go out with the line that BID ships, since nobody set another. */
int agent_is_shipped(void);

#endif

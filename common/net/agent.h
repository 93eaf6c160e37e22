/* agent.h: the User-Agent line, which tells sources who is asking and how to reach them. */
#ifndef BID_AGENT_H
#define BID_AGENT_H

#include "base/buf.h"
#include "base/error_text.h"

/* Appends the line: BID_USER_AGENT, or the first line of the user's bid.conf or of the installed one; with `browser` in the form that browsers use.  0,
 * or -1 where there is none or it is not a valid header value. */
int agent_line(struct buf *out, int browser);

/* Whether a line contains an e-mail address, which the SEC asks for. */
int agent_has_address(const char *line);

/* Whether requests are sent with the line that BID ships, since no other one was set. */
int agent_is_shipped(void);

/* Keeps a line as the user's own, in ~/.config/bid/bid.conf.  0, or -1 with why. */
int agent_keep(const char *line, struct error_text *why);

#endif

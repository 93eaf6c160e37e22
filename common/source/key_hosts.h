/* key_hosts.h: the hosts that may receive an API key: data/keys.tsv and the user's ~/.config/bid/keys.tsv.
 *
 * A connector names its key's variable and its hosts itself, but connectors may be untrusted, so their declaration
 * doesn't authorise a host.
 */
#ifndef BID_KEY_HOSTS_H
#define BID_KEY_HOSTS_H

/* Whether the key in the environment variable `variable` may be sent to `host` (lower case); NULL: to any. */
int key_hosts_allow(const char *variable, const char *host);

#endif

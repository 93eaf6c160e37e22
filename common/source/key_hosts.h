/* key_hosts.h: which hosts a key may be sent to: data/keys.tsv, and the user's ~/.config/bid/keys.tsv.
 *
 * A connector names the variable of its key and the hosts that it asks, but it may come from anybody: what it says doesn't
 * bind a key to a host.
 */
#ifndef BID_KEY_HOSTS_H
#define BID_KEY_HOSTS_H

/* Whether the key in the environment's `variable` may go to `host` (lower case). */
int key_hosts_allow(const char *variable, const char *host);

#endif

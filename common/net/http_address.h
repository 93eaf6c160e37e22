/* http_address.h: addresses that no public source has. */
#ifndef BID_HTTP_ADDRESS_H
#define BID_HTTP_ADDRESS_H

#include <sys/socket.h>

/* Whether an address is private or special-purpose, also where it embeds such an IPv4 address; 1 for other families than
 * IPv4 and IPv6. */
int http_address_is_private(const struct sockaddr *address);

#endif

/* fetch_host.h: which URLs may be fetched, decided by their hosts. */
#ifndef BID_FETCH_HOST_H
#define BID_FETCH_HOST_H

#include <stddef.h>

/* The host of an https URL in lower case.  0, or -1 where the URL may not be fetched (another scheme, user
 * information, a port other than 443, blanks or control bytes). */
int fetch_host(const char *url, char *host, size_t room);

/* Whether a host is in the list (ended by NULL); "*.example.org" stands for all hosts below example.org. */
int fetch_host_declared(const char *host, const char *const *hosts);

/* Whether a host is this domain or lies in it. */
int fetch_host_is_in(const char *host, const char *domain);

/* Whether two URLs that may be fetched have one host. */
int fetch_host_same(const char *a, const char *b);

#endif

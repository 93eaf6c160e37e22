/* http_proxy.h: whether a request goes through the proxy that the user configured. */
#ifndef BID_HTTP_PROXY_H
#define BID_HTTP_PROXY_H

/* Whether requests to this https URL go through a proxy, as in curl(1): https_proxy, HTTPS_PROXY, all_proxy or
 * ALL_PROXY is set, and no_proxy (NO_PROXY) doesn't exclude the host.  That is "*" or a list of names, separated by
 * commas or spaces, each of which also stands for all names that end in it after a dot; networks (10.0.0.0/8) in it
 * exclude nothing. */
int http_goes_by_proxy(const char *url);

#endif

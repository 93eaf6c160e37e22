/* http_retry.h: whether and when to ask again. */
#ifndef BID_HTTP_RETRY_H
#define BID_HTTP_RETRY_H

#include "net/http.h"

/* Whether a retry may help: time-outs, lost connections, 408, 429, 5xx except 501 and 505. */
int http_worth_retry(const struct http_response *r);

/* Seconds to wait before retry number `attempt`, from 1: Retry-After where given (at most `most`), else exponential
 * backoff from 0.5 s with equal jitter ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015). */
double http_backoff(const struct http_response *r, unsigned attempt, double most);

/* By how much waits that no server asked for are divided: 1, or BID_HASTE where BID_CONNECT_TO leads all requests to
 * this machine, as in tests. */
double http_haste(void);

#endif

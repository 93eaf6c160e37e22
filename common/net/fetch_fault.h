/* fetch_fault.h: answers that are errors; private to fetch.c and fetch_fault.c.  All return -1 after setting the result's
 * category and message. */
#ifndef BID_FETCH_FAULT_H
#define BID_FETCH_FAULT_H

#include "net/fetch.h"

#define FETCH_OTHER_MAX ((size_t)64 << 10) /* limit of the body of an answer other than 200 */

/* The message is formatted. */
int fetch_fault(struct fetch_result *r, const char *category, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The cache or the ledger can't be read or written. */
int fetch_fault_of_disk(struct fetch_result *r, const char *why);

/* A transfer that got no answer. */
int fetch_fault_of_transfer(struct fetch_result *r, const struct http_response *h);

/* A status that the request didn't ask for. */
int fetch_fault_of_status(struct fetch_result *r, const char *url, long status, double retry_after);

/* ---- the SEC ---- */

/* Its error answers, as users have recorded them: pages with known titles for exceeding the rate or for a missing
 * User-Agent (with 403, sometimes 200), and XML for missing objects.  A 429 without such a page is obeyed as sent, for the
 * time of its Retry-After. */
enum fetch_sec_answer { SEC_PLAIN, SEC_BLOCKED, SEC_NAMELESS, SEC_MISSING };

/* Whether the request is under the SEC's rate limit. */
int fetch_is_sec(const struct fetch_request *q);

/* retry_after: seconds, negative where the answer names none. */
enum fetch_sec_answer fetch_sec_answer_of(long status, double retry_after, const struct buf *body);

/* Any but SEC_PLAIN. */
int fetch_fault_of_sec(struct fetch_result *r, const char *url, enum fetch_sec_answer what);

#endif

/* error.h: error records, bid-records(5).
 *
 * {"error":{"category":…,"message":…,"stage":…,"source":…,"sourceUrl":…,"retryAfter":…},"metadata":{…}}
 */
#ifndef BID_ERROR_H
#define BID_ERROR_H

#include "base/buf.h"

#define ERROR_UNAVAILABLE "unavailable"
#define ERROR_NO_CONTENT "no-content"
#define ERROR_AUTH_FAILED "auth-failed"
#define ERROR_RATE_LIMITED "rate-limited"
#define ERROR_INVALID_REQUEST "invalid-request"
#define ERROR_INTERNAL "internal"
#define ERROR_NOT_REGISTERED "connector-not-registered"
#define ERROR_NO_COLLECTION "no-collection"
#define ERROR_MODEL_MISMATCH "model-mismatch"
#define ERROR_STALE "stale" /* there is something newer than what an answer was made from */

struct error_record {
  const char *category;    /* one of the above */
  const char *message;     /* for people; masked as diag.h does */
  const char *stage;       /* the program, without "bid-" */
  struct slice source;     /* connector, or empty */
  struct slice source_url; /* or empty */
  double retry_after;      /* seconds, or negative for none */
  struct slice metadata;   /* of the document that failed, a JSON object; or empty */
};

/* Appends the record and its newline. */
void error_add(struct buf *out, const struct error_record *e);

/* The category's own constant, ERROR_INTERNAL for text that is none. */
const char *error_category(struct slice text);

/* Exit status of a category, as DESIGN's list has it (64, 69, 70, 75, 77 …; 1 for no-content). */
int error_exit_status(const char *category);

#endif

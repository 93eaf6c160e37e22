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

/* What can go wrong, as code tells it apart: each has one category and one exit status, in error.c's table and nowhere
 * else. */
enum error_kind {
  FAULT_NONE,
  FAULT_UNAVAILABLE,    /* a source or server can't be reached */
  FAULT_NO_CONTENT,     /* what was asked for is not there */
  FAULT_AUTH,           /* a key is missing or refused */
  FAULT_RATE,           /* too many requests: try again later */
  FAULT_REQUEST,        /* a wrong call */
  FAULT_INTERNAL,       /* a fault of bid's own, or memory ran out */
  FAULT_NOT_REGISTERED, /* no such connector */
  FAULT_NO_STORE,       /* no store, or nothing in it of what a search is limited to */
  FAULT_MODEL,          /* vectors of another model */
  FAULT_STALE,          /* something newer is known of */
  FAULT_BUSY,           /* somebody else holds it: try again */
  FAULT_DATA,           /* a file is damaged, or something else than it should be */
  FAULT_DISK,           /* the disk is full, can't be read or written, or may not be */
  FAULT_SETTING,        /* a variable that is needed is not set, a file is of another version */
  FAULT_COUNT
};
const char *error_kind_category(enum error_kind kind);
int error_kind_status(enum error_kind kind);

/* Exit status of a category, as DESIGN's list has it (64, 69, 70, 75, 77 …; 1 for no-content). */
int error_exit_status(const char *category);

#endif

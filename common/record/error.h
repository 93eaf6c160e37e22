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
#define ERROR_STALE "stale" /* an answer was made from data that has since been superseded */

struct error_record {
  const char *category;    /* one of the above */
  const char *message;     /* for display; masked as by diag.h */
  const char *stage;       /* the program's name without "bid-" */
  struct slice source;     /* the connector, or empty */
  struct slice source_url; /* or empty */
  int status;              /* of the HTTP answer that was the error, or 0 */
  double retry_after;      /* seconds, or negative where there is none */
  struct slice metadata;   /* metadata of the failed document, a JSON object, or empty */
};

/* Appends the record and its newline. */
void error_add(struct buf *out, const struct error_record *e);

/* The ERROR_ constant that text names, ERROR_INTERNAL where it names none. */
const char *error_category(struct slice text);

/* The failures that code distinguishes.  Each maps to one category and one exit status, in error.c's table only. */
enum error_kind {
  FAULT_NONE,
  FAULT_UNAVAILABLE,    /* a source or server can't be reached */
  FAULT_NO_CONTENT,     /* the requested item does not exist */
  FAULT_AUTH,           /* a key is missing or refused */
  FAULT_RATE,           /* too many requests: try again later */
  FAULT_REQUEST,        /* an invalid request */
  FAULT_INTERNAL,       /* an internal fault, or out of memory */
  FAULT_NOT_REGISTERED, /* no such connector */
  FAULT_NO_STORE,       /* no store, or none of the documents that a search is restricted to */
  FAULT_MODEL,          /* vectors of a different model */
  FAULT_STALE,          /* newer data is known */
  FAULT_BUSY,           /* locked by another process: try again */
  FAULT_DATA,           /* a file is damaged or of an unexpected kind */
  FAULT_DISK,           /* the disk is full or failing, or access is denied */
  FAULT_SETTING,        /* a required variable is not set, or a file has another version */
  FAULT_COUNT
};
const char *error_kind_category(enum error_kind kind);
int error_kind_status(enum error_kind kind);

/* The exit status of a category, as listed in bid(7) (64, 69, 70, 75, 77 …; 1 for no-content). */
int error_exit_status(const char *category);

#endif

/* runner_request.h: one request of a connector, read from its JSON; private to runner*.c. */
#ifndef BID_RUNNER_REQUEST_H
#define BID_RUNNER_REQUEST_H

#include "net/fetch.h"
#include "record/payload.h"
#include "source/runner.h"

#define ASK_HEADERS 32

struct error_record;

struct runner_request {
  struct slice json; /* the request object */
  char *url, *accept, *content_type;
  char *headers[ASK_HEADERS + 1];
  char *key_query, *key_header, *key_prefix;
  const char *as; /* "json", "text", "lines", "xml", "base64", "none" */
  struct slice payload, stream, select;
  struct cache *kept; /* where narrowed bodies are kept */
  struct slice given; /* JSON instead of the body's, of a stream's summary; or empty */
  int strip, optional, direct;
  long long operand; /* or -1 */
  struct fetch_request fetch;
  struct fetch_result result;
};

/* What a job runs with. */
struct run {
  struct runner *runner;
  struct source *source;
  const struct job *job;
  struct buf job_json;
  uint64_t results, errors; /* of this job */
};

/* 0, or -1 with why.  runner_request_release() in both cases. */
int runner_request_read(struct runner_request *a, struct slice json, const struct run *run,
                        struct error_text *why);
void runner_request_release(struct runner_request *a);

/* Fetches, or opens the operand.  0, or -1 with a->result's category and message set. */
int runner_request_fetch(struct runner_request *a, struct run *run);

/* Whether the step wants to see this status. */
int runner_request_wants_status(const struct runner_request *a, long status);

/* Appends the response object of bid-connectors(5).  0, or -1 with why where the body is not what was asked
 * for. */
int runner_request_response(struct runner_request *a, struct buf *out, struct error_text *why);

/* Writes a payload record.  0, or -1 (an error record was written instead). */
int runner_run_payload(struct run *run, const struct payload *p);

/* For the row of progress: "10-K of 2025-10-31", else the address. */
void runner_tell_reading(struct program *program, struct slice metadata, const char *url);

/* Writes the payload that a connector returned (JSON): its content or text, or p->bytes as they are, with
 * what it says of contentType, sourceUrl and metadata over what p has.  0, or -1 where it holds nothing (an
 * error record was written). */
int runner_run_json_payload(struct run *run, struct slice json, const struct payload *p);

/* The readable text of a body, by bid-strip as a child: bid-fetch carries no readers.  0, or -1 with *e. */
int runner_run_strip(struct slice bytes, const char *content_type, struct buf *out, struct error_text *e);

/* An error record of this job. */
void runner_run_error(struct run *run, const char *category, const char *url, double retry_after,
                      const char *text);

/* Reads the stream of a request whose body is open; writes its payloads, or appends the JSON of its summary
 * to `summary` (else NULL).  0, or -1 where an error record was written. */
int runner_run_stream(struct run *run, struct runner_request *a, struct buf *summary);

/* ---- what leaves (runner_emit.c) ---- */

/* Takes every source's key out of the text. */
void runner_redact(const struct runner *r, struct buf *text);

/* Writes the record, says it on stderr and notes the first status. */
void runner_write_error(struct runner *r, const struct error_record *e);

/* Text of a string member, held by `scratch`; `otherwise` where it is none. */
const char *runner_member_text(struct slice object, const char *name, struct buf *scratch,
                               const char *otherwise);

#endif

/* runner_request.h: one request of a connector, parsed from its JSON, and its stream; private to runner*.c. */
#ifndef BID_RUNNER_REQUEST_H
#define BID_RUNNER_REQUEST_H

#include "net/fetch.h"
#include "source/runner.h"

/* What a running job writes: payload and error records, bid-records(5); private to runner*.c. */

struct payload {
  struct slice carried; /* raw members from the job, without the opening '{'; or empty */
  const char *source, *source_url, *captured, *content_type;
  struct slice bytes;
  struct slice metadata; /* a JSON object, or empty */
  struct slice defaults; /* defaults from the job for what metadata lacks: an object, or empty */
  int cached, truncated;
  const char *member; /* member of an archive, added to metadata; or NULL */
  long long rows;     /* number of rows, added to metadata where not negative */
};

/* The context of a running job. */
struct run {
  struct runner *runner;
  struct source *source;
  const struct job *job;
  struct buf job_json;
  uint64_t results, errors; /* of this job */
};

/* Writes a payload record.  0, or -1 after writing an error record instead. */
int runner_run_payload(struct run *run, const struct payload *p);

/* Writes a record as it is, but without the keys of sources. */
void runner_write_record(struct runner *r, struct buf *record);

/* Shows a document in the progress row: "10-K of 2025-10-31", else the URL. */
void runner_tell_reading(struct program *program, struct slice metadata, const char *url);

/* Writes the payload that a connector returned as JSON: its content or text, or p->bytes unchanged; its contentType,
 * sourceUrl and metadata override those of p.  0, or -1 after an error record where it has no content. */
int runner_run_json_payload(struct run *run, struct slice json, const struct payload *p);

/* A failure of a running job. */
struct runner_fault {
  const char *category, *text;
  const char *url;    /* of the request that failed, or NULL */
  int status;         /* of its answer, or 0 */
  double retry_after; /* seconds, or negative */
  struct slice
      payload; /* metadata of the document, JSON: the fetch can be repeated from the record alone; or empty */
};

/* Writes an error record, with what the job is about. */
void runner_write_fault(struct run *run, const struct runner_fault *f);

/* The same for a failure that no answer of a source told. */
void runner_run_error(struct run *run, const char *category, const char *url, const char *text);

/* The text of a string member, stored in `scratch`; `otherwise` where it is not a string. */
const char *runner_member_text(struct slice object, const char *name, struct buf *scratch,
                               const char *otherwise);

#define ASK_HEADERS 32

struct runner_request {
  struct slice json; /* the request object */
  char *url, *accept, *content_type;
  char *headers[ASK_HEADERS + 1];
  char *key_query, *key_header, *key_prefix;
  const char *as; /* "json", "text", "lines", "xml", "base64", "none" */
  struct slice payload, stream, select;
  struct cache *kept; /* cache of narrowed bodies */
  struct slice given; /* JSON to use instead of the body (a stream's summary), or empty */
  int strip, optional, direct;
  long long operand; /* index of an operand of the command line, or -1 */
  struct fetch_request fetch;
  struct fetch_result result;
};

/* Parses a request.  0, or -1 with why; call runner_request_release() in both cases. */
int runner_request_read(struct runner_request *a, struct slice json, const struct run *run,
                        struct error_text *why);
void runner_request_release(struct runner_request *a);

/* Fetches the URL, or opens the operand.  0, or -1 with a->result's category and message set. */
int runner_request_fetch(struct runner_request *a, struct run *run);

/* Whether the connector asked to receive this status. */
int runner_request_wants_status(const struct runner_request *a, long status);

/* Appends the response object of bid-connectors(5).  0, or -1 with why where the body is not of the requested type. */
int runner_request_response(struct runner_request *a, struct buf *out, struct error_text *why);

/* Reads the stream of a request whose body is open and writes its payloads; where `summary` is not NULL, appends the
 * JSON of its summary instead.  0, or -1 after an error record. */
int runner_run_stream(struct run *run, struct runner_request *a, struct buf *summary);

#endif

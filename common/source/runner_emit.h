/* runner_emit.h: what a running job writes: payload and error records, bid-records(5); private to runner*.c. */
#ifndef BID_RUNNER_EMIT_H
#define BID_RUNNER_EMIT_H

#include "source/runner.h"

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

#endif

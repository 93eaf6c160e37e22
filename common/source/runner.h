/* runner.h: running fetch jobs: the dialogue with a connector, its requests, and the payloads made of the answers. */
#ifndef BID_RUNNER_H
#define BID_RUNNER_H

#include "net/fetch.h"
#include "record/program.h"
#include "record/job.h"
#include "source/source.h"

#include <stdint.h>

#define RUNNER_STEPS 1000                 /* limit of a job's steps */
#define RUNNER_REQUESTS 10000             /* limit of requests in a step */
#define RUNNER_HELD ((uint64_t)512 << 20) /* limit of response bodies held for a step, in bytes */

struct runner {
  struct program *program;
  struct fetcher *fetcher;
  struct source **sources; /* opened so far */
  size_t source_count;
  int strict;                /* undeclared parameters are errors (for options; job records may have them) */
  struct job_list given;     /* URLs of the documents that jobs with a plan have asked for */
  uint64_t results;          /* payloads written */
  uint64_t errors;           /* error records written */
  int first_status;          /* exit status for the first error */
  const struct job *job;     /* the current one, which error records name; or NULL */
  struct connector *listing; /* lays out JSON for people; NULL until it is needed */
};

void runner_init(struct runner *r, struct program *p, struct fetcher *f);
void runner_release(struct runner *r);

/* The source of that name, opened on first use; NULL where there is none. */
struct source *runner_source(struct runner *r, const char *name);

/* Runs a job over its sources (job->sources), in order, and writes payload and error records.  0, or -1 where stdout
 * failed. */
int runner_job(struct runner *r, const struct job *job);

/* Appends JSON for display, masked, as a definition of connectors/lib/listing.jq or catalog.jq lays it out: wrapped at the screen's
 * columns, with URLs whole on lines of their own.  0, or -1. */
int runner_lay_out(struct program *program, struct connector *library, const char *called, struct slice input,
                   struct buf *out);

/* Writes an error record and prints the message on stderr. */
void runner_error(struct runner *r, const char *category, const char *source, const char *url,
                  double retry_after, const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif

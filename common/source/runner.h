/* runner.h: running jobs: the conversation with a connector, its requests, and what becomes of the answers.
 */
#ifndef BID_RUNNER_H
#define BID_RUNNER_H

#include "net/fetch.h"
#include "record/program.h"
#include "record/job.h"
#include "source/source.h"

#include <stdint.h>

#define RUNNER_STEPS 1000                 /* most steps of a job */
#define RUNNER_REQUESTS 10000             /* most requests of a step */
#define RUNNER_HELD ((uint64_t)512 << 20) /* most bytes of bodies that wait for a step */

struct runner {
  struct program *program;
  struct fetcher *fetcher;
  struct source **sources; /* opened so far */
  size_t source_count;
  int strict;       /* parameters that are not declared are faults (options, not job records) */
  uint64_t results; /* payloads written */
  uint64_t errors;  /* error records written */
  int first_status; /* exit status of the first error's category */
  struct slice tag; /* the member "job" of the job at hand, which error records carry; or empty */
};

void runner_init(struct runner *r, struct program *p, struct fetcher *f);
void runner_release(struct runner *r);

/* The source of that name, opened if it is not yet; NULL where there is none. */
struct source *runner_source(struct runner *r, const char *name);

/* Runs a job over its sources (job->sources), in order, writing payload and error records.  -1 where stdout
 * has failed and going on is pointless, else 0. */
int runner_job(struct runner *r, const struct job *job);

/* Writes an error record and says it on stderr. */
void runner_error(struct runner *r, const char *category, const char *source, const char *url,
                  double retry_after, const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif

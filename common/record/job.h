/* job.h: what a job asks for, gathered from options or from a job record, and handed to connectors in the
 * one form of bid-connectors(5), "The job". */
#ifndef BID_JOB_H
#define BID_JOB_H

#include "base/buf.h"
#include "base/diag.h"

struct job_list {
  char **items;
  size_t count;
};

/* Initialise with {0} and limit = -1; all owned. */
struct job {
  char *entity, *period, *query, *since; /* NULL where not given; since as YYYY-MM-DD */
  struct job_list aliases, forms, operands, sources;
  struct job_list names, values; /* params, side by side */
  long long limit;               /* or -1 */
  int content;
  struct buf carried;  /* members that payloads carry on, as in an object, raw */
  struct buf metadata; /* of a job record: what payloads' metadata say where the source does not; or empty */
  struct buf plan;     /* of a job record: what bid-plan understood, a JSON object; or empty */
  struct buf tag;      /* of a job record: its member "job", which payloads and errors carry on; or empty */
};

void job_init(struct job *s);
void job_release(struct job *s);
void job_list_add(struct job_list *list, const char *text, size_t len);

/* Adds the parts of a text between commas, blanks around them dropped. */
void job_list_split(struct job_list *list, const char *text);

/* A --since: date or span.  0, or -1 with why. */
int job_set_since(struct job *s, const char *text, struct error_text *why);

/* A parameter; one that was given before is replaced. */
void job_set_param(struct job *s, const char *name, size_t name_len, const char *value, size_t value_len);
const char *job_param(const struct job *s, const char *name);

/* Notes the options' own entity, period, filingTypes and query in `carried`. */
void job_carry(struct job *s);

/* Reads a job record (a valid JSON object).  0, or -1 with why; s is to be released either way. */
int job_read(struct job *s, struct slice record, struct error_text *why);

/* Whether a scope word or a parameter is given at all. */
int job_has(const struct job *s, const char *name);

/* Appends the job as connectors are given it. */
void job_write(const struct job *s, struct buf *out);

#endif

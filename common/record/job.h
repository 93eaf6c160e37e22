/* job.h: a fetch job, built from options or from a job record and passed to connectors in the form of
 * bid-connectors(5), "The job". */
#ifndef BID_JOB_H
#define BID_JOB_H

#include "base/buf.h"
#include "base/diag.h"

struct job_list {
  char **items;
  size_t count;
};

/* Initialise with {0} and limit = -1.  All members are owned. */
struct job {
  char *entity, *period, *query, *since; /* NULL where not given; since as YYYY-MM-DD */
  struct job_list aliases, forms, operands, sources;
  struct job_list names, values; /* params, two parallel lists */
  long long limit;               /* -1 where not given */
  struct job_list structured;    /* names of other members that are lists or objects: no parameter is */
  int content;
  int idle;            /* from a job record: its list of sources is empty, so nothing is fetched */
  struct buf carried;  /* members to copy into payloads, as raw JSON members without braces */
  struct buf metadata; /* from a job record: default metadata of payloads, or empty */
  struct buf plan;     /* from a job record: what bid-plan understood, a JSON object; or empty */
  struct buf
      company;    /* what the entity's name was resolved to, {"cik","ticker","name"}; or empty: look it up */
  struct buf tag; /* from a job record: its member "job", to be copied into errors; or empty */
};

void job_init(struct job *s);
void job_release(struct job *s);
void job_list_add(struct job_list *list, const char *text, size_t len);

void job_list_release(struct job_list *list);

/* Adds the comma-separated parts of a text, with surrounding blanks trimmed. */
void job_list_split(struct job_list *list, const char *text);

/* Sets since from a date or time span, as --since takes it.  0, or -1 with why. */
int job_set_since(struct job *s, const char *text, struct error_text *why);

/* Sets a parameter; replaces an earlier value. */
void job_set_param(struct job *s, const char *name, size_t name_len, const char *value, size_t value_len);

/* Copies entity, period, filingTypes and query as given by options into `carried`. */
void job_carry(struct job *s);

/* Reads a job record (a valid JSON object).  0, or -1 with why; s must be released in both cases. */
int job_read(struct job *s, struct slice record, struct error_text *why);

/* Appends the members that say which job it is to an object: job, entity, period, as far as they are given. */
void job_add_subject(const struct job *s, struct buf *out);

/* Whether the named scope word or parameter is given. */
int job_has(const struct job *s, const char *name);

/* Appends the job in the form that connectors receive. */
void job_write(const struct job *s, struct buf *out);

#endif

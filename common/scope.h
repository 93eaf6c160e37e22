/* scope.h: what a job asks for, gathered from options or from a job record, and handed to connectors in the
 * one form of bid-connectors(5), "The job". */
#ifndef BID_SCOPE_H
#define BID_SCOPE_H

#include "buf.h"
#include "diag.h"

struct scope_list {
  char **items;
  size_t count;
};

/* Initialise with {0} and limit = -1; all owned. */
struct scope {
  char *entity, *period, *query, *since; /* NULL where not given; since as YYYY-MM-DD */
  struct scope_list aliases, forms, operands, sources;
  struct scope_list names, values; /* params, side by side */
  long long limit;                 /* or -1 */
  int content;
  struct buf carried;  /* members that payloads carry on, as in an object, raw */
  struct buf metadata; /* of a job record: what payloads' metadata say where the source does not; or empty */
};

void scope_init(struct scope *s);
void scope_release(struct scope *s);
void scope_list_add(struct scope_list *list, const char *text, size_t len);

/* Adds the parts of a text between commas, blanks around them dropped. */
void scope_list_split(struct scope_list *list, const char *text);

/* A --since: date or span.  0, or -1 with why. */
int scope_set_since(struct scope *s, const char *text, struct error_text *why);

/* A parameter; one that was given before is replaced. */
void scope_set_param(struct scope *s, const char *name, size_t name_len, const char *value, size_t value_len);
const char *scope_param(const struct scope *s, const char *name);

/* Notes the options' own entity, period, filingTypes and query in `carried`. */
void scope_carry(struct scope *s);

/* Reads a job record (a valid JSON object).  0, or -1 with why; s is to be released either way. */
int scope_read(struct scope *s, struct slice record, struct error_text *why);

/* Whether a scope word or a parameter is given at all. */
int scope_has(const struct scope *s, const char *name);

/* Appends the job as connectors are given it. */
void scope_write(const struct scope *s, struct buf *out);

#endif

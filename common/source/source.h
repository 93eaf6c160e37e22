/* source.h: a connector with what it declares, read and checked. */
#ifndef BID_SOURCE_H
#define BID_SOURCE_H

#include "source/connector.h"
#include "net/fetch.h"
#include "record/job.h"

struct source {
  char *name;
  struct connector *connector;
  struct buf declared;               /* its JSON object */
  int ready;                         /* declare has been called: 1 well, -1 broken */
  struct error_text why;             /* of a broken one */
  char **hosts;                      /* NULL at the end */
  char *domain, *key_variable, *key; /* NULL where there is none */
  char *terms_text, *terms_url;
  struct ledger_rule rule;
  int auth_required, terms_shown;
};

/* The source of that name with its connector's process started where it is needed, or NULL where there is
 * none.  kept: connector_open(). */
struct source *source_open(const char *name, struct cache *kept);
void source_close(struct source *s);

/* Calls declare, once.  0, or -1 with s->why. */
int source_ready(struct source *s);

/* Whether the job gives what the source needs.  strict: a parameter that is not declared is a fault too.
 * 0, or -1 with the category (error.h) and why. */
int source_check(struct source *s, const struct job *job, int strict, const char **category,
                 struct error_text *why);

#endif

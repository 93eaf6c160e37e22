/* source.h: a connector with its declaration, parsed and checked. */
#ifndef BID_SOURCE_H
#define BID_SOURCE_H

#include "net/fetch.h"
#include "record/job.h"
#include "source/connector.h"

/* A parameter that a source declares. */
struct source_parameter {
  char *name;
  struct slice declared; /* JSON */
};

struct source {
  char *name;
  struct connector *connector;
  struct buf declared; /* declaration, a JSON object */
  struct source_parameter *parameters;
  size_t parameter_count;
  int ready;                         /* state of the declaration: 0 not read, 1 valid, -1 broken */
  struct error_text why;             /* the fault of a broken one */
  char **hosts;                      /* ended by NULL */
  char *domain, *key_variable, *key; /* NULL where not declared */
  char *terms_text, *terms_url;
  struct ledger_rule rule;
  int auth_required, terms_shown;
  int key_is_sent; /* keys.tsv has its variable: no other value comes back, or is removed from records */
};

/* Opens the source of that name and starts its connector's process if needed; NULL where there is none.  kept: as of
 * connector_open(). */
struct source *source_open(const char *name, struct cache *kept);
void source_close(struct source *s);

/* Reads the declaration, once.  0, or -1 with s->why. */
int source_ready(struct source *s);

/* Whether the job has what the source needs.  strict: undeclared parameters are errors too.  0, or -1 with the
 * category (error.h) and why. */
int source_check(struct source *s, const struct job *job, int strict, const char **category,
                 struct error_text *why);

/* Whether the source takes a parameter of that name. */
int source_takes(const struct source *s, const char *name);

/* Appends the names of what a job for several sources has and this one can't use, with commas. */
void source_ignores(const struct source *s, const struct job *job, struct buf *out);

/* ---- hosts of keys ---- */

/* The hosts that may receive an API key: data/keys.tsv and the user's ~/.config/bid/keys.tsv.
 *
 * A connector names its key's variable and its hosts itself, but connectors may be untrusted, so their declaration
 * doesn't authorise a host.
 */

/* Whether the key in the environment variable `variable` may be sent to `host` (lower case); NULL: to any. */
int source_key_allowed(const char *variable, const char *host);

#endif

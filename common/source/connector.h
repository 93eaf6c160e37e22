/* connector.h: connectors, bid-connectors(5): looked up by name, run by libjq in a child process each.
 *
 * libjq 1.6 takes 20 to 80 ms to compile what a call needs, since it binds each of its builtins to the whole program, and
 * it can't save the compiled form.  A connector's answer depends only on its files and its input, so answers are
 * cached, and where all needed answers are cached, no process is started.  What is called is compiled when it is first
 * called, with the definitions that it needs.
 *
 * connector_start() compiles in the background, so several connectors compile in parallel.  The process has an empty
 * environment, no descriptor except its socket, limited memory, and dies with its parent.  A call that takes too long
 * or whose process dies fails; the next call starts a new process.
 */
#ifndef BID_CONNECTOR_H
#define BID_CONNECTOR_H

#include "net/cache.h"
#include "base/diag.h"

#define CONNECTOR_NAME 60                        /* bytes of a definition's name, with the one that ends it */
#define CONNECTOR_SECONDS 10                     /* limit of one call, in seconds of processor time */
#define CONNECTOR_MEMORY ((size_t)2 << 30)       /* limit of its address space, in bytes */
#define CONNECTOR_KEPT_MAX ((size_t)4 << 20)     /* bytes of an answer that is cached */
#define CONNECTOR_ANSWER_MAX ((size_t)256 << 20) /* limit of one answer, in bytes */

struct connector {
  char *name, *path;
  struct cache *kept;           /* cache of answers, or NULL */
  char fingerprint[DIGEST_HEX]; /* digest of the connector's files and of the program that runs them */
  long pid;                     /* its process, or 0 */
  int socket;                   /* socket to the process, or -1 */
};

/* Finds NAME.jq in BID_CONNECTORS, the user's folder or the installed one, in this order.  0, or -1. */
int connector_find(const char *name, struct buf *path);

/* The names of all connectors, sorted, without duplicates; free with connector_names_free().  unread, unless NULL, gets
 * the folder that exists and could not be read to its end, or the last one where no connector is in any, or "". */
char **connector_names(size_t *count, struct error_text *unread);
void connector_names_free(char **names, size_t count);

/* Opens a connector; kept (may be NULL) must outlive it. */
struct connector *connector_open(const char *name, const char *path, struct cache *kept);

/* Opens connectors/lib/NAME.jq of the installed ones, whose answers are not kept: what bid-fetch itself does with JSON. */
struct connector *connector_open_library(const char *name);

/* Starts its process in the background, unless its declaration is cached. */
void connector_start(struct connector *c);
void connector_close(struct connector *c);

/* Calls a definition without parameters ("declare", "step", "row", or what a step named as the next) with a JSON text; out is
 * cleared and gets the JSON text returned.  0, or -1 with why. */
int connector_call(struct connector *c, const char *called, struct slice input, struct buf *out,
                   struct error_text *why);

#endif

/* connector.h: connectors, bid-connectors(5): found by name, run by libjq in a process of their own.
 *
 * libjq 1.6 takes 20 to 160 ms to compile a connector, since it binds each of its builtins to the whole
 * program, and cannot keep what it compiled.  A connector's answer depends on its files and its input alone,
 * so answers are kept in the cache, and where all of them are there, no process is started at all.
 * What declares a source is a small part of it: a process compiles either that or the rest.
 *
 * connector_start() compiles in the background, so several started together compile side by side.  The
 * process has no environment, no descriptor but its socket, limited memory, and dies
 * with its parent.  A call that takes too long, or a process that dies, is an error of that call; the next
 * call starts a new process.
 */
#ifndef BID_CONNECTOR_H
#define BID_CONNECTOR_H

#include "net/cache.h"
#include "base/diag.h"

#define CONNECTOR_SECONDS 10                     /* most of one call */
#define CONNECTOR_MEMORY ((size_t)2 << 30)       /* bytes of its address space */
#define CONNECTOR_KEPT_MAX ((size_t)4 << 20)     /* bytes of an answer that is kept */
#define CONNECTOR_ANSWER_MAX ((size_t)256 << 20) /* bytes of what a call returns */

enum connector_function { CONNECTOR_DECLARE, CONNECTOR_STEP, CONNECTOR_ROW };

struct connector {
  char *name, *path;
  struct cache *kept;           /* where answers are kept, or NULL */
  char fingerprint[DIGEST_HEX]; /* of the connector's files and of what runs them */
  long pid;                     /* of its process, or 0 */
  int declares;                 /* that process answers CONNECTOR_DECLARE alone, or all but that */
  int socket;                   /* to it, or -1 */
};

/* Whether text can be a connector's name at all. */
int connector_name_ok(const char *name);

/* Path of NAME.jq in BID_CONNECTORS, the user's folder, the installed one.  0, or -1. */
int connector_find(const char *name, struct buf *path);

/* The names of all connectors, sorted, each once; freed by connector_names_free(). */
char **connector_names(size_t *count);
void connector_names_free(char **names, size_t count);

/* Opens a connector; kept (may be NULL) lives as long as it does. */
struct connector *connector_open(const char *name, const char *path, struct cache *kept);

/* Starts its process now, unless declare is among the kept answers. */
void connector_start(struct connector *c);
void connector_close(struct connector *c);

/* Calls a function with a JSON text and puts the JSON text that it returns into out (cleared first).  0, or
 * -1 with why. */
int connector_call(struct connector *c, enum connector_function f, struct slice input, struct buf *out,
                   struct error_text *why);

#endif

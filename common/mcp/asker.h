/* asker.h: one bid-search that stays, and is asked one question after the other; answers come in the order of
 * the questions.  It is started with the first question, and anew where it ended or the store changed since.
 */
#ifndef BID_ASKER_H
#define BID_ASKER_H

#include "mcp/child.h"

#include <sys/stat.h>

#define ASKER_WAITING 1024 /* questions without an answer at most */

/* The answer of a question, a line without its newline; empty where the program ended, and why says how. */
typedef void asker_answer(void *arg, void *tag, struct slice line, const char *why);

struct asker {
  struct child child;
  const char *path;  /* of bid-search */
  const char *store; /* file whose change makes it start anew */
  struct stat seen;  /* the store as it was at the start */
  void *waiting[ASKER_WAITING];
  size_t count;
  asker_answer *answer;
  void *arg;
};

/* path and store are kept by reference; path may be NULL. */
void asker_init(struct asker *a, const char *path, const char *store, asker_answer *answer, void *arg);
void asker_release(struct asker *a);

/* Asks; the record ends with a newline.  0, or -1 with e filled. */
int asker_ask(struct asker *a, struct slice record, void *tag, struct error_text *e);

/* A question whose answer is no longer wanted: its tag becomes NULL, and no answer is told. */
void asker_forget(struct asker *a, const void *tag);

/* Moves what can be moved and tells answers. */
void asker_step(struct asker *a);

#endif

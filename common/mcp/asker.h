/* asker.h: a persistent bid-search process that answers questions one after another; answers come in the order of the
 * questions.  It is started with the first question, and restarted if it ended or the store has changed. */
#ifndef BID_ASKER_H
#define BID_ASKER_H

#include "mcp/tool_child.h"

#include <sys/stat.h>

#define ASKER_WAITING 1024 /* limit of unanswered questions */

/* Called with the answer to a question, a line without its newline; empty where the program ended, with the reason in
 * why. */
typedef void asker_answer(void *arg, void *tag, struct slice line, const char *why);

struct asker {
  struct tool_child child;
  const char *path;  /* of bid-search */
  const char *store; /* file whose change causes a restart */
  struct stat seen;  /* state of the store at the start */
  void *waiting[ASKER_WAITING];
  size_t count;
  asker_answer *answer;
  void *arg;
};

/* path and store are kept by reference; path may be NULL. */
void asker_init(struct asker *a, const char *path, const char *store, asker_answer *answer, void *arg);
void asker_release(struct asker *a);

/* Sends a question; the record ends with a newline.  0, or -1 with e filled. */
int asker_ask(struct asker *a, struct slice record, void *tag, struct error_text *e);

/* Discards a question: its tag becomes NULL, and its answer is not delivered. */
void asker_forget(struct asker *a, const void *tag);

/* Does pending I/O without blocking and delivers answers. */
void asker_step(struct asker *a);

#endif

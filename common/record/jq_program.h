/* jq_program.h: jq programs over JSON texts.  The one module that knows libjq.
 *
 * libjq 1.6 holds numbers as doubles, reads at most 256 levels, and may loop or take all memory: who runs a program of
 * others does so in a child process with limits.
 */
#ifndef BID_JQ_PROGRAM_H
#define BID_JQ_PROGRAM_H

#include "base/buf.h"

struct jq_program;

/* Lasts as long as the process. */
struct jq_program *jq_program_new(void);

/* Where "include" and "import" look, and what relative paths begin at. */
void jq_program_set_folders(struct jq_program *p, const char *const *folders);

/* 0, or -1 with libjq's messages appended to why, separated by "; " (the first 400 bytes or so). */
int jq_program_compile(struct jq_program *p, const char *text, struct buf *why);

enum jq_result {
  JQ_ERROR = -1, /* why has the reason */
  JQ_NONE,       /* no result */
  JQ_FALSE,      /* false or null */
  JQ_TRUE        /* anything else */
};

/* The first result for a JSON text.  out (NULL where only its truth matters) and why, which may be the same, are cleared and
 * get the result as JSON or the reason of an error. */
enum jq_result jq_program_run(struct jq_program *p, struct slice input, struct buf *out, struct buf *why);

#endif

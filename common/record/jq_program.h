/* jq_program.h: jq programs over JSON texts.  The only module that uses libjq.
 *
 * libjq 1.6 stores numbers as doubles, parses at most 256 levels of nesting, and may loop or exhaust memory:
 * untrusted programs must be run in a child process with limits.
 */
#ifndef BID_JQ_PROGRAM_H
#define BID_JQ_PROGRAM_H

#include "base/buf.h"

struct jq_program;

/* An uncompiled program; never freed, it lives as long as the process. */
struct jq_program *jq_program_new(void);

/* The folders that "include" and "import" search and that relative paths start from; a list ended by NULL. */
void jq_program_set_folders(struct jq_program *p, const char *const *folders);

/* 0, or -1 with libjq's messages appended to why, separated by "; " and cut at about 400 bytes. */
int jq_program_compile(struct jq_program *p, const char *text, struct buf *why);

enum jq_result {
  JQ_ERROR = -1, /* see why */
  JQ_NONE,       /* no result */
  JQ_FALSE,      /* false or null */
  JQ_TRUE        /* anything else */
};

/* Runs the program on one JSON text.  out gets the first result as JSON (NULL where only its truth value matters),
 * why the reason of an error; both are cleared first and may be the same buffer. */
enum jq_result jq_program_run(struct jq_program *p, struct slice input, struct buf *out, struct buf *why);

#endif

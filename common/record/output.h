/* output.h: checked, buffered output to a descriptor.
 *
 * A failed write is remembered: later writes do nothing and output_close() says it.  EPIPE cannot be
 * seen, since SIGPIPE is left alone and ends the program quietly.
 */
#ifndef BID_OUTPUT_H
#define BID_OUTPUT_H

#include "base/buf.h"

#include <stdint.h>

struct output {
  int fd;
  struct buf buf; /* append here (json.h, record.h), then call output_flush_if_full() */
  int error;      /* errno of the first failed write, or 0 */
  uint64_t bytes; /* written so far */
  int to_terminal;
};

/* Widens a pipe's buffer where fd is one.  On a terminal a character that mask.h hides is written as \\uXXXX, which says the
 * same in a record: JSON forbids only those below U+0020 as they are. */
void output_init(struct output *o, int fd);
void output_printf(struct output *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Call at a record's end: writes once 128 KiB have gathered. */
void output_flush_if_full(struct output *o);

/* 0, or -1 with errno. */
int output_flush(struct output *o);

/* Flushes and frees.  0, or -1 with errno of the first failure. */
int output_close(struct output *o);

#endif

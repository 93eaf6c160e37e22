/* output.h: checked, buffered output to a descriptor.
 *
 * A failed write is remembered: later writes do nothing, and output_close() reports it.  EPIPE does not occur, since
 * SIGPIPE has its default action and ends the program quietly.
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
  int for_people; /* a terminal, or what the program prints for one: --human */
};

/* Enlarges the kernel's buffer where fd is a pipe.  For people, characters that mask.h masks are written as
 * \\uXXXX, which is equivalent in JSON: only those below U+0020 must be escaped. */
void output_init(struct output *o, int fd);
void output_printf(struct output *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes once 128 KiB have accumulated; call it at the end of a record. */
void output_flush_if_full(struct output *o);

/* 0, or -1 with errno. */
int output_flush(struct output *o);

/* Flushes and frees.  0, or -1 with errno of the first failure. */
int output_close(struct output *o);

#endif

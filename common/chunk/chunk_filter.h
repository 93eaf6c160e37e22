/* chunk_filter.h: the filter bid-chunk: document records in, chunk records out. */
#ifndef BID_CHUNK_FILTER_H
#define BID_CHUNK_FILTER_H

#include "base/buf.h"
#include "base/digest.h"
#include "chunk/chunker.h"
#include "record/program.h"

#include <stdint.h>

/* The fields that the filter reads, in its order; for program_each_record(). */
extern const char *const chunk_fields[];

struct chunk_filter {
  struct wordpiece_memo *tokenizer;
  struct chunker_options options;
  uint64_t documents, chunks, tokens, bytes; /* totals; bytes of text */
  struct buf own, prefix, context, sum;      /* of the current document */
};

void chunk_filter_init(struct chunk_filter *f, const struct wordpiece *tokenizer,
                       const struct chunker_options *o);
void chunk_filter_release(struct chunk_filter *f);

/* A record_function (arg: the filter) that chunks one document.  A record without text becomes an error record.  The
 * record must come from record_read(): its text is decoded in place. */
int chunk_filter_record(struct program *p, const struct record *rec, void *arg);

#endif

/* embed_filter.h: the filter bid-embed: copies records and adds their vectors. */
#ifndef BID_EMBED_FILTER_H
#define BID_EMBED_FILTER_H

#include "model/embed.h"
#include "record/program.h"
#include "record/resume.h"

struct embed_filter {
  struct embedder *model;
  enum embed_role role;
  int context;           /* prepend the record's "context" to its text */
  size_t batch;          /* records per batch; 0: as the model recommends */
  struct resume *resume; /* the results of an earlier run, or NULL */

  /* the rest is the filter's own */
  struct buf lines, texts; /* of the records collected */
  struct gathered *gathered;
  size_t count, cap;
  float *vectors;
  struct buf scratch;
  size_t truncated, skipped;
  int failed; /* the model failed: no more input is read */
};

/* Runs the filter over p's operands, including error reports and statistics. */
void embed_filter_run(struct program *p, struct embed_filter *f);

#endif

/* embed_filter.h: bid-embed's work: records in, the same records with their vectors out. */
#ifndef BID_EMBED_FILTER_H
#define BID_EMBED_FILTER_H

#include "model/embed.h"
#include "record/program.h"
#include "record/resume.h"

struct embed_filter {
  struct embedder *model;
  enum embed_role role;
  int context;           /* put the record's "context" before its text */
  size_t batch;          /* records embedded at once; 0: as the model likes */
  struct resume *resume; /* NULL, or what an earlier run already did */

  /* the rest is the filter's own */
  struct buf lines, texts; /* of the records gathered */
  struct gathered *gathered;
  size_t count, cap;
  float *vectors;
  struct buf scratch;
  size_t truncated, skipped;
  int failed; /* the model gave up: nothing more is read */
};

/* Runs the filter over p's operands, errors and statistics included. */
void embed_filter_run(struct program *p, struct embed_filter *f);

#endif

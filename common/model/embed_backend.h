/* embed_backend.h: what a kind of model gives to embed.c; programs use embed.h.
 *
 * A backend is made by one of the functions below, which return NULL with *e filled, and is freed by its own
 * close().  It puts this struct first in its own.
 */
#ifndef BID_EMBED_BACKEND_H
#define BID_EMBED_BACKEND_H

#include "model/embed.h"
#include "model/model.h"

struct embed_backend {
  int dimensions;
  size_t max_tokens;           /* 0: no limit */
  const char *label;           /* "NAME@FINGERPRINT", lives with the backend */
  struct wordpiece *tokenizer; /* NULL for a server; the backend's own */
  const char *category;        /* of the last failure; NULL: internal */
  size_t batch;                /* texts that encode() likes to be given at once */

  /* As embed_encode() says; uses at most `threads` threads. */
  int (*encode)(struct embed_backend *b, const struct slice *texts, size_t count, enum embed_role role,
                int threads, float *out, size_t *truncated, struct error_text *e);
  /* As embed_prepare() says; NULL where there is nothing to do. */
  int (*prepare)(struct embed_backend *b, struct error_text *e);
  void (*close)(struct embed_backend *b);
};

/* Both take over m and close it in the end, failure included.  dimensions: 0, or what was asked for. */
struct embed_backend *embed_static_open(struct model *m, int dimensions, struct error_text *e);
struct embed_backend *embed_bert_open(struct model *m, int dimensions, struct error_text *e);

/* A server at BID_EMBED_URL; name: what it calls the model, may be empty. */
struct embed_backend *embed_http_open(const char *name, int dimensions, struct error_text *e);

/* The same for questions alone, through bid-embed-http as a child, for programs without libcurl.  Its dimensions are the
 * server's own. */
struct embed_backend *embed_child_open(const char *name, int dimensions, struct error_text *e);

#endif

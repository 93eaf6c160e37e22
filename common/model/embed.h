/* embed.h: converts texts to vectors with any kind of model: the shipped static one, a BERT encoder, or an HTTP
 * server.
 *
 * A model is given as a path, as a name searched for in $BID_MODELS (for tests), in data/models of the source tree
 * and in the installed folder, or as "http" for BID_EMBED_URL ("http:NAME" where that server has several models).
 */
#ifndef BID_EMBED_H
#define BID_EMBED_H

#include "base/buf.h"
#include "base/diag.h"
#include "text/wordpiece.h"

#include <stddef.h>
#include <stdint.h>

struct embedder;
struct embed_backend;

enum embed_role { EMBED_PASSAGE, EMBED_QUERY };

struct embed_options {
  const char *model; /* NULL: BID_MODEL, else "bid-static" */
  int dimensions;    /* 0: the model's own; a static model can be truncated to 128 or 64 */
  int threads;       /* 0: all cores */
  int few;           /* only a few short texts: read and verify only the parts of the model file that they
                        need */
};

/* NULL with *e, for which the caller should exit with 78. */
struct embedder *embed_open(const struct embed_options *o, struct error_text *e);
void embed_close(struct embedder *m);

/* Another one of the same static model, which was not opened for few texts, for another thread; m must outlive it. */
struct embedder *embed_again(const struct embedder *m);

/* Finds out properties that only the model knows (a server's dimensions) and checks them before any text is sent.
 * Required once before embed_dimensions() and embed_encode() where the model is "http"; else does nothing.  0, or -1
 * with *e and embed_category(). */
int embed_prepare(struct embedder *m, struct error_text *e);

/* Whether `model` (NULL: BID_MODEL) is a server. */
int embed_is_http(const char *model);

int embed_dimensions(const struct embedder *m);
const char *
embed_name(const struct embedder *m); /* "bid-static@3f9a0c1e2b4d": name and fingerprint; lives as long as
                                         m */
size_t embed_batch(const struct embedder *m);                      /* recommended number of texts per call */
const struct wordpiece *embed_tokenizer(const struct embedder *m); /* NULL for HTTP */
int embed_is_static(const struct embedder *m);                     /* whether a text takes microseconds */

/* Encodes count texts into out[count][dimensions], each of length 1 (L2), in order; the result does not depend on the
 * batch or the number of threads.  truncated (may be NULL) is increased by the number of texts cut at the model's
 * maximum length.  A text without tokens gives a zero vector.  0, or -1 with *e. */
int embed_encode(struct embedder *m, const struct slice *texts, size_t count, enum embed_role role,
                 float *out, size_t *truncated, struct error_text *e);

/* Bytes of a text. */
struct embed_part {
  uint32_t start, end;
};

/* The first `dimensions` of a static model, a multiple of 64, for parts of one text as passages, without punctuation:
 * out[count][dimensions], not made length 1.  The parts ascend, and white space lies between them.  0, or -1 with *e. */
int embed_sum_parts(struct embedder *m, size_t dimensions, struct slice text, const struct embed_part *parts,
                    size_t count, float *out, struct error_text *e);

/* Category (error.h) of the last failure of embed_encode(): "internal" for a model file, derived from the answer for
 * a server. */
const char *embed_category(const struct embedder *m);

#endif

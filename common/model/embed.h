/* embed.h: text to vectors, whatever the model: the shipped static one, a BERT encoder, an HTTP server.
 *
 * A model is named by a path, by a name looked for in $BID_MODELS (a test's folder), data/models beside the
 * program's checkout, and the installed folder; or "http" for BID_EMBED_URL
 * ("http:NAME" where that server has several).
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

/* How a program reaches an embedding server: embed_http_open (with libcurl), embed_child_open (through bid-embed-http,
 * for questions) of embed_backend.h. */
typedef struct embed_backend *embed_server_open(const char *name, int dimensions, struct error_text *e);

enum embed_role { EMBED_PASSAGE, EMBED_QUERY };

struct embed_options {
  const char *model; /* NULL: BID_MODEL, else "bid-static" */
  int dimensions;    /* 0: the model's own; a static model can be cut to 128 or 64 */
  int threads;       /* 0: all cores */
  int few;           /* a few short texts will come: what of a model file they need is read, and checked for
                        damage, when they do; nothing else is */
  embed_server_open *server; /* NULL: this program can't reach one */
};

/* NULL with *e filled (status for the caller: 78). */
struct embedder *embed_open(const struct embed_options *o, struct error_text *e);
void embed_close(struct embedder *m);

/* Asks for what only the model itself knows (a server's dimensions), which is checked before any text is
 * sent. Needed once before embed_dimensions() and embed_encode() where embed_open() was given "http"; else it
 * does nothing.  0, or -1 with *e and embed_category(). */
int embed_prepare(struct embedder *m, struct error_text *e);

/* Whether `model` (NULL: BID_MODEL) is a server. */
int embed_is_http(const char *model);

int embed_dimensions(const struct embedder *m);
const char *
embed_name(const struct embedder *m); /* "bid-static@3f9a0c1e2b4d": name and fingerprint; lives with m */
size_t embed_max_tokens(const struct embedder *m);                 /* 0: no limit */
size_t embed_batch(const struct embedder *m);                      /* texts it likes to be given at once */
const struct wordpiece *embed_tokenizer(const struct embedder *m); /* NULL for HTTP */

/* Encodes count texts into out[count][dimensions], each of length 1 (L2), in order; the same input gives the
 * same bytes whatever the batch and thread count.  truncated (may be NULL) counts texts cut at the model's
 * length.  A text without any token yields a zero vector.  0, or -1 with *e. */
int embed_encode(struct embedder *m, const struct slice *texts, size_t count, enum embed_role role,
                 float *out, size_t *truncated, struct error_text *e);

/* Category (error.h) of the last failure of embed_encode(): "internal" for a model file, what a server's
 * answer means for HTTP. */
const char *embed_category(const struct embedder *m);

#endif

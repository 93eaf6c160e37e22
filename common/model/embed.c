/* embed.c: one interface to the kinds of models; batches go to the backend of the model. */
#include "model/embed.h"

#include "model/embed_backend.h"
#include "record/error.h"

#include <stdlib.h>
#include <unistd.h>

#define PATH_ROOM 8192

struct embedder {
  struct embed_backend *backend;
  int threads;
};

static const char *wanted(const struct embed_options *o) {
  const char *name = o->model && *o->model ? o->model : getenv("BID_MODEL");
  return name && *name ? name : "bid-static";
}

int embed_is_http(const char *model) {
  struct embed_options o = {.model = model};
  return strcmp(wanted(&o), "http") == 0 || strncmp(wanted(&o), "http:", 5) == 0;
}

static struct embed_backend *open_http(const struct embed_options *o, struct error_text *e) {
  const char *name = wanted(o) + strlen("http");
  return embed_http_open(*name ? name + 1 : name, o->dimensions, e);
}

static struct embed_backend *embed_open_model(struct model *m, const struct embed_options *o,
                                              struct error_text *e) {
  if (model_kind(m) == MODEL_STATIC)
    return embed_static_open(m, o->dimensions, e);
  if (model_kind(m) == MODEL_BERT && model_check_all(m, e) == 0)
    return embed_bert_open(m, o->dimensions, e);
  if (model_kind(m) != MODEL_BERT)
    error_set(e, "model %s: of a kind that this program cannot run", model_label(m));
  model_close(m);
  return NULL;
}

static struct embed_backend *embed_open_file(const struct embed_options *o, struct error_text *e) {
  struct buf path;
  struct model *m = NULL;
  buf_init(&path, PATH_ROOM);
  if (model_find(&path, wanted(o)) == 0)
    m = (o->few ? model_open_unchecked : model_open)(path.data, e);
  else
    error_set(e,
              "no model \"%s\": %s is not there; name a model file with --model or BID_MODEL, or fetch one "
              "as bid-embed(1) says",
              wanted(o), path.data ? path.data : "its file");
  buf_release(&path);
  return m ? embed_open_model(m, o, e) : NULL;
}

static int cores(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 ? (int)n : 1;
}

struct embedder *embed_open(const struct embed_options *o, struct error_text *e) {
  struct embed_backend *b = embed_is_http(o->model) ? open_http(o, e) : embed_open_file(o, e);
  if (!b)
    return NULL;
  struct embedder *m = xcalloc(1, sizeof *m);
  m->backend = b;
  m->threads = o->threads > 0 ? o->threads : cores();
  return m;
}

struct embedder *embed_again(const struct embedder *m) {
  struct embedder *other = xcalloc(1, sizeof *other);
  *other = (struct embedder){m->backend->again(m->backend), m->threads};
  return other;
}

void embed_close(struct embedder *m) {
  if (!m)
    return;
  m->backend->close(m->backend);
  free(m);
}

int embed_prepare(struct embedder *m, struct error_text *e) {
  return m->backend->prepare ? m->backend->prepare(m->backend, e) : 0;
}

int embed_dimensions(const struct embedder *m) {
  return m->backend->dimensions;
}

const char *embed_name(const struct embedder *m) {
  return m->backend->label;
}

size_t embed_batch(const struct embedder *m) {
  return m->backend->batch;
}

int embed_is_static(const struct embedder *m) {
  return m->backend->sum != NULL;
}

const struct wordpiece *embed_tokenizer(const struct embedder *m) {
  return m->backend->tokenizer;
}

int embed_encode(struct embedder *m, const struct slice *texts, size_t count, enum embed_role role,
                 float *out, size_t *truncated, struct error_text *e) {
  return m->backend->encode(m->backend, texts, count, role, m->threads, out, truncated, e);
}

int embed_sum_parts(struct embedder *m, size_t dimensions, struct slice text, const struct embed_part *parts,
                    size_t count, float *out, struct error_text *e) {
  return m->backend->sum(m->backend, dimensions, text, parts, count, out, e);
}

const char *embed_category(const struct embedder *m) {
  return m->backend->category ? m->backend->category : ERROR_INTERNAL;
}

#include "chroma/chroma_candidates.h"

#include "chroma/scratch_store.h"

#include <stdlib.h>

static int chroma_search_fault(struct search_fault *f, enum store_status status, const struct error_text *e) {
  f->category = store_category(status);
  f->status = store_exit_status(status);
  f->e = *e;
  return -1;
}

static void forget_answers(struct chroma_search *c) {
  for (size_t i = 0; i < c->answer_count; i++)
    chroma_call_release(&c->answers[i]);
  free(c->answers);
  free(c->answer_of);
  c->answers = NULL;
  c->answer_of = NULL;
  c->answer_count = 0;
  for (size_t i = 0; i < c->kept_count; i++)
    free(c->kept[i]);
  c->kept_count = 0;
}

static int chroma_search_ask(void *arg, const struct store_snapshot *snap, const struct search_wanted *w,
                             struct search_fault *f) {
  struct chroma_search *c = arg;
  struct error_text e;
  forget_answers(c); /* of a failed question */
  c->wish_count = 0;
  chroma_candidates_allow(c, snap, w->filter);
  enum store_status status = chroma_candidates_ask(c, w, &e);
  if (!status) {
    chroma_candidates_add_local(c, w->request);
    status = chroma_candidates_fetch(c, &e);
  }
  return status ? chroma_search_fault(f, status, &e) : 0;
}

static int chroma_search_put(void *arg, struct search_fault *f) {
  struct error_text e;
  enum store_status status = chroma_fill(arg, &e);
  forget_answers(arg);
  return status ? chroma_search_fault(f, status, &e) : 0;
}

static void open_local(struct chroma_search *c, const struct search_list *stores) {
  struct search_options o = {.stores = *stores, .many = 1};
  struct search_fault f;
  c->local = search_open(&o, &f); /* local stores are optional */
  c->words = c->local ? searcher_new(c->local) : NULL;
}

struct chroma_search *chroma_search_open(const char *address, const struct search_list *local,
                                         struct search_fault *f) {
  struct chroma_search *c = xcalloc(1, sizeof *c);
  struct error_text e;
  enum store_status status = chroma_open(&c->chroma, address, &e);
  if (!status)
    status = chroma_catalog_read(c->chroma, &c->known, &e);
  if (!status && c->known.count == 0) {
    error_set(
        &e, "%s: no collection there has documents of BID: bid-index --to or bid-store copy puts some there",
        chroma_name(c->chroma));
    status = STORE_MISSING;
  }
  c->allowed = xcalloc(c->known.count + 1, sizeof(struct chroma_known *));
  c->first = xcalloc(c->known.collections.count + 2, sizeof *c->first);
  if (!status)
    status = (c->folder = scratch_store_make(&e)) ? chroma_fill_catalog(c, &e) : STORE_IO;
  if (status) {
    chroma_search_fault(f, status, &e);
    chroma_search_close(c);
    return NULL;
  }
  open_local(c, local);
  c->remote = (struct search_remote){chroma_search_ask, chroma_search_put, c};
  return c;
}

void chroma_search_close(struct chroma_search *c) {
  if (!c)
    return;
  forget_answers(c);
  searcher_free(c->words);
  search_close(c->local);
  chroma_catalog_release(&c->known);
  scratch_store_remove(c->folder);
  chroma_close(c->chroma);
  free(c->wishes);
  free(c->allowed);
  free(c->first);
  free(c->touched);
  free(c->kept);
  free(c);
}

const char *chroma_search_store(const struct chroma_search *c) {
  return c->folder;
}

const struct search_remote *chroma_search_remote(struct chroma_search *c) {
  return &c->remote;
}

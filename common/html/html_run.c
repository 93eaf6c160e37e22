/* html_run.c: the cache of runs, html_run.h.  The acts of a run being recorded are appended after those in use, which
 * grow when it is complete. */
#include "html/html_run.h"

#include <stdlib.h>

static void forget_all(struct html_known_runs *k) {
  memset(k->slots, 0, sizeof k->slots);
  k->used = 0;
}

/* Makes room for another run. */
static void html_run_make_room(struct html_known_runs *k) {
  if (k->used + RUN_LENGTH <= k->cap)
    return;
  if (k->cap == RUN_ACTS) {
    forget_all(k);
    return;
  }
  k->cap = k->cap ? 2 * k->cap : RUN_ACTS / 16;
  k->acts = xreallocarray(k->acts, k->cap, sizeof *k->acts);
}

void html_run_release(struct html_known_runs *k) {
  free(k->acts);
}

const struct html_run_act *html_run_find(struct html_known_runs *k, struct slice run, uint64_t hash,
                                         size_t *count) {
  const struct html_known_run *r = &k->slots[hash % RUN_SLOTS];
  if (r->hash == hash && r->len == run.len && r->count) {
    *count = r->count;
    return &k->acts[r->first];
  }
  html_run_make_room(k);
  k->behind = run.data + run.len;
  k->hash = hash;
  k->len = run.len;
  k->count = 0;
  k->noting = 1;
  return NULL;
}

struct html_run_act *html_run_note(struct html_known_runs *k) {
  if (k->noting && k->count < RUN_LENGTH)
    return &k->acts[k->used + k->count++];
  k->noting = 0;
  return NULL;
}

void html_run_drop(struct html_known_runs *k, const char *at) {
  k->noting = 0;
  k->behind = at;
}

void html_run_done(struct html_known_runs *k, const char *at) {
  if (k->noting && at == k->behind && k->count) {
    k->slots[k->hash % RUN_SLOTS] =
        (struct html_known_run){k->hash, (uint32_t)k->used, (uint16_t)k->len, (uint16_t)k->count};
    k->used += k->count;
  }
  k->noting = 0;
}

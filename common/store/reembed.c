#include "store/reembed.h"

#include "store/indexer.h"
#include "base/child.h"
#include "record/json.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { SAMPLES = 50, NEIGHBOURS = 10 };

/* ---- the pipeline: bid-store dump | bid-embed | this process ---- */

/* Starts argv with these descriptors as stdin and stdout.  -1 with errno. */
static pid_t reembed_start(const char *path, char *const *argv, int in, int out) {
  posix_spawn_file_actions_t actions;
  pid_t pid;
  posix_spawn_file_actions_init(&actions);
  if (in >= 0)
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  int rc = posix_spawnp(&pid, path, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  errno = rc;
  return rc ? -1 : pid;
}

static int finished_well(pid_t pid) {
  int status = -1;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct children {
  pid_t dump, embed;
  int out; /* output of bid-embed */
};

static int start_children(struct children *c, const struct store *s, const char *name, const char *model) {
  int first[2] = {-1, -1}, second[2] = {-1, -1};
  char store[PATH_MAX], embed[PATH_MAX];
  struct buf option;
  buf_init(&option, 8192);
  child_path("bid-store", store);
  child_path("bid-embed", embed);
  buf_printf(&option, "--model=%s", model);
  char *dump_argv[] = {store, (char[]){"--plain"}, (char[]){"-c"}, (char *)(uintptr_t)name, (char[]){"dump"},
                       NULL};
  char *embed_argv[] = {embed, option.data, NULL};
  c->dump = c->embed = -1;
  setenv("BID_STORE", store_path(s), 1);
  if (pipe2(first, O_CLOEXEC) == 0 && pipe2(second, O_CLOEXEC) == 0) {
    c->dump = reembed_start(store, dump_argv, -1, first[1]);
    c->embed = reembed_start(embed, embed_argv, first[0], second[1]);
  }
  int wrong = errno;
  close(first[0]);
  close(first[1]);
  close(second[1]);
  c->out = second[0];
  buf_release(&option);
  errno = wrong;
  return c->dump < 0 || c->embed < 0 ? -1 : 0;
}

/* Fills the second generation.  0, or -1 where part of it failed. */
static int reembed_fill(struct program *p, struct store *s, const char *name, const char *second,
                        const char *model) {
  struct children c;
  struct indexer_options o = {.collection = second, .silent = 1};
  uint64_t errors = p->errors;
  int rc = start_children(&c, s, name, model);
  if (rc)
    diag_errno("bid-embed");
  if (!rc && dup2(c.out, STDIN_FILENO) < 0)
    rc = -1;
  close(c.out);
  if (!rc) {
    p->operand_count = 0;
    struct indexer *x = indexer_new(p, s, &o);
    rc = indexer_run(x);
    indexer_free(x);
  }
  close(STDIN_FILENO);
  open("/dev/null", O_RDONLY);
  int dumped = c.dump < 0 || finished_well(c.dump), embedded = c.embed < 0 || finished_well(c.embed);
  return rc || !dumped || !embedded || p->errors > errors ? -1 : 0;
}

/* ---- comparing the generations ---- */

struct passage {
  uint8_t id[16];
  uint32_t segment, row;
};

static int reembed_by_id(const void *a, const void *b) {
  return memcmp(((const struct passage *)a)->id, ((const struct passage *)b)->id, 16);
}

struct generation {
  struct passage *list; /* by id */
  size_t count;
  struct vector_part *parts; /* one per segment that contains passages of it */
  struct store_selection *selections;
  size_t part_count;
  const struct store_segment *segments;
  uint32_t *segment_of_part;
};

static void load_generation(const struct store_snapshot *snap, uint32_t collection, struct generation *g) {
  struct store_filter f = {.collections = &collection, .collection_count = 1};
  size_t n = store_segments(snap, &g->segments), cap = 0;
  g->parts = xcalloc(n + 1, sizeof *g->parts);
  g->selections = xcalloc(n + 1, sizeof *g->selections);
  g->segment_of_part = xcalloc(n + 1, sizeof *g->segment_of_part);
  for (size_t i = 0; i < n; i++) {
    struct store_selection *sel = &g->selections[g->part_count];
    const struct store_segment *seg = &g->segments[i];
    store_select(seg, &f, sel);
    if (!sel->count)
      continue;
    g->segment_of_part[g->part_count] = (uint32_t)i;
    g->parts[g->part_count++] = (struct vector_part){&seg->vectors, sel->from, sel->to, sel->bits};
    for (uint32_t r = sel->from; r < sel->to; r++) {
      if (!store_selected(sel, r))
        continue;
      if (g->count == cap) {
        cap = cap ? cap * 2 : 1024;
        g->list = xreallocarray(g->list, cap, sizeof *g->list);
      }
      struct passage *p = &g->list[g->count++];
      memcpy(p->id, store_row_id(seg, r), 16);
      p->segment = (uint32_t)i;
      p->row = r;
    }
  }
  if (g->list)
    qsort(g->list, g->count, sizeof *g->list, reembed_by_id);
}

static void free_generation(struct generation *g) {
  for (size_t i = 0; i < g->part_count; i++)
    store_selection_release(&g->selections[i]);
  free(g->selections);
  free(g->parts);
  free(g->list);
  free(g->segment_of_part);
}

/* Ids of the nearest neighbours of a passage in its generation. */
static size_t neighbours(const struct generation *g, const struct passage *p, uint8_t ids[NEIGHBOURS][16]) {
  float x[VECTOR_DIMS_MAX];
  struct vector_hit hits[NEIGHBOURS];
  struct vector_query q = {.query = x, .k = NEIGHBOURS, .how = VECTOR_PRUNED};
  vector_restore(&g->segments[p->segment].vectors, p->row, x);
  size_t n = vector_search(g->parts, g->part_count, &q, hits);
  for (size_t i = 0; i < n; i++)
    memcpy(ids[i], store_row_id(&g->segments[g->segment_of_part[hits[i].part]], hits[i].row), 16);
  return n;
}

static size_t common_ids(uint8_t a[NEIGHBOURS][16], size_t n, uint8_t b[NEIGHBOURS][16], size_t m) {
  size_t same = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m; k++)
      same += memcmp(a[i], b[k], 16) == 0;
  return same;
}

/* The share of the ten neighbours on which both generations agree, over a sample of passages. */
static double reembed_compare(const struct generation *a, const struct generation *b) {
  size_t same = 0, all = 0, step = a->count / SAMPLES + 1;
  for (size_t i = 0; i < a->count; i += step) {
    uint8_t x[NEIGHBOURS][16], y[NEIGHBOURS][16];
    const struct passage *twin = bsearch(&a->list[i], b->list, b->count, sizeof *b->list, reembed_by_id);
    if (!twin)
      continue;
    size_t n = neighbours(a, &a->list[i], x), m = neighbours(b, twin, y);
    same += common_ids(x, n, y, m);
    all += n;
  }
  return all ? (double)same / (double)all : 0;
}

static enum store_status reembed_report(struct program *p, struct store *s, const char *name,
                                        const char *second, int *complete, struct error_text *e) {
  struct store_snapshot *snap;
  struct generation old = {0}, fresh = {0};
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  const struct store_collection *a = store_collection(snap, name), *b = store_collection(snap, second);
  *complete = a && b && a->passages == b->passages && a->documents == b->documents;
  if (a && b) {
    struct buf *out = &p->out.buf;
    load_generation(snap, a->id, &old);
    load_generation(snap, b->id, &fresh);
    buf_add_char(out, '{');
    json_cstr(out, "collection", name);
    json_cstr(out, "from", a->model);
    json_cstr(out, "to", b->model);
    json_uint(out, "passages", a->passages);
    json_uint(out, "reembedded", b->passages);
    json_double(out, "sharedNeighbours", reembed_compare(&old, &fresh));
    buf_add(out, "}\n", 2);
    free_generation(&old);
    free_generation(&fresh);
  }
  store_snapshot_end(snap);
  return STORE_OK;
}

static int is_of(void *arg, const struct store_segment *seg, uint32_t doc) {
  return seg->doc[doc].collection == *(const uint32_t *)arg;
}

static void drop_second(struct store *s, const char *second) {
  struct store_snapshot *snap;
  struct error_text e;
  uint64_t documents, passages;
  uint32_t id = 0;
  if (store_snapshot_begin(s, &snap, &e))
    return;
  const struct store_collection *c = store_collection(snap, second);
  if (c)
    id = c->id;
  store_snapshot_end(snap);
  if (id)
    store_remove(s, &(struct store_removal){.takes = is_of, .arg = &id}, &documents, &passages, &e);
}

enum store_status reembed_collection(struct program *p, struct store *s, const char *name, const char *model,
                                     struct error_text *e) {
  char second[STORE_NAME_MAX + 2];
  struct store_mark before;
  int complete = 0;
  snprintf(second, sizeof second, "~%s", name);
  drop_second(s, second);
  enum store_status status = store_mark(s, name, &before, e);
  if (status)
    return status;
  int failed = reembed_fill(p, s, name, second, model);
  if (!failed)
    status = reembed_report(p, s, name, second, &complete, e);
  if (!status && !failed && complete && (status = store_rename(s, second, name, &before, e)) == STORE_OK)
    return STORE_OK;
  drop_second(s, second);
  if (!status) {
    error_set(e, "%s: not everything could be embedded: it stays as it was", name);
    status = STORE_IO;
  }
  return status;
}

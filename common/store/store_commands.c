/* store_commands.c: the commands of bid-store, but for those that print passages (store_dump.c). */
#include "store/store_commands.h"
#include "base/helper.h"
#include "base/clock.h"
#include "base/diag.h"
#include "record/error.h"
#include "record/json.h"
#include "record/program.h"
#include "store/indexer.h"
#include "store/store.h"
#include "store/store_dump.h"
#include "store/store_subset.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- reports the contents of the store, as records or for display ---- */

static void report_collection(struct buf *out, const struct store_collection *c) {
  char updated[CLOCK_TEXT];
  clock_format(c->updated, updated);
  buf_add_char(out, '{');
  json_cstr(out, "collection", c->name);
  json_cstr(out, "model", c->model);
  json_uint(out, "dimensions", c->dims);
  json_uint(out, "documents", c->documents);
  json_uint(out, "passages", c->passages);
  json_cstr(out, "updated", updated);
  buf_add(out, "}\n", 2);
}

/* Prints a line per selected collection; returns their number. */
static size_t store_report_collections(struct program *p, const struct store_snapshot *snap,
                                       const struct store_subset *sel) {
  const struct store_collection *c;
  size_t n = store_collections(snap, &c), shown = 0;
  for (size_t i = 0; i < n; i++) {
    if (!store_subset_has(sel, c[i].name))
      continue;
    shown++;
    if (p->people)
      buf_printf(&p->out.buf, "%-40s %8llu document%-1s %10llu passages  %s\n", c[i].name,
                 (unsigned long long)c[i].documents, c[i].documents == 1 ? "" : "s",
                 (unsigned long long)c[i].passages, c[i].model);
    else
      report_collection(&p->out.buf, &c[i]);
    output_flush_if_full(&p->out);
  }
  return shown;
}

static void report_models(struct buf *out, const struct store_snapshot *snap) {
  const struct store_collection *c;
  size_t n = store_collections(snap, &c);
  json_key(out, "models");
  buf_add_char(out, '{');
  for (size_t i = 0; i < n; i++) {
    uint64_t passages = 0;
    int before = 0;
    for (size_t k = 0; k < n; k++)
      if (strcmp(c[k].model, c[i].model) == 0) {
        passages += c[k].passages;
        before |= k < i;
      }
    if (before)
      continue;
    if (out->data[out->len - 1] != '{')
      buf_add_char(out, ',');
    json_add_cstr(out, c[i].model);
    buf_printf(out, ":{\"passages\":%llu,\"dimensions\":%u,\"sketchCandidates\":%zu}",
               (unsigned long long)passages, c[i].dims, store_sketch_candidates(snap, c[i].model));
  }
  buf_add_char(out, '}');
}

/* Prints a size as "1,234,567" with its label and unit. */
static void report_size(struct buf *out, const char *what, uint64_t n, const char *unit) {
  char digits[32], grouped[48];
  int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), k = 0;
  for (int i = 0; i < len; i++) {
    if (i > 0 && (len - i) % 3 == 0)
      grouped[k++] = ',';
    grouped[k++] = digits[i];
  }
  grouped[k] = '\0';
  buf_printf(out, "  %-18s %16s%s\n", what, grouped, unit);
}

static void report_sizes_people(struct buf *out, const char *path, size_t collections,
                                const struct store_sizes *z) {
  buf_add_masked(out, slice_str(path));
  buf_add_char(out, '\n');
  report_size(out, "collections", collections, "");
  report_size(out, "documents", z->documents, "");
  report_size(out, "passages", z->passages, "");
  report_size(out, "removed passages", z->dead,
              z->dead > z->passages / 4 ? "  (bid-store compact gives their room back)" : "");
  report_size(out, "size", z->file, " bytes");
  report_size(out, "  texts", z->texts, "");
  report_size(out, "  vectors", z->vectors + z->sketches, "");
  report_size(out, "  postings", z->postings, "");
  report_size(out, "  free", z->free_bytes, "");
}

static void report_sizes_record(struct buf *out, const struct store *s, const struct store_snapshot *snap,
                                const struct store_sizes *z) {
  const struct store_collection *c;
  buf_add_char(out, '{');
  json_cstr(out, "path", store_path(s));
  json_uint(out, "collections", store_collections(snap, &c));
  json_uint(out, "documents", z->documents);
  json_uint(out, "passages", z->passages);
  json_uint(out, "removedPassages", z->dead);
  json_uint(out, "segments", z->segments);
  json_uint(out, "bytes", z->file);
  json_uint(out, "bytesFree", z->free_bytes);
  json_uint(out, "bytesTexts", z->texts);
  json_uint(out, "bytesVectors", z->vectors);
  json_uint(out, "bytesSketches", z->sketches);
  json_uint(out, "bytesPostings", z->postings);
  json_uint(out, "bytesColumns", z->columns);
  json_double(out, "bytesPerPassage", z->passages ? (double)z->file / (double)z->passages : 0);
  report_models(out, snap);
  buf_add(out, "}\n", 2);
}

/* Prints sizes of the whole store, and the number of passages per model. */
static enum store_status store_report_sizes(struct program *p, const struct store *s,
                                            struct store_snapshot *snap, struct error_text *e) {
  struct store_sizes z;
  const struct store_collection *c;
  enum store_status status = store_measure(snap, &z, e);
  if (status)
    return status;
  if (p->people)
    report_sizes_people(&p->out.buf, store_path(s), store_collections(snap, &c), &z);
  else
    report_sizes_record(&p->out.buf, s, snap, &z);
  return STORE_OK;
}

/* ---- computes a collection's vectors anew with another model and switches to them at the end ---- */

enum { SAMPLES = 50, NEIGHBOURS = 10 };

/* ---- the pipeline: bid-store dump | bid-embed | this process ---- */

static int finished_well(pid_t pid) {
  int status = helper_wait(pid);
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
  helper_path("bid-store", store);
  helper_path("bid-embed", embed);
  buf_printf(&option, "--model=%s", model);
  const char *dump_argv[] = {store, "--plain", "-c", name, "dump", NULL},
             *embed_argv[] = {embed, option.data, NULL};
  c->dump = c->embed = -1;
  setenv("BID_STORE", store_path(s), 1);
  if (pipe2(first, O_CLOEXEC) == 0 && pipe2(second, O_CLOEXEC) == 0) {
    c->dump = helper_spawn(dump_argv, STDIN_FILENO, first[1], STDERR_FILENO);
    c->embed = helper_spawn(embed_argv, first[0], second[1], STDERR_FILENO);
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
  struct indexer_options o = {.collection = second, .silent = 1, .partial = 1};
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
  size_t n = store_segments(snap, &g->segments);
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
      g->list = xgrow(g->list, g->count, sizeof *g->list);
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

/* Pipes the passages of the collection through "bid-embed --model=MODEL" (from this program's folder, else PATH) into
 * a second generation that searches don't see.  Compares the generations (one record on p->out: number of passages in
 * both, and how many of the ten nearest neighbours of sample passages they share) and switches in one transaction,
 * which also drops the old one.  On any failure the old generation stays and the second is dropped. */
static enum store_status reembed_collection(struct program *p, struct store *s, const char *name,
                                            const char *model, struct error_text *e) {
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

/* ---- filters out payloads that the store already has ---- */

struct unseen {
  struct store *store;
  const struct store_snapshot
      *snap; /* for this record only: the store may be written during a slow pipeline */
  struct buf url, sha, document;
  FILE *listed;      /* gets the URLs of all payloads; NULL: none */
  int names_company; /* the record does */
  uint64_t known;
};

static const char *const fields[] = {"sourceUrl", "sha256", "entity", NULL};
enum { URL, SHA256, ENTITY };

/* Whether a document says whose it is. */
static int has_company(struct slice document) {
  return json_kind(json_get(document, "entity")) == '{' ||
         json_kind(json_get(json_get(document, "metadata"), "company")) == '"';
}

/* Whether the document at this URL was made from the same bytes; one that nobody has said the company of, and that has one now, is
 * another one. */
static int same_bytes(struct unseen *u, const struct store_segment *seg, uint32_t doc, struct slice sha) {
  struct error_text e;
  struct buf scratch;
  buf_clear(&u->document);
  if (store_get_document(u->snap, seg->doc[doc].id, &u->document, &e) != STORE_OK)
    return 0;
  buf_init(&scratch, 4096);
  int same = slice_eq(json_text(json_get(buf_slice(&u->document), "sha256"), &scratch), sha);
  buf_release(&scratch);
  if (u->names_company && !has_company(buf_slice(&u->document)))
    return 0;
  return same;
}

static int is_known(struct unseen *u, struct slice url, struct slice sha) {
  const struct store_collection *list;
  const struct store_segment *seg;
  struct error_text e;
  uint32_t doc;
  size_t n = store_collections(u->snap, &list);
  for (size_t i = 0; i < n; i++)
    if (store_find_document(u->snap, list[i].id, url, &seg, &doc, &e) == STORE_OK &&
        same_bytes(u, seg, doc, sha))
      return 1;
  return 0;
}

static int unseen_ask(struct unseen *u, struct slice url, struct slice sha) {
  struct store_snapshot *snap;
  struct error_text e;
  if (!u->store || !url.len || !sha.len || store_snapshot_begin(u->store, &snap, &e))
    return 0;
  u->snap = snap;
  int known = is_known(u, url, sha);
  store_snapshot_end(snap);
  return known;
}

static int pass_unseen(struct program *p, const struct record *rec, void *arg) {
  struct unseen *u = arg;
  if (u->listed && json_kind(rec->field[URL]) == '"')
    fprintf(u->listed, "%.*s\n", (int)rec->field[URL].len, rec->field[URL].data);
  struct slice url = json_text(rec->field[URL], &u->url), sha = json_text(rec->field[SHA256], &u->sha);
  u->names_company = json_kind(rec->field[ENTITY]) == '{';
  if (unseen_ask(u, url, sha)) {
    u->known++;
    return 0;
  }
  buf_add_slice(&p->out.buf, rec->line);
  buf_add_char(&p->out.buf, '\n');
  return 0;
}

/* Copies payload records from the program's operands except those whose sourceUrl is in the store with the same
 * sha256, which are counted (--stats: "known").  Records without either field are copied.  s may be NULL where there
 * is no store yet: everything is copied. */
static enum store_status unseen_run(struct program *p, struct store *s, const char *listed,
                                    struct error_text *e) {
  struct unseen u = {.store = s};
  if (listed && !(u.listed = fopen(listed, "we"))) {
    error_set(e, "%s: %s", listed, strerror(errno));
    return STORE_IO;
  }
  buf_init(&u.url, RECORD_MAX);
  buf_init(&u.sha, RECORD_MAX);
  buf_init(&u.document, RECORD_MAX);
  program_each_record(p, fields, pass_unseen, &u);
  program_stat(p, "known", (double)u.known);
  buf_release(&u.url);
  buf_release(&u.sha);
  buf_release(&u.document);
  if (u.listed && fclose(u.listed)) {
    error_set(e, "%s: %s", listed, strerror(errno));
    return STORE_IO;
  }
  return STORE_OK;
}

/* ---- store_commands ---- */

enum store_status store_command_list(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e) {
  struct store_snapshot *snap;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  if (store_report_collections(p, snap, &call->subset) == 0)
    program_nothing(p, call->subset.collections.count
                           ? "no collection matches; bid-store ls without -c lists all"
                           : "the store is empty");
  store_snapshot_end(snap);
  return STORE_OK;
}

enum store_status store_command_stat(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e) {
  struct store_snapshot *snap;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  (void)call;
  if (status)
    return status;
  status = store_report_sizes(p, s, snap, e);
  store_snapshot_end(snap);
  return status;
}

enum store_status store_command_remove(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e) {
  uint64_t documents = 0, passages = 0;
  enum store_status status = store_subset_remove(s, &call->subset, &documents, &passages, e);
  if (!status && p->people)
    buf_printf(&p->out.buf, "removed %llu documents with %llu passages\n", (unsigned long long)documents,
               (unsigned long long)passages);
  if (!status && documents == 0)
    program_nothing(p, "nothing matches: no document was removed");
  if (!status && !p->people) {
    buf_add_char(&p->out.buf, '{');
    json_uint(&p->out.buf, "documents", documents);
    json_uint(&p->out.buf, "removed", passages);
    buf_add(&p->out.buf, "}\n", 2);
  }
  return status;
}

enum store_status store_command_dump(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e) {
  struct store_snapshot *snap;
  uint32_t *ids;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  size_t count = store_subset_ids(&call->subset, snap, &ids);
  unsigned flags = call->plain ? 0 : DUMP_VECTORS | DUMP_STORE;
  status = call->format.given ? store_dump_rows(snap, ids, count, &call->rows, &p->out, e)
                              : store_dump(snap, ids, count, flags, &p->out, e);
  if (!count)
    program_nothing(p, "no collection matches; bid-store ls without -c lists all");
  free(ids);
  store_snapshot_end(snap);
  return status;
}

enum store_status store_command_load(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e) {
  struct indexer_options loading = {.restore = 1, .partial = call->partial, .older = call->older};
  (void)e;
  struct indexer *x = indexer_new(p, s, &loading);
  indexer_run(x);
  indexer_free(x);
  return STORE_OK;
}

static void store_command_fault(void *arg, const char *fault) {
  struct program *p = arg;
  diag_warn("%s", fault);
  p->errors++;
}

enum store_status store_command_verify(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e) {
  enum store_status status = store_verify(s, store_command_fault, p, e);
  (void)call;
  if (!status && p->people && !p->quiet)
    buf_add_str(&p->out.buf, "every block, passage and posting is as it was written\n");
  return status;
}

enum store_status store_command_backup(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e) {
  enum store_status status = store_backup(s, p->operands[0], e);
  (void)call;
  if (!status && p->people && !p->quiet) {
    buf_add_str(&p->out.buf, "copied to ");
    buf_add_masked(&p->out.buf, slice_str(p->operands[0]));
    buf_add_char(&p->out.buf, '\n');
  }
  return status;
}

enum store_status store_command_compact(struct program *p, struct store *s, const struct store_call *call,
                                        struct error_text *e) {
  uint64_t before = 0, after = 0;
  enum store_status status = store_compact(s, &before, &after, e);
  (void)call;
  if (status)
    return status;
  if (p->people) {
    buf_printf(&p->out.buf, "%.1f MB before, %.1f MB now\n", (double)before / 1e6, (double)after / 1e6);
    return STORE_OK;
  }
  buf_add_char(&p->out.buf, '{');
  json_uint(&p->out.buf, "before", before);
  json_uint(&p->out.buf, "after", after);
  buf_add(&p->out.buf, "}\n", 2);
  return STORE_OK;
}

/* Without a store, everything is unseen. */
enum store_status store_command_unseen(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e) {
  return unseen_run(p, s, call->listed, e);
}

enum store_status store_command_reembed(struct program *p, struct store *s, const struct store_call *call,
                                        struct error_text *e) {
  struct store_snapshot *snap;
  const struct store_collection *c;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  size_t n = store_collections(snap, &c), count = 0;
  char **names = xcalloc(n + 1, sizeof *names);
  for (size_t i = 0; i < n; i++)
    if (store_subset_has(&call->subset, c[i].name))
      names[count++] = xstrdup(c[i].name);
  store_snapshot_end(snap);
  if (!count)
    program_nothing(p, "no collection matches; bid-store ls without -c lists all");
  for (size_t i = 0; i < count; i++) {
    if (!status)
      status = reembed_collection(p, s, names[i], call->model, e);
    free(names[i]);
  }
  free(names);
  return status;
}

/* ---- merge ---- */

static void show_absorbed(struct program *p, const char *path, const struct store_absorbed *a) {
  struct buf *out = &p->out.buf;
  if (p->people) {
    buf_add_masked(out, slice_str(path));
    buf_printf(
        out,
        ": %llu documents with %llu passages; %llu replaced another version, %llu were there, %llu older\n",
        (unsigned long long)a->documents, (unsigned long long)a->passages, (unsigned long long)a->replaced,
        (unsigned long long)a->unchanged, (unsigned long long)a->older);
    return;
  }
  buf_add_char(out, '{');
  json_cstr(out, "from", path);
  json_uint(out, "documents", a->documents);
  json_uint(out, "passages", a->passages);
  json_uint(out, "replaced", a->replaced);
  json_uint(out, "unchanged", a->unchanged);
  json_uint(out, "older", a->older);
  buf_add_str(out, "}\n");
}

static enum store_status merge_from(struct program *p, struct store *s, const char *path, double wait,
                                    struct error_text *e) {
  struct store_options o = {.path = path, .wait = wait};
  struct store_absorbed sum;
  struct store *from;
  if (store_is_at(s, path)) {
    error_set(e, "%s: is the store that is merged into", path);
    return STORE_IO;
  }
  enum store_status status = store_open(&from, &o, e);
  if (status)
    return status;
  status = store_absorb(s, from, &sum, e);
  store_close(from);
  if (!status)
    show_absorbed(p, path, &sum);
  return status;
}

enum store_status store_command_merge(struct program *p, struct store *s, const struct store_call *call,
                                      struct error_text *e) {
  enum store_status status = STORE_OK;
  for (int i = 1; i < p->operand_count && !status; i++)
    status = merge_from(p, s, p->operands[i], call->wait, e);
  struct error_text later;
  enum store_status end = store_absorb_end(s, status ? &later : e);
  return status ? status : end;
}

/* ---- selecting a command ---- */

static const struct store_command *store_command_find(const struct store_command *list, const char *name) {
  for (; list->name; list++)
    if (strcmp(list->name, name) == 0)
      return list;
  return NULL;
}

static int store_command_unknown(const struct program *p, const struct store_command *commands) {
  size_t n = 0;
  if (p->operand_count == 0)
    return program_usage(p->spec, "a command is missing");
  while (commands[n].name)
    n++;
  const char **names = xcalloc(n + 1, sizeof *names);
  for (size_t i = 0; i < n; i++)
    names[i] = commands[i].name;
  int status = program_usage_unknown(p->spec, "command", p->operands[0], names);
  free(names);
  return status;
}

/* Sets the format of rows; 0, or the status of a usage error. */
static int store_call_check_rows(const struct program *p, struct store_call *call) {
  static const char *const forms[] = {"", "base64", "floats"};
  size_t i = 0;
  while (call->vectors && i < 3 && strcmp(call->vectors, forms[i]) != 0)
    i++;
  if (i == 3)
    return program_usage(p->spec, "--vectors: '%s' is neither base64 nor floats", call->vectors);
  call->rows.vectors = call->vectors == NULL ? ROWS_NO_VECTORS : i == 2 ? ROWS_FLOATS : ROWS_BASE64;
  call->rows.csv = call->format.chosen == STORE_ROWS_CSV;
  if (call->rows.vectors == ROWS_FLOATS && !call->format.given)
    return program_usage(p->spec, "--vectors=floats needs --format=ndjson or --format=csv");
  return 0;
}

/* Whether a command takes this number of operands. */
static int store_command_takes(const struct store_command *c, int given) {
  if (c->operands >= 0)
    return given == c->operands;
  if (c->operands == STORE_OPERANDS_TWO_AT_MOST)
    return given <= 2;
  return c->operands == STORE_OPERANDS_ANY || given >= (c->operands == STORE_OPERANDS_PAIR ? 2 : 1);
}

static int store_command_operands(const struct program *p, const struct store_command *c) {
  int given = p->operand_count - 1;
  if (c->named && given == 0)
    return program_usage(p->spec, "%s needs %s", c->name, c->named);
  if (c->named)
    return program_usage(p->spec, "%s takes %s, not %d operand%s", c->name, c->named, given,
                         given == 1 ? "" : "s");
  return program_usage(p->spec, "%s takes no operand '%s'%s", c->name, p->operands[1],
                       c->flags & STORE_COMMAND_NEEDS_SUBSET ? ": --collection, --url or --company say which"
                                                             : "");
}

static int store_call_check(const struct program *p, const struct store_command *c, struct store_call *call) {
  const struct store_subset *sel = &call->subset;
  if (!store_command_takes(c, p->operand_count - 1))
    return store_command_operands(p, c);
  if (c->flags & STORE_COMMAND_NEEDS_SUBSET && !sel->collections.count && !sel->urls.count &&
      !sel->companies.count)
    return program_usage(p->spec, "%s needs --collection, --url or --company", c->name);
  if (!(c->flags & STORE_COMMAND_NEEDS_SUBSET) && (sel->urls.count || sel->companies.count))
    return program_usage(p->spec, "%s takes no %s: only rm does; -c names collections%s%s", c->name,
                         sel->urls.count ? "--url" : "--company", c->named ? ", operands are " : "",
                         c->named ? c->named : "");
  if (c->flags & STORE_COMMAND_NEEDS_MODEL && !call->model)
    return program_usage(p->spec, "%s needs --model", c->name);
  return store_call_check_rows(p, call);
}

int store_commands_run(struct program *p, const struct store_command *commands, struct store_call *call) {
  struct store *s = NULL;
  struct error_text e;
  const struct store_command *c = p->operand_count ? store_command_find(commands, p->operands[0]) : NULL;
  int usage = c ? store_call_check(p, c, call) : store_command_unknown(p, commands);
  if (usage != 0)
    return usage;
  p->operands++;
  p->operand_count--;
  struct store_options o = {.path = c->flags & STORE_COMMAND_NAMES_STORE ? p->operands[0] : NULL,
                            .write = (c->flags & STORE_COMMAND_WRITES) != 0,
                            .create = (c->flags & STORE_COMMAND_CREATES) != 0,
                            .wait = call->wait};
  enum store_status status = c->flags & STORE_COMMAND_OPENS_ITSELF ? STORE_OK : store_open(&s, &o, &e);
  if (status == STORE_MISSING && c->flags & STORE_COMMAND_WITHOUT_STORE)
    status = STORE_OK;
  if (!status)
    status = c->run(p, s, call, &e);
  if (status)
    indexer_fault(p, status, &e);
  store_close(s);
  return program_finish(p);
}

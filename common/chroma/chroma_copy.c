/* chroma_copy.c: a child process reads the source and writes records of "bid-store dump" into a pipe, which this
 * process indexes.  So the copy has what a dump has, in bounded memory. */
#include "chroma/chroma_copy.h"

#include "chroma/chroma_read.h"
#include "chroma/chroma_write.h"
#include "record/error.h"
#include "store/store_dump.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- reading ---- */

static enum store_status dump_store(struct program *p, const char *path, const struct store_subset *subset,
                                    struct error_text *e) {
  struct store_options o = {.path = path};
  struct store *s = NULL;
  struct store_snapshot *snap = NULL;
  uint32_t *ids = NULL;
  enum store_status status = store_open(&s, &o, e);
  if (!status)
    status = store_snapshot_begin(s, &snap, e);
  if (!status) {
    size_t count = store_subset_ids(subset, snap, &ids);
    status = store_dump(snap, ids, count, DUMP_VECTORS | DUMP_STORE, &p->out, e);
    if (!count)
      program_nothing(p, "no collection matches; bid-store ls without -c lists all");
  }
  free(ids);
  store_snapshot_end(snap);
  store_close(s);
  return status;
}

static void report_cut(void *arg, const char *why) {
  program_error(arg, NULL, ERROR_INTERNAL, slice_of(NULL, 0), slice_of(NULL, 0), "%s", why);
}

/* Marks the collections in the subset; returns how many. */
static size_t choose_collections(const struct chroma_collections *all, const struct store_subset *subset,
                                 char *wanted) {
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++) {
    wanted[i] = (char)store_subset_has(subset, all->list[i].name);
    count += (size_t)wanted[i];
  }
  return count;
}

static enum store_status dump_chroma(struct program *p, const char *address,
                                     const struct store_subset *subset, struct error_text *e) {
  struct chroma *c;
  struct chroma_collections all = {0};
  struct chroma_entry *list = NULL;
  size_t count = 0;
  uint64_t others = 0;
  enum store_status status = chroma_open(&c, address, e);
  if (!status)
    status = chroma_list(c, &all, e);
  char *wanted = xcalloc(all.count + 1, 1);
  if (!status && choose_collections(&all, subset, wanted) == 0)
    program_nothing(p, "no collection matches; bid-store ls without -c lists all");
  if (!status)
    status = chroma_entries(c, &all, wanted, &list, &count, &others, e);
  if (!status && others)
    program_error(
        p, NULL, ERROR_INVALID_REQUEST, slice_of(NULL, 0), slice_of(NULL, 0),
        "%s: %llu rows are not copied: bid-index or bid-store did not write them, so they have no document",
        chroma_name(c), (unsigned long long)others);
  if (!status)
    status = chroma_dump(c, &all, list, count, &p->out, report_cut, p, e);
  free(list);
  free(wanted);
  chroma_collections_release(&all);
  chroma_close(c);
  return status;
}

/* Main function of the child. */
static _Noreturn void read_from(struct program *p, const char *from, const struct store_subset *subset,
                                int fd) {
  struct error_text e;
  output_close(&p->out);
  output_init(&p->out, fd);
  p->people = p->stats = p->progress = 0;
  enum store_status status =
      chroma_is_address(from) ? dump_chroma(p, from, subset, &e) : dump_store(p, from, subset, &e);
  if (status)
    indexer_fault(p, status, &e);
  exit(program_finish(p));
}

/* ---- writing ---- */

static void run_indexer(struct indexer *x, struct program *p) {
  indexer_run(x);
  program_stat(p, "documents", (double)indexer_documents(x));
  program_stat(p, "passages", (double)indexer_passages(x));
  indexer_free(x);
}

void chroma_index(struct program *p, const char *address, const struct indexer_options *o) {
  struct chroma *c;
  struct error_text e;
  enum store_status status = chroma_open(&c, address, &e);
  if (status) {
    indexer_fault(p, status, &e);
    return;
  }
  run_indexer(indexer_new_to(p, &chroma_sink, c, o), p);
  chroma_close(c);
}

static enum store_status write_to(struct program *p, const char *to, double wait, struct error_text *e) {
  struct indexer_options o = {.restore = 1};
  if (chroma_is_address(to)) {
    chroma_index(p, to, &o);
    return STORE_OK;
  }
  struct store *s;
  struct store_options so = {.path = to, .write = 1, .create = 1, .wait = wait};
  enum store_status status = store_open(&s, &so, e);
  if (!status) {
    run_indexer(indexer_new(p, s, &o), p);
    store_close(s);
  }
  return status;
}

/* Reports the child's exit status. */
static void take_status(struct program *p, pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFEXITED(status) && WEXITSTATUS(status))
    program_fail(p, WEXITSTATUS(status));
  else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGPIPE)
    program_fail(p, EX_SOFTWARE);
}

enum store_status chroma_command_copy(struct program *p, struct store *s, const struct store_call *call,
                                      struct error_text *e) {
  const char *from = p->operands[0], *to = p->operands[1];
  int ends[2];
  pid_t child = -1;
  (void)s;
  if (pipe(ends) != 0 || (child = fork()) < 0) {
    error_set(e, "no process can be started for copying: %s", strerror(errno));
    return STORE_IO;
  }
  if (child == 0) {
    close(ends[0]);
    read_from(p, from, &call->subset, ends[1]);
  }
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  p->operand_count = 0;
  enum store_status status = write_to(p, to, call->wait, e);
  close(STDIN_FILENO); /* where writing stopped early, the closed pipe ends the child */
  take_status(p, child);
  return status;
}

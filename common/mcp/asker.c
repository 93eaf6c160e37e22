#include "mcp/asker.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

void asker_init(struct asker *a, const char *path, const char *store, asker_answer *answer, void *arg) {
  memset(a, 0, sizeof *a);
  tool_child_init(&a->child);
  a->path = path;
  a->store = store;
  a->answer = answer;
  a->arg = arg;
}

void asker_release(struct asker *a) {
  tool_child_end(&a->child, SIGTERM);
  tool_child_release(&a->child);
}

static void asker_look(const struct asker *a, struct stat *st) {
  memset(st, 0, sizeof *st);
  if (a->store == NULL || stat(a->store, st) != 0)
    memset(st, 0, sizeof *st);
}

static int asker_store_changed(const struct asker *a) {
  struct stat now;
  asker_look(a, &now);
  return now.st_ino != a->seen.st_ino || now.st_dev != a->seen.st_dev || now.st_size != a->seen.st_size ||
         now.st_mtim.tv_sec != a->seen.st_mtim.tv_sec || now.st_mtim.tv_nsec != a->seen.st_mtim.tv_nsec;
}

static void asker_restart(struct asker *a) {
  tool_child_end(&a->child, SIGTERM);
  tool_child_release(&a->child);
  tool_child_init(&a->child);
}

static int asker_start(struct asker *a, struct error_text *e) {
  static char name[] = "bid-search", quiet[] = "--quiet";
  char *argv[] = {name, quiet, NULL};
  asker_look(a, &a->seen);
  return tool_child_start(&a->child, a->path, argv, 1, e);
}

int asker_ask(struct asker *a, struct slice record, void *tag, struct error_text *e) {
  if (a->count == ASKER_WAITING) {
    error_set(e, "more than %d questions wait for an answer", ASKER_WAITING);
    return -1;
  }
  if (a->count == 0 && a->child.pid > 0 && asker_store_changed(a))
    asker_restart(a);
  if (a->child.pid == 0 && asker_start(a, e) != 0)
    return -1;
  buf_add_slice(&a->child.unsent, record);
  a->waiting[a->count++] = tag;
  return 0;
}

void asker_forget(struct asker *a, const void *tag) {
  for (size_t i = 0; i < a->count; i++)
    if (a->waiting[i] == tag)
      a->waiting[i] = NULL;
}

static void asker_tell(struct asker *a, struct slice line, const char *why) {
  void *tag = a->waiting[0];
  memmove(a->waiting, a->waiting + 1, --a->count * sizeof *a->waiting);
  if (tag != NULL)
    a->answer(a->arg, tag, line, why);
}

static void asker_take_lines(struct asker *a) {
  struct buf *out = &a->child.output;
  size_t from = 0;
  const char *end;
  while (out->len > from && a->count > 0 && (end = memchr(out->data + from, '\n', out->len - from)) != NULL) {
    size_t len = (size_t)(end - (out->data + from));
    asker_tell(a, slice_of(out->data + from, len), NULL);
    from += len + 1;
  }
  if (from == 0)
    return;
  memmove(out->data, out->data + from, out->len - from);
  out->len -= from;
}

/* Fails all waiting questions after the program ended. */
static void asker_fail(struct asker *a) {
  char why[160];
  snprintf(why, sizeof why, "bid-search ended with status %d", a->child.status);
  while (a->count > 0)
    asker_tell(a, slice_of(NULL, 0), why);
  tool_child_release(&a->child);
  tool_child_init(&a->child);
}

void asker_step(struct asker *a) {
  if (a->child.pid == 0)
    return;
  int gone = tool_child_send(&a->child) != 0;
  tool_child_read(&a->child);
  asker_take_lines(a);
  if (gone || a->child.too_much)
    tool_child_end(&a->child, SIGKILL);
  if (tool_child_over(&a->child))
    asker_fail(a);
}

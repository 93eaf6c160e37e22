#include "mcp/calls.h"

#include "base/clock.h"
#include "mcp/tool_command.h"

#include <signal.h>
#include <stdlib.h>

#define GRACE_SECONDS 2.0 /* time between SIGTERM and SIGKILL */

static void call_free(struct call *c) {
  free(c->id);
  free(c->token);
  free(c->uri);
  tool_command_free(c->argv);
  tool_child_release(&c->child);
  free(c);
}

/* Removes a finished call from the list and notifies its owner. */
static void call_finish(struct calls *cs, struct call **link) {
  struct call *c = *link;
  *link = c->next;
  cs->count--;
  cs->done(cs->arg, c);
  call_free(c);
}

/* Receives the asker's answer. */
static void call_answered(void *arg, void *tag, struct slice line, const char *why) {
  struct calls *cs = arg;
  struct call *c = tag, **link = &cs->first;
  c->answer = line;
  c->why = why;
  while (*link != c)
    link = &(*link)->next;
  call_finish(cs, link);
}

void calls_init(struct calls *cs, const char *search, const char *store, double limit) {
  *cs = (struct calls){.limit = limit};
  asker_init(&cs->asker, search, store, call_answered, cs);
}

static int call_prepare(struct calls *cs, const struct tool_table *t, struct call *c, struct slice arguments,
                        struct error_text *e) {
  struct buf record;
  if (c->tool->kind != TOOL_QUESTION) {
    c->argv = tool_command(t, c->tool, arguments, e);
    return c->argv != NULL ? 0 : -1;
  }
  buf_init(&record, CHILD_OUTPUT_BYTES);
  tool_question(c->tool, arguments, &record);
  c->running = 1;
  int status = asker_ask(&cs->asker, buf_slice(&record), c, e);
  buf_release(&record);
  return status;
}

struct call *calls_add(struct calls *cs, const struct tool_table *t, const struct tool *tool,
                       struct slice arguments, struct slice id, struct slice token, struct error_text *e) {
  struct call *c, **last = &cs->first;
  if (cs->count == CALLS_MAX) {
    error_set(e, "%d calls are without an answer: wait for some, or cancel them", CALLS_MAX);
    return NULL;
  }
  c = xcalloc(1, sizeof *c);
  tool_child_init(&c->child);
  c->tool = tool;
  c->id = xstrndup(id.data, id.len);
  c->token = token.len ? xstrndup(token.data, token.len) : NULL;
  c->started = c->told = clock_monotonic();
  if (call_prepare(cs, t, c, arguments, e) != 0) {
    call_free(c);
    return NULL;
  }
  while (*last != NULL)
    last = &(*last)->next;
  *last = c;
  cs->count++;
  return c;
}

struct call *calls_find(struct calls *cs, struct slice id) {
  for (struct call *c = cs->first; c != NULL; c = c->next)
    if (!c->cancelled && slice_eq(slice_str(c->id), id))
      return c;
  return NULL;
}

static void call_end(struct call *c, double now) {
  if (c->ended == 0) {
    c->ended = now;
    tool_child_end(&c->child, SIGTERM);
  } else if (now - c->ended > GRACE_SECONDS)
    tool_child_end(&c->child, SIGKILL);
}

void calls_cancel(struct calls *cs, struct call *c) {
  c->cancelled = 1;
  if (c->argv == NULL)
    asker_forget(&cs->asker, c);
  else
    call_end(c, clock_monotonic());
}

static void poll_add(struct pollfd *fds, size_t *n, int fd, short events) {
  if (fd >= 0)
    fds[(*n)++] = (struct pollfd){.fd = fd, .events = events};
}

static void poll_child(const struct tool_child *c, struct pollfd *fds, size_t *n) {
  if (c->pid == 0)
    return;
  poll_add(fds, n, c->out, POLLIN);
  poll_add(fds, n, c->err, POLLIN);
  if (c->unsent.len > 0)
    poll_add(fds, n, c->in, POLLOUT);
}

size_t calls_poll(struct calls *cs, struct pollfd *fds, int *timeout) {
  size_t n = 0;
  *timeout = cs->first != NULL ? 250 : -1;
  poll_child(&cs->asker.child, fds, &n);
  for (struct call *c = cs->first; c != NULL; c = c->next) {
    if (!c->running || c->argv == NULL)
      continue;
    poll_child(&c->child, fds, &n);
    if (c->child.out < 0 && c->child.err < 0)
      *timeout = 10; /* waiting for its exit, which no descriptor reports */
  }
  return n;
}

static void call_run(struct calls *cs, struct call *c) {
  struct error_text e;
  c->running = 1;
  cs->running++;
  if (tool_child_start(&c->child, c->tool->path, c->argv, 0, &e) != 0) {
    buf_add_str(&c->child.said, e.text);
    c->child.status = 127;
  }
}

/* Advances a call; returns whether it is over. */
static int call_move(struct calls *cs, struct call *c, double now) {
  if (!c->running) {
    if (c->cancelled)
      return 1;
    if (cs->running == CALLS_AT_WORK)
      return 0;
    call_run(cs, c);
  }
  c->late |= now - c->started > cs->limit;
  if (c->argv == NULL) {
    if (c->late && !c->cancelled)
      asker_forget(&cs->asker, c);
    return c->late || c->cancelled;
  }
  if (c->late || c->cancelled)
    call_end(c, now);
  tool_child_read(&c->child);
  if (!tool_child_over(&c->child))
    return 0;
  cs->running--;
  return 1;
}

void calls_step(struct calls *cs) {
  double now = clock_monotonic();
  struct call **link = &cs->first;
  asker_step(&cs->asker);
  while (*link != NULL) {
    struct call *c = *link;
    if (call_move(cs, c, now)) {
      call_finish(cs, link);
      continue;
    }
    if (c->token != NULL && !c->cancelled && now - c->told >= 1) {
      c->told = now;
      cs->progress(cs->arg, c);
    }
    link = &c->next;
  }
}

void calls_release(struct calls *cs) {
  for (struct call *c = cs->first; c != NULL;) {
    struct call *next = c->next;
    tool_child_end(&c->child, SIGTERM);
    call_free(c);
    c = next;
  }
  cs->first = NULL;
  asker_release(&cs->asker);
}

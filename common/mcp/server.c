/* server.c: JSON-RPC messages of one client, a line each (https://www.jsonrpc.org/specification), as in the Model Context Protocol's
 * stdio transport.  What a message asks for and how a call is answered is in connectors/lib/tool.jq; here are the table of
 * tools, batches, the calls that are at work, and the loop. */
#include "mcp/server.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/paths.h"
#include "record/json.h"
#include "record/record.h"
#include "source/connector.h"
#include "source/json_projection.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

/* ---- the tools ----
 *
 * Read from data/mcp-tools.json.  Each has a `tool`, which is passed to clients unchanged, and a `run`, which describes how it
 * is executed:
 *   program    the program, searched for beside this one; a tool without its program is omitted
 *   kind       question (a record for the persistent bid-search), object (prints one JSON object), records (NDJSON)
 *   writes     true: only where the server may change the store
 *   arguments  fixed first arguments; readOnly: more of them where the server may not change the store
 *   options    maps arguments to options; fields: to members of a question; operands: names, in order
 *   needs      arguments of which one must be there; needsToo: of others likewise
 *   member     records: the result's member for them; decode: a member that becomes `content`; omit: the
 *              `name` of a record that is left out
 *   links      where the result has passages whose filings are linked
 *   text       how the result is formatted as text (connectors/lib/tool.jq); columns: those of a table
 */

struct tool_table {
  struct buf file; /* its bytes */
  struct buf json; /* the same with the available tools alone, an object */
  struct tool *tools;
  size_t count;
};

/* Finds a program: in BID_BIN, in the running one's folder, among the pipelines of its source tree, or in PATH.
 * Returns its path, allocated, or NULL. */
static char *tool_find(const char *name) {
  const char *set = getenv("BID_BIN");
  struct buf path;
  buf_init(&path, PATH_MAX);
  buf_printf(&path, "%s/%s", set ? set : "", name);
  if (!set || !*set || path.overflow || access(path.data, X_OK) != 0)
    if (paths_program(&path, name) != 0)
      buf_release(&path);
  return path.data;
}

#define TABLE_BYTES ((size_t)4 << 20)

/* Reads a tool; 1, or 0 where it is not available here. */
static int tool_take(struct tool *tool, struct slice entry, int may_write) {
  struct slice run = json_get(entry, "run");
  if (json_is_true(run, "writes") && !may_write)
    return 0;
  char *program = json_text_copy(json_get(run, "program"));
  tool->path = tool_find(program ? program : "");
  tool->name = json_get(json_get(entry, "tool"), "name");
  free(program);
  return tool->path != NULL;
}

static int tool_table_read(struct buf *text, struct error_text *e) {
  struct buf path;
  size_t at = 0;
  const char *why;
  int status = -1;
  buf_init(&path, PATH_MAX);
  if (paths_data(&path, "mcp-tools.json") != 0 || buf_read_file(text, path.data) != 0)
    error_set(e, "%s: %s", path.data, strerror(errno));
  else if (json_validate(text->data, text->len, &at, &why) != 0)
    error_set(e, "%s: %s at byte %zu", path.data, why, at);
  else
    status = 0;
  buf_release(&path);
  return status;
}

/* Reads the table. may_write: include tools that change the store.  0, or -1 with e filled. */
static int tool_table_load(struct tool_table *t, int may_write, struct error_text *e) {
  struct json_cursor c = {0};
  struct slice key, value, entry;
  *t = (struct tool_table){.count = 0};
  buf_init(&t->file, TABLE_BYTES);
  buf_init(&t->json, TABLE_BYTES);
  if (tool_table_read(&t->file, e) != 0)
    return -1;
  buf_add_char(&t->json, '{');
  while (json_next_member(buf_slice(&t->file), &c, &key, &value))
    if (!json_key_is(key, slice_str("tools")))
      json_add_member(&t->json, key, value);
  json_key(&t->json, "tools");
  buf_add_char(&t->json, '[');
  struct slice list = json_get(buf_slice(&t->file), "tools");
  c = (struct json_cursor){0};
  while (json_kind(list) == '[' && json_next_element(list, &c, &entry)) {
    t->tools = xgrow(t->tools, t->count, sizeof *t->tools);
    if (!tool_take(&t->tools[t->count], entry, may_write))
      continue;
    buf_add_str(&t->json, t->count++ ? "," : "");
    buf_add_slice(&t->json, entry);
  }
  buf_add_str(&t->json, "]}");
  if (t->count > 0)
    return 0;
  error_set(e, "none of BID's programs is beside bid-mcp or on PATH");
  return -1;
}

static void tool_table_release(struct tool_table *t) {
  for (size_t i = 0; i < t->count; i++)
    free(t->tools[i].path);
  free(t->tools);
  buf_release(&t->file);
  buf_release(&t->json);
}

/* The tool with this name (a JSON string), or NULL. */
static const struct tool *tool_table_find(const struct tool_table *t, struct slice name) {
  for (size_t i = 0; i < t->count; i++)
    if (slice_eq(name, t->tools[i].name))
      return &t->tools[i];
  return NULL;
}

/* ---- the session ---- */

#define SESSION_MESSAGE_BYTES ((size_t)192 << 20)

/* Revisions of the protocol, as lib/tool.jq counts them. */
enum { ERA_NONE = -1, ERA_2025_03 = 1 };

enum rpc_code { RPC_PARSE_ERROR = -32700, RPC_INVALID_REQUEST = -32600, RPC_INTERNAL_ERROR = -32603 };

struct session {
  struct tool_table tools;
  struct connector *jq; /* lib/tool.jq */
  struct calls calls;
  int may_write;
  int era;                                       /* the revision agreed by `initialize`, or ERA_NONE */
  void (*send)(void *arg, struct slice message); /* sends one message, without its newline */
  void *arg;
};

/* Answers to a batch (2025-03-26): one list, sent when complete. */
struct session_batch {
  struct buf answers;
  size_t waiting;
};

/* ---- messages to the client ---- */

static struct session_batch *session_batch_new(void) {
  struct session_batch *b = xcalloc(1, sizeof *b);
  buf_init(&b->answers, SESSION_MESSAGE_BYTES);
  return b;
}

/* Sends and frees the batch unless an answer is still waited for. */
static void session_settle_batch(const struct session *s, struct session_batch *b) {
  if (b->waiting > 0)
    return;
  if (b->answers.len > 0) {
    buf_add_char(&b->answers, ']');
    s->send(s->arg, buf_slice(&b->answers));
  }
  buf_release(&b->answers);
  free(b);
}

/* Sends a message; b: the batch that it is a part of, or NULL. */
static void session_send(const struct session *s, struct session_batch *b, struct slice message) {
  if (b == NULL) {
    s->send(s->arg, message);
    return;
  }
  buf_add_char(&b->answers, b->answers.len ? ',' : '[');
  buf_add_slice(&b->answers, message);
}

/* Sends an error; id: JSON, or empty. */
static void session_fail(const struct session *s, struct session_batch *b, struct slice id,
                         enum rpc_code code, const char *why) {
  struct buf message;
  buf_init(&message, SESSION_MESSAGE_BYTES);
  buf_add_str(&message, "{\"jsonrpc\":\"2.0\"");
  json_raw(&message, "id", id.len ? id : slice_str("null"));
  json_key(&message, "error");
  buf_add_char(&message, '{');
  json_int(&message, "code", code);
  json_cstr(&message, "message", why);
  buf_add_str(&message, "}}");
  session_send(s, b, buf_slice(&message));
  buf_release(&message);
}

/* Calls a definition of lib/tool.jq with the members of `input`, an object without its closing brace, and with what is known of the
 * tools; numbers keep their digits.  0, or -1 where it can't be done: nested too deep, or too large. */
static int session_jq(const struct session *s, const char *called, struct buf *input, struct buf *out) {
  struct buf marked, made;
  struct error_text why;
  buf_init(&marked, SESSION_MESSAGE_BYTES);
  buf_init(&made, SESSION_MESSAGE_BYTES);
  json_raw(input, "table", buf_slice(&s->tools.json));
  json_cstr(input, "version", BID_VERSION);
  buf_add_char(input, '}');
  json_numbers_mark(buf_slice(input), &marked);
  int failed = input->overflow || marked.overflow ||
               connector_call(s->jq, called, buf_slice(&marked), &made, &why) != 0;
  if (!failed)
    json_numbers_restore(buf_slice(&made), out);
  buf_release(&marked);
  buf_release(&made);
  return failed || out->overflow ? -1 : 0;
}

/* ---- answers of calls ---- */

/* Adds a payload's text as `content`, as JSON where it is JSON, instead of a string that contains it. */
static void session_add_decoded(struct buf *out, const struct record *rec) {
  struct slice raw = json_get(rec->line, "rawContent"), text;
  struct buf scratch;
  record_open(out, rec, "rawContent", (char *)NULL);
  buf_init(&scratch, SESSION_MESSAGE_BYTES);
  text = json_text(raw, &scratch);
  if (json_is_valid(text) && memchr(text.data, '\n', text.len) == NULL)
    json_raw(out, "content", text);
  else if (raw.len > 0)
    json_str(out, "content", text);
  buf_add_char(out, '}');
  buf_release(&scratch);
}

/* Adds the lines that are JSON objects as a list. */
static void session_add_records(struct buf *out, struct slice printed, int decode) {
  static const char *const none[] = {NULL};
  json_key(out, "records");
  buf_add_char(out, '[');
  for (size_t count = 0; printed.len > 0;) {
    struct slice line = slice_cut(&printed, '\n');
    struct record rec;
    const char *why;
    size_t at;
    if (line.len == 0 || record_parse(line.data, line.len, none, &rec, &why, &at) != RECORD_OK)
      continue;
    buf_add_str(out, count++ ? "," : "");
    if (decode && !rec.is_error)
      session_add_decoded(out, &rec);
    else
      buf_add_slice(out, rec.line);
  }
  buf_add_char(out, ']');
}

/* Why a call has no result; NULL where it has one. */
static const char *session_no_result(const struct session *s, const struct call *c, char *room,
                                     size_t bytes) {
  if (c->late)
    snprintf(room, bytes, "the call took longer than %g s and was ended", s->calls.limit);
  else if (c->child.too_much)
    snprintf(room, bytes, "the answer is longer than %zu MB: narrow the question", CHILD_OUTPUT_BYTES >> 20);
  else if (c->why != NULL)
    snprintf(room, bytes, "%s", c->why);
  else
    return NULL;
  return room;
}

static void session_finish_call(const struct session *s, const struct call *c) {
  char room[200];
  const char *why = session_no_result(s, c, room, sizeof room);
  struct buf input, message;
  buf_init(&input, SESSION_MESSAGE_BYTES);
  buf_init(&message, SESSION_MESSAGE_BYTES);
  buf_add_char(&input, '{');
  json_raw(&input, "id", slice_str(c->id));
  json_raw(&input, "tool", c->tool->name);
  json_int(&input, "era", c->era);
  if (c->uri)
    json_cstr(&input, "uri", c->uri);
  if (why)
    json_cstr(&input, "why", why);
  json_str(&input, "said", buf_slice(&c->child.said));
  json_int(&input, "status", c->child.status);
  session_add_records(&input,
                      why               ? slice_of(NULL, 0)
                      : c->argv == NULL ? c->answer
                                        : buf_slice(&c->child.output),
                      c->decode);
  if (session_jq(s, "answer", &input, &message) == 0)
    session_send(s, c->group, buf_slice(&message));
  else
    session_fail(s, c->group, slice_str(c->id), RPC_INTERNAL_ERROR,
                 "the result is nested too deep or too large");
  buf_release(&input);
  buf_release(&message);
}

/* For struct calls; arg: the session.  Answers a call; reports the elapsed seconds and the program's last message. */
static void session_calls_done(void *arg, struct call *c) {
  const struct session *s = arg;
  struct session_batch *b = c->group;
  if (!c->cancelled)
    session_finish_call(s, c);
  if (b != NULL) {
    b->waiting--;
    session_settle_batch(s, b);
  }
}

static void session_calls_progress(void *arg, struct call *c) {
  const struct session *s = arg;
  struct slice said = buf_slice(&c->child.said);
  struct buf message;
  size_t from;
  while (said.len > 0 && (said.data[said.len - 1] == '\n' || said.data[said.len - 1] == '\r'))
    said.len--;
  for (from = said.len; from > 0 && said.data[from - 1] != '\n' && said.data[from - 1] != '\r'; from--)
    ;
  buf_init(&message, SESSION_MESSAGE_BYTES);
  buf_add_str(&message, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{");
  json_raw(&message, "progressToken", slice_str(c->token));
  json_double(&message, "progress", (double)(long long)((clock_monotonic() - c->started) * 10) / 10);
  if (c->era >= ERA_2025_03)
    json_str(&message, "message",
             said.len > from ? slice_of(said.data + from, said.len - from)
                             : slice_str(c->running ? "at work" : "waits for other calls"));
  buf_add_str(&message, "}}");
  s->send(s->arg, buf_slice(&message));
  buf_release(&message);
}

/* ---- messages of the client ---- */

/* Starts a call; where it can't be, that is its result. */
static void session_call(struct session *s, struct slice made, struct slice id, struct session_batch *b) {
  struct call none = {.id = NULL}, *c = NULL;
  struct error_text e = {""};
  const struct tool *tool = tool_table_find(&s->tools, json_get(made, "tool"));
  c = calls_add(&s->calls, tool, made, id, &e);
  if (c != NULL) {
    c->group = b;
    if (b != NULL)
      b->waiting++;
    return;
  }
  none.id = xstrndup(id.data, id.len);
  none.tool = tool;
  none.group = b;
  none.why = e.text;
  none.era = (int)json_to_int(json_get(made, "era"), 0);
  none.uri = json_text_copy(json_get(made, "uri"));
  session_finish_call(s, &none);
  free(none.id);
  free(none.uri);
}

static void session_message(struct session *s, struct slice value, struct session_batch *b) {
  struct slice id = json_kind(value) == '{' ? json_get(value, "id") : slice_of(NULL, 0);
  struct buf input, made;
  buf_init(&input, SESSION_MESSAGE_BYTES);
  buf_init(&made, SESSION_MESSAGE_BYTES);
  buf_add_char(&input, '{');
  json_raw(&input, "message", value);
  if (s->era != ERA_NONE)
    json_int(&input, "agreed", s->era);
  json_bool(&input, "busy", id.len && calls_find(&s->calls, id) != NULL);
  json_bool(&input, "mayWrite", s->may_write);
  if (session_jq(s, "message", &input, &made) != 0) {
    session_fail(s, b, json_kind(id) == '"' || json_kind(id) == '0' ? id : slice_of(NULL, 0),
                 RPC_INVALID_REQUEST, "the message is nested too deep or too large");
  } else {
    struct slice whole = buf_slice(&made), cancel = json_get(whole, "cancel"),
                 message = json_get(whole, "send"), call = json_get(whole, "call");
    s->era = (int)json_to_int(json_get(whole, "era"), s->era);
    if (cancel.len && calls_find(&s->calls, cancel) != NULL)
      calls_cancel(&s->calls, calls_find(&s->calls, cancel));
    if (message.len)
      session_send(s, b, message);
    if (call.len)
      session_call(s, call, id, b);
  }
  buf_release(&input);
  buf_release(&made);
}

static void session_batch_line(struct session *s, struct slice list) {
  struct json_cursor c = {0};
  struct slice one;
  struct session_batch *b = session_batch_new();
  b->waiting = 1; /* held by this function */
  while (json_next_element(list, &c, &one))
    session_message(s, one, b);
  b->waiting--;
  session_settle_batch(s, b);
}

/* Processes one line without its newline. */
static void session_line(struct session *s, struct slice line) {
  struct json_cursor c = {0};
  struct slice first;
  size_t at = 0;
  const char *fault;
  char why[200];
  while (line.len > 0 && strchr(" \t\r", line.data[line.len - 1]))
    line.len--;
  while (line.len > 0 && strchr(" \t\r", *line.data))
    line = slice_of(line.data + 1, line.len - 1);
  if (line.len == 0)
    return;
  if (json_validate(line.data, line.len, &at, &fault) != 0) {
    snprintf(why, sizeof why, "%s at byte %zu", fault, at + 1);
    session_fail(s, NULL, slice_of(NULL, 0), RPC_PARSE_ERROR, why);
  } else if (*line.data != '[')
    session_message(s, line, NULL);
  else if (s->era != ERA_2025_03)
    session_fail(s, NULL, slice_of(NULL, 0), RPC_INVALID_REQUEST,
                 "batches are of protocol revision 2025-03-26 alone");
  else if (!json_next_element(line, &c, &first))
    session_fail(s, NULL, slice_of(NULL, 0), RPC_INVALID_REQUEST, "an empty batch");
  else
    session_batch_line(s, line);
}

/* Answers a line that exceeded the limit. */
static void session_line_too_long(struct session *s, size_t most) {
  char why[100];
  snprintf(why, sizeof why, "a line of more than %zu bytes", most);
  session_fail(s, NULL, slice_of(NULL, 0), RPC_INVALID_REQUEST, why);
}

/* ---- life cycle ---- */

/* The owner sets send and arg. store: the store's file, by reference.  0, or -1 with e filled. */
static int session_init(struct session *s, int may_write, double limit, const char *store,
                        struct error_text *e) {
  const struct tool *search;
  s->era = ERA_NONE;
  s->may_write = may_write;
  if (tool_table_load(&s->tools, may_write, e) != 0) {
    tool_table_release(&s->tools);
    return -1;
  }
  s->jq = connector_open_library("tool");
  search = tool_table_find(&s->tools, slice_str("\"search\""));
  calls_init(&s->calls, search ? search->path : NULL, store, limit);
  s->calls.done = session_calls_done;
  s->calls.progress = session_calls_progress;
  s->calls.arg = s;
  return 0;
}

static void session_release(struct session *s) {
  calls_release(&s->calls);
  connector_close(s->jq);
  tool_table_release(&s->tools);
}

/* ---- the loop of the server: lines in, messages out, programs between ---- */

struct mcp_server {
  struct session session;
  int in, out;
  int ended; /* `in` has ended */
  int error; /* errno of the first failed write or read */
  const char *failed;
  int skipping; /* skipping a line that is too long */
  struct buf line;
};

static volatile sig_atomic_t mcp_stopped;

static void mcp_on_signal(int number) {
  mcp_stopped = number;
}

static void mcp_write(void *arg, struct slice message) {
  struct mcp_server *s = arg;
  struct buf whole;
  buf_init(&whole, message.len + 1);
  buf_add_slice(&whole, message);
  buf_add_char(&whole, '\n');
  if (s->error == 0 && slice_write(buf_slice(&whole), s->out) != 0)
    s->error = errno, s->failed = "write stdout";
  buf_release(&whole);
}

/* Extracts lines from the `n` bytes read. */
static void mcp_take(struct mcp_server *s, const char *part, size_t n) {
  while (n > 0) {
    const char *end = memchr(part, '\n', n);
    size_t len = end ? (size_t)(end - part) : n;
    if (!s->skipping && buf_add(&s->line, part, len) != 0) {
      session_line_too_long(&s->session, MCP_LINE_BYTES);
      s->skipping = 1;
    }
    if (end != NULL) {
      if (!s->skipping)
        session_line(&s->session, buf_slice(&s->line));
      buf_clear(&s->line);
      s->skipping = 0;
      len++;
    }
    part += len;
    n -= len;
  }
}

static void mcp_read(struct mcp_server *s) {
  static char part[65536];
  ssize_t n = read(s->in, part, sizeof part);
  if (n > 0)
    mcp_take(s, part, (size_t)n);
  else if (n < 0 && errno != EINTR && errno != EAGAIN)
    s->error = errno, s->failed = "read stdin";
  else if (n == 0) {
    s->ended = 1;
    if (!s->skipping && s->line.len > 0) /* a last line without a newline */
      session_line(&s->session, buf_slice(&s->line));
  }
}

/* Waits for events; signals are only unblocked here. */
static void mcp_wait(struct mcp_server *s) {
  struct pollfd fds[CALLS_POLLED];
  sigset_t none;
  int timeout;
  size_t n = calls_poll(&s->session.calls, fds, &timeout);
  struct timespec wait = {timeout / 1000, timeout % 1000 * 1000000L};
  size_t out = n++, in = n;
  fds[out] = (struct pollfd){.fd = s->out, .events = 0};
  if (!s->ended)
    fds[n++] = (struct pollfd){.fd = s->in, .events = POLLIN};
  sigemptyset(&none);
  if (ppoll(fds, n, timeout < 0 ? NULL : &wait, &none) <= 0)
    return;
  if (fds[out].revents & (POLLERR | POLLHUP | POLLNVAL))
    mcp_stopped = SIGPIPE; /* the reader of our answers is gone */
  else if (!s->ended && fds[in].revents)
    mcp_read(s);
}

static void mcp_catch_signals(void) {
  static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGPIPE};
  struct sigaction act = {.sa_handler = mcp_on_signal};
  sigset_t blocked;
  sigemptyset(&blocked);
  sigemptyset(&act.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    sigaction(numbers[i], &act, NULL);
    sigaddset(&blocked, numbers[i]);
  }
  sigprocmask(SIG_BLOCK, &blocked, NULL);
}

static int mcp_loop(struct mcp_server *s, struct error_text *e) {
  mcp_catch_signals();
  while (!mcp_stopped && s->error == 0 && !(s->ended && s->session.calls.first == NULL)) {
    mcp_wait(s);
    if (!mcp_stopped)
      calls_step(&s->session.calls);
  }
  if (s->error == 0 || s->error == EPIPE)
    return 0;
  error_set(e, "cannot %s: %s", s->failed, strerror(s->error));
  return EX_IOERR;
}

int mcp_serve(const struct mcp_options *o, int in, int out, struct error_text *e) {
  struct mcp_server s = {.in = in, .out = out};
  struct buf store;
  int status = EX_CONFIG;
  buf_init(&store, PATH_MAX);
  buf_init(&s.line, MCP_LINE_BYTES);
  paths_store(&store);
  if (session_init(&s.session, o->may_write, o->limit, store.data, e) == 0) {
    s.session.send = mcp_write;
    s.session.arg = &s;
    status = mcp_loop(&s, e);
    session_release(&s.session);
  }
  buf_release(&s.line);
  buf_release(&store);
  return status;
}

/* server.c: JSON-RPC messages of one client, a line each: revisions of the protocol, methods, batches, tool calls, answers. */
#include "mcp/server.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/paths.h"
#include "mcp/calls.h"
#include "mcp/tool_result.h"
#include "mcp/tool_table.h"
#include "record/json.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <unistd.h>

struct session_batch;

struct session {
  struct tool_table tools;
  struct calls calls;
  int era;                                       /* index of the revision negotiated by `initialize`, or -1 */
  void (*send)(void *arg, struct slice message); /* sends one message, without its newline */
  void *arg;
};

/* ---- JSON-RPC ---- */

/* JSON-RPC 2.0 messages, one JSON value per line (https://www.jsonrpc.org/specification), as in the Model
 * Context Protocol's stdio transport. */

enum rpc_code {
  RPC_PARSE_ERROR = -32700,
  RPC_INVALID_REQUEST = -32600,
  RPC_METHOD_NOT_FOUND = -32601,
  RPC_INVALID_PARAMS = -32602,
  RPC_INTERNAL_ERROR = -32603,
  RPC_RESOURCE_NOT_FOUND = -32002,  /* MCP */
  RPC_UNSUPPORTED_VERSION = -32022, /* MCP 2026-07-28 */
};

enum rpc_kind {
  RPC_REQUEST,
  RPC_NOTIFICATION,
  RPC_ANSWER, /* the client's answer to a request of ours */
  RPC_FAULT   /* none of these, see `why` */
};

/* Slices of the line; id is a JSON string or number, or empty. */
struct rpc_message {
  enum rpc_kind kind;
  struct slice id, method, params; /* method with its quotes; params {} where absent */
  const char *why;
};

static int is_id(struct slice id) {
  char kind = json_kind(id);
  return kind == '"' || kind == '0';
}

static void rpc_fault(struct rpc_message *m, const char *why) {
  m->kind = RPC_FAULT;
  m->why = why;
}

/* Parses a valid JSON value (json_validate()). */
static void rpc_read(struct slice value, struct rpc_message *m) {
  *m = (struct rpc_message){.kind = RPC_REQUEST, .params = slice_of("{}", 2)};
  if (json_kind(value) != '{') {
    rpc_fault(m, "a message is a JSON object");
    return;
  }
  struct slice id = json_get(value, "id"), params = json_get(value, "params");
  m->method = json_get(value, "method");
  if (is_id(id))
    m->id = id;
  if (params.len > 0 && json_kind(params) != 'n') /* some clients send null for none */
    m->params = params;
  if (!json_is_text(json_get(value, "jsonrpc"), slice_str("2.0")))
    rpc_fault(m, "\"jsonrpc\" is not \"2.0\"");
  else if (m->method.len == 0 && (json_get(value, "result").len > 0 || json_get(value, "error").len > 0))
    m->kind = RPC_ANSWER;
  else if (json_kind(m->method) != '"')
    rpc_fault(m, "\"method\" is no string");
  else if (json_kind(m->params) != '{')
    rpc_fault(m, "\"params\" is no object");
  else if (id.len > 0 && m->id.len == 0)
    rpc_fault(m, "\"id\" is neither a string nor a number");
  else if (id.len == 0)
    m->kind = RPC_NOTIFICATION;
}

/* Whether the message has this method. */
static int rpc_is(const struct rpc_message *m, const char *method) {
  return json_is_text(m->method, slice_str(method));
}

static void rpc_open(struct buf *out, struct slice id) {
  buf_add_str(out, "{\"jsonrpc\":\"2.0\",\"id\":");
  buf_add_slice(out, id.len > 0 ? id : slice_str("null"));
}

/* Each appends one message without a newline.  An empty id is written as null. `result` is JSON. */
static void rpc_add_result(struct buf *out, struct slice id, struct slice result) {
  rpc_open(out, id);
  json_raw(out, "result", result);
  buf_add_char(out, '}');
}

static void rpc_add_error(struct buf *out, struct slice id, enum rpc_code code, const char *message,
                          struct slice data) {
  rpc_open(out, id);
  json_key(out, "error");
  buf_add_char(out, '{');
  json_int(out, "code", code);
  json_cstr(out, "message", message);
  if (data.len > 0)
    json_raw(out, "data", data);
  buf_add_str(out, "}}");
}

static void rpc_add_notification(struct buf *out, const char *method, struct slice params) {
  buf_add_str(out, "{\"jsonrpc\":\"2.0\"");
  json_cstr(out, "method", method);
  json_raw(out, "params", params);
  buf_add_char(out, '}');
}

/* ---- answers ---- */

/* The messages that a session sends, in the revision of the protocol that a request is in; private to
 * session*.c. */

#define SESSION_MESSAGE_BYTES ((size_t)192 << 20)

/* Revisions of the protocol, oldest first, and the features that each introduced. */
enum session_era { ERA_2024_11, ERA_2025_03, ERA_2025_06, ERA_2025_11, ERA_2026_07, ERA_COUNT };

/* Answers to a batch (2025-03-26): one list, sent when complete. */
struct session_batch {
  struct buf answers;
  size_t waiting;
};

/* A request being dispatched. */
struct session_request {
  struct session *session;
  const struct rpc_message *m;
  struct session_batch *batch; /* or NULL */
  int era;
};

static const char *const eras[ERA_COUNT] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                            "2026-07-28"};

/* The revision of a JSON string, or -1; the name of one; the list of all as a member of an object. */
static int session_era_of(struct slice version) {
  for (int i = 0; i < ERA_COUNT; i++)
    if (json_is_text(version, slice_str(eras[i])))
      return i;
  return -1;
}

static const char *session_era_name(int era) {
  return eras[era];
}

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

static void session_send(const struct session *s, struct session_batch *b, const struct buf *message) {
  if (b == NULL) {
    s->send(s->arg, buf_slice(message));
    return;
  }
  buf_add_char(&b->answers, b->answers.len ? ',' : '[');
  buf_add_slice(&b->answers, buf_slice(message));
}

/* Sends an error; b: the batch that it is a part of, or NULL. */
static void session_fail(const struct session *s, struct session_batch *b, struct slice id,
                         enum rpc_code code, const char *why, struct slice data) {
  struct buf message;
  buf_init(&message, SESSION_MESSAGE_BYTES);
  rpc_add_error(&message, id, code, why, data);
  session_send(s, b, &message);
  buf_release(&message);
}

static void session_refuse(const struct session_request *r, enum rpc_code code, const char *why) {
  session_fail(r->session, r->batch, r->m->id, code, why, slice_of(NULL, 0));
}

/* Appends the object that names this server. */
static void session_add_self(struct buf *out) {
  buf_add_char(out, '{');
  json_cstr(out, "name", "bid-mcp");
  json_cstr(out, "title", "BID: passages and figures of financial filings");
  json_cstr(out, "version", BID_VERSION);
  buf_add_char(out, '}');
}

/* Sends a result, a JSON object, with the members that 2026-07-28 adds.  lasting: the client may cache it. */
static void session_reply(const struct session *s, struct session_batch *b, struct slice id, int era,
                          struct slice result, int lasting) {
  struct buf whole, message;
  buf_init(&whole, SESSION_MESSAGE_BYTES);
  buf_init(&message, SESSION_MESSAGE_BYTES);
  if (era >= ERA_2026_07) {
    buf_add_str(&whole, "{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":");
    session_add_self(&whole);
    buf_add_str(&whole, lasting ? "},\"ttlMs\":0,\"cacheScope\":\"private\"" : "}");
    buf_add_str(&whole, result.len > 2 ? "," : "");
    result = slice_of(result.data + 1, result.len - 1);
  }
  buf_add_slice(&whole, result);
  rpc_add_result(&message, id, buf_slice(&whole));
  if (message.overflow || whole.overflow) {
    buf_clear(&message);
    rpc_add_error(&message, id, RPC_INTERNAL_ERROR, "the result is too large", slice_of(NULL, 0));
  }
  session_send(s, b, &message);
  buf_release(&message);
  buf_release(&whole);
}

static void session_answer(const struct session_request *r, const struct buf *result, int lasting) {
  session_reply(r->session, r->batch, r->m->id, r->era, buf_slice(result), lasting);
}

static void session_add_eras(struct buf *out, const char *name) {
  json_key(out, name);
  for (int i = 0; i < ERA_COUNT; i++) {
    buf_add_str(out, i ? ",\"" : "[\"");
    buf_add_str(out, eras[i]);
    buf_add_char(out, '"');
  }
  buf_add_char(out, ']');
}

/* ---- tool calls ---- */

#define SESSION_PASSAGE_URI "bid://passage/"

/* Starts a tool call after checking the arguments against its schema; NULL with e filled. */
static struct call *session_call(const struct session_request *r, const struct tool *tool,
                                 struct slice arguments, struct error_text *e) {
  struct session *s = r->session;
  struct slice token = json_get(json_get(r->m->params, "_meta"), "progressToken");
  struct call *c = NULL;
  struct buf settled;
  if (json_kind(token) != '"' && json_kind(token) != '0')
    token = slice_of(NULL, 0);
  buf_init(&settled, SESSION_MESSAGE_BYTES);
  if (tool_arguments_check(&s->tools, tool, arguments, &settled, e) == 0)
    c = calls_add(&s->calls, &s->tools, tool, buf_slice(&settled), r->m->id, token, e);
  buf_release(&settled);
  if (c == NULL)
    return NULL;
  c->group = r->batch;
  c->era = r->era;
  if (r->batch != NULL)
    r->batch->waiting++;
  return c;
}

/* tools/call and resources/read. */
static void session_calls_tool(const struct session_request *r) {
  struct slice name = json_get(r->m->params, "name"), arguments = json_get(r->m->params, "arguments");
  const struct tool *tool = json_kind(name) == '"' ? tool_table_find(&r->session->tools, name) : NULL;
  struct error_text e;
  struct buf result;
  char why[200];
  if (arguments.len == 0 || json_kind(arguments) == 'n')
    arguments = slice_str("{}");
  if (tool == NULL) {
    snprintf(why, sizeof why, "there is no tool %.*s", (int)(name.len > 100 ? 100 : name.len),
             name.len ? name.data : "");
    session_refuse(r, RPC_INVALID_PARAMS, json_kind(name) == '"' ? why : "\"name\" is no string");
  } else if (json_kind(arguments) != '{')
    session_refuse(r, RPC_INVALID_PARAMS, "\"arguments\" is no object");
  else if (session_call(r, tool, arguments, &e) == NULL) {
    buf_init(&result, SESSION_MESSAGE_BYTES);
    tool_result_add_fault(&result, e.text);
    session_answer(r, &result, 0);
    buf_release(&result);
  }
}

static void session_refuse_resource(const struct session *s, struct session_batch *b, struct slice id,
                                    const char *uri) {
  struct buf data;
  buf_init(&data, SESSION_MESSAGE_BYTES);
  buf_add_char(&data, '{');
  json_cstr(&data, "uri", uri);
  buf_add_char(&data, '}');
  session_fail(s, b, id, RPC_RESOURCE_NOT_FOUND, "there is no such resource", buf_slice(&data));
  buf_release(&data);
}

/* Reads a passage by its id, using the tool that shows passages. */
static void session_calls_resource(const struct session_request *r) {
  struct slice uri = json_get(r->m->params, "uri");
  const struct tool *show = tool_table_find(&r->session->tools, slice_str("\"show\""));
  struct buf text, arguments;
  struct error_text e;
  struct call *c = NULL;
  if (json_kind(uri) != '"') {
    session_refuse(r, RPC_INVALID_PARAMS, "\"uri\" is no string");
    return;
  }
  buf_init(&text, SESSION_MESSAGE_BYTES);
  buf_init(&arguments, SESSION_MESSAGE_BYTES);
  json_decode(uri, &text);
  size_t lead = strlen(SESSION_PASSAGE_URI);
  if (show != NULL && text.len > lead && memcmp(text.data, SESSION_PASSAGE_URI, lead) == 0) {
    buf_add_str(&arguments, "{\"ids\":[");
    json_add_string(&arguments, text.data + lead, text.len - lead);
    buf_add_str(&arguments, "]}");
    c = session_call(r, show, buf_slice(&arguments), &e);
  }
  if (c != NULL)
    c->uri = xstrndup(text.data, text.len);
  else
    session_refuse_resource(r->session, r->batch, r->m->id, text.len ? text.data : "");
  buf_release(&arguments);
  buf_release(&text);
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
  struct tool_printed printed = {c->argv == NULL ? c->answer : buf_slice(&c->child.output),
                                 buf_slice(&c->child.said), c->child.status};
  char room[200];
  const char *why = session_no_result(s, c, room, sizeof room);
  struct buf result;
  buf_init(&result, SESSION_MESSAGE_BYTES);
  if (c->uri != NULL && (why != NULL || tool_result_add_resource(&result, c->uri, &printed) != 0)) {
    session_refuse_resource(s, c->group, slice_str(c->id), c->uri);
    buf_release(&result);
    return;
  }
  if (c->uri == NULL && why != NULL)
    tool_result_add_fault(&result, why);
  else if (c->uri == NULL)
    tool_result_add(&result, &s->tools, c->tool, &printed, c->era >= ERA_2025_06);
  session_reply(s, c->group, slice_str(c->id), c->era, buf_slice(&result), c->uri != NULL);
  buf_release(&result);
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
  struct buf params, message;
  size_t from;
  while (said.len > 0 && (said.data[said.len - 1] == '\n' || said.data[said.len - 1] == '\r'))
    said.len--;
  for (from = said.len; from > 0 && said.data[from - 1] != '\n' && said.data[from - 1] != '\r'; from--)
    ;
  buf_init(&params, SESSION_MESSAGE_BYTES);
  buf_init(&message, SESSION_MESSAGE_BYTES);
  buf_add_char(&params, '{');
  json_raw(&params, "progressToken", slice_str(c->token));
  json_double(&params, "progress", (double)(long long)((clock_monotonic() - c->started) * 10) / 10);
  if (c->era >= ERA_2025_03)
    json_str(&params, "message",
             said.len > from ? slice_of(said.data + from, said.len - from)
                             : slice_str(c->running ? "at work" : "waits for other calls"));
  buf_add_char(&params, '}');
  rpc_add_notification(&message, "notifications/progress", buf_slice(&params));
  s->send(s->arg, buf_slice(&message));
  buf_release(&message);
  buf_release(&params);
}

/* ---- initialization ---- */

static void session_add_capabilities(const struct session *s, struct buf *out) {
  struct slice instructions = tool_table_instructions(&s->tools);
  buf_add_str(out, ",\"capabilities\":{\"tools\":{},\"resources\":{}}");
  if (instructions.len > 0)
    json_raw(out, "instructions", instructions);
}

static void on_initialize(const struct session_request *r) {
  struct slice wanted = json_get(r->m->params, "protocolVersion");
  struct session *s = r->session;
  struct buf result;
  if (json_kind(wanted) != '"') {
    session_refuse(r, RPC_INVALID_PARAMS, "\"protocolVersion\" is no string");
    return;
  }
  s->era = session_era_of(wanted);
  if (s->era < 0 || s->era > ERA_2025_11)
    s->era = ERA_2025_11;
  buf_init(&result, SESSION_MESSAGE_BYTES);
  buf_add_char(&result, '{');
  json_cstr(&result, "protocolVersion", session_era_name(s->era));
  json_key(&result, "serverInfo");
  session_add_self(&result);
  session_add_capabilities(s, &result);
  buf_add_char(&result, '}');
  session_answer(r, &result, 0);
  buf_release(&result);
}

static void on_discover(const struct session_request *r) {
  struct buf result;
  buf_init(&result, SESSION_MESSAGE_BYTES);
  buf_add_char(&result, '{');
  session_add_eras(&result, "supportedVersions");
  session_add_capabilities(r->session, &result);
  buf_add_char(&result, '}');
  session_answer(r, &result, 1);
  buf_release(&result);
}

static void on_ping(const struct session_request *r) {
  session_reply(r->session, r->batch, r->m->id, r->era, slice_str("{}"), 0);
}

/* ---- lists ---- */

/* All lists are returned complete, so any cursor is invalid.  0, or -1 after an error answer. */
static int session_check_cursor(const struct session_request *r) {
  struct slice cursor = json_get(r->m->params, "cursor");
  if (cursor.len == 0 || json_kind(cursor) == 'n')
    return 0;
  session_refuse(r, RPC_INVALID_PARAMS, "\"cursor\" is none that this server gave");
  return -1;
}

static void on_tools_list(const struct session_request *r) {
  struct buf result;
  if (session_check_cursor(r) != 0)
    return;
  buf_init(&result, SESSION_MESSAGE_BYTES);
  buf_add_str(&result, "{\"tools\":");
  tool_table_add_list(&r->session->tools, &result);
  buf_add_char(&result, '}');
  session_answer(r, &result, 1);
  buf_release(&result);
}

static void session_answer_text(const struct session_request *r, const char *result) {
  if (session_check_cursor(r) == 0)
    session_reply(r->session, r->batch, r->m->id, r->era, slice_str(result), 1);
}

static void on_resources_list(const struct session_request *r) {
  session_answer_text(r, "{\"resources\":[]}");
}

static void on_templates_list(const struct session_request *r) {
  session_answer_text(
      r, "{\"resourceTemplates\":[{\"uriTemplate\":\"" SESSION_PASSAGE_URI
         "{id}\",\"name\":\"passage\",\"title\":"
         "\"A stored passage\",\"description\":\"The text of a passage, by the id that search gave\","
         "\"mimeType\":\"text/markdown\"}]}");
}

/* ---- input ---- */

static const struct session_method {
  const char *name;
  void (*run)(const struct session_request *r);
  int any_time; /* allowed before initialize */
} methods[] = {{"initialize", on_initialize, 1},
               {"server/discover", on_discover, 1},
               {"ping", on_ping, 1},
               {"tools/list", on_tools_list, 0},
               {"tools/call", session_calls_tool, 0},
               {"resources/list", on_resources_list, 0},
               {"resources/templates/list", on_templates_list, 0},
               {"resources/read", session_calls_resource, 0}};

/* The revision of a request: its own, else the negotiated one.  -1: an unsupported one. */
static int session_request_era(const struct session_request *r) {
  struct slice named = json_get(json_get(r->m->params, "_meta"), "io.modelcontextprotocol/protocolVersion");
  struct buf data;
  int era = named.len > 0 ? session_era_of(named) : r->session->era;
  if (named.len == 0 || era >= 0)
    return era < 0 ? ERA_2024_11 : era;
  buf_init(&data, SESSION_MESSAGE_BYTES);
  buf_add_char(&data, '{');
  session_add_eras(&data, "supported");
  json_raw(&data, "requested", named);
  buf_add_char(&data, '}');
  session_fail(r->session, r->batch, r->m->id, RPC_UNSUPPORTED_VERSION, "unsupported protocol version",
               buf_slice(&data));
  buf_release(&data);
  return -1;
}

static void session_on_request(struct session_request *r) {
  const struct session_method *method = NULL;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (rpc_is(r->m, methods[i].name))
      method = &methods[i];
  r->era = session_request_era(r);
  if (r->era < 0)
    return;
  if (method == NULL)
    session_refuse(r, RPC_METHOD_NOT_FOUND, "there is no such method");
  else if (!method->any_time && r->session->era < 0 && r->era < ERA_2026_07)
    session_refuse(r, RPC_INVALID_REQUEST, "initialize comes first");
  else if (calls_find(&r->session->calls, r->m->id) != NULL)
    session_refuse(r, RPC_INVALID_REQUEST, "a request with this id is being answered");
  else
    method->run(r);
}

static void session_on_notification(struct session *s, const struct rpc_message *m) {
  if (!rpc_is(m, "notifications/cancelled"))
    return;
  struct slice id = json_get(m->params, "requestId");
  struct call *c = id.len > 0 ? calls_find(&s->calls, id) : NULL;
  if (c != NULL)
    calls_cancel(&s->calls, c);
}

static void session_message(struct session *s, struct slice value, struct session_batch *b) {
  struct rpc_message m;
  struct session_request r = {.session = s, .m = &m, .batch = b};
  rpc_read(value, &m);
  if (m.kind == RPC_FAULT)
    session_fail(s, b, m.id, RPC_INVALID_REQUEST, m.why, slice_of(NULL, 0));
  else if (m.kind == RPC_NOTIFICATION)
    session_on_notification(s, &m);
  else if (m.kind == RPC_REQUEST)
    session_on_request(&r);
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
    session_fail(s, NULL, slice_of(NULL, 0), RPC_PARSE_ERROR, why, slice_of(NULL, 0));
  } else if (*line.data != '[')
    session_message(s, line, NULL);
  else if (s->era != ERA_2025_03)
    session_fail(s, NULL, slice_of(NULL, 0), RPC_INVALID_REQUEST,
                 "batches are of protocol revision 2025-03-26 alone", slice_of(NULL, 0));
  else if (!json_next_element(line, &c, &first))
    session_fail(s, NULL, slice_of(NULL, 0), RPC_INVALID_REQUEST, "an empty batch", slice_of(NULL, 0));
  else
    session_batch_line(s, line);
}

/* Answers a line that exceeded the limit. */
static void session_line_too_long(struct session *s, size_t most) {
  char why[100];
  snprintf(why, sizeof why, "a line of more than %zu bytes", most);
  session_fail(s, NULL, slice_of(NULL, 0), RPC_INVALID_REQUEST, why, slice_of(NULL, 0));
}

/* ---- life cycle ---- */

/* The owner sets send and arg. store: the store's file, by reference.  0, or -1 with e filled. */
static int session_init(struct session *s, int may_write, double limit, const char *store,
                        struct error_text *e) {
  const struct tool *search;
  s->era = -1;
  if (tool_table_load(&s->tools, may_write, e) != 0) {
    tool_table_release(&s->tools);
    return -1;
  }
  search = tool_table_find(&s->tools, slice_str("\"search\""));
  calls_init(&s->calls, search ? search->path : NULL, store, limit);
  s->calls.done = session_calls_done;
  s->calls.progress = session_calls_progress;
  s->calls.arg = s;
  return 0;
}

static void session_release(struct session *s) {
  calls_release(&s->calls);
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

#include "mcp/session.h"
#include "mcp/session_answer.h"
#include "mcp/session_calls.h"

#include "record/json.h"
#include "record/json_validate.h"

#include <stdio.h>

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

void session_line(struct session *s, struct slice line) {
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

void session_line_too_long(struct session *s, size_t most) {
  char why[100];
  snprintf(why, sizeof why, "a line of more than %zu bytes", most);
  session_fail(s, NULL, slice_of(NULL, 0), RPC_INVALID_REQUEST, why, slice_of(NULL, 0));
}

/* ---- life cycle ---- */

int session_init(struct session *s, int may_write, double limit, const char *store, struct error_text *e) {
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

void session_release(struct session *s) {
  calls_release(&s->calls);
  tool_table_release(&s->tools);
}

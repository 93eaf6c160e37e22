#include "mcp/session_calls.h"

#include "base/clock.h"
#include "mcp/arguments.h"
#include "mcp/schema_check.h"
#include "mcp/tool_result.h"
#include "record/json.h"

#include <stdio.h>
#include <stdlib.h>

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
  arguments_settle(&s->tools, tool, arguments, &settled);
  arguments = buf_slice(&settled);
  if (schema_check(tool->input_schema, arguments, "arguments", e) == 0 &&
      arguments_suffice(tool, arguments, e) == 0)
    c = calls_add(&s->calls, &s->tools, tool, arguments, r->m->id, token, e);
  buf_release(&settled);
  if (c == NULL)
    return NULL;
  c->group = r->batch;
  c->era = r->era;
  if (r->batch != NULL)
    r->batch->waiting++;
  return c;
}

void session_calls_tool(const struct session_request *r) {
  struct slice name = json_get(r->m->params, "name"), arguments = json_get(r->m->params, "arguments");
  const struct tool *tool = json_kind(name) == '"' ? tool_table_find(&r->session->tools, name) : NULL;
  struct error_text e;
  struct buf result;
  char why[200];
  if (arguments.len == 0)
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
void session_calls_resource(const struct session_request *r) {
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

void session_calls_done(void *arg, struct call *c) {
  const struct session *s = arg;
  struct session_batch *b = c->group;
  if (!c->cancelled)
    session_finish_call(s, c);
  if (b != NULL) {
    b->waiting--;
    session_settle_batch(s, b);
  }
}

void session_calls_progress(void *arg, struct call *c) {
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

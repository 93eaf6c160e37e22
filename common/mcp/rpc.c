#include "mcp/rpc.h"

#include "record/json.h"

static int is_id(struct slice id) {
  char kind = json_kind(id);
  return kind == '"' || kind == '0';
}

static void rpc_fault(struct rpc_message *m, const char *why) {
  m->kind = RPC_FAULT;
  m->why = why;
}

void rpc_read(struct slice value, struct rpc_message *m) {
  *m = (struct rpc_message){.kind = RPC_REQUEST, .params = slice_of("{}", 2)};
  if (json_kind(value) != '{') {
    rpc_fault(m, "a message is a JSON object");
    return;
  }
  struct slice id = json_get(value, "id"), params = json_get(value, "params");
  m->method = json_get(value, "method");
  if (is_id(id))
    m->id = id;
  if (params.len > 0)
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

int rpc_is(const struct rpc_message *m, const char *method) {
  return json_is_text(m->method, slice_str(method));
}

static void rpc_open(struct buf *out, struct slice id) {
  buf_add_str(out, "{\"jsonrpc\":\"2.0\",\"id\":");
  buf_add_slice(out, id.len > 0 ? id : slice_str("null"));
}

void rpc_add_result(struct buf *out, struct slice id, struct slice result) {
  rpc_open(out, id);
  json_raw(out, "result", result);
  buf_add_char(out, '}');
}

void rpc_add_error(struct buf *out, struct slice id, enum rpc_code code, const char *message,
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

void rpc_add_notification(struct buf *out, const char *method, struct slice params) {
  buf_add_str(out, "{\"jsonrpc\":\"2.0\"");
  json_cstr(out, "method", method);
  json_raw(out, "params", params);
  buf_add_char(out, '}');
}

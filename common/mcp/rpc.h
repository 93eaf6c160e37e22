/* rpc.h: JSON-RPC 2.0 messages, one JSON value per line (https://www.jsonrpc.org/specification), as in the Model
 * Context Protocol's stdio transport. */
#ifndef BID_RPC_H
#define BID_RPC_H

#include "base/buf.h"

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

/* Parses a valid JSON value (json_validate()). */
void rpc_read(struct slice value, struct rpc_message *m);

/* Whether the message has this method. */
int rpc_is(const struct rpc_message *m, const char *method);

/* Each appends one message without a newline.  An empty id is written as null. `result` is JSON. */
void rpc_add_result(struct buf *out, struct slice id, struct slice result);
void rpc_add_error(struct buf *out, struct slice id, enum rpc_code code, const char *message,
                   struct slice data);
void rpc_add_notification(struct buf *out, const char *method, struct slice params);

#endif

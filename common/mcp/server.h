/* server.h: a server for the Model Context Protocol's stdio transport: one JSON-RPC message per line in each
 * direction.
 *
 * It supports the revisions 2024-11-05, 2025-03-26 (with batches), 2025-06-18 and 2025-11-25, which start with
 * `initialize`, and 2026-07-28, where each request names its revision.
 */
#ifndef BID_MCP_SERVER_H
#define BID_MCP_SERVER_H

#include "base/diag.h"

#define MCP_LINE_BYTES ((size_t)4 << 20) /* limit of a message; a longer line is rejected and skipped */

struct mcp_options {
  int may_write; /* offer tools that change the store */
  double limit;  /* time limit of a call in seconds */
};

/* Serves until `in` ends and all calls are answered, `out` is closed by its reader, or SIGTERM or SIGINT arrives.
 * Returns an exit status: 0, or with e filled 78 (the tools can't be read) or 74 (`out` can't be written). */
int mcp_serve(const struct mcp_options *o, int in, int out, struct error_text *e);

#endif

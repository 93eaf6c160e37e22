/* server.h: a server of the Model Context Protocol over two descriptors (its stdio transport): one JSON-RPC
 * message a line in, one a line out.
 *
 * Spoken are the revisions 2024-11-05, 2025-03-26 (with batches), 2025-06-18 and 2025-11-25, which begin with
 * `initialize`, and 2026-07-28, whose requests name their revision themselves.
 */
#ifndef BID_MCP_SERVER_H
#define BID_MCP_SERVER_H

#include "base/diag.h"

#define MCP_LINE_BYTES ((size_t)4 << 20) /* of a message at most; a longer line is refused and passed over */

struct mcp_options {
  int may_write; /* offer the tools that change the store */
  double limit;  /* seconds of a call */
};

/* Serves until `in` ends and all calls are answered, `out` is closed by its reader, or SIGTERM or SIGINT comes.
 * An exit status: 0, or with e filled 78 (the tools could not be read) or 74 (`out` could not be written). */
int mcp_serve(const struct mcp_options *o, int in, int out, struct error_text *e);

#endif

/* bid-mcp: the store and the sources as tools of the Model Context Protocol, over stdin and stdout. */
#include "mcp/server.h"
#include "record/program.h"

#include <stdlib.h>
#include <unistd.h>

static int ingest;
static double limit = 600;
static const char *store;
static const struct program_option options[] = {
    {OPTION_FLAG, 0, "ingest", NULL, &ingest, "also offer to read filings into the store"},
    {OPTION_REAL, 0, "timeout", "SECONDS", &limit, "end a call that takes longer (default 600)"},
    {OPTION_TEXT, 0, "store", "PATH", &store, "the store (default: BID_STORE)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};
static const struct program_spec spec = {
    "bid-mcp", "[OPTION]...",
    "Serves searches, figures and listings to agents, over the Model Context Protocol.", options,
    "A client starts it and communicates over stdin and stdout, one JSON-RPC message per line; see "
    "bid-mcp(1)."};

int main(int argc, char **argv) {
  struct program p;
  struct error_text e;
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0)
    return status;
  if (p.operand_count > 0)
    return program_usage(&spec, "unknown word '%s'", p.operands[0]);
  if (!(limit > 0))
    return program_usage(&spec, "--timeout: %g is not more than 0", limit);
  if (store != NULL)
    setenv("BID_STORE", store, 1);
  if (isatty(STDIN_FILENO) && !p.quiet)
    diag_warn("speaks JSON-RPC on stdin, one message a line; a client should start it, see bid-mcp(1)");
  struct mcp_options o = {.may_write = ingest, .limit = limit};
  status = mcp_serve(&o, STDIN_FILENO, STDOUT_FILENO, &e);
  if (status != 0)
    diag_warn("%s", e.text);
  program_fail(&p, status);
  return program_finish(&p);
}

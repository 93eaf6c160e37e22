/* connector_process.h: the process of a connector, and what its parent has to know of it; private to connector*.c. */
#ifndef BID_CONNECTOR_PROCESS_H
#define BID_CONNECTOR_PROCESS_H

#include "source/connector.h"

#define CONNECTOR_SOURCE_MAX ((size_t)1 << 20) /* limit of a connector file, in bytes */
#define CONNECTOR_CHOICE "if .f == "           /* start of the line that calls the connector's functions */

/* Message on the socket: this header, then `len` bytes. */
struct connector_message {
  uint64_t len;
  int32_t what; /* request: connector_function; answer: 0 for JSON, 1 for an error text */
  int32_t unused;
};

/* Runs in the child, after fork(): gives up the user's environment, files and descriptors except fd, compiles the
 * connector (its declaration, or everything else), and answers calls until fd is closed. */
_Noreturn void connector_serve(const char *path, int declares, int fd);

/* ---- connector_files.c ---- */

/* Sets the digest of all files that the connector may include, and of this program.  0, or -1 where one of them can't be
 * read: the digest may then be that of another connector. */
int connector_fingerprint(struct connector *c);

#endif

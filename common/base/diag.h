/* diag.h: diagnostics on stderr in one format: "PROGRAM: NAME:LINE: cause".
 *
 * Messages are lower case without a full stop.  Characters that mask.h masks are written as '?', since fetched text
 * is untrusted.  A message is one write(2) of at most 4096 bytes.
 */
#ifndef BID_DIAG_H
#define BID_DIAG_H

#include "base/error_text.h"

#include <stddef.h>

/* The program name that begins every message; kept by reference. */
void diag_set_program(const char *name);
const char *diag_program(void);

/* Whether a progress row may be on the terminal's current line; a message then overwrites it. */
void diag_over_row(int on);

/* Prints "PROGRAM: " and the formatted text. */
void diag_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, followed by ": " and strerror(errno). */
void diag_errno(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "PROGRAM: NAME:LINE: " and the text, for a fault in an input. */
void diag_at(const char *name, unsigned long long line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports that memory ran out and exits with status 70. */
_Noreturn void diag_oom(void);

#endif

/* diag.h: messages for people, on stderr, in one shape: "PROGRAM: NAME:LINE: cause".
 *
 * Lower case, no full stop.  What mask.h hides is masked with '?', since fetched text is
 * hostile.  A message is one write(2) of at most 4096 bytes.
 */
#ifndef BID_DIAG_H
#define BID_DIAG_H

#include <stddef.h>

/* The name in front of every message; kept by reference. */
void diag_set_program(const char *name);
const char *diag_program(void);

/* Whether a row of progress may stand on the terminal's line, which a message then takes the place of. */
void diag_over_row(int on);

/* "PROGRAM: " and the formatted text. */
void diag_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with ": strerror(errno)" behind it. */
void diag_errno(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "PROGRAM: NAME:LINE: " and the text, for a fault in an input. */
void diag_at(const char *name, unsigned long long line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says that memory ran out and exits with status 70. */
_Noreturn void diag_oom(void);

/* An error text that a library function fills: always terminated, never printed by it.
 * Functions that take a `struct error_text *` fill it exactly when they fail. */
struct error_text {
  char text[512];
};
void error_set(struct error_text *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

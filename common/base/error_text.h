/* error_text.h: the message of a failure. */
#ifndef BID_ERROR_TEXT_H
#define BID_ERROR_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* A message that a library function fills in and its caller prints; always terminated.  A function that takes
 * a `struct error_text *` fills it if and only if it fails. */
struct error_text {
  char text[512];
};
void error_set(struct error_text *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* vsnprintf(3), but of a text that is too long the middle is left out: its start says where, its end why. */
void error_format(char *out, size_t room, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif

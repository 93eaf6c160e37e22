/* error_text.h: the message of a failure. */
#ifndef BID_ERROR_TEXT_H
#define BID_ERROR_TEXT_H

/* A message that a library function fills in and its caller prints; always terminated.  A function that takes
 * a `struct error_text *` fills it if and only if it fails. */
struct error_text {
  char text[512];
};
void error_set(struct error_text *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

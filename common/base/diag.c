/* diag.c: diagnostics on stderr in one format: "PROGRAM: NAME:LINE: cause". */
#include "base/diag.h"
#include "base/mask.h"
#include "base/slice.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

/* A line; what precedes the reason gets the smaller room, so that the reason fits behind it. */
enum { DIAG_MAX = 4096, DIAG_HEAD_MAX = DIAG_MAX - 200 };

static const char *program_name = "bid";

void diag_set_program(const char *name) {
  program_name = name;
}
const char *diag_program(void) {
  return program_name;
}

/* Appends what fits into room bytes of line. */
static size_t append(char *line, size_t at, size_t room, const char *format, va_list args) {
  error_format(line + at, room - at, format, args);
  return at + strlen(line + at);
}

__attribute__((format(printf, 4, 5))) static size_t append_f(char *line, size_t at, size_t room,
                                                             const char *format, ...) {
  va_list args;
  va_start(args, format);
  at = append(line, at, room, format, args);
  va_end(args);
  return at;
}

static int over_row;

void diag_over_row(int on) {
  over_row = on;
}

/* One write, so that messages of several programs on one terminal don't interleave. */
static void diag_emit(char *line, size_t len) {
  len = mask_in_place(line, len); /* fetched text may hold terminal escapes */
  if (len >= DIAG_MAX)
    len = DIAG_MAX - 1;
  line[len++] = '\n';
  if (over_row)
    (void)slice_write(slice_str("\r\033[K"), STDERR_FILENO);
  (void)slice_write(slice_of(line, len), STDERR_FILENO);
}

void diag_warn(const char *format, ...) {
  char line[DIAG_MAX];
  size_t len = append_f(line, 0, DIAG_HEAD_MAX, "%s: ", program_name);
  va_list args;
  va_start(args, format);
  len = append(line, len, DIAG_MAX, format, args);
  va_end(args);
  diag_emit(line, len);
}

void diag_errno(const char *format, ...) {
  int saved = errno;
  char line[DIAG_MAX];
  size_t len = append_f(line, 0, DIAG_HEAD_MAX, "%s: ", program_name);
  va_list args;
  va_start(args, format);
  len = append(line, len, DIAG_HEAD_MAX, format, args);
  va_end(args);
  len = append_f(line, len, DIAG_MAX, ": %s", strerror(saved));
  diag_emit(line, len);
  errno = saved;
}

void diag_at(const char *name, unsigned long long number, const char *format, ...) {
  char line[DIAG_MAX];
  size_t len = append_f(line, 0, DIAG_HEAD_MAX, "%s: %s:%llu: ", program_name, name, number);
  va_list args;
  va_start(args, format);
  len = append(line, len, DIAG_MAX, format, args);
  va_end(args);
  diag_emit(line, len);
}

void diag_oom(void) {
  diag_warn("out of memory");
  _exit(EX_SOFTWARE); /* exit() runs the destructors of libraries that other threads still use */
}

#include "base/error_text.h"

#include <stdarg.h>
#include <stdio.h>

void error_set(struct error_text *e, const char *format, ...) {
  if (!e)
    return;
  va_list args;
  va_start(args, format);
  vsnprintf(e->text, sizeof e->text, format, args);
  va_end(args);
}

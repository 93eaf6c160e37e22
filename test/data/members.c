/* members.c: reads all members of the archive on stdin.  Status 0, or 65 and the reason where it can't be read. */
#include "base/error_text.h"
#include "format/unpack.h"

#include <stdio.h>

int main(void) {
  struct error_text why = {0};
  struct unpack *u = unpack_open(0, &why);
  const char *name;
  int more = u ? 1 : -1;
  while (more > 0)
    more = unpack_next(u, &name, &why);
  unpack_close(u);
  if (more < 0)
    fprintf(stderr, "%s\n", why.text);
  return more < 0 ? 65 : 0;
}

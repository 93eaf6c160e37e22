#include "page/pager.h"

#include "base/screen.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static size_t pager_lines(const struct buf *text) {
  size_t lines = 0;
  for (size_t i = 0; i < text->len; i++)
    lines += text->data[i] == '\n';
  return lines;
}

int pager_show(struct buf *text) {
  const char *pager = getenv("PAGER");
  size_t rows = screen_rows();
  if (!isatty(STDOUT_FILENO) || rows == 0 || pager_lines(text) < rows)
    return 0;
  setenv("LESS", "FRX", 0);
  FILE *to = popen(pager && *pager ? pager : "less", "w");
  if (!to)
    return 0;
  void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* the user may quit the pager early */
  fwrite(text->data, 1, text->len, to);
  int status = pclose(to);
  signal(SIGPIPE, before);
  if (status == 127 << 8) /* the shell didn't find the pager */
    return 0;
  buf_clear(text);
  return 1;
}

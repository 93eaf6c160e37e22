/* pager.c: shows what is longer than the screen through $PAGER. */
#include "page/pager.h"

#include "base/helper.h"
#include "base/screen.h"

#include <stdlib.h>
#include <unistd.h>

static size_t pager_lines(const struct buf *text) {
  size_t lines = 0;
  for (size_t i = 0; i < text->len; i++)
    lines += text->data[i] == '\n';
  return lines;
}

void pager_run(int in, int out, int err) {
  const char *pager = getenv("PAGER");
  helper_take(in, out, err);
  setenv("LESS", "FRX", 0);
  execl("/bin/sh", "sh", "-c", pager && *pager ? pager : "less", (char *)NULL);
  _exit(127);
}

int pager_show(struct buf *text) {
  size_t rows = screen_rows();
  if (!isatty(STDOUT_FILENO) || rows == 0 || pager_lines(text) < rows)
    return 0;
  struct helper_task t = {.run = pager_run, .left = buf_slice(text)}; /* which the user may quit early */
  int status = helper_task_do(&t);
  if (status == -1 || status == 127 << 8) /* the shell didn't find the pager */
    return 0;
  buf_clear(text);
  return 1;
}

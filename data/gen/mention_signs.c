/* mention_signs.c: the signs of each candidate for a company's name (common/query/mentions.c), for data/gen/mentions.py.
 * Reads questions on stdin, one per line; prints a line for each candidate, "FROM TO CIK SORT SIGN=VALUE..." (FROM and TO: bytes),
 * and an empty line after each question.
 *
 *   cc -D_GNU_SOURCE -Icommon -I.build -o mention_signs data/gen/mention_signs.c .build/libcommon.a ...
 */
#include "query/plan.h"

#include <stdio.h>
#include <stdlib.h>

#define NOW 1773100800 /* 2026-03-10 */

int main(void) {
  struct error_text why;
  struct planner *planner = planner_open(&why);
  struct buf signs;
  struct plan plan;
  char *line = NULL;
  size_t room = 0;
  ssize_t len;
  if (planner == NULL) {
    fprintf(stderr, "mention_signs: %s\n", why.text);
    return 1;
  }
  plan_init(&plan);
  while ((len = getline(&line, &room, stdin)) > 0) {
    buf_init(&signs, (size_t)1 << 20);
    struct plan_request ask = {.question = slice_of(line, (size_t)len - 1), .signs = &signs, .now = NOW};
    plan_make(planner, &ask, &plan, &why);
    if (signs.len > 0)
      fwrite(signs.data, 1, signs.len, stdout);
    putchar('\n');
    buf_release(&signs);
  }
  plan_release(&plan);
  planner_free(planner);
  free(line);
  return 0;
}

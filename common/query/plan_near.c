#include "query/plan_near.h"

#include "query/choices.h"
#include "query/plan_exact.h"

#include <stdio.h>
#include <stdlib.h>

#define NEAR_LETTERS 6 /* of a ticker */

static void add_near(const struct directory *d, const char *ticker, struct choices *c) {
  char key[NEAR_LETTERS + 4];
  int len = snprintf(key, sizeof key, "$%s", ticker);
  if (len > 0 && (size_t)len < sizeof key) /* else too long for a ticker */
    choices_add_key(c, d, key, (size_t)len, OF_TICKERS, 0, 0);
}

/* All tickers one typing error from `fold`. */
static void near_choices(const struct directory *d, const char *fold, struct choices *c) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
  int n = (int)strlen(fold);
  char near[NEAR_LETTERS + 2];
  for (int i = 0; i <= n; i++) {
    for (const char *l = letters; *l; l++) {
      snprintf(near, sizeof near, "%.*s%c%s", i, fold, *l, fold + i);
      add_near(d, near, c);
      if (i < n) {
        snprintf(near, sizeof near, "%.*s%c%s", i, fold, *l, fold + i + 1);
        add_near(d, near, c);
      }
    }
    if (i < n && n > 2) {
      snprintf(near, sizeof near, "%.*s%s", i, fold, fold + i + 1);
      add_near(d, near, c);
    }
    if (i + 1 < n) {
      snprintf(near, sizeof near, "%.*s%c%c%s", i, fold, fold[i + 1], fold[i], fold + i + 2);
      add_near(d, near, c);
    }
  }
}

size_t plan_near_resolve(const struct directory *d, struct slice name, struct mention *found) {
  struct plan_text *t = xmalloc(sizeof *t);
  struct choices c = {.count = 0};
  char key[CHOICE_KEY];
  memset(found, 0, sizeof *found);
  plan_text_read(t, name);
  if (t->count > 0 && plan_exact_is_nothing(t))
    t->count = 0;
  if (t->count == 2 && (t->token[1].gap & GAP_DOT)) /* "RY.TO": traded elsewhere */
    add_near(d, t->token[0].fold, &c);
  for (size_t to = t->count; to-- > 1 && c.count == 0;) /* "papa johns pizza": what its first words name */
    choices_add_key(&c, d, key, directory_key(t, 0, to, 0, key, sizeof key), OF_ALL_NAMES, 0, 0);
  if (t->count == 1 && t->token[0].len >= 2 && t->token[0].len <= NEAR_LETTERS - 1)
    near_choices(d, t->token[0].fold, &c);
  choices_best(&c, found);
  free(t);
  return found->rival_count;
}

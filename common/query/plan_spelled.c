/* plan_spelled.c: names inside addresses, with a dot in words, with the given name in brackets. */
#include "query/plan_spelled.h"

#include "tables/company_talk.h"

#include <stdlib.h>
#include <string.h>

#define SPELLED_WORDS 16 /* limit of a name's words */
#define Y_LETTERS 6      /* of a word in -y that has another number: "technology" */

struct slice plan_spelled_host(struct slice name) {
  static const char *const ends[] = {COMPANY_TALK_DOMAIN, NULL};
  const char *scheme = memmem(name.data, name.len, "://", 3), *at = memchr(name.data, '@', name.len);
  struct slice host = name;
  struct plan_text *t;
  size_t from, to;
  if (memchr(name.data, ' ', name.len) || !memchr(name.data, '.', name.len))
    return name;
  if (scheme || at)
    host.data = scheme ? scheme + 3 : at + 1;
  host.len -= (size_t)(host.data - name.data);
  for (size_t i = 0; i < host.len; i++)
    host.len = strchr("/?#:", host.data[i]) ? i : host.len;
  t = xmalloc(sizeof *t);
  plan_text_read(t, host);
  to = t->count;
  while (to > 1 && plan_word_in(t->token[to - 1].fold, ends) >= 0)
    to--;
  for (from = to; from > 0 && (from == to || !(t->token[from].gap & GAP_DOT)); from--)
    ;
  if (to > from && to < t->count && t->token[to - 1].end - t->token[from].start > 1)
    name = plan_text_span(t, from, to);
  free(t);
  return name;
}

/* "Zebra Technology", "Marvell Technologies": writes the first such word in the other number; 0 where there is none. */
static int write_other_number(const struct plan_text *t, struct buf *written) {
  for (size_t i = 1; i < t->count; i++) {
    const struct plan_token *token = &t->token[i];
    int many = token->len > Y_LETTERS + 2 && strcmp(token->fold + token->len - 3, "ies") == 0,
        one = token->len > Y_LETTERS && token->fold[token->len - 1] == 'y';
    if (!many && !one)
      continue;
    struct slice head = plan_text_span(t, 0, i), tail = plan_text_span(t, i + 1, t->count);
    return buf_printf(written, "%.*s %.*s%s %.*s", (int)head.len, head.data, token->len - (many ? 3 : 1),
                      token->fold, many ? "y" : "ies", (int)tail.len, tail.data) == 0;
  }
  return 0;
}

int plan_spelled_plainly(const struct plan_text *t, struct buf *written) {
  static const char *const ends[] = {COMPANY_TALK_DOMAIN, NULL};
  size_t open = 1;
  if (t->count > 2 && strcmp(t->token[t->count - 2].fold, "dot") == 0 &&
      plan_word_in(t->token[t->count - 1].fold, ends) >= 0) {
    struct slice head = plan_text_span(t, 0, t->count - 2);
    return buf_printf(written, "%.*s.%s", (int)head.len, head.data, t->token[t->count - 1].fold) == 0;
  }
  while (open < t->count && !(t->token[open].gap & GAP_OPEN))
    open++;
  if (t->count > SPELLED_WORDS)
    return 0;
  if (open + 1 >= t->count)
    return write_other_number(t, written);
  struct slice head = plan_text_span(t, 0, open), given = plan_text_span(t, open, open + 1),
               tail = plan_text_span(t, open + 1, t->count);
  return buf_printf(written, "%.*s %.*s %.*s", (int)given.len, given.data, (int)head.len, head.data,
                    (int)tail.len, tail.data) == 0;
}

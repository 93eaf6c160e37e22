#include "compare/passage_diff.h"

#include <ctype.h>
#include <stdlib.h>

#define WORDS_MAX 3000 /* words of a paragraph that are compared individually */

static size_t diff_word_list(struct slice s, struct slice *list) {
  size_t n = 0, start = 0;
  for (size_t i = 0; i < s.len && n + 1 < WORDS_MAX; i++)
    if (isspace((unsigned char)s.data[i]) && i > start && !isspace((unsigned char)s.data[i - 1])) {
      list[n++] = slice_of(s.data + start, i - start);
      start = i;
    }
  if (start < s.len)
    list[n++] = slice_of(s.data + start, s.len - start);
  return n;
}

static struct slice bare_word(struct slice s) {
  while (s.len && isspace((unsigned char)s.data[0]))
    s = slice_of(s.data + 1, s.len - 1);
  return s;
}

/* Adjacent words with the same mark form a run. */
struct word_run {
  diff_words_function *f;
  void *arg;
  char what;
  struct slice text;
};

static void give_run(struct word_run *r, char what, struct slice word) {
  if (r->text.len && r->what == what && r->text.data + r->text.len == word.data) {
    r->text.len += word.len;
    return;
  }
  if (r->text.len)
    r->f(r->arg, r->what, r->text);
  r->what = what;
  r->text = word;
}

/* Longest common subsequence by dynamic programming; its table has at most WORDS_MAX * WORDS_MAX * 2 bytes. */
void passage_diff_words(struct slice was, struct slice is, diff_words_function *f, void *arg) {
  struct slice *a = xcalloc(2 * WORDS_MAX, sizeof *a), *b = a + WORDS_MAX;
  size_t n = diff_word_list(was, a), m = diff_word_list(is, b), i = 0, k = 0;
  uint16_t *best = xcalloc((n + 1) * (m + 1), sizeof *best);
  struct word_run run = {f, arg, 0, {NULL, 0}};
  for (size_t x = n; x-- > 0;)
    for (size_t y = m; y-- > 0;) {
      uint16_t down = best[(x + 1) * (m + 1) + y], right = best[x * (m + 1) + y + 1];
      best[x * (m + 1) + y] = slice_eq(bare_word(a[x]), bare_word(b[y]))
                                  ? (uint16_t)(best[(x + 1) * (m + 1) + y + 1] + 1)
                                  : (down > right ? down : right);
    }
  while (i < n || k < m) {
    if (i < n && k < m && slice_eq(bare_word(a[i]), bare_word(b[k]))) {
      give_run(&run, '=', b[k]);
      i++, k++;
    } else if (i < n && (k == m || best[(i + 1) * (m + 1) + k] >= best[i * (m + 1) + k + 1])) {
      give_run(&run, '-', a[i++]);
    } else {
      give_run(&run, '+', b[k++]);
    }
  }
  give_run(&run, 0, slice_of(NULL, 0));
  free(best);
  free(a);
}

/* near_name.c: edit distances of words (optimal string alignment), and the closest of several names. */
#include "base/near_name.h"

#include <string.h>
#include <strings.h>

static int near_name_lower(char c) {
  return c >= 'A' && c <= 'Z' ? c + 32 : (unsigned char)c;
}

static size_t near_name_min(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Three rows of the dynamic programming table over prefixes: a swap refers two rows back. */
size_t near_name_edits(const char *a, size_t n, const char *b, size_t m) {
  size_t rows[3][NEAR_NAME_MAX + 1];
  size_t *before = rows[0], *last = rows[1], *now = rows[2];
  if (n > NEAR_NAME_MAX || m > NEAR_NAME_MAX)
    return NEAR_NAME_MAX + 1;
  for (size_t j = 0; j <= m; j++)
    last[j] = before[j] = j;
  for (size_t i = 1; i <= n; i++) {
    now[0] = i;
    for (size_t j = 1; j <= m; j++) {
      int x = near_name_lower(a[i - 1]), y = near_name_lower(b[j - 1]);
      now[j] = near_name_min(near_name_min(last[j], now[j - 1]) + 1, last[j - 1] + (x != y));
      if (i > 1 && j > 1 && x == near_name_lower(b[j - 2]) && y == near_name_lower(a[i - 2]))
        now[j] = near_name_min(now[j], before[j - 2] + 1);
    }
    size_t *spare = before;
    before = last;
    last = now;
    now = spare;
  }
  return last[m];
}

size_t near_name_distance(const char *a, const char *b) {
  return near_name_edits(a, strlen(a), b, strlen(b));
}

int near_name_is_typo(const char *a, size_t n, const char *b, size_t m) {
  size_t head = 0, tail = 0, most = n < m ? n : m;
  while (head < most && a[head] == b[head])
    head++;
  while (tail < most - head && a[n - 1 - tail] == b[m - 1 - tail])
    tail++;
  size_t left = n - head - tail, right = m - head - tail;
  return (left <= 1 && right <= 1 && left + right > 0) ||
         (left == 2 && right == 2 && a[head] == b[head + 1] && a[head + 1] == b[head]);
}

void near_name_init(struct near_name *n, const char *word) {
  size_t third = strlen(word) / 3;
  n->word = word;
  n->best = NULL;
  n->distance = 1 + (third < 1 ? 1 : third > 3 ? 3 : third);
}

void near_name_try(struct near_name *n, const char *name) {
  size_t length = strlen(n->word), d = near_name_distance(n->word, name);
  if (length >= 3 && d > 1 && strncasecmp(n->word, name, length) == 0)
    d = 1;
  if (d >= n->distance || d >= strlen(name))
    return;
  n->distance = d;
  n->best = name;
}

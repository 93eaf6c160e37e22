#include "query/plan_senses.h"

#include <stdio.h>

#define SENSE_KEY 96 /* limit of a key, as CHOICE_KEY */

/* Compares the key at the beginning of a line with another; as memcmp(). */
static int compare_key(const char *line, const char *end, const char *key) {
  while (line < end && *key && *line == *key) {
    line++;
    key++;
  }
  unsigned char a = line < end && *line != '\t' && *line != '\n' ? (unsigned char)*line : 0;
  return a - (unsigned char)*key;
}

/* What stands behind the key of its line. */
static struct slice words_of_line(const char *line, const char *end) {
  const char *stop = memchr(line, '\n', (size_t)(end - line));
  stop = stop ? stop : end;
  const char *tab = memchr(line, '\t', (size_t)(stop - line));
  return tab ? slice_of(tab + 1, (size_t)(stop - tab - 1)) : slice_of(NULL, 0);
}

static struct slice sense_row(struct slice table, const char *key) {
  const char *text = table.data, *end = text + table.len;
  size_t low = 0, high = table.len;
  while (low < high) {
    size_t line = low + (high - low) / 2;
    while (line > low && text[line - 1] != '\n')
      line--;
    int order = compare_key(text + line, end, key);
    if (order == 0)
      return words_of_line(text + line, end);
    if (order > 0) {
      high = line;
    } else {
      const char *next = memchr(text + line, '\n', table.len - line);
      low = next ? (size_t)(next - text) + 1 : table.len;
    }
  }
  return slice_of(NULL, 0);
}

struct slice plan_senses_of_company(struct slice table, uint32_t cik) {
  char key[16];
  snprintf(key, sizeof key, "%u", cik);
  return sense_row(table, key);
}

struct slice plan_senses_of_name(struct slice table, const char *key) {
  char singular[SENSE_KEY];
  size_t len = strlen(key);
  struct slice row = sense_row(table, key);
  if (row.len > 0 || len < 2 || len >= sizeof singular || key[len - 1] != 's')
    return row;
  snprintf(singular, sizeof singular, "%.*s", (int)len - 1, key);
  return sense_row(table, singular);
}

/* Whether a word of the table and a typed one are the same but for an ending: "lens" and "lenses", "policy" and "policies". */
static int is_same_word(const char *word, size_t n, const char *typed, size_t len) {
  if (n < len && memcmp(word, typed, n) == 0)
    return (len == n + 1 && typed[n] == 's') || (len == n + 2 && memcmp(typed + n, "es", 2) == 0);
  if (n > 3 && word[n - 1] == 'y' && len == n + 2)
    return memcmp(word, typed, n - 1) == 0 && memcmp(typed + n - 1, "ies", 3) == 0;
  return n == len && memcmp(word, typed, n) == 0;
}

int plan_senses_have(struct slice words, const struct plan_token *token) {
  for (size_t at = 0, n; at < words.len; at += n + 1) {
    const char *blank = memchr(words.data + at, ' ', words.len - at);
    n = blank ? (size_t)(blank - words.data) - at : words.len - at;
    if (n > 0 && token->bare >= n && is_same_word(words.data + at, n, token->fold, token->bare))
      return 1;
  }
  return 0;
}

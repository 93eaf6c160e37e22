/* ordinary_words.c: looks up stems of ordinary English words in the lines of a sorted table. */
#include "base/ordinary_words.h"

#include "tables/ordinary_words.h"

static const char ordinary_lines[][120] = {ORDINARY_WORDS_PLAIN};
#define LINES (sizeof ordinary_lines / sizeof *ordinary_lines)

/* The last line that doesn't sort after the word: " stem stem ... stem ", ascending. */
static size_t ordinary_words_line_of(struct slice word) {
  size_t low = 0, high = LINES;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    const char *first = ordinary_lines[middle] + 1;
    int order = strncmp(word.data, first, word.len);
    if (order < 0 || (order == 0 && first[word.len] != ' '))
      high = middle;
    else
      low = middle;
  }
  return low;
}

int ordinary_words_has(struct slice stem) {
  char wanted[ORDINARY_WORDS_MAX + 3] = " ";
  if (!stem.len || stem.len > ORDINARY_WORDS_MAX)
    return 0;
  memcpy(wanted + 1, stem.data, stem.len);
  wanted[stem.len + 1] = ' ';
  return strstr(ordinary_lines[ordinary_words_line_of(stem)], wanted) != NULL;
}

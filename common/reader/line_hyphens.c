/* line_hyphens.c: decides whether a hyphen at a line's end divides a word, joins a compound or stands for a word left out. */
#include "reader/text_table.h"

#include "base/hash.h"
#include "base/ordinary_words.h"
#include "tables/word_endings.h"

#include <ctype.h>
#include <stdlib.h>

#define PART_MAX 31   /* limit of a part of a word in bytes; longer ones are not judged by words */
#define STEM_LEAST 3  /* minimum letters of a stem that has an ending */
#define WHOLE_LEAST 3 /* minimum letters of the second part of a compound that has an unknown first part */

static const char *const word_endings[] = {WORD_ENDINGS_ENGLISH, NULL};

struct line_hyphens {
  struct hash_counts words; /* words and compounds in small letters */
};

static int hyphens_letter(char c) {
  return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Writes the words in small letters, with `between` them; empty where they are too long. */
static struct slice hyphens_joined(char out[2 * PART_MAX + 2], struct slice a, const char *between,
                                   struct slice b) {
  size_t n = 0;
  if (a.len > PART_MAX || b.len > PART_MAX)
    return slice_of(out, 0);
  for (size_t i = 0; i < a.len; i++)
    out[n++] = (char)tolower((unsigned char)a.data[i]);
  for (; *between; between++)
    out[n++] = *between;
  for (size_t i = 0; i < b.len; i++)
    out[n++] = (char)tolower((unsigned char)b.data[i]);
  return slice_of(out, n);
}

static void hyphens_add(struct line_hyphens *h, struct slice a, const char *between, struct slice b) {
  char word[2 * PART_MAX + 2];
  struct slice joined = hyphens_joined(word, a, between, b);
  if (joined.len)
    hash_counts_add(&h->words, joined);
}

static unsigned hyphens_count(const struct line_hyphens *h, struct slice a, const char *between,
                              struct slice b) {
  char word[2 * PART_MAX + 2];
  return hash_counts_of(&h->words, hyphens_joined(word, a, between, b));
}

static struct slice hyphens_run(struct slice s, size_t from) {
  size_t to = from;
  while (to < s.len && hyphens_letter(s.data[to]))
    to++;
  return slice_of(s.data + from, to - from);
}

/* Counts a line's words and compounds, but for what may be part of a divided word; returns whether its last one is. */
static int hyphens_add_line(struct line_hyphens *h, struct slice line, int continued) {
  const struct slice none = {NULL, 0};
  struct slice before = none;
  for (size_t i = 0; i < line.len;) {
    struct slice run = hyphens_run(line, i);
    size_t end = i + run.len;
    if (run.len && end + 1 == line.len && line.data[end] == '-')
      return 1;
    if (run.len && !continued)
      hyphens_add(h, run, "", none);
    if (run.len && before.len)
      hyphens_add(h, before, "-", run);
    continued = continued && !run.len;
    before = run.len && end < line.len && line.data[end] == '-' ? run : none;
    i = end + 1;
  }
  return 0;
}

struct line_hyphens *line_hyphens_new(struct slice text) {
  struct line_hyphens *h = xcalloc(1, sizeof *h);
  int continued = 0;
  while (text.len) {
    size_t n = 0;
    while (n < text.len && text.data[n] != '\n' && text.data[n] != '\r' && text.data[n] != '\f')
      n++;
    size_t end = n;
    while (end && (text.data[end - 1] == ' ' || text.data[end - 1] == '\t'))
      end--;
    if (end)
      continued = hyphens_add_line(h, slice_of(text.data, end), continued);
    n += n < text.len;
    text = slice_of(text.data + n, text.len - n);
  }
  return h;
}

void line_hyphens_free(struct line_hyphens *h) {
  if (h)
    hash_counts_release(&h->words);
  free(h);
}

/* Whether `stem`, with an ending of `rest`, is an ordinary word: "plan" "ning", "parti" as in "party". */
static int hyphens_has_ending(struct slice stem, struct slice rest) {
  if (rest.len > 1 && rest.data[0] == stem.data[stem.len - 1]) /* a doubled consonant */
    rest = slice_of(rest.data + 1, rest.len - 1);
  return slice_among_nocase(rest, word_endings) && ordinary_words_has(stem);
}

/* Whether the word, in small letters, is ordinary. */
static int hyphens_is_ordinary(char *word, size_t len) {
  if (len > 2 && word[len - 1] == 'y')
    word[len - 1] = 'i';
  int found = ordinary_words_has(slice_of(word, len));
  if (len > 2 && word[len - 1] == 'i')
    word[len - 1] = 'y';
  found = found || ordinary_words_has(slice_of(word, len));
  for (size_t n = len; !found && n-- > STEM_LEAST;)
    found = hyphens_has_ending(slice_of(word, n), slice_of(word + n, len - n));
  return found;
}

static int hyphens_known(const struct line_hyphens *h, struct slice a, struct slice b) {
  char word[2 * PART_MAX + 2];
  struct slice whole = hyphens_joined(word, a, "", b);
  return hash_counts_of(&h->words, whole) || hyphens_is_ordinary(word, whole.len);
}

/* "short- and long-term", "two- to three-year" */
static int hyphens_suspends(struct slice next) {
  static const char *const links[] = {"and", "or", "to", NULL};
  return slice_among_nocase(next, links);
}

enum line_hyphen line_hyphens_judge(const struct line_hyphens *h, struct slice before, struct slice after) {
  const struct slice none = {NULL, 0};
  size_t from = before.len;
  while (from && hyphens_letter(before.data[from - 1]))
    from--;
  struct slice a = slice_of(before.data + from, before.len - from), b = hyphens_run(after, 0);
  if (!a.len || !b.len || a.len > PART_MAX || b.len > PART_MAX)
    return HYPHEN_COMPOUND;
  unsigned whole = hyphens_count(h, a, "", b), compound = hyphens_count(h, a, "-", b);
  if (whole || compound)
    return whole > compound ? HYPHEN_DIVIDES : HYPHEN_COMPOUND;
  if (hyphens_suspends(b))
    return HYPHEN_SUSPENDED;
  if (isupper((unsigned char)b.data[0]) || (a.len == 1 && from == 0))
    return HYPHEN_COMPOUND;
  if (hyphens_known(h, a, b))
    return HYPHEN_DIVIDES;
  if (hyphens_known(h, b, none) && (hyphens_known(h, a, none) || b.len > WHOLE_LEAST))
    return HYPHEN_COMPOUND;
  return HYPHEN_DIVIDES;
}

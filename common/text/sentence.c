/* sentence.c: where an English sentence of a filing ends. */
#include "text/sentence.h"

#include "tables/abbreviations.h"
#include "tables/legal_forms.h"
#include "tables/sentences.h"

#include <ctype.h>
#include <stdint.h>

#define WORD_MAX 16

/* Words of at most 8 letters, zero-padded to eight bytes.  These never end a sentence: */
static const char joined[][8] = {ABBREVIATIONS_JOINED};

/* These end one only before a word that opens sentences. */
static const char may_end[][8] = {LEGAL_FORMS_STOP, ABBREVIATIONS_MAY_END};

static const char openers[][8] = {SENTENCES_OPENER};

/* Words followed by a number, a full stop and a title. */
static const char numbered[][8] = {SENTENCES_NUMBERED};

#define AMONG(word, list) among(word, list, sizeof(list) / sizeof *(list))

/* Whether a word of at most 8 letters (zero-padded, like the list) is in the list; compares eight bytes at once. */
static int among(const char *word, const char (*list)[8], size_t count) {
  uint64_t key, other, found = 0;
  memcpy(&key, word, 8);
  for (size_t i = 0; i < count; i++) {
    memcpy(&other, list[i], 8);
    found |= key == other;
  }
  return found && word[8] == 0;
}

/* The word at the end of text[..end), in lower case and without its full stops ("U.S" gives "us"); returns its
 * offset.  Empty for a longer word. */
static size_t word_before(struct slice text, size_t end, char word[WORD_MAX]) {
  size_t start = end, n = 0;
  while (start > 0 && (isalnum((unsigned char)text.data[start - 1]) || text.data[start - 1] == '.'))
    start--;
  for (size_t i = start; i < end && end - start < WORD_MAX - 1; i++)
    if (text.data[i] != '.')
      word[n++] = (char)tolower((unsigned char)text.data[i]);
  memset(word + n, 0, WORD_MAX - n);
  return start;
}

static void word_at(struct slice text, size_t at, char word[WORD_MAX]) {
  size_t n = 0;
  while (at < text.len && n < WORD_MAX - 1 && isalpha((unsigned char)text.data[at]))
    word[n++] = (char)tolower((unsigned char)text.data[at++]);
  memset(word + n, 0, WORD_MAX - n);
}

static int is_number(const char *word) {
  return *word && word[strspn(word, "0123456789")] == 0;
}

/* "Item 1A.", "Note 12.", or a number or letter at the start of the text: "1.  Introduction". */
static int sentence_is_label(struct slice text, size_t start, const char *word) {
  char before[WORD_MAX];
  size_t end = start;
  if (strlen(word) > 3)
    return 0;
  while (end > 0 && isspace((unsigned char)text.data[end - 1]))
    end--;
  if (end == 0)
    return 1;
  word_before(text, end, before);
  return AMONG(before, numbered);
}

/* Whether the full stop at text[at] ends a sentence; the next word is at text[next]. */
static int stop_ends(struct slice text, size_t at, size_t next) {
  char word[WORD_MAX], following[WORD_MAX];
  size_t start = word_before(text, at, word);
  if (word[0] == 0)
    return 1;
  if (sentence_is_label(text, start, word))
    return 0;
  if (is_number(word) || strcmp(word, "no") == 0 || strcmp(word, "nos") == 0)
    return !isdigit((unsigned char)text.data[next]);
  if (AMONG(word, joined))
    return 0;
  int dotted = memchr(text.data + start, '.', at - start) != NULL;
  if (word[1] != 0 && !dotted && !AMONG(word, may_end))
    return 1;
  word_at(text, next, following);
  return AMONG(following, openers);
}

/* Length of a closing character of a sentence at text[at], or 0. */
static size_t closer(struct slice text, size_t at) {
  const char *s = text.data + at;
  if (strchr("\"')]}*_", *s))
    return *s != 0;
  if (text.len - at >= 3 && memcmp(s, "\xe2\x80", 2) == 0 && (s[2] == '\x99' || s[2] == '\x9d'))
    return 3;
  return 0;
}

static int sentence_opens(unsigned char c) {
  return isupper(c) || isdigit(c) || c >= 0x80 || strchr("\"'([$*_#", c) != NULL;
}

/* The end of the sentence whose punctuation is at text[at], or 0 where it doesn't end one. */
static size_t end_at(struct slice text, size_t at) {
  size_t end = at + 1, n, next;
  while (end < text.len && (n = closer(text, end)))
    end += n;
  for (next = end; next < text.len && isspace((unsigned char)text.data[next]);)
    next++;
  if (next == end || next == text.len || !sentence_opens((unsigned char)text.data[next]))
    return 0;
  return text.data[at] != '.' || stop_ends(text, at, next) ? end : 0;
}

/* 。 ！ ？ */
static int is_wide_stop(struct slice text, size_t at) {
  if (text.len - at < 3)
    return 0;
  const char *s = text.data + at;
  return memcmp(s, "\xe3\x80\x82", 3) == 0 || memcmp(s, "\xef\xbc\x81", 3) == 0 ||
         memcmp(s, "\xef\xbc\x9f", 3) == 0;
}

/* The next byte from text[i] on that may be a sentence end: . ! ? or the first byte of a wide one. */
static size_t next_mark(struct slice text, size_t i) {
  static const unsigned char mark[256] = {['.'] = 1, ['!'] = 1, ['?'] = 1, [0xe3] = 1, [0xef] = 1};
  while (i < text.len && !mark[(unsigned char)text.data[i]])
    i++;
  return i;
}

size_t sentence_end(struct slice text) {
  for (size_t i = next_mark(text, 0); i < text.len; i = next_mark(text, i + 1)) {
    size_t end = (unsigned char)text.data[i] < 0x80 ? end_at(text, i) : is_wide_stop(text, i) ? i + 3 : 0;
    if (end)
      return end;
  }
  return text.len;
}

#include "text/wordpiece_chars.h"

#include "base/utf8.h"
#include "text/wordpiece_unicode.h"
#include "text/wordpiece_vocab.h"

/* A word that is being read. */
struct word_reader {
  struct wordpiece_word word;
  wordpiece_word_function *f;
  void *arg;
};

static void word_clear(struct wordpiece_word *word) {
  word->len = word->chars = 0;
}

static void word_flush(struct word_reader *r) {
  if (r->word.chars) {
    memset(r->word.text + r->word.len, 0, WORDPIECE_KEY);
    r->f(r->arg, &r->word);
  }
  word_clear(&r->word);
}

static void word_add(struct wordpiece_word *word, const char *bytes, size_t len, size_t from) {
  if (word->chars++ == 0)
    word->start = (uint32_t)from;
  if (word->chars > WORDPIECE_CHARS)
    return;
  for (size_t i = 0; i < len; i++) {
    word->text[word->len] = bytes[i];
    word->from[word->len++] = (uint32_t)from;
  }
}

static void word_alone(struct word_reader *r, const char *bytes, size_t len, size_t from) {
  word_flush(r);
  word_add(&r->word, bytes, len, from);
  word_flush(r);
}

/* Adds a mapped character: UTF-8, where a space ends the word. */
static void word_add_mapped(struct word_reader *r, const char *bytes, size_t len, size_t from) {
  for (size_t i = 0, n; i < len; i += n) {
    uint32_t c;
    n = utf8_decode(bytes + i, len - i, &c);
    if (bytes[i] == ' ')
      word_flush(r);
    else
      word_add(&r->word, bytes + i, n, from);
  }
}

/* Hangul syllables are decomposed into jamo by arithmetic (The Unicode Standard, section 3.12). */
static void word_add_hangul(struct wordpiece_word *word, uint32_t c, size_t from) {
  uint32_t index = c - 0xAC00,
           parts[3] = {0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28};
  for (size_t i = 0; i < (index % 28 ? 3u : 2u); i++) {
    char bytes[4];
    word_add(word, bytes, utf8_encode(parts[i], bytes), from);
  }
}

static inline unsigned unicode_class(uint32_t c) {
  return wordpiece_values[(unsigned)wordpiece_blocks[c >> WORDPIECE_SHIFT] << WORDPIECE_SHIFT |
                          (c & ((1u << WORDPIECE_SHIFT) - 1))];
}

static void word_add_unicode(struct word_reader *r, const char *at, size_t len, uint32_t c, size_t from) {
  unsigned class = unicode_class(c);
  switch (class) {
  case WORDPIECE_KEEP:
    word_add(&r->word, at, len, from);
    break;
  case WORDPIECE_DROP:
    break;
  case WORDPIECE_SPACE:
    word_flush(r);
    break;
  case WORDPIECE_ALONE:
    word_alone(r, at, len, from);
    break;
  case WORDPIECE_HANGUL:
    word_add_hangul(&r->word, c, from);
    break;
  default:
    class -= WORDPIECE_MAPPED;
    word_add_mapped(r, (const char *)wordpiece_pool + wordpiece_offsets[class],
                    (size_t)(wordpiece_offsets[class + 1] - wordpiece_offsets[class]), from);
  }
}

static void word_add_ascii(struct word_reader *r, char c, size_t from) {
  switch (wordpiece_ascii_class[(unsigned char)c]) {
  case ASCII_WORD:
    c |= 0x20;
    word_add(&r->word, &c, 1, from);
    break;
  case ASCII_PUNCT:
    word_alone(r, &c, 1, from);
    break;
  case ASCII_SPACE:
    word_flush(r);
    break;
  default:
    break;
  }
}

size_t wordpiece_chars_read(struct slice text, size_t at, wordpiece_word_function *f, void *arg) {
  struct word_reader r;
  r.f = f;
  r.arg = arg;
  word_clear(&r.word);
  while (at < text.len) {
    const char *here = text.data + at;
    uint32_t c;
    size_t n = utf8_decode(here, text.len - at, &c);
    if (n == 1)
      word_add_ascii(&r, *here, at);
    else if (n > 1)
      word_add_unicode(&r, here, n, c, at);
    at += n ? n : 1; /* invalid UTF-8 is dropped, as U+FFFD is */
    if (r.word.chars == 0)
      break;
  }
  word_flush(&r);
  return at;
}

int wordpiece_chars_separates(uint32_t c) {
  unsigned class = unicode_class(c);
  return class == WORDPIECE_SPACE || class == WORDPIECE_ALONE;
}

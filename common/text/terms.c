/* terms.c: the tokenizer for BM25.
 *
 * One pass over the bytes.  Words of ASCII letters between blanks, almost all of them, are found 64 bytes at a time and
 * read in one piece; terms_token.h reads all else.
 */
#include "text/terms.h"

#include "text/terms_chars.h"
#include "text/terms_stems.h"
#include "text/terms_token.h"

/* State of a scan, on the stack of terms_scan(). */
struct scan {
  struct terms *terms;
  struct terms_token token;
  unsigned flags;
  terms_function *f; /* NULL: hashes in batches */
  void *arg;
  uint32_t position;
};

static void terms_emit(struct scan *s, struct slice text, enum term_kind kind, uint64_t hash) {
  uint32_t position = s->position++;
  if (kind == TERM_STOP && !(s->flags & TERMS_STOPS))
    return;
  if (s->f == NULL) {
    terms_stems_add_hash(s->terms, hash, kind == TERM_NUMBER);
    return;
  }
  struct term t = {text, position, s->token.start, s->token.at, kind, hash};
  s->f(s->arg, &t);
}

static void emit_word(struct scan *s, struct slice word) {
  struct terms_stem stem = terms_stems_of(s->terms, word);
  if (stem.text.len == 0)
    terms_emit(s, word, TERM_STOP, 0);
  else
    terms_emit(s, stem.text, TERM_WORD, stem.hash);
}

static void emit_token(struct scan *s) {
  enum terms_token_kind kind = terms_token_read(&s->token);
  struct slice value = s->token.value;
  if (kind == TOKEN_WORD)
    emit_word(s, value);
  else if (kind != TOKEN_NONE)
    terms_emit(s, value, kind == TOKEN_NUMBER ? TERM_NUMBER : TERM_WORD, terms_hash(value));
}

static inline void emit_letters(struct scan *s, const char *p, size_t n) {
  char word[TERMS_STEMS_WORD];
  if (s->f == NULL) {
    terms_stems_add_letters(s->terms, p, n);
    return;
  }
  for (size_t i = 0; i < n; i++)
    word[i] = terms_lower(p[i]);
  emit_word(s, slice_of(word, n));
}

/* ---- words of ASCII letters ---- */

/* Bytes examined together; words start in them and end at most PIECE bytes after. */
#define WINDOW 64
#define PIECE 32

/* Bitmaps of a window, one bit per byte. */
struct window {
  uint64_t letters; /* ASCII letters */
  uint64_t begins;  /* a term may start here */
  uint64_t marks;   /* a word may continue across this character, or include it */
};

/* Bits of looks_of[], what a byte may be in a window. */
enum { LOOKS_LETTER, LOOKS_START, LOOKS_DIGIT, LOOKS_DOT, LOOKS_MARK };
static uint8_t looks_of[256];

__attribute__((constructor)) static void make_looks(void) {
  for (int c = 0; c < 256; c++) {
    int letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'), digit = c >= '0' && c <= '9',
        high = c >= 128;
    looks_of[c] =
        (uint8_t)(letter << LOOKS_LETTER | (letter || digit || high) << LOOKS_START | digit << LOOKS_DIGIT |
                  (c == '.') << LOOKS_DOT | (digit || high || c == '\'' || c == '&') << LOOKS_MARK);
  }
}

/* The same bit of eight bytes, as eight adjacent bits: the multiplication moves bit 8 i to 56 + i. */
static inline uint64_t gather_bit(uint64_t bytes, unsigned bit) {
  return ((bytes >> bit & 0x0101010101010101) * 0x0102040810204080) >> 56;
}

static void terms_look_at(const char *p, struct window *w) {
  uint64_t digits = 0, dots = 0;
  w->letters = w->begins = w->marks = 0;
  for (int i = 0; i < WINDOW; i += 8) {
    uint64_t looks = 0;
    for (int k = 0; k < 8; k++)
      looks |= (uint64_t)looks_of[(uint8_t)p[i + k]] << 8 * k;
    w->letters |= gather_bit(looks, LOOKS_LETTER) << i;
    w->begins |= gather_bit(looks, LOOKS_START) << i;
    w->marks |= gather_bit(looks, LOOKS_MARK) << i;
    digits |= gather_bit(looks, LOOKS_DIGIT) << i;
    dots |= gather_bit(looks, LOOKS_DOT) << i;
  }
  w->begins |= dots & (digits >> 1 | (uint64_t)1 << (WINDOW - 1)); /* ".25" */
}

/* "U.S.", "S-1", "US", "DEF 14A"; n is unpredictable, so there is one branch for all. */
static inline int is_special(const char *p, size_t n) {
  unsigned a = (unsigned char)p[0] | 32, b = (unsigned char)p[1] | 32, c = (unsigned char)p[2] | 32;
  unsigned one = (n == 1) & (p[1] != ' '), two = (n == 2) & ((a ^ 'u') + (b ^ 's') == 0);
  return (int)(one | two | ((n == 3) & ((a ^ 'd') + (b ^ 'e') + (c ^ 'f') == 0)));
}

/* Length of the word of ASCII letters at p + at, where it certainly ends within the window and needs no special
 * treatment; else 0. */
static inline size_t plain_length(const struct window *w, const char *p, size_t at) {
  uint64_t others = ~(w->letters >> at);
  size_t n = others ? (size_t)__builtin_ctzll(others) : WINDOW;
  if (n == 0 || n > TERMS_STEMS_WORD || at + n >= WINDOW || (w->marks >> (at + n) & 1))
    return 0;
  return is_special(p + at, n) ? 0 : n;
}

/* Reads the terms that start in the next WINDOW bytes; a word that may end after them is left for the next call. */
static void read_window(struct scan *s) {
  struct terms_token *t = &s->token;
  char end[WINDOW + PIECE] = "";
  size_t from = t->at, at = 0;
  const char *p = t->text + from;
  if (t->len - from < sizeof end)
    p = memcpy(end, p, t->len - from);
  struct window w;
  terms_look_at(p, &w);
  while (at < WINDOW && w.begins >> at) {
    at += (size_t)__builtin_ctzll(w.begins >> at);
    t->start = t->at = from + at;
    size_t n = plain_length(&w, p, at);
    if (n > 0) {
      t->at += n;
      emit_letters(s, p + at, n);
    } else if (at > WINDOW / 2 && w.letters >> at == UINT64_MAX >> at)
      return;
    else
      emit_token(s);
    at = t->at - from;
  }
  if (at < WINDOW) /* no other term starts here */
    t->at = t->len - from < WINDOW ? t->len : from + WINDOW;
}

static uint32_t terms_read(struct scan *s, struct slice text) {
  s->token.text = text.data;
  s->token.len = text.len;
  while (s->token.at < text.len)
    if (s->flags & TERMS_SIMPLE)
      emit_token(s);
    else
      read_window(s);
  return s->position;
}

uint32_t terms_scan(struct terms *t, struct slice text, unsigned flags, terms_function *f, void *arg) {
  struct scan s = {.terms = t, .flags = flags, .f = f, .arg = arg};
  return terms_read(&s, text);
}

void terms_each_batch(struct terms *t, struct slice text, terms_batch_function *f, void *arg) {
  struct scan s = {.terms = t};
  terms_stems_begin(t, f, arg);
  terms_read(&s, text);
  terms_stems_end(t);
}

/* Output of terms_hashes(). */
struct terms_list {
  uint64_t *hashes; /* [max] */
  size_t count, max, numbers;
};

static void terms_append(void *arg, const struct terms_batch *b) {
  struct terms_list *l = arg;
  for (size_t i = 0; i < b->count && l->count < l->max; i++) {
    l->hashes[l->count++] = (b->hash[i] & ~TERMS_NUMBER) | b->number[i];
    l->numbers += b->number[i];
  }
}

size_t terms_hashes(struct terms *t, struct slice text, uint64_t *hashes, size_t max, size_t *numbers) {
  struct terms_list l = {hashes, 0, max, 0};
  terms_each_batch(t, text, terms_append, &l);
  *numbers = l.numbers;
  return l.count;
}

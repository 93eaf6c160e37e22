/* wordpiece_vocab.c: the tables of a vocabulary, and look-ups in the sorted table that a model file has of it. */
#include "text/wordpiece_vocab.h"

#include <stdlib.h>
#include <sys/mman.h>

/* ---- few look-ups ---- */

/* A binary search.  Among the tokens that are prefixes of a text, the longest is last in the order,
 * and between it and the text there are only tokens that have it as a prefix too.  So one search finds either that
 * token or an upper limit of its length. */

#define MARK 2 /* length of "##" */

/* Compares the token after its first `skip` bytes, up to the end of its line or of the vocabulary, with text:
 * negative, 0 or positive; *same: length of their common prefix.  *whole: that is the entire token. */
static int wordpiece_index_compare(const struct wordpiece_index *o, size_t i, size_t skip, const char *text,
                                   size_t len, size_t *same, int *whole) {
  size_t start = o->entries[i].start + skip, n = 0;
  size_t left = start < o->vocab.len ? o->vocab.len - start : 0;
  const char *token = o->vocab.data + (o->vocab.len - left);
  while (n < len && n < left && token[n] != '\n' && token[n] == text[n])
    n++;
  *same = n;
  *whole = n >= left || token[n] == '\n';
  if (*whole)
    return n == len ? 0 : -1;
  return n == len || (unsigned char)token[n] > (unsigned char)text[n] ? 1 : -1;
}

/* The first of [from, until) that sorts after text. */
static size_t wordpiece_index_behind(const struct wordpiece_index *o, size_t from, size_t until, size_t skip,
                                     const char *text, size_t len) {
  while (from < until) {
    size_t middle = from + (until - from) / 2, same;
    int whole;
    if (wordpiece_index_compare(o, middle, skip, text, len, &same, &whole) <= 0)
      from = middle + 1;
    else
      until = middle;
  }
  return from;
}

/* vocab and order: the sections of model.h, kept by reference.  0, or -1 where order is unusable: more entries than
 * lines are possible, or none.  Other errors in it can only lead to wrong ids. */
static int wordpiece_index_init(struct wordpiece_index *o, struct slice vocab, struct slice order) {
  o->vocab = vocab;
  o->entries = (const void *)order.data;
  o->count = order.len / sizeof *o->entries;
  if (o->count == 0 || order.len % sizeof *o->entries != 0 || o->count > vocab.len)
    return -1;
  o->rest = wordpiece_index_behind(o, 0, o->count, 0, "##", MARK);
  o->rest_end = wordpiece_index_behind(o, o->rest, o->count, 0, "##\xff", MARK + 1);
  return 0;
}

size_t wordpiece_index_longest(const struct wordpiece_index *o, int rest, const char *text, size_t len,
                               int32_t *id) {
  size_t from = rest ? o->rest : 0, until = rest ? o->rest_end : o->count, skip = rest ? MARK : 0;
  while (len > 0) {
    size_t same;
    int whole;
    until = wordpiece_index_behind(o, from, until, skip, text, len);
    if (until == from)
      return 0;
    wordpiece_index_compare(o, until - 1, skip, text, len, &same, &whole);
    if (whole && o->entries[until - 1].id < o->count) {
      *id = (int32_t)o->entries[until - 1].id;
      return same;
    }
    len = whole ? 0 : same;
  }
  return 0;
}

#define FEW_BITS 12 /* for words that the sorted table found; more than FEW_MOST are searched again */
#define FEW_MOST ((size_t)3 << (FEW_BITS - 2))
#define HUGE_PAGE ((size_t)2 << 20)
#define VOCAB_MAX 262144 /* tokens */

/* C0 controls except tab, newline and return are dropped, as in BERT's clean-up, including form feeds. */
#define D ASCII_DROP
#define S ASCII_SPACE
#define P ASCII_PUNCT
#define W ASCII_WORD
#define N ASCII_NOT
/* clang-format off */
const uint8_t wordpiece_ascii_class[256] = {
    D, D, D, D, D, D, D, D, D, S, S, D, D, S, D, D,
    D, D, D, D, D, D, D, D, D, D, D, D, D, D, D, D,
    S, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    W, W, W, W, W, W, W, W, W, W, P, P, P, P, P, P,
    P, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, P, P, P, P, P,
    P, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, P, P, P, P, D,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N,
};
/* clang-format on */
#undef D
#undef S
#undef P
#undef W
#undef N

/* --- tables --- */

int32_t wordpiece_find_long(const struct wordpiece_table *t, const char *text, size_t len) {
  for (size_t i = t->long_count; i-- > 0;)
    if (t->longs[i].len == len && memcmp(t->longs[i].text, text, len) == 0)
      return t->longs[i].id;
  return -1;
}

/* Twice the number of tokens, rounded up to a power of two. */
static unsigned slot_bits(size_t tokens) {
  unsigned bits = 8;
  while (((size_t)1 << bits) < 2 * tokens)
    bits++;
  return bits;
}

static struct wordpiece_entry *wordpiece_table_init(struct wordpiece_table *t, unsigned bits,
                                                    struct wordpiece_entry *slots) {
  t->shift = 64 - bits;
  t->mask = ((size_t)1 << bits) - 1;
  t->slots = slots;
  return slots + t->mask + 1;
}

/* The slots of both tables in zeroed memory that the kernel may back with one huge page: saves five hundred page
 * faults at every start. */
static void tables_init(struct wordpiece *w, size_t first, size_t rest) {
  unsigned first_bits = slot_bits(first), rest_bits = slot_bits(rest);
  size_t slots = ((size_t)1 << first_bits) + ((size_t)1 << rest_bits);
  w->mapped = slots * sizeof(struct wordpiece_entry) + 2 * HUGE_PAGE;
  w->map = mmap(NULL, w->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (w->map == MAP_FAILED)
    diag_oom();
  char *aligned = (char *)(((uintptr_t)w->map + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));
  (void)madvise(aligned, w->mapped - HUGE_PAGE, MADV_HUGEPAGE);
  wordpiece_table_init(
      &w->rest, rest_bits,
      wordpiece_table_init(&w->first, first_bits, (struct wordpiece_entry *)(void *)aligned));
}

static void add_long(struct wordpiece_table *t, const char *text, size_t len, int32_t id) {
  if (t->long_count == t->long_cap) {
    t->long_cap = t->long_cap ? 2 * t->long_cap : 64;
    t->longs = xreallocarray(t->longs, t->long_cap, sizeof *t->longs);
  }
  t->longs[t->long_count++] = (struct wordpiece_long){text, (uint32_t)len, id};
}

static void add_lengths(struct wordpiece_table *t, const char *text, size_t len) {
  if (len > 1) {
    t->lengths[wordpiece_pair_of(text, len)] |= (uint64_t)1 << len;
    return;
  }
  for (unsigned second = 0; second < 64; second++)
    t->lengths[wordpiece_six_bits((unsigned char)text[0]) << 6 | second] |= 2;
}

/* Of equal tokens the last one counts, as in a dictionary filled in order of ids. */
static void wordpiece_table_add(struct wordpiece_table *t, struct wordpiece_entry key, int32_t id) {
  size_t i = wordpiece_slot_of(t, key);
  while (t->slots[i].next && (t->slots[i].low != key.low || t->slots[i].high != key.high))
    i = (i + 1) & t->mask;
  key.next = id + 1;
  t->slots[i] = key;
}

void wordpiece_note_found(const struct wordpiece *w, const char *text, size_t len, int32_t id) {
  struct wordpiece *own = (struct wordpiece *)(uintptr_t)w; /* a cache */
  if (len > WORDPIECE_KEY || own->found == FEW_MOST)
    return;
  own->found++;
  wordpiece_table_add(&own->first, wordpiece_key_of(text, len), id);
}

/* --- vocabulary --- */

static int continues(struct slice token) {
  return token.len > 2 && token.data[0] == '#' && token.data[1] == '#';
}

/* left: bytes of the vocabulary from the token on; its last tokens are padded before a key is made. */
static void wordpiece_place(struct wordpiece_table *t, struct slice token, size_t left, int32_t id) {
  char padded[WORDPIECE_KEY] = {0};
  const char *text = token.data;
  add_lengths(t, token.data, token.len);
  if (token.len > WORDPIECE_KEY)
    add_long(t, token.data, token.len, id);
  else {
    if (left < WORDPIECE_KEY)
      text = memcpy(padded, token.data, token.len);
    wordpiece_table_add(t, wordpiece_key_of(text, token.len), id);
  }
}

static int wordpiece_add_token(struct wordpiece *w, struct slice token, size_t left, struct error_text *e) {
  int32_t id = (int32_t)w->size++;
  if (token.len == 0 || token.len > WORDPIECE_TOKEN || memchr(token.data, 0, token.len)) {
    error_set(e, "vocabulary: token %d is empty, too long or holds a zero byte", (int)id);
    return -1;
  }
  w->continues[id] = (uint8_t)continues(token);
  if (continues(token))
    wordpiece_place(&w->rest, slice_of(token.data + 2, token.len - 2), left - 2, id);
  else
    wordpiece_place(&w->first, token, left, id);
  return 0;
}

/* Counts lines, and those that begin with "##"; a plain loop that compilers vectorise. */
static void wordpiece_count_tokens(struct slice vocab, size_t *lines, size_t *rest) {
  *lines = 1;
  *rest = 0;
  for (size_t i = 0; i < vocab.len; i++)
    *lines += vocab.data[i] == '\n';
  for (size_t i = 2; i < vocab.len; i++)
    *rest += (vocab.data[i - 2] == '\n') & (vocab.data[i - 1] == '#') & (vocab.data[i] == '#');
}

static int wordpiece_fill(struct wordpiece *w, struct slice vocab, struct error_text *e) {
  while (vocab.len > 0) {
    struct slice line = slice_cut(&vocab, '\n');
    if (wordpiece_add_token(w, line, line.len + vocab.len, e) != 0)
      return -1;
  }
  return 0;
}

/* Looks up tokens for single characters: [UNK] and punctuation. */
static int take_singles(struct wordpiece *w, struct error_text *e) {
  w->unknown = wordpiece_id(w, slice_str("[UNK]"));
  if (w->unknown < 0) {
    error_set(e, "vocabulary: no [UNK] among its %zu tokens", w->size);
    return -1;
  }
  for (char c = 1; c < 127; c++) {
    int32_t id = wordpiece_ascii_class[(int)c] == ASCII_PUNCT ? wordpiece_id(w, slice_of(&c, 1)) : -1;
    w->single[(int)c] = id < 0 ? w->unknown : id;
  }
  return 0;
}

struct wordpiece *wordpiece_new(struct slice vocab, struct error_text *e) {
  size_t lines, rest;
  wordpiece_count_tokens(vocab, &lines, &rest);
  if (lines > VOCAB_MAX) {
    error_set(e, "vocabulary: %zu tokens, at most %d are possible", lines, VOCAB_MAX);
    return NULL;
  }
  struct wordpiece *w = xcalloc(1, sizeof *w);
  tables_init(w, lines - rest, rest);
  w->continues = xcalloc(lines, 1);
  if (wordpiece_fill(w, vocab, e) != 0 || take_singles(w, e) != 0) {
    wordpiece_free(w);
    return NULL;
  }
  return w;
}

struct wordpiece *wordpiece_new_ordered(struct slice vocab, struct slice order, struct error_text *e) {
  struct wordpiece *w = xcalloc(1, sizeof *w);
  if (wordpiece_index_init(&w->order, vocab, order) != 0) {
    wordpiece_free(w);
    return wordpiece_new(vocab, e);
  }
  w->size = w->order.count;
  w->few = xcalloc((size_t)1 << FEW_BITS, sizeof *w->few);
  wordpiece_table_init(&w->first, FEW_BITS, w->few);
  wordpiece_table_init(&w->rest, 1, w->none);
  if (take_singles(w, e) != 0) {
    wordpiece_free(w);
    return NULL;
  }
  return w;
}

void wordpiece_free(struct wordpiece *w) {
  if (w == NULL)
    return;
  if (w->map)
    munmap(w->map, w->mapped);
  free(w->continues);
  free(w->few);
  free(w->first.longs);
  free(w->rest.longs);
  free(w);
}

size_t wordpiece_vocab_size(const struct wordpiece *w) {
  return w->size;
}

int32_t wordpiece_id(const struct wordpiece *w, struct slice token) {
  const struct wordpiece_table *t = &w->first;
  int rest = continues(token);
  int32_t id;
  if (token.len == 0 || token.len > WORDPIECE_TOKEN)
    return -1;
  if (rest) {
    t = &w->rest;
    token = slice_of(token.data + 2, token.len - 2);
  }
  if (w->order.count)
    return wordpiece_index_longest(&w->order, rest, token.data, token.len, &id) == token.len ? id : -1;
  char padded[WORDPIECE_TOKEN + WORDPIECE_KEY] = {0};
  memcpy(padded, token.data, token.len);
  return wordpiece_find(t, padded, token.len);
}

/* ordinary_words.c: the stems that texts use as ordinary words, not as names: made of documents on stdin, parted
 * by form feeds, it prints common/query/ordinary_words.h.
 *
 *   cc -D_GNU_SOURCE -Icommon -o ordinary_words data/gen/ordinary_words.c common/text/terms.c common/base/{buf,diag,utf8}.c \
 *      -lstemmer -lxxhash
 *
 * The list was made of the recorded filings as bid-strip gives them, the pages and questions of
 * ../shared/bench/tatqa-dev, the thesaurus, and a hundred times each, so that they count,
 * data/gen/everyday.txt and data/gen/synonyms.tsv in small letters.  The words of everyday.txt were chosen by hand;
 * those that a vocabulary suggested were held against Debian's wamerican-small (SCOWL, public domain).
 */
#include "base/buf.h"
#include "text/terms.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS ((size_t)1 << 20)
#define LEAST_TIMES 2
#define LEAST_DOCUMENTS 2
#define LINE 96
#define LETTERS 3 /* shorter words name nobody, or are abbreviations */

struct word {
  char stem[TERMS_MAX + 1];
  uint64_t hash;
  uint32_t small, capital, documents, last;
};

struct count {
  struct word *words; /* [SLOTS], open addressing */
  struct slice text;
  uint32_t document;
};

static struct word *slot_of(struct count *c, const struct term *t) {
  size_t i = t->hash % SLOTS;
  while (c->words[i].hash != 0 && c->words[i].hash != t->hash)
    i = (i + 1) % SLOTS;
  return &c->words[i];
}

static void count_word(void *arg, const struct term *t) {
  struct count *c = arg;
  if (t->kind != TERM_WORD)
    return;
  struct word *w = slot_of(c, t);
  w->hash = t->hash;
  memcpy(w->stem, t->text.data, t->text.len);
  int capital = isupper((unsigned char)c->text.data[t->start]);
  *(capital ? &w->capital : &w->small) += 1;
  if (!capital && w->last != c->document) {
    w->last = c->document;
    w->documents++;
  }
}

static int is_plain(const struct word *w) {
  size_t n = strlen(w->stem);
  for (size_t i = 0; i < n; i++)
    if (!islower((unsigned char)w->stem[i]))
      return 0;
  return n >= LETTERS && w->small >= LEAST_TIMES && w->documents >= LEAST_DOCUMENTS && w->small > w->capital;
}

static int compare(const void *a, const void *b) {
  return strcmp(((const struct word *)a)->stem, ((const struct word *)b)->stem);
}

static void print_words(struct word *words) {
  size_t n = 0, column = 0;
  for (size_t i = 0; i < SLOTS; i++)
    if (words[i].hash != 0 && is_plain(&words[i]))
      words[n++] = words[i];
  qsort(words, n, sizeof *words, compare);
  printf("/* ordinary_words.h: made by data/gen/ordinary_words.c; do not edit.  %zu stems, ascending. */\n"
         "static const char plain_words[][%d] = {\n    \" ",
         n, LINE + 24);
  for (size_t i = 0; i < n; i++) {
    column += strlen(words[i].stem) + 1;
    printf("%s ", words[i].stem);
    if (column > LINE - 24 && i + 1 < n) {
      printf("\",\n    \" ");
      column = 0;
    }
  }
  printf("\"};\n");
}

int main(void) {
  struct count c = {.words = calloc(SLOTS, sizeof *c.words)};
  struct terms *terms = terms_new();
  struct buf all;
  char block[65536];
  buf_init(&all, (size_t)1 << 30);
  for (size_t n; (n = fread(block, 1, sizeof block, stdin)) > 0;)
    buf_add(&all, block, n);
  for (size_t start = 0; start < all.len; c.document++) {
    const char *end = memchr(all.data + start, '\f', all.len - start);
    size_t len = end ? (size_t)(end - all.data) - start : all.len - start;
    c.text = slice_of(all.data + start, len);
    c.document += c.document == 0;
    terms_scan(terms, c.text, 0, count_word, &c);
    start += len + 1;
  }
  print_words(c.words);
  terms_free(terms);
  return fflush(stdout) != 0;
}

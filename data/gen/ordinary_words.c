/* ordinary_words.c: the stems of ordinary words, which name nobody: of a word list on stdin, one a line, it prints
 * data/tables/ordinary_words.tsv.
 *
 *   cc -D_GNU_SOURCE -Icommon -I.build -o ordinary_words data/gen/ordinary_words.c .build/libcommon.a -lstemmer -lxxhash
 *   for size in 10 20 35 40 50; do cat /usr/share/dict/scowl/{english,american}-words.$size; done |
 *     grep -E "^[a-z]+$" | ./ordinary_words
 *
 * The list is SCOWL's (Kevin Atkinson; public domain and free lists), Debian's package scowl: American English words of
 * sizes 10 to 50, without those that are only names.
 */
#include "base/buf.h"
#include "text/terms.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS ((size_t)1 << 20)
#define LINE 96
#define LETTERS 3 /* shorter words name nobody, or are abbreviations */

struct word {
  char stem[TERMS_MAX + 1];
  uint64_t hash;
};

struct count {
  struct word *words; /* [SLOTS], open addressing */
};

static struct word *slot_of(struct count *c, const struct term *t) {
  size_t i = t->hash % SLOTS;
  while (c->words[i].hash != 0 && c->words[i].hash != t->hash)
    i = (i + 1) % SLOTS;
  return &c->words[i];
}

static void count_word(void *arg, const struct term *t) {
  if (t->kind != TERM_WORD)
    return;
  struct word *w = slot_of(arg, t);
  w->hash = t->hash;
  memcpy(w->stem, t->text.data, t->text.len);
}

static int is_plain(const struct word *w) {
  size_t n = strlen(w->stem);
  for (size_t i = 0; i < n; i++)
    if (!islower((unsigned char)w->stem[i]))
      return 0;
  return n >= LETTERS;
}

static int compare(const void *a, const void *b) {
  return strcmp(((const struct word *)a)->stem, ((const struct word *)b)->stem);
}

static const char head[] =
    "# ordinary_words.tsv: stems of ordinary words, which name nobody; made by data/gen/ordinary_words.c; do "
    "not edit.\n"
    "# source: SCOWL (Kevin Atkinson; public domain and free lists; Debian's package scowl), sizes 10 to 50, "
    "without words that are only\n"
    "# names.  Ascending; '_' is the blank on both sides of a line, by which a stem is found as a whole.\n"
    "# lists\tphrases\n";

static void print_words(struct word *words) {
  size_t n = 0, column = 0;
  int start = 1;
  for (size_t i = 0; i < SLOTS; i++)
    if (words[i].hash != 0 && is_plain(&words[i]))
      words[n++] = words[i];
  qsort(words, n, sizeof *words, compare);
  fputs(head, stdout);
  for (size_t i = 0; i < n; i++) {
    column += strlen(words[i].stem) + 1;
    printf("%s%s", start ? "plain\t_" : " ", words[i].stem);
    start = column > LINE - 24 || i + 1 == n;
    fputs(start ? "_\n" : "", stdout);
    column = start ? 0 : column;
  }
}

int main(void) {
  struct count c = {.words = calloc(SLOTS, sizeof *c.words)};
  struct terms *terms = terms_new();
  struct buf all;
  char block[65536];
  buf_init(&all, (size_t)1 << 30);
  for (size_t n; (n = fread(block, 1, sizeof block, stdin)) > 0;)
    buf_add(&all, block, n);
  terms_scan(terms, buf_slice(&all), 0, count_word, &c);
  print_words(c.words);
  terms_free(terms);
  return fflush(stdout) != 0;
}

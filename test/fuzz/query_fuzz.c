/* query_fuzz.c: any bytes as a question, and as a text for the tokenizer: in bounds, ends, terms are short.
 */
#include "query/query.h"

#include <stdio.h>
#include <stdlib.h>

static const struct query_company companies[] = {{"", "", ""},
                                                 {"Apple Inc.", "AAPL", "0000320193"},
                                                 {"Siemens Energy AG", "", ""},
                                                 {"A & B Co", "AB", "1"}};
static const char *const forms[] = {"", "10-K", "10-K/A", "4"};
#define MOST 500
static const char words[] =
    "top line\tnet sales\tincome\ncapex; capital spending\tpurchases of property\tcash\n";

static void check_term(void *arg, const struct term *t) {
  const struct slice *text = arg;
  if (t->text.len == 0 || t->text.len > TERMS_MAX || t->start >= t->end || t->end > text->len)
    abort();
}

/* A sum that depends on the order and the place of the terms. */
static void add_hash(void *arg, const struct term *t) {
  uint64_t *sum = arg;
  *sum = (*sum * 0x9e3779b97f4a7c15u) ^ terms_hash(t->text) ^ t->hash << 1 ^ t->position ^ t->end << 32;
}

struct sum {
  uint64_t hashes;
  size_t count;
};

static void add_term_hash(void *arg, const struct term *t) {
  struct sum *s = arg;
  if (s->count < MOST)
    s->hashes = (s->hashes * 0x9e3779b97f4a7c15u) ^ (t->hash & ~TERMS_NUMBER) ^ (t->kind == TERM_NUMBER);
  s->count += s->count < MOST;
}

/* Hashes alone are those of the terms. */
static void check_hashes(struct terms *terms, struct slice text) {
  static uint64_t hashes[MOST + 1];
  struct sum one = {0, 0}, other = {0, 0};
  size_t numbers;
  terms_scan(terms, text, TERMS_SIMPLE, add_term_hash, &one);
  for (size_t n = terms_hashes(terms, text, hashes, MOST, &numbers); other.count < n; other.count++)
    other.hashes = (other.hashes * 0x9e3779b97f4a7c15u) ^ hashes[other.count];
  if (one.hashes != other.hashes || one.count != other.count)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct terms *terms;
  static struct thesaurus *thesaurus;
  static struct query q;
  struct error_text e;
  struct slice text = slice_of((const char *)data, size);
  struct query_known known = {companies, 4, forms, 4};
  if (terms == NULL) {
    terms = terms_new();
    thesaurus = thesaurus_new(slice_str(words), terms, slice_of(NULL, 0), &e);
    query_init(&q);
  }
  uint64_t sum = 0, simple = 0;
  terms_scan(terms, text, TERMS_STOPS, check_term, &text);
  terms_scan(terms, text, 0, add_hash, &sum);
  terms_scan(terms, text, TERMS_SIMPLE, add_hash, &simple);
  if (sum != simple)
    abort();
  check_hashes(terms, text);
  if (query_parse(&q, text, terms, thesaurus) == 0) {
    query_mark_name(&q, slice_str("Apple"));
    query_finish(&q);
  }
  char option[64];
  uint32_t found[4];
  uint16_t found_forms[4];
  snprintf(option, sizeof option, "%.*s", (int)(size < 63 ? size : 63), (const char *)data);
  if (query_find_companies(&known, option, found, 4) > 4 ||
      query_find_forms(&known, option, found_forms, 4) > 4)
    abort();
  struct thesaurus *other = thesaurus_new(text, terms, slice_of(NULL, 0), &e);
  thesaurus_free(other);
  return 0;
}

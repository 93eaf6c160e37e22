/* query_fuzz.c: any bytes as a question, and as a text for the tokenizer: in bounds, ends, terms are short.
 */
#include "query.h"

#include <stdlib.h>

static const struct query_company companies[] = {{"", "", ""},
                                                 {"Apple Inc.", "AAPL", "0000320193"},
                                                 {"Siemens Energy AG", "", ""},
                                                 {"A & B Co", "AB", "1"}};
static const char *const forms[] = {"", "10-K", "10-K/A", "4"};
static const char words[] =
    "top line\tnet sales\tincome\ncapex; capital spending\tpurchases of property\tcash\n";

static void check_term(void *arg, const struct term *t) {
  const struct slice *text = arg;
  if (t->text.len == 0 || t->text.len > TERMS_MAX || t->start >= t->end || t->end > text->len)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct terms *terms;
  static struct thesaurus *thesaurus;
  static struct query q;
  struct error_text e;
  struct slice text = slice_of((const char *)data, size);
  struct query_known known = {companies, 4, forms, 4, NULL};
  if (terms == NULL) {
    terms = terms_new();
    thesaurus = thesaurus_new(slice_str(words), terms, &e);
    query_init(&q);
  }
  terms_scan(terms, text, TERMS_STOPS, check_term, &text);
  if (query_parse(&q, text, terms, thesaurus) == 0) {
    query_route(&q, &known);
    query_finish(&q);
  }
  struct thesaurus *other = thesaurus_new(text, terms, &e);
  thesaurus_free(other);
  return 0;
}

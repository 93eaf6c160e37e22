/* rank_places.c: countries and states that the question names and the documents that are searched, its company's, do not.
 *
 * A place has no everyday word beside its name, as other things have.  So a question about Norway is not answered
 * where Norway stands nowhere.  Regions are left out: filings call them by several names (APAC, Asia Pacific, EEA).
 */
#include "search/rank_internal.h"
#include "tables/places.h"

#define PLACE_WORDS 4
#define PLACE_BYTES 64
#define PLACE_SHORTEST 4 /* letters; "us" is a pronoun, and "UK" stands as "U.K." */

static struct slice token_text(const struct query *q, const struct query_token *t) {
  return slice_of(q->text.data + t->start, t->end - t->start);
}

/* The number of words of the longest name of a place that begins with token i; 0: none. */
static size_t place_words(const struct query *q, size_t i) {
  static const char *const places[] = {PLACES_COUNTRY, PLACES_STATE, NULL};
  char name[PLACE_BYTES];
  size_t len = 0, found = 0;
  for (size_t n = 0; n < PLACE_WORDS && i + n < q->token_count; n++) {
    const struct query_token *t = &q->tokens[i + n];
    struct slice word = token_text(q, t);
    if (t->kind == QUERY_ROUTED || len + word.len + 2 > sizeof name)
      break;
    if (n > 0)
      name[len++] = ' ';
    memcpy(name + len, word.data, word.len);
    len += word.len;
    if (len >= PLACE_SHORTEST && slice_among_nocase(slice_of(name, len), places))
      found = n + 1;
  }
  return found;
}

/* Whether a word of these tokens stands in a passage that passes. */
static int any_stands(const struct query *q, const uint64_t *frequency, size_t first, size_t count) {
  for (size_t i = first; i < first + count; i++) {
    struct slice stem = slice_of(q->own.data + q->tokens[i].stem, q->tokens[i].stem_len);
    for (size_t k = 0; k < q->term_count; k++)
      if (frequency[k] > 0 && slice_eq(q->terms[k].text, stem))
        return 1;
  }
  return 0;
}

int rank_places_absent(const struct query *q, const uint64_t *frequency) {
  for (size_t i = 0, n; i<q->token_count; i += n> 0 ? n : 1) {
    n = place_words(q, i);
    if (n > 0 && !any_stands(q, frequency, i, n))
      return 1;
  }
  return 0;
}

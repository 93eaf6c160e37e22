/* search_show_test.c: what is said of an answer as a whole. */
#include "filing/form.h"
#include "search/search.h"

#include "test.h"

static const char *verdict(float confidence, float relevance) {
  static struct buf out;
  struct rank_hit hits[2] = {{.relevance = relevance / 2}, {.relevance = relevance}};
  struct search_answer answer = {.result = {.hits = hits, .count = 2, .confidence = confidence}};
  buf_release(&out);
  buf_init(&out, 4096);
  search_add_verdict(&answer, &out);
  buf_add_char(&out, '\0');
  return out.data;
}

TEST(an_answer_is_likely_only_where_a_passage_stands_out) {
  CHECK_STR(verdict(0.9F, 0.4F), "Answered here: likely.");
  CHECK_STR(verdict(0.7F, 0.4F), "Answered here: unsure.");
  CHECK_STR(verdict(0.99F, 0.04F),
            "Answered here: unsure. No passage stands out; the answer may be in none of them.");
  CHECK_STR(verdict(0.3F, 0.01F),
            "Answered here: unlikely. No passage stands out; the answer may be in none of them.");
}

TEST(what_amends_or_completes_a_registration_follows_it) {
  CHECK(form_follows(slice_str("POS AM"), slice_str("S-3")));
  CHECK(form_follows(slice_str("424B5"), slice_str("F-3/A")));
  CHECK(!form_follows(slice_str("8-K"), slice_str("S-3")));
  CHECK(!form_follows(slice_str("424B5"), slice_str("10-K")));
}

int main(void) {
  RUN(an_answer_is_likely_only_where_a_passage_stands_out);
  RUN(what_amends_or_completes_a_registration_follows_it);
  return test_done();
}

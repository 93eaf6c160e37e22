/* rank_measures_test.c: what figures a question asks for, and whether a passage states them. */
#include "search/rank_internal.h"

#include "test.h"

static struct terms *terms;
static struct query q;

/* How many measures of the question a passage leaves out. */
static size_t missing(const char *question, const char *passage) {
  struct rank_measures m;
  CHECK_INT(query_parse(&q, slice_str(question), terms, NULL), 0);
  query_finish(&q);
  rank_measures_find(&m, &q);
  rank_measures_look(&m, terms, slice_str(passage));
  return rank_measures_missing(&m);
}

TEST(a_split_is_stated_where_its_noun_follows_it) {
  CHECK_INT(missing("layoffs by city", "We cut 300 jobs in the city of Austin."), 1);
  CHECK_INT(missing("layoffs by city", "Jobs cut, by city: Austin 200, Reno 100."), 0);
  CHECK_INT(missing("rent per square foot", "We pay $20 a square foot."), 0);
  CHECK_INT(missing("rent per square foot", "The store has 2,000 square feet."), 1);
  CHECK_INT(missing("royalty per each of the tons", "Ton by ton, royalties of each ton fell."), 0);
}

TEST(what_is_no_split_asks_for_nothing) {
  CHECK_INT(missing("what must be repaid by 2027", "Notes."), 0);
  CHECK_INT(missing("loans repaid by June", "Notes."), 0);
  CHECK_INT(missing("by how much did margins fall", "Notes."), 0);
  CHECK_INT(missing("revenue by", "Notes."), 0);
}

TEST(several_passages_may_state_them_and_no_more_than_so_many_are_kept) {
  struct rank_measures m;
  CHECK_INT(query_parse(&q, slice_str("trucks by state per week, by fuel, by age, by make"), terms, NULL), 0);
  query_finish(&q);
  rank_measures_find(&m, &q);
  CHECK_INT(rank_measures_missing(&m), RANK_MEASURES);
  rank_measures_look(&m, terms, slice_str("by state"));
  rank_measures_look(&m, terms, slice_str("by fuel"));
  CHECK_INT(rank_measures_missing(&m), RANK_MEASURES - 2);
}

int main(void) {
  terms = terms_new();
  query_init(&q);
  RUN(a_split_is_stated_where_its_noun_follows_it);
  RUN(what_is_no_split_asks_for_nothing);
  RUN(several_passages_may_state_them_and_no_more_than_so_many_are_kept);
  query_release(&q);
  terms_free(terms);
  return test_done();
}

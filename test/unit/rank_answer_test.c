/* rank_answer_test.c: what speaks for and against an answer, of candidates made by hand. */
#include "search/rank_internal.h"

#include "test.h"

#define DAYS_2024 19723 /* of 2024-01-01 since 1970 */

static struct store_doc doc;
static struct store_segment seg;
#define CANDIDATES 6

static struct rank_candidate candidates[CANDIDATES];
static struct rank_candidate *order[CANDIDATES];
static struct query q;
static struct rank_asking asking;
static struct rank_answer_features out;

static void make(void) {
  doc = (struct store_doc){.rows = CANDIDATES, .fiscal_year = 2023, .fiscal_period = 5};
  seg = (struct store_segment){.rows = CANDIDATES, .docs = 1, .doc = &doc};
  memset(candidates, 0, sizeof candidates);
  memset(&q, 0, sizeof q);
  for (size_t i = 0; i < CANDIDATES; i++) {
    order[i] = &candidates[i];
    candidates[i].hit.at = (struct rank_place){&seg, (uint32_t)i, 0};
    candidates[i].hit.sum = 5 - (float)i;
    candidates[i].hit.cosine = 0.3F + 0.2F * (float)i;
    candidates[i].hit.f.coverage = 0.5F;
  }
  asking = (struct rank_asking){.q = &q, .newest = DAYS_2024};
}

static void describe(void) {
  rank_answer_describe(&asking, order, 2, &out);
}

TEST(the_best_of_all_that_were_read_counts) {
  make();
  describe();
  CHECK(out.cosine == 0.5F && out.coverage == 0.5F && out.best == 5);
  CHECK(out.year_missing == 0 && out.year_beyond == 0);
  CHECK(out.whole == 0);
  candidates[1].hit.f.near = 1;
  describe();
  CHECK(out.whole == 1);
}

TEST(nothing_read_says_nothing) {
  make();
  rank_answer_describe(&asking, order, 0, &out);
  CHECK(out.cosine == 0 && out.best == 0);
}

TEST(a_year_is_missing_where_no_candidate_is_of_it_or_holds_it) {
  make();
  q.years[0] = 2022;
  q.year_count = 1;
  describe();
  CHECK(out.year_missing == 1 && out.year_beyond == 0);
  candidates[1].hit.f.years = 1;
  describe();
  CHECK(out.year_missing == 0);
}

TEST(a_year_far_down_is_missing_all_the_same) {
  make();
  q.years[0] = 2022;
  q.year_count = 1;
  candidates[CANDIDATES - 1].hit.f.years = 1;
  rank_answer_describe(&asking, order, CANDIDATES, &out);
  CHECK(out.year_missing == 1);
  candidates[CANDIDATES - 2].hit.f.years = 1;
  rank_answer_describe(&asking, order, CANDIDATES, &out);
  CHECK(out.year_missing == 0);
}

TEST(a_year_two_after_the_newest_candidate_is_beyond) {
  make();
  q.years[0] = 2025;
  q.year_count = 1;
  describe();
  CHECK(out.year_beyond == 0);
  q.years[0] = 2026;
  describe();
  CHECK(out.year_beyond == 1);
}

TEST(a_passage_of_another_quarter_does_not_hold_the_year) {
  make();
  doc.fiscal_period = 2;
  q.years[0] = 2023;
  q.year_count = 1;
  q.quarters = 1;
  candidates[0].hit.f.year_same = 1;
  describe();
  CHECK(out.year_missing == 1 && out.year_beyond == 1);
  candidates[0].hit.f.quarter_same = 1;
  describe();
  CHECK(out.year_missing == 0 && out.year_beyond == 0);
}

TEST(a_named_company_needs_some_word_in_its_documents) {
  make();
  asking.narrowed = 1;
  describe();
  CHECK(out.narrowed == 1);
  candidates[0].hit.f.coverage = candidates[1].hit.f.coverage = 0;
  describe();
  CHECK(out.narrowed == 0);
  candidates[1].hit.f.expansion = 0.2F; /* one of the thesaurus will do */
  describe();
  CHECK(out.narrowed == 1);
}

TEST(what_filings_hardly_speak_of_is_missing_where_none_of_the_best_few_does) {
  static struct rank_reading readings[CANDIDATES];
  make();
  for (size_t i = 0; i < CANDIDATES; i++) {
    readings[i] = (struct rank_reading){.outside = 0};
    candidates[i].reading = &readings[i];
  }
  q.phrases[0] = (struct query_phrase){.count = 1};
  q.phrase_count = 1;
  rank_answer_describe(&asking, order, CANDIDATES, &out);
  CHECK(out.outside == 0);
  q.phrases[0].outside = 1;
  readings[CANDIDATES - 1].outside = 1; /* far down */
  rank_answer_describe(&asking, order, CANDIDATES, &out);
  CHECK(out.outside == 1);
  readings[1].outside = 1;
  rank_answer_describe(&asking, order, CANDIDATES, &out);
  CHECK(out.outside == 0);
}

TEST(measures_that_none_states_count_up_to_two) {
  make();
  asking.unstated = 1;
  describe();
  CHECK(out.unstated == 1);
  asking.unstated = 3; /* more say no more */
  describe();
  CHECK(out.unstated == 2);
}

TEST(the_chance_rises_with_what_speaks_for_an_answer) {
  struct rank_answer_features weak = {.cosine = 0.3F, .coverage = 0.2F, .best = 6}, strong = weak;
  strong.cosine = 0.6F;
  strong.best = 12;
  for (int model = 0; model < RANK_MODEL_COUNT; model++) {
    float low = rank_answer_chance(&weak, (enum rank_model)model),
          high = rank_answer_chance(&strong, (enum rank_model)model);
    CHECK(low > 0 && low < high && high < 1);
    strong.year_beyond = 1;
    CHECK(rank_answer_chance(&strong, (enum rank_model)model) < high);
    strong.year_beyond = 0;
  }
}

int main(void) {
  RUN(the_best_of_all_that_were_read_counts);
  RUN(nothing_read_says_nothing);
  RUN(a_year_is_missing_where_no_candidate_is_of_it_or_holds_it);
  RUN(a_year_far_down_is_missing_all_the_same);
  RUN(a_year_two_after_the_newest_candidate_is_beyond);
  RUN(a_passage_of_another_quarter_does_not_hold_the_year);
  RUN(a_named_company_needs_some_word_in_its_documents);
  RUN(what_filings_hardly_speak_of_is_missing_where_none_of_the_best_few_does);
  RUN(measures_that_none_states_count_up_to_two);
  RUN(the_chance_rises_with_what_speaks_for_an_answer);
  return test_done();
}

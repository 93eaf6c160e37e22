/* rank_describe_test.c: a candidate's features, of documents and passages made by hand. */
#include "search/rank_internal.h"

#include "test.h"

#include <math.h>

#define DAYS_2024 19723 /* of 2024-01-01 since 1970 */
#define ROWS 40

static const char *const forms[] = {"", "10-K", "10-Q"};
static struct store_doc docs[2];
static uint16_t lengths[ROWS];
static struct store_segment seg;
static struct rank_candidate list[3];
static struct query q;
static struct rank_asking asking;

/* An annual report on 2023 of 30 passages and a report on the first quarter of 2024 of 10; candidates of rows 0, 1 and 30. */
static void make(void) {
  docs[0] = (struct store_doc){
      .first = 0, .rows = 30, .form = 1, .fiscal_year = 2023, .fiscal_period = 5, .filed = DAYS_2024 + 40};
  docs[1] = (struct store_doc){
      .first = 30, .rows = 10, .form = 2, .fiscal_year = 2024, .fiscal_period = 1, .filed = DAYS_2024 + 120};
  for (size_t i = 0; i < ROWS; i++)
    lengths[i] = 50;
  seg = (struct store_segment){.rows = ROWS, .docs = 2, .doc = docs, .length = lengths};
  const uint32_t rows[] = {0, 1, 30};
  memset(list, 0, sizeof list);
  for (size_t i = 0; i < 3; i++) {
    list[i].row = rows[i];
    list[i].hit.at = (struct rank_place){&seg, rows[i], rows[i] >= 30};
    list[i].hit.bm25 = (float)(3 - i);
    list[i].hit.cosine = 0.1F * (float)(i + 1);
  }
  memset(&q, 0, sizeof q);
  asking = (struct rank_asking){.q = &q, .forms = forms, .narrow = 1, .has_vector = 1};
}

static void describe(void) {
  rank_describe(&asking, list, 3);
}

static int near_to(float a, float b) {
  return fabsf(a - b) < 1e-5F;
}

TEST(scores_are_of_the_best_and_between_worst_and_best) {
  make();
  describe();
  CHECK(near_to(list[0].hit.f.text, 1) && near_to(list[2].hit.f.text, 1.0F / 3));
  CHECK(near_to(list[0].hit.f.vector, 0) && near_to(list[1].hit.f.vector, 0.5F) &&
        near_to(list[2].hit.f.vector, 1));
}

TEST(equal_cosines_are_no_reason) {
  make();
  for (size_t i = 0; i < 3; i++)
    list[i].hit.cosine = 0.4F;
  describe();
  CHECK(list[0].hit.f.vector == 0 && list[2].hit.f.vector == 0);
}

TEST(years_are_the_last_one_asked_for_or_not) {
  make();
  q.years[0] = 2023;
  q.year_count = 1;
  describe();
  CHECK(list[0].hit.f.year_same == 1 && list[2].hit.f.year_same == 0);
  make();
  asking.narrow = 0;
  q.years[0] = 2023;
  q.year_count = 1;
  describe();
  CHECK(list[0].hit.f.year_same == 0);
}

TEST(quarters_that_are_asked_for) {
  make();
  q.quarters = 1;
  describe();
  CHECK(list[2].hit.f.quarter_same == 1);
  CHECK(list[0].hit.f.quarter_same == 0);
}

TEST(without_a_year_the_newest_document_is_most_recent) {
  make();
  describe();
  CHECK(near_to(list[2].hit.f.recent, 1));
  CHECK(near_to(list[0].hit.f.recent, exp2f(-80.0F / 365)));
  q.years[0] = 2023;
  q.year_count = 1;
  make();
  q.year_count = 1;
  describe();
  CHECK(list[2].hit.f.recent == 0);
}

TEST(the_sum_is_that_of_the_features) {
  make();
  describe();
  for (size_t i = 0; i < 3; i++)
    CHECK(near_to(list[i].hit.sum, rank_features_score(&list[i].hit.f, RANK_MODEL_HYBRID, 1)));
}

TEST(a_passage_that_was_read_adds_what_it_holds) {
  struct rank_reading reading = {.coverage = 0.5F, .near = 0.4F, .line = 0.3F, .numbers = 0.6F};
  make();
  q.asks_amount = 1;
  describe();
  list[0].reading = &reading;
  struct rank_candidate *order[] = {&list[0]};
  rank_describe_read(&asking, order, 1, 0);
  CHECK(list[0].hit.f.coverage == 0.5F && list[0].hit.f.table_amount == 0.6F);
  CHECK(near_to(list[0].hit.sum, rank_features_score(&list[0].hit.f, RANK_MODEL_HYBRID, 0)));
  q.asks_cause = 1;
  rank_describe_read(&asking, order, 1, 0);
  CHECK(list[0].hit.f.table_amount == 0);
}

TEST(sentences_are_between_the_worst_and_the_best_that_were_compared) {
  struct rank_reading readings[] = {{.sentence = 0.2F}, {.sentence = 0.3F}, {.sentence = 0.4F}};
  struct rank_candidate *order[] = {&list[0], &list[1], &list[2]};
  make();
  describe();
  for (size_t i = 0; i < 3; i++)
    list[i].reading = &readings[i];
  rank_describe_read(&asking, order, 3, 1);
  CHECK(list[1].hit.f.sentence == 0);
  rank_describe_sentences(&asking, order, 3);
  CHECK(list[0].hit.f.sentence == 0 && near_to(list[1].hit.f.sentence, 0.5F) && list[2].hit.f.sentence == 1);
}

int main(void) {
  RUN(sentences_are_between_the_worst_and_the_best_that_were_compared);
  RUN(scores_are_of_the_best_and_between_worst_and_best);
  RUN(equal_cosines_are_no_reason);
  RUN(years_are_the_last_one_asked_for_or_not);
  RUN(quarters_that_are_asked_for);
  RUN(without_a_year_the_newest_document_is_most_recent);
  RUN(the_sum_is_that_of_the_features);
  RUN(a_passage_that_was_read_adds_what_it_holds);
  return test_done();
}

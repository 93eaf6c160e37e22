/* rank_test.c: ranking against a small store: BM25 by its formula, filters, priors, phrases, folding,
 * vectors. */
#include "search/rank_internal.h"

#include "small_store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct terms *terms;
static struct ranker *ranker;
static struct query q;
static struct rank_result result;

/* One passage a document keeps expectations plain. */
static const struct {
  const char *company, *ticker, *form, *year, *filed, *context, *text;
} passages[] = {
    {"Acme Inc.", "ACM", "10-K", "2023", "2024-02-01", "Acme 10-K 2023",
     "Net sales of rockets were 500 in 2023, and rockets sell."},
    {"Acme Inc.", "ACM", "10-K", "2022", "2023-02-01", "Acme 10-K 2022",
     "Net sales of rockets were 400 in 2022, and rockets sell."},
    {"Acme Inc.", "ACM", "10-Q", "2023", "2023-08-01", "Acme 10-Q 2023",
     "Anvils are heavy. The supply chain of anvils is long and brittle."},
    {"Zenith Corp", "ZEN", "10-K", "2023", "2024-03-01", "Zenith 10-K 2023",
     "Rockets need fuel; chain stores supply none."},
    {"Zenith Corp", "ZEN", "10-K", "2022", "2023-03-01", "Zenith 10-K 2022",
     "Weather, storms and floods may harm our warehouses."},
    {"Zenith Corp", "ZEN", "10-K", "2021", "2022-03-01", "Zenith 10-K 2021",
     "Weather, storms and floods may harm our warehouses."},
    {"Zenith Corp", "ZEN", "8-K", "", "2024-05-01", "Zenith 8-K", "The board chose a chairman."},
};
#define PASSAGES (sizeof passages / sizeof *passages)

static void unit_vector(size_t i, float *out) {
  memset(out, 0, DIMS * sizeof *out);
  out[i] = 1;
}

static void put_one(size_t i) {
  char json[600], collection[64];
  float vector[DIMS];
  snprintf(collection, sizeof collection, "finance_edgar_%s_%s", passages[i].ticker, passages[i].form);
  snprintf(json, sizeof json,
           "{\"sourceUrl\":\"https://example.org/%zu\",\"metadata\":{\"company\":\"%s\",\"ticker\":\"%s\","
           "\"form\":\"%s\",\"fiscalYear\":\"%s\",\"filingDate\":\"%s\"}}",
           i, passages[i].company, passages[i].ticker, passages[i].form, passages[i].year, passages[i].filed);
  unit_vector(i, vector);
  small_store_add(i, collection, "bid-static@test", json, passages[i].context, passages[i].text, vector);
}

static void fill_store(const char *path) {
  small_store_begin(path);
  for (size_t i = 0; i < PASSAGES; i++)
    put_one(i);
  small_store_end();
  ranker = rank_new(snap, "bid-static@test", terms);
}

static struct query_company known_companies[16];
static struct query_known known;

static void load_known(void) {
  const struct store_company *list;
  known.company_count = store_companies(snap, &list);
  for (size_t i = 0; i < known.company_count; i++)
    known_companies[i] = (struct query_company){list[i].name, list[i].ticker, list[i].cik};
  known.companies = known_companies;
  known.form_count = store_forms(snap, &known.forms);
}

/* Passage (index into passages[]) of a hit, by its id. */
static int passage_of(size_t hit) {
  const struct rank_place *at = &result.hits[hit].at;
  return at->seg->ids[(size_t)at->row * 16 + 15] - 1;
}

/* form: what a plan says that the question names, or NULL. */
static void search_form(const char *text, const char *form, const float *vector, struct rank_options o) {
  CHECK_INT(query_parse(&q, slice_str(text), terms, NULL), 0);
  if (form)
    q.form_count = query_find_forms(&known, form, q.forms, 4);
  q.form_named = form != NULL;
  query_finish(&q);
  if (o.n == 0)
    o.n = 10;
  o.dims = DIMS;
  CHECK_INT(rank_search(ranker, &q, vector, &o, &result, &e), 0);
}

static void search(const char *text, const float *vector, struct rank_options o) {
  search_form(text, NULL, vector, o);
}

/* ---- BM25 by its formula ---- */

struct counting {
  struct slice want;
  float count, length;
};

static void count_term(void *arg, const struct term *t) {
  struct counting *c = arg;
  c->count += slice_eq(t->text, c->want) ? 1 : 0;
  c->length += t->kind == TERM_WORD ? 1 : 0;
}

static struct counting count_in(const char *text, const char *want) {
  struct counting c = {slice_str(want), 0, 0};
  terms_scan(terms, slice_str(text), 0, count_term, &c);
  return c;
}

/* from: the first of the passages that pass, all behind it; 0: nothing is left out. */
static float expected_idf(const char *word, size_t from) {
  float df = 0, all = 0, rows = (float)PASSAGES;
  for (size_t i = 0; i < PASSAGES; i++) {
    float here = count_in(passages[i].text, word).count + count_in(passages[i].context, word).count > 0;
    all += here;
    df += i >= from ? here : 0;
  }
  if (from > 0) { /* a hundred rows of the whole store beside them, or all that it has */
    float prior = PASSAGES < 100 ? (float)PASSAGES : 100;
    rows = (float)(PASSAGES - from) + prior;
    df += prior * all / (float)PASSAGES;
  }
  return powf(logf(1 + (rows - df + 0.5F) / (df + 0.5F)), rank_tuning_default.idf);
}

static float expected_score(size_t passage, const char *const *words, size_t from) {
  const struct rank_tuning *w = &rank_tuning_default;
  float average = 0, score = 0;
  for (size_t i = 0; i < PASSAGES; i++)
    average += count_in(passages[i].text, "").length / (float)PASSAGES;
  for (; *words != NULL; words++) {
    struct counting c = count_in(passages[passage].text, *words);
    float tf = c.count + w->context * count_in(passages[passage].context, *words).count;
    score +=
        expected_idf(*words, from) * tf * (w->k1 + 1) / (tf + w->k1 * (1 - w->b + w->b * c.length / average));
  }
  return score;
}

TEST(bm25_follows_its_formula) {
  static const char *const words[] = {"rocket", "suppli", "zenith", NULL};
  search("rockets supply zenith", NULL, (struct rank_options){.mode = RANK_TEXT});
  CHECK(result.count >= 5);
  for (size_t i = 0; i < result.count; i++) {
    float expected = expected_score((size_t)passage_of(i), words, 0);
    CHECK(fabsf(result.hits[i].bm25 - expected) < 1e-4F * expected);
  }
  CHECK_INT(passage_of(0), 3);
}

TEST(a_word_weighs_by_the_passages_that_pass) {
  static const char *const words[] = {"weather", "fuel", NULL};
  uint32_t zenith[4];
  size_t n = query_find_companies(&known, "Zenith", zenith, 4);
  search("weather fuel", NULL,
         (struct rank_options){.mode = RANK_TEXT, .filter = {.companies = zenith, .company_count = n}});
  CHECK(result.count >= 3);
  for (size_t i = 0; i < result.count; i++) {
    float expected = expected_score((size_t)passage_of(i), words, 3);
    CHECK(fabsf(result.hits[i].bm25 - expected) <= 1e-4F * expected);
  }
}

/* What reading a text for a question shows. */
static struct rank_reading read_for(const char *question, const char *text) {
  static float idf[QUERY_TERMS];
  struct rank_reader *r = rank_reader_new();
  struct rank_words *w = xcalloc(1, sizeof *w + 200 * sizeof w->term[0]);
  struct rank_reading out = {0};
  size_t numbers;
  CHECK_INT(query_parse(&q, slice_str(question), terms, NULL), 0);
  query_finish(&q);
  w->count = (uint32_t)terms_hashes(terms, slice_str(text), w->term, 199, &numbers);
  rank_reader_begin(r, &q, idf);
  rank_read(r, w, &out);
  free(w);
  rank_reader_free(r);
  return out;
}

TEST(reasons_and_days_count_where_they_are_asked_for) {
  static const char *const text =
      "Sales fell primarily due to storms until March 3, 2024, and may fall again.";
  CHECK(read_for("why did sales fall", text).causes == 0.5F);
  CHECK(read_for("how come sales fell", text).causes == 0.5F);
  CHECK(read_for("how much did sales fall", text).causes == 0);
  CHECK(read_for("when did the storms end", text).dates == 1.0F / 3);
  CHECK(read_for("which storms", text).dates == 0);
}

TEST(vectors_alone) {
  float v[DIMS];
  unit_vector(4, v);
  search("nothing of this", v, (struct rank_options){.mode = RANK_VECTOR, .n = 3});
  CHECK_INT(result.count, 3);
  CHECK_INT(passage_of(0), 4);
  CHECK(result.hits[0].cosine > 0.99F);
  CHECK_INT(result.candidates, 0);
}

TEST(hybrid_holds_the_best_of_both) {
  float v[DIMS];
  unit_vector(6, v);
  search("anvils", v, (struct rank_options){.n = 7});
  int text = 0, vector = 0;
  for (size_t i = 0; i < 2; i++) {
    text |= passage_of(i) == 2;
    vector |= passage_of(i) == 6;
  }
  CHECK(text && vector);
}

TEST(a_filter_leaves_what_passes) {
  const char *const *list;
  size_t n = store_forms(snap, &list);
  uint16_t form = 0;
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i], "8-K") == 0)
      form = (uint16_t)i;
  float v[DIMS];
  unit_vector(0, v);
  struct rank_options o = {.filter = {.forms = &form, .form_count = 1}};
  search("rockets", v, o);
  CHECK_INT(result.searched, 1);
  CHECK_INT(result.count, 1);
  CHECK_INT(passage_of(0), 6);
}

TEST(a_company_narrows) {
  uint32_t zenith[4];
  size_t n = query_find_companies(&known, "Zenith", zenith, 4);
  CHECK_INT(n, 1);
  search("rockets", NULL,
         (struct rank_options){.narrow = 1, .filter = {.companies = zenith, .company_count = n}});
  CHECK_INT(result.searched, 4);
  CHECK_INT(passage_of(0), 3);
  search("rockets of Zenith", NULL, (struct rank_options){.narrow = 0});
  CHECK_INT(result.searched, PASSAGES);
}

TEST(the_named_form_narrows_only_where_there_is_one) {
  search_form("anvils of Acme in the 10-Q", "10-Q", NULL, (struct rank_options){.narrow = 1});
  CHECK(result.narrowed_form);
  CHECK_INT(result.searched, 1);
  search_form("anvils of Acme in the S-1", "S-1", NULL, (struct rank_options){.narrow = 1});
  CHECK(!result.narrowed_form);
  CHECK_INT(result.searched, PASSAGES);
}

TEST(the_asked_year_comes_first) {
  search("net sales of rockets in fiscal 2022", NULL, (struct rank_options){.narrow = 1});
  CHECK_INT(passage_of(0), 1);
  search("net sales of rockets in fiscal 2023", NULL, (struct rank_options){.narrow = 1});
  CHECK_INT(passage_of(0), 0);
}

TEST(without_a_year_the_newest_comes_first) {
  search("storms and floods", NULL, (struct rank_options){.narrow = 1});
  CHECK_INT(passage_of(0), 4);
}

TEST(near_duplicates_are_folded) {
  search("storms and floods", NULL, (struct rank_options){.narrow = 1, .fold = 1});
  CHECK_INT(result.count, 1);
  CHECK_INT(result.hits[0].folded_count, 1);
  search("storms and floods", NULL, (struct rank_options){.narrow = 1});
  CHECK_INT(result.count, 2);
}

TEST(other_figures_are_no_duplicates) {
  search("net sales of rockets", NULL, (struct rank_options){.fold = 1, .n = 2});
  CHECK_INT(result.count, 2);
}

TEST(quoted_words_must_stand_together) {
  search("\"supply chain\"", NULL, (struct rank_options){.n = 5});
  CHECK_INT(result.count, 1);
  CHECK_INT(passage_of(0), 2);
  search("\"chain supply\"", NULL, (struct rank_options){.n = 5});
  CHECK_INT(result.count, 0);
  search("\"no such words\"", NULL, (struct rank_options){.n = 5});
  CHECK_INT(result.count, 0);
}

TEST(nothing_relevant) {
  search("how to boil an egg", NULL, (struct rank_options){.threshold = 1});
  CHECK_INT(result.count, 0);
  search("supply chain of anvils", NULL, (struct rank_options){.threshold = 1});
  CHECK(result.count > 0);
  CHECK_INT(passage_of(0), 2);
}

TEST(no_words_and_no_vector_find_nothing) {
  search("the of and", NULL, (struct rank_options){.n = 5});
  CHECK_INT(result.count, 0);
}

int main(void) {
  char folder[] = "/tmp/bid-rank-XXXXXX", path[64], lock[80];
  if (mkdtemp(folder) == NULL)
    return 1;
  snprintf(path, sizeof path, "%s/store", folder);
  snprintf(lock, sizeof lock, "%s-lock", path);
  terms = terms_new();
  query_init(&q);
  fill_store(path);
  load_known();
  RUN(bm25_follows_its_formula);
  RUN(a_word_weighs_by_the_passages_that_pass);
  RUN(reasons_and_days_count_where_they_are_asked_for);
  RUN(vectors_alone);
  RUN(hybrid_holds_the_best_of_both);
  RUN(a_filter_leaves_what_passes);
  RUN(a_company_narrows);
  RUN(the_named_form_narrows_only_where_there_is_one);
  RUN(the_asked_year_comes_first);
  RUN(without_a_year_the_newest_comes_first);
  RUN(near_duplicates_are_folded);
  RUN(other_figures_are_no_duplicates);
  RUN(quoted_words_must_stand_together);
  RUN(nothing_relevant);
  RUN(no_words_and_no_vector_find_nothing);
  rank_free(ranker);
  store_snapshot_end(snap);
  store_close(store);
  query_release(&q);
  terms_free(terms);
  unlink(path);
  unlink(lock);
  rmdir(folder);
  return test_done();
}

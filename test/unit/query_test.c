/* query_test.c: what a question says of companies, forms, periods and lines of statements. */
#include "query/query.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static struct terms *terms;
static struct thesaurus *thesaurus;
static struct query q;

static const struct query_company companies[] = {
    {"", "", ""},
    {"Apple Inc.", "AAPL", "0000320193"},
    {"AMAZON COM INC", "AMZN", "0001018724"},
    {"INTERNATIONAL BUSINESS MACHINES CORP", "IBM", "0000051143"},
    {"Union Pacific Corp", "UNP", "0000100885"},
    {"SIEMENS AG", "SIEGY", "0000940418"},
    {"Siemens Energy AG/ADR", "SMNEY", "0001830056"},
    {"The Coca-Cola Company", "KO", "0000021344"},
    {"3M CO", "MMM", "0000066740"},
    {"MEDICIS PHARMACEUTICAL CORP", "", "0000859368"},
    {"Target Corporation", "TGT", "0000027419"},
    {"ALLSTATE CORP", "ALL", "0000899051"},
};
static const char *const forms[] = {"",  "10-K",    "10-K/A", "10-Q",  "8-K",
                                    "4", "DEF 14A", "20-F",   "10-KT", "424B4"};
static const struct query_known known = {companies, sizeof companies / sizeof *companies, forms,
                                         sizeof forms / sizeof *forms};

static struct buf thesaurus_text;

/* A thesaurus that was loaded for this question only has to say the same. */
static void parse(const char *text) {
  static struct query other;
  struct error_text e;
  struct thesaurus *own = thesaurus_new(buf_slice(&thesaurus_text), terms, slice_str(text), &e);
  CHECK(own != NULL);
  query_init(&other);
  CHECK_INT(query_parse(&other, slice_str(text), terms, own), 0);
  CHECK_INT(query_parse(&q, slice_str(text), terms, thesaurus), 0);
  CHECK(slice_eq(buf_slice(&other.notes), buf_slice(&q.notes)));
  CHECK_INT(other.phrase_count, q.phrase_count);
  CHECK_INT(other.places, q.places);
  query_release(&other);
  thesaurus_free(own);
}

/* Words that are not written as in the thesaurus, and yet are the same. */
TEST(a_thesaurus_for_one_question_has_all_that_it_needs) {
  static const char *const texts[] = {"E.P.S. of Apple",
                                      "EPS?",
                                      "P&L and D&A",
                                      "R & D spend",
                                      "sg and a",
                                      "PP&E, net",
                                      "U.S. tax in the u.k.",
                                      "Buy-backs",
                                      "buy backs",
                                      "free_cash_flow",
                                      "SALES/REVENUES",
                                      "the company's head-count",
                                      "e bit da",
                                      "tying, lying and dying",
                                      "Inc'ome sta'tement",
                                      "capex 10-K's",
                                      "a",
                                      "&",
                                      "net\nincome",
                                      "\xc3\xa9quity",
                                      "pay ratios",
                                      "net intangibles"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    parse(texts[i]);
}

static void ask(const char *text) {
  parse(text);
  query_finish(&q);
}

static float weight_of(const char *term) {
  for (size_t i = 0; i < q.term_count; i++)
    if (slice_is(q.terms[i].text, term))
      return q.terms[i].weight;
  return 0;
}

TEST(a_named_company_is_no_search_word) {
  parse("What were Apple's wages?");
  query_mark_name(&q, slice_str("Apple's"));
  query_finish(&q);
  CHECK(weight_of("appl") == 0);
  CHECK(weight_of("wage") == 1);
}

TEST(years) {
  ask("capex in FY2018 versus fiscal 2016 and FY17");
  CHECK_INT(q.year_count, 3);
  CHECK_INT(q.years[0], 2016);
  CHECK_INT(q.years[1], 2017);
  CHECK_INT(q.years[2], 2018);
  ask("is $2,018 or $2018 or 20180 or 2018% a year?");
  CHECK_INT(q.year_count, 0);
  ask("1-for-4 split of 1850");
  CHECK_INT(q.year_count, 0);
}

TEST(a_quarter_of_the_plan_is_spelled_out_and_its_sign_tells_little) {
  ask("net sales in Q3 2024");
  CHECK_INT(q.tokens[3].kind, QUERY_LIGHT);
  size_t before = q.phrase_count;
  query_take_quarter(&q, terms, 3);
  CHECK_INT(q.quarters, 4);
  CHECK_INT(q.phrase_count, before + 1);
}

TEST(what_filings_hardly_speak_of_is_a_phrase_and_no_hint) {
  ask("average price target of the sell side");
  int outside = 0;
  for (size_t i = 0; i < q.phrase_count; i++)
    outside += q.phrases[i].outside;
  CHECK_INT(outside, 2);
  CHECK(weight_of("target") == 1);
  ask("dividends per share");
  for (size_t i = 0; i < q.phrase_count; i++)
    CHECK(!q.phrases[i].outside);
}

TEST(everyday_words_are_expanded) {
  ask("What was the capex?");
  CHECK(weight_of("purchas") > 0);
  CHECK(weight_of("equip") > 0);
  CHECK(weight_of("purchas") < weight_of("capex"));
  CHECK(q.places & PLACE_CASH);
  CHECK(q.phrase_count > 0);
  ask("the top line");
  CHECK(weight_of("sale") > 0);
  CHECK(weight_of("top") < 1);
}

TEST(weights) {
  ask("Please respond: what was the company's net income in 2019?");
  CHECK(weight_of("net") == 1);
  CHECK(weight_of("pleas") == 0);
  CHECK(weight_of("compani") < 0.5F);
  CHECK(weight_of("2019") > 0 && weight_of("2019") < 1);
  CHECK(weight_of("what") == 0);
  ask("please tell");
  CHECK(weight_of("tell") == 1);
}

TEST(amounts) {
  ask("How much did it earn?");
  CHECK(q.asks_amount);
  ask("Who are the rivals?");
  CHECK(!q.asks_amount);
}

TEST(quotes) {
  ask("where is \"supply chain\" risk");
  size_t quoted = 0;
  for (size_t i = 0; i < q.phrase_count; i++)
    quoted += q.phrases[i].quoted;
  CHECK_INT(quoted, 1);
  ask("an \"unclosed mark");
  for (size_t i = 0; i < q.phrase_count; i++)
    CHECK(!q.phrases[i].quoted);
  ask("\xe2\x80\x9cnet sales\xe2\x80\x9d and \"\" empty");
  quoted = 0;
  for (size_t i = 0; i < q.phrase_count; i++)
    quoted += q.phrases[i].quoted;
  CHECK_INT(quoted, 1);
}

TEST(odd_questions) {
  ask("");
  CHECK_INT(q.term_count, 0);
  ask("  the of and  ");
  CHECK_INT(q.term_count, 0);
  ask("12 34 56");
  CHECK_INT(q.term_count, 3);
  ask("\xe4\xb8\xad\xe5\x9b\xbd");
  CHECK_INT(q.term_count, 2);
  ask("a\x01\x1b[31mred\xff cash");
  CHECK(weight_of("cash") == 1);
  CHECK(memchr(q.text.data, 0x1b, q.text.len) == NULL);
  char *big = malloc(QUERY_BYTES + 1);
  memset(big, 'x', QUERY_BYTES + 1);
  for (size_t i = 0; i < QUERY_BYTES; i += 4)
    big[i] = ' ';
  CHECK_INT(query_parse(&q, slice_of(big, 10240), terms, thesaurus), 0);
  CHECK_INT(query_parse(&q, slice_of(big, QUERY_BYTES + 1), terms, thesaurus), -1);
  free(big);
}

TEST(many_words_stay_in_bounds) {
  struct buf text;
  buf_init(&text, QUERY_BYTES);
  for (int i = 0; i < 2000; i++)
    buf_printf(&text, "w%dx \"capex %d\" ", i, i);
  CHECK_INT(query_parse(&q, buf_slice(&text), terms, thesaurus), 0);
  query_finish(&q);
  CHECK_INT(q.term_count, QUERY_TERMS);
  CHECK(q.phrase_count <= QUERY_PHRASES);
  buf_release(&text);
}

TEST(companies_of_an_option) {
  uint32_t found[8];
  CHECK_INT(query_find_companies(&known, "aapl", found, 8), 1);
  CHECK_INT(found[0], 1);
  CHECK_INT(query_find_companies(&known, "320193", found, 8), 1);
  CHECK_INT(query_find_companies(&known, "CIK0000320193", found, 8), 1);
  CHECK_INT(query_find_companies(&known, "siemens", found, 8), 2);
  CHECK_INT(query_find_companies(&known, "apple inc", found, 8), 1);
  CHECK_INT(query_find_companies(&known, "Nobody", found, 8), 0);
  CHECK_INT(query_find_companies(&known, "", found, 8), 0);
  CHECK_INT(query_find_companies(&known, "'; rm -rf ~ #", found, 8), 0);
}

TEST(forms_of_an_option) {
  uint16_t found[8];
  CHECK_INT(query_find_forms(&known, "10-k", found, 8), 3);
  CHECK_INT(query_find_forms(&known, "10-K/A", found, 8), 1);
  CHECK_INT(query_find_forms(&known, "4", found, 8), 1);
  CHECK_INT(query_find_forms(&known, "10k", found, 8), 3);
  CHECK_INT(query_find_forms(&known, "Form 10-K", found, 8), 3);
  CHECK_INT(query_find_forms(&known, "10", found, 8), 0);
  CHECK_INT(query_find_forms(&known, "DEF14A", found, 8), 1);
  CHECK_INT(query_find_forms(&known, "S-1", found, 8), 0);
}

TEST(a_bad_thesaurus_is_named_by_line) {
  struct error_text e;
  CHECK(thesaurus_new(slice_str("# fine\nx\ty; z\tincome\nno tabs here\n"), terms, slice_of(NULL, 0), &e) ==
        NULL);
  CHECK(strstr(e.text, "line 3") != NULL);
  CHECK(thesaurus_new(slice_str("x\ty\tnowhere\n"), terms, slice_of(NULL, 0), &e) == NULL);
}

static void load_thesaurus(void) {
  struct error_text e = {""};
  buf_init(&thesaurus_text, 1 << 22);
  const char *folder = getenv("BID_DATA");
  char path[4096];
  snprintf(path, sizeof path, "%s/thesaurus.tsv", folder ? folder : "data");
  if (buf_read_file(&thesaurus_text, path) != 0 ||
      (thesaurus = thesaurus_new(buf_slice(&thesaurus_text), terms, slice_of(NULL, 0), &e)) == NULL) {
    printf("Bail out! %s: %s\n", path, e.text);
    exit(1);
  }
}

int main(void) {
  terms = terms_new();
  query_init(&q);
  load_thesaurus();
  RUN(a_thesaurus_for_one_question_has_all_that_it_needs);
  RUN(a_named_company_is_no_search_word);
  RUN(years);
  RUN(a_quarter_of_the_plan_is_spelled_out_and_its_sign_tells_little);
  RUN(what_filings_hardly_speak_of_is_a_phrase_and_no_hint);
  RUN(everyday_words_are_expanded);
  RUN(weights);
  RUN(amounts);
  RUN(quotes);
  RUN(odd_questions);
  RUN(many_words_stay_in_bounds);
  RUN(companies_of_an_option);
  RUN(forms_of_an_option);
  RUN(a_bad_thesaurus_is_named_by_line);
  thesaurus_free(thesaurus);
  buf_release(&thesaurus_text);
  query_release(&q);
  terms_free(terms);
  return test_done();
}

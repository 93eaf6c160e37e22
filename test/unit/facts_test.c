/* Exact decimals, days and months, fiscal places, words and near names. */
#include "query/concepts.h"
#include "facts/decimal.h"
#include "facts/fact.h"
#include "facts/fact_period.h"

#include "test.h"

#include <stdlib.h>

static const char *text_of(const char *digits) {
  static char out[DECIMAL_TEXT];
  struct decimal d;
  return decimal_parse(slice_str(digits), &d) ? "none" : decimal_write(d, out);
}

TEST(decimals) {
  struct decimal a, b, c;
  char out[DECIMAL_TEXT];
  CHECK_STR(text_of("112010000000"), "112010000000");
  CHECK_STR(text_of("-0.050"), "-0.050");
  CHECK_STR(text_of(".5"), "0.5");
  CHECK_STR(text_of("1.5E+3"), "1500");
  CHECK_STR(text_of("25e-4"), "0.0025");
  CHECK_STR(text_of("99999999999999999999"), "none");
  CHECK_STR(text_of("1e"), "none");
  CHECK_STR(text_of("-"), "none");
  CHECK_STR(text_of(""), "none");
  CHECK_STR(text_of("12a"), "none");
  decimal_parse(slice_str("7.46"), &a);
  decimal_parse(slice_str("5.6"), &b);
  CHECK(decimal_subtract(a, b, &c) == 0);
  CHECK_STR(decimal_write(c, out), "1.86");
  CHECK(decimal_compare(a, b) > 0 && decimal_compare(b, a) < 0 && decimal_compare(a, a) == 0);
  a = (struct decimal){INT64_MAX, 0};
  CHECK(decimal_add(a, a, &c) == -1);
  CHECK(decimal_add(a, (struct decimal){1, 2}, &c) == -1);
}

static int months(const char *from, const char *until) {
  return day_months(day_parse(slice_str(from)), day_parse(slice_str(until)));
}

TEST(days) {
  char out[DAY_TEXT];
  for (int32_t d = -40000; d < 60000; d += 13) {
    day_write(d, out);
    CHECK(day_parse(slice_str(out)) == d);
  }
  CHECK(day_of(1970, 1, 1) == 0 && day_of(2000, 3, 1) == 11017);
  CHECK(day_parse(slice_str("2024-13-01")) == DAY_NONE && day_parse(slice_str("soon")) == DAY_NONE);
  CHECK(day_parse(slice_str("2024-09-31")) == DAY_NONE && day_parse(slice_str("2023-02-29")) == DAY_NONE);
  CHECK(day_parse(slice_str("2024-02-29")) == day_parse(slice_str("2024-03-01")) - 1);
  CHECK(months("2024-09-29", "2024-12-28") == 3);
  CHECK(months("2024-01-01", "2024-06-30") == 6);
  CHECK(months("2023-09-01", "2024-05-12") == 9); /* 36 weeks */
  CHECK(months("2023-10-01", "2024-09-28") == 12);
  CHECK(months("2024-01-29", "2024-05-19") == 3); /* 16 weeks */
  CHECK(months("2024-01-01", "2024-01-31") == 1);
}

TEST(words) {
  struct concept_table t;
  struct error_text why;
  size_t taken;
  CHECK(concept_table_load(&t, &why) == 0);
  CHECK(concept_word_find(&t, slice_str("Net Sales")) == concept_word_find(&t, slice_str("revenue")));
  CHECK(concept_word_find(&t, slice_str("r&d")) != NULL);
  CHECK(concept_word_find(&t, slice_str("weather")) == NULL);
  CHECK(concept_word_at(&t, slice_str("cost of revenue in 2024"), &taken) != NULL && taken == 15);
  CHECK(concept_word_at(&t, slice_str("revenuers"), &taken) == NULL);
  CHECK(concept_succession_find(&t, slice_str("SalesRevenueNet")) != NULL);
  CHECK(concept_distance(slice_str("NetIncomeLosss"), slice_str("NetIncomeLoss")) <
        concept_distance(slice_str("NetIncomeLosss"), slice_str("NetCashProvided")));
  concept_table_release(&t);
}

TEST(periods) {
  struct fact_period p;
  CHECK(fact_period_parse(&p, "Q3-2024") == 0 && p.fiscal_year == 2024 && p.quarter == 3);
  CHECK(fact_period_parse(&p, "FY-2024") == 0 && p.quarter == 5);
  CHECK(fact_period_parse(&p, "2024Q4") == 0 && p.quarter == 4);
  CHECK(fact_period_parse(&p, "CY2024Q1") == 0 && p.fiscal_year == 0 && p.from < p.until);
  CHECK(fact_period_parse(&p, "2020-01-01..") == 0 && p.until == DAY_NONE);
  CHECK(fact_period_parse(&p, "..") == -1 && fact_period_parse(&p, "Q5-2024") == -1);
  CHECK(fact_period_parse(&p, "FY-2024") == 0);
  fact_period_each_quarter(&p);
  CHECK(p.fiscal_year == 2024 && p.quarter == 0);
  CHECK(fact_period_parse(&p, "CY2024") == 0);
  fact_period_each_quarter(&p);
  CHECK(p.from == day_of(2024, 2, 16) && p.until == day_of(2025, 2, 14) && p.quarter == 0);
  CHECK(fact_period_parse(&p, "2019..2021") == 0 && p.from == day_of(2019, 1, 1) &&
        p.until == day_of(2021, 12, 31));
  CHECK(fact_period_parse(&p, "2024-02") == 0 && p.from == day_of(2024, 2, 1) &&
        p.until == day_of(2024, 2, 29));
  CHECK(fact_period_parse(&p, "2021..2019") == -1 && fact_period_parse(&p, "2024-13") == -1);
  CHECK(fact_period_parse(&p, "h2-2025") == 0 && p.fiscal_year == 2025 && p.quarter == 4 && p.months == 6);
  CHECK(fact_period_parse(&p, "1H2025") == 0 && p.quarter == 2 && p.months == 6);
  CHECK(fact_period_parse(&p, "Q3 FY2024") == 0 && p.fiscal_year == 2024 && p.quarter == 3 && p.months == 3);
  CHECK(fact_period_parse(&p, "FY2024Q3") == 0 && p.fiscal_year == 2024 && p.quarter == 3);
  CHECK(fact_period_parse(&p, "H3-2024") == -1 && fact_period_parse(&p, "FY") == -1);
  CHECK(fact_period_parse(&p, "9M-2024") == 0 && p.quarter == 3 && p.months == 9);
  fact_period_each_quarter(&p);
  CHECK(p.quarter == 3 && p.quarters == 3);
  CHECK(fact_period_parse(&p, "CY2024Q0") == -1 && fact_period_parse(&p, "soon") == -1);
}

/* The company's number is digits or nothing, since it becomes part of addresses. */
TEST(numbers_of_companies) {
  static const struct {
    const char *json, *cik;
  } cases[] = {{"{\"facts\":{}}", ""},
               {"{\"cik\":\"\",\"facts\":{}}", ""},
               {"{\"cik\":320193,\"facts\":{}}", "0000320193"},
               {"{\"cik\":\"320193\",\"facts\":{}}", "0000320193"},
               {"{\"cik\":7,\"facts\":{\"us-gaap\":{\"Assets\":{\"units\":{\"USD\":[{\"end\":\"2024-01-01\","
                "\"val\":1},"
                "{\"end\":\"2024-01-01\",\"val\":2}]}}}}}", /* of no filing */
                "0000000007"},
               {"{\"cik\":[1],\"facts\":{}}", ""},
               {"{\"cik\":\"1/../2\",\"facts\":{}}", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct fact_company c;
    struct error_text why;
    struct buf json;
    fact_company_init(&c);
    buf_init(&json, 1 << 16);
    buf_add_str(&json, cases[i].json);
    fact_company_read(&c, &json, &why);
    CHECK(slice_is(c.cik, cases[i].cik));
    buf_release(&json);
    fact_company_release(&c);
  }
}

int main(void) {
  setenv("BID_DATA", "data", 0); /* tests run at the top of the sources */
  RUN(decimals);
  RUN(days);
  RUN(words);
  RUN(periods);
  RUN(numbers_of_companies);
  return test_done();
}

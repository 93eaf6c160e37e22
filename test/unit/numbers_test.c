/* Numbers of a text: scale, sign, precision, and what is none. */
#include "verify/evidence_prose.h"
#include "text/numbers.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>

static struct stated stated;

static size_t read_text(const char *text) {
  numbers_release(&stated);
  numbers_read(&stated, slice_str(text), 0);
  return stated.number_count;
}

static int only(const char *text, double value, double last) {
  return read_text(text) == 1 && fabs(stated.numbers[0].value - value) < 1e-9 * fabs(value) + 1e-12 &&
         fabs(stated.numbers[0].last - last) < 1e-9 * last;
}

static int between(const char *text, double low, double high) {
  return read_text(text) == 1 && fabs(stated.numbers[0].low - low) < 1e-6 * high &&
         fabs(stated.numbers[0].high - high) < 1e-6 * high;
}

TEST(words_bound_a_number) {
  CHECK(between("sales of $416.2 billion", 416.15e9, 416.25e9));
  CHECK(between("more than 2,000 cars", 2000, 3000));
  CHECK(between("no more than 2,000 cars", 1500, 2000));
  CHECK(between("fewer than 2,000 cars", 1500, 2000));
  CHECK(between("nearly $2 billion", 1.5e9, 2e9));
  CHECK(between("in excess of 30%", 30, 40));
  CHECK(between("over half of it", 50, 62.5));
  CHECK(between("it more than doubled", 100, 200));
  CHECK(between("about a third of it", 100 / 3.0 - 2.25, 100 / 3.0 + 2.25));
}

TEST(scales_and_precision) {
  CHECK(only("net sales of $416.2 billion", 416.2e9, 1e8));
  CHECK(only("it was 416,161 million dollars", 416161e6, 1e6));
  CHECK(only("USD 5bn", 5e9, 1e9));
  CHECK(only("$12.50", 12.5, 0.01));
  CHECK(only("a 7.5-million-dollar plan", 7.5e6, 1e5));
  CHECK(only("about 400,000 shippers", 4e5, 1e5));
  CHECK(only("400,000 shippers", 4e5, 1));
}

TEST(words) {
  CHECK(only("seventeen point seven billion dollars", 17.7e9, 1e8));
  CHECK(only("it was two point oh five percent", 2.05, 0.01));
  CHECK(only("one hundred twenty-five million dollars", 125e6, 1e6));
  CHECK(only("23451 million dollars", 23451e6, 1e6));
  CHECK(only("three fifths of it", 60, 6));
  CHECK(only("a rise of 25 bp", 0.25, 0.01) && stated.numbers[0].points);
  CHECK(between("less than half of it", 40, 50));
  CHECK(only("a quarter of Norrland's staff", 25, 3));
  CHECK(only("half a billion shares", 5e8, 5e7) && stated.numbers[0].shares);
  CHECK(only("three quarters of a million", 75e4, 75e3));
  CHECK(only("one and a half billion dollars", 15e8, 5e8) && stated.numbers[0].currency);
  CHECK(only("thirty-five loans", 35, 1));
  CHECK(only("31 gigawatt hours", 31e9, 1e9));
  CHECK_INT(read_text("in the twenty-first century"), 0);
}

TEST(signs) {
  CHECK(only("a loss of (6,192)", -6192, 1));
  CHECK(only("a loss of $(1.2) million", -1.2e6, 1e5));
  CHECK(only("it was (6,192) thousand", -6192e3, 1e3));
  CHECK(only("fell by -5", -5, 1));
  CHECK(only("\xE2\x88\x92"
             "5.5",
             -5.5, 0.1));
}

TEST(percent) {
  CHECK(only("it was (33)%", -33, 1) && stated.numbers[0].percent);
  CHECK(only("rose 9.6%", 9.6, 0.1) && stated.numbers[0].percent);
  CHECK(only("rose 9.6 percent", 9.6, 0.1) && stated.numbers[0].percent);
  CHECK(only("by 25 basis points", 0.25, 0.01) && stated.numbers[0].percent);
  CHECK(only("by 13 pts", 13, 1) && stated.numbers[0].points);
}

TEST(currencies) {
  CHECK(read_text("$5, US$5, USD 5") == 3 && stated.numbers[0].currency == stated.numbers[1].currency &&
        stated.numbers[1].currency == stated.numbers[2].currency && stated.numbers[0].currency);
  CHECK(read_text("$5, EUR 5, C$5, NT$5, 5") == 5 &&
        stated.numbers[0].currency != stated.numbers[1].currency &&
        stated.numbers[0].currency != stated.numbers[2].currency &&
        stated.numbers[0].currency != stated.numbers[3].currency && !stated.numbers[4].currency);
}

TEST(currencies_behind) {
  CHECK(read_text("513 thousand euros, EUR 5, 7 million dollars, $1, CAD 5, CHF 5") == 6 &&
        stated.numbers[0].currency == stated.numbers[1].currency &&
        stated.numbers[2].currency == stated.numbers[3].currency &&
        stated.numbers[4].currency != stated.numbers[5].currency && stated.numbers[4].currency);
}

static int year_of(const char *text, size_t number) {
  return read_text(text) > number ? numbers_year_of(&stated, slice_str(text), &stated.numbers[number]) : -1;
}

TEST(years) {
  CHECK_INT(year_of("it was 5 on 4/1/00", 0), 2000);
  CHECK_INT(year_of("it was 5 on 12/31/1999", 0), 1999);
  CHECK_INT(year_of("6,000 roles by 2025, of which 3,000 in 2023", 0), 2025);
  CHECK_INT(year_of("6,000 roles by 2025, of which 3,000 in 2023", 1), 2023);
  CHECK_INT(year_of("it invests 9%, compared with 10.5% in 2022", 0), 0);
  CHECK_INT(year_of("it invests 9%, compared with 10.5% in 2022", 1), 2022);
  CHECK_INT(year_of("the growth in 2009 over 2008 was 5", 0), 2009);
  CHECK_INT(year_of("5 from the year ended June 30, 2019 to that ended June 30, 2020", 0), 2020);
  CHECK_INT(year_of("compared to the year 2023 it rose by 5 in 2024", 0), 2024);
  CHECK_INT(year_of("Boats earned 5", 0), 0);
}

TEST(what_is_none) {
  CHECK_INT(read_text("On December 31, 2025 the 10-K said in Item 7 of Q3, the 3rd, that Note 12 on page 4"),
            0);
  CHECK_INT(stated.year_count, 1);
  CHECK_INT(read_text("2025-09-27 and 9/27 and ASU 2014-09 and COVID-19"), 0);
  CHECK_INT(read_text("Phase 2 with UNI 494 and AWS 3"), 0);
  CHECK_INT(read_text("cited [1] and [2, 3]"), 0);
  CHECK_INT(stated.mark_count, 3);
  CHECK_INT(read_text(""), 0);
}

TEST(captions) {
  CHECK_INT(numbers_caption(slice_str("Revenue (in thousands)")), 1000);
  CHECK_INT(numbers_caption(slice_str("(In millions, except per share)")), 1000000);
  CHECK_INT(numbers_caption(slice_str("Revenue")), 1);
}

TEST(a_text_that_ends_with_a_digit_ends_there) {
  char *end = malloc(1); /* with the sanitizer a read behind it shows */
  struct evidence_listed *of;
  struct periods periods;
  *end = '0';
  numbers_release(&stated);
  numbers_read(&stated, slice_of(end, 1), 0);
  CHECK_INT(stated.number_count, 1);
  periods_read(&periods, slice_of(end, 1), &stated);
  of = evidence_lists_read(&stated, &periods);
  CHECK_INT(of[0].of.months, 0);
  free(of);
  free(end);
}

TEST(a_text_that_begins_with_a_digit_has_nothing_before_it) {
  CHECK(only("5 ", 5, 1));
  CHECK(only("5 Plans", 5, 1));
}

int main(void) {
  RUN(words_bound_a_number);
  RUN(scales_and_precision);
  RUN(words);
  RUN(signs);
  RUN(percent);
  RUN(currencies);
  RUN(currencies_behind);
  RUN(years);
  RUN(what_is_none);
  RUN(captions);
  RUN(a_text_that_ends_with_a_digit_ends_there);
  RUN(a_text_that_begins_with_a_digit_has_nothing_before_it);
  numbers_release(&stated);
  return test_done();
}

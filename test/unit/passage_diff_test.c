/* Spans of time of a table's columns, and tables without those of a span. */
#include "compare/passage_diff.h"
#include "test.h"

static const char quarter[] =
    "| | Three Months Ended June 28, 2025 | Nine Months Ended June 28, 2025 |\n| --- | --- | --- |\n"
    "| Sales | 94,036 | 313,695 |\n";

static void spans_are_read_from_headings(void) {
  CHECK(passage_diff_all(slice_str(quarter)) == (1u << 3 | 1u << 9));
  CHECK(passage_diff_all(slice_str("Three Months Ended June 28, 2025 was a quarter.\n")) == 0);
}

static void columns_of_other_spans_are_left_out(void) {
  struct buf out;
  buf_init(&out, 10000);
  CHECK(passage_diff_keep(&out, slice_str(quarter), 1u << 3) == 1u << 9);
  CHECK(!memmem(out.data, out.len, "313,695", 7));
  CHECK(memmem(out.data, out.len, "94,036", 6) && memmem(out.data, out.len, "Sales", 5));
  buf_clear(&out);
  CHECK(passage_diff_keep(&out, slice_str(quarter), 1u << 12) == 0); /* a table is not emptied */
  CHECK(memmem(out.data, out.len, "313,695", 7));
  buf_release(&out);
}

static void one_span_of_all_columns(void) {
  CHECK(passage_diff_months(
            slice_str("| | Six Months Ended March 29, 2025 | Six Months Ended March 30, 2024 |")) == 6);
  CHECK(passage_diff_months(
            slice_str("| | Three Months Ended June 28, 2025 | Nine Months Ended June 28, 2025 |")) == 0);
}

int main(void) {
  RUN(spans_are_read_from_headings);
  RUN(columns_of_other_spans_are_left_out);
  RUN(one_span_of_all_columns);
  return test_done();
}

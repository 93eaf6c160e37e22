/* What the helper of a held program runs, and what it refuses: there is no bid-fetch here, so what goes through ends with 127. */
#include "facts/fact_load.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { REFUSED = 70, NOT_THERE = 127 };

static int asking(const char *const *arguments) {
  struct error_text why;
  struct buf out;
  buf_init(&out, 4096);
  int status = fact_fetch(arguments, 1, &out, &why);
  buf_release(&out);
  return status;
}

#define ASKING(...) asking((const char *const[]){__VA_ARGS__, NULL})

TEST(only_the_sources_of_facts_are_fetched) {
  CHECK_INT(ASKING("sec-edgar", "-e", "AAPL", "-P", "facts=all"), NOT_THERE);
  CHECK_INT(ASKING("sec-filings", "-e", "1", "-f", "10-K", "-n", "1", "--content", "-P", "parts=EX-13"),
            NOT_THERE);
  CHECK_INT(ASKING("fred", "-P", "series=GDP", "--since", "2020-01-01", "-p", "2021"), NOT_THERE);
  CHECK_INT(ASKING("sec-edgar", "-e", "--refresh"), NOT_THERE); /* a name */
  CHECK_INT(ASKING("mock"), REFUSED);
  CHECK_INT(ASKING("sec-edgar,mock"), REFUSED);
  CHECK_INT(ASKING("--unblock", "sec.gov"), REFUSED);
  CHECK_INT(ASKING("sec-edgar", "--unblock", "sec.gov"), REFUSED);
  CHECK_INT(ASKING("sec-edgar", "/etc/passwd"), REFUSED);
  CHECK_INT(asking((const char *const[]){NULL}), REFUSED);
}

TEST(files_are_fetched_where_that_was_asked_for) {
  CHECK_INT(ASKING("file", "/etc/passwd"), REFUSED);
  fact_fetch_files();
  CHECK_INT(ASKING("file", "/etc/passwd"), NOT_THERE);
  CHECK_INT(ASKING("file", "/etc/passwd", "/etc/group"), REFUSED);
}

int main(void) {
  setenv("PATH", "/nowhere", 1);
  RUN(only_the_sources_of_facts_are_fetched);
  RUN(files_are_fetched_where_that_was_asked_for);
  return test_done();
}

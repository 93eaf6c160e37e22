#include "compare/passage_diff.h"
#include "compare/passage_diff_text.h"

#include <ctype.h>
#include <stdlib.h>

enum { YEAR_DIGITS = 4, PAGE_DIGITS = 3 };

static int diff_year_of(struct slice number) {
  int plain = number.len == YEAR_DIGITS && !memchr(number.data, ',', number.len) &&
              !memchr(number.data, '.', number.len) &&
              (memcmp(number.data, "19", 2) == 0 || memcmp(number.data, "20", 2) == 0);
  return plain ? atoi(number.data) : 0;
}

/* Whether all numbers that differ are years up to the reports' own that moved on with them. */
static int diff_is_years(struct slice was, struct slice is, int was_year, int is_year) {
  size_t i = 0, k = 0;
  struct slice a, b;
  do {
    a = passage_diff_next_number(was, &i);
    b = passage_diff_next_number(is, &k);
    int x = diff_year_of(a), y = diff_year_of(b);
    if (a.len && b.len && passage_diff_is_negative(was, i - a.len) != passage_diff_is_negative(is, k - b.len))
      return 0;
    if (!slice_eq(a, b) && (!x || !y || y - x != is_year - was_year || y > is_year))
      return 0;
  } while (a.len && b.len);
  return 1;
}

/* Whether a row is one of a table of contents, whose last cell is a page, and all other numbers are equal. */
static int diff_is_page(struct slice was, struct slice is) {
  static const char *const lines[] = {"item", "part", "signature", "signatures", NULL};
  size_t i = 0, k = 0, n = 0;
  while (n < is.len && !isalpha((unsigned char)is.data[n]))
    n++;
  size_t end = n;
  while (end < is.len && isalpha((unsigned char)is.data[end]))
    end++;
  if (!is.len || is.data[0] != '|' || !slice_among_nocase(slice_of(is.data + n, end - n), lines))
    return 0;
  for (;;) {
    struct slice a = passage_diff_next_number(was, &i), b = passage_diff_next_number(is, &k);
    if (slice_eq(a, b) && a.len)
      continue;
    size_t rest = k;
    while (rest < is.len && strchr(" |", is.data[rest]))
      rest++;
    return a.len && b.len && a.len <= PAGE_DIGITS && b.len <= PAGE_DIGITS && rest == is.len;
  }
}

void passage_diff_settle(struct passage_diff *d, int was_year, int is_year) {
  for (size_t i = 0; i < d->is.count; i++) {
    struct diff_paragraph *is = &d->is.list[i];
    struct diff_paragraph *was = is->pair >= 0 ? &d->was.list[is->pair] : NULL;
    if (!was || is->kind != DIFF_NUMBERS)
      continue;
    if (diff_is_page(was->text, is->text))
      is->kind = was->kind = DIFF_SAME;
    else if (was_year && was_year < is_year)
      is->years = diff_is_years(was->text, is->text, was_year, is_year);
  }
}

size_t passage_diff_years(const struct passage_diff *d) {
  size_t found = 0;
  for (size_t i = 0; i < d->is.count; i++)
    found += d->is.list[i].years != 0;
  return found;
}

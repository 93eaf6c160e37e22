#include "verify/evidence_lists.h"

#include <string.h>

/* Whether only "," and "and" separate two positions in a list. */
static int evidence_is_listed(struct slice text, size_t from, size_t to) {
  static const char *const between[] = {" and ", ", ", ", and ", " or "};
  for (size_t k = 0; from < to && k < sizeof between / sizeof *between; k++)
    if (to - from == strlen(between[k]) && memcmp(text.data + from, between[k], to - from) == 0)
      return 1;
  return 0;
}

/* The number of years, or numbers, in the list that ends with the one at `last`. */
static size_t evidence_year_list(const struct stated *s, struct slice text, size_t last) {
  size_t first = last;
  while (first && evidence_is_listed(text, s->years[first - 1].start + 4, s->years[first].start))
    first--;
  return last - first + 1;
}

static size_t evidence_number_list(const struct stated *s, struct slice text, size_t last) {
  size_t first = last;
  while (first && evidence_is_listed(text, s->numbers[first - 1].end, s->numbers[first].start))
    first--;
  return last - first + 1;
}

/* "$5 and $4 as of December 31, 2009 and 2008": the k-th number of a list before an equally long list of years
 * belongs to the k-th year. */
static void evidence_listed_years(const struct stated *s, struct slice text, int *years) {
  for (size_t y = s->year_count; y-- > 1;) {
    size_t count = evidence_year_list(s, text, y), n = s->number_count;
    while (n && s->numbers[n - 1].start > s->years[y + 1 - count].start)
      n--;
    if (count > 1 && n && evidence_number_list(s, text, n - 1) == count)
      for (size_t k = 0; k < count; k++)
        years[n - count + k] = s->years[y + 1 - count + k].year;
    y -= count - 1;
  }
}

/* "In 2009 and 2008 A was $5 and $4 and B was $3 and $2": the only list of years comes first, and all numbers are in
 * lists of its length. */
static void evidence_repeated_years(const struct stated *s, struct slice text, int *years) {
  size_t count = s->year_count ? evidence_year_list(s, text, s->year_count - 1) : 0;
  if (count < 2 || count != s->year_count || !s->number_count ||
      s->numbers[0].start < s->years[count - 1].start)
    return;
  for (size_t n = s->number_count, list; n > 0; n -= list)
    if ((list = evidence_number_list(s, text, n - 1)) != count)
      return;
  for (size_t k = 0; k < s->number_count; k++)
    years[k] = s->years[k % count].year;
}

/* "$5 and $4 in 2009 and 2008, respectively": where a list of years and a list of numbers of the same length precede
 * the word, in either order, the k-th number belongs to the k-th year.  Fills years[number_count]; 0 where unknown. */
void evidence_respective_years(const struct stated *s, struct slice text, int *years) {
  static const char word[] = "respectively";
  const char *at = text.len ? memmem(text.data, text.len, word, sizeof word - 1) : NULL;
  size_t end = at ? (size_t)(at - text.data) : 0, n = s->number_count, y = s->year_count;
  while (n && s->numbers[n - 1].start > end)
    n--;
  while (y && s->years[y - 1].start > end)
    y--;
  evidence_repeated_years(s, text, years);
  if (!at && s->number_count && !years[0])
    evidence_listed_years(s, text, years);
  if (!at || !n || !y)
    return;
  size_t count = 0;
  if (s->years[y - 1].start > s->numbers[n - 1].start)
    while (count < y && s->years[y - 1 - count].start > s->numbers[n - 1].start)
      count++;
  else
    while (count < n && s->numbers[n - 1 - count].start > s->years[y - 1].start)
      count++;
  for (size_t k = 0; count > 1 && count <= n && count <= y && k < count; k++)
    years[n - count + k] = s->years[y - count + k].year;
}

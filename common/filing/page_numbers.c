#include "filing/page_numbers.h"

#include <ctype.h>
#include <stdlib.h>

#define COUNT_UP 0.8 /* share of neighbouring numbers that must differ by one */
#define FRONT 8      /* unnumbered pages at the start that may share page 1: covers, contents */
#define LEAST_RUN 5  /* minimum run of bare numbers that defines pages where there are no breaks */

static int is_roman(const char *s, size_t n) {
  return n > 0 && n < 7 && strspn(s, "ivxl") >= n;
}

/* Length of "f-", "ii-", "s - " before a digit. */
static size_t lettered(const char *s) {
  size_t n = is_roman(s, strspn(s, "ivxl")) ? strspn(s, "ivxl") : isalpha((unsigned char)s[0]) ? 1 : 0;
  size_t dash = strspn(s + n, " -");
  return n && dash && memchr(s + n, '-', dash) && isdigit((unsigned char)s[n + dash]) ? n + dash : 0;
}

long page_numbers_bare(const char *s) {
  static const char *const skip = " -.|()";
  long value = -1;
  s += strspn(s, skip);
  int page = strncmp(s, "page", 4) == 0;
  s += page ? 4 : 0;
  s += strspn(s, " -.|:()");
  size_t letters = lettered(s);
  int apart = letters > 0;
  s += letters;
  size_t digits = strspn(s, "0123456789"), roman = strspn(s, "ivxl");
  if (digits && digits <= 4)
    value = apart ? 0 : atol(s);
  else if (is_roman(s, roman))
    value = 0;
  if (value < 0)
    return -1;
  s += digits ? digits : roman;
  if (*s == '.' && !page)
    return -1; /* "1." numbers a paragraph */
  s += strspn(s, skip);
  if (strncmp(s, "of ", 3) == 0) {
    s += 3;
    s += lettered(s);
    s += strspn(s, "0123456789");
  } else if (strncmp(s, "page", 4) == 0)
    s += 4;
  s += strspn(s, skip);
  return *s ? -1 : value;
}

long page_numbers_shown(const struct block_view *p) {
  size_t n = p->len;
  while (n && strchr(" -.|", p->lower[n - 1]))
    n--;
  size_t end = n;
  while (n && isdigit((unsigned char)p->lower[n - 1]))
    n--;
  if (end > n && end - n <= 4 && (n == 0 || !isalnum((unsigned char)p->lower[n - 1])) &&
      !(n >= 2 && p->lower[n - 1] == '-' && isalnum((unsigned char)p->lower[n - 2])))
    return atol(p->lower + n);
  size_t digits = strspn(p->lower, "0123456789");
  return digits && digits <= 4 && p->lower[digits] == ' ' ? atol(p->lower) : -1;
}

/* printed[page]: its printed number, 0 for none.  Whether these increase with the pages. */
static int count_up(const long *printed, size_t pages) {
  size_t pairs = 0, good = 0, last = SIZE_MAX;
  for (size_t i = 0; i < pages; i++) {
    if (printed[i] <= 0)
      continue;
    if (last != SIZE_MAX) {
      pairs++;
      good += printed[i] - printed[last] == (long)(i - last);
    }
    last = i;
  }
  return pairs >= 1 && (double)good >= COUNT_UP * (double)pairs;
}

/* Drops numbers that are consistent with neither neighbour: a year, a table's cell. */
static void drop_outliers(long *printed, size_t pages) {
  size_t before = SIZE_MAX;
  for (size_t i = 0; i < pages; i++) {
    if (printed[i] <= 0)
      continue;
    size_t after = i + 1;
    while (after < pages && printed[after] <= 0)
      after++;
    int fits = (before != SIZE_MAX && printed[i] - printed[before] == (long)(i - before)) ||
               (after < pages && printed[after] - printed[i] == (long)(after - i));
    if (fits)
      before = i;
    else
      printed[i] = 0;
  }
}

/* Numbers pages without a printed number from the last one that has it; those before the first are counted backwards,
 * to 1 at least. */
static void fill_pages(struct doc *d, const long *printed, size_t pages) {
  size_t first = 0;
  while (first < pages && printed[first] <= 0)
    first++;
  long page = first < pages && (long)first - printed[first] < FRONT ? printed[first] - (long)first : 1;
  for (size_t i = 0; i < pages; i++, page++) {
    if (printed[i] > 0)
      page = printed[i];
    if (i)
      d->breaks[i - 1].page = page > 0 ? (int)page : 1;
  }
}

void page_numbers_assign(struct doc *d, long *printed) {
  size_t pages = d->break_count + 1;
  if (!count_up(printed, pages))
    return;
  drop_outliers(printed, pages);
  fill_pages(d, printed, pages);
}

void page_numbers_breaks(struct doc *d) {
  struct block_view *look = xmalloc(sizeof *look);
  long last = 0;
  size_t good = 0, count = 0;
  for (size_t b = 0; b < d->block_count; b++) {
    if (d->blocks[b].end - d->blocks[b].start > 24 || d->blocks[b].kind == DOC_TABLE)
      continue;
    block_view_at(look, d, d->blocks[b].start, d->blocks[b].end);
    long n = page_numbers_bare(look->lower);
    if (n <= 0)
      continue;
    good += n == last + 1;
    count++;
    last = n;
  }
  if (count < LEAST_RUN || (double)good < COUNT_UP * (double)count) {
    free(look);
    return;
  }
  last = 0;
  for (size_t b = 0; b + 1 < d->block_count; b++) {
    if (d->blocks[b].end - d->blocks[b].start > 24 || d->blocks[b].kind == DOC_TABLE)
      continue;
    block_view_at(look, d, d->blocks[b].start, d->blocks[b].end);
    long n = page_numbers_bare(look->lower);
    if (n <= last || n > last + 3)
      continue;
    struct doc_break *k = doc_add_break(d);
    k->offset = d->blocks[b + 1].start;
    k->page = (int)n + 1;
    last = n;
  }
  free(look);
}

#include "cover.h"

#include "peek.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define COVER 8000       /* bytes of text that may be a cover page */
#define NAME_LONGEST 120 /* bytes of a company's name */

static struct slice trimmed(const char *s, size_t n) {
  while (n && strchr(" ,-.", s[n - 1]) && s[n - 1] != '.')
    n--;
  while (n && *s == ' ')
    s++, n--;
  return slice_of(s, n);
}

/* The name in front of "(exact name of": in the same block or the one before. */
static void read_company(const struct doc *d, size_t block, struct peek *p, struct metadata *m) {
  const char *at = strstr(p->lower, "exact name of");
  if (!at)
    return;
  size_t n = (size_t)(at - p->lower);
  while (n && strchr(" ([_", p->lower[n - 1]))
    n--;
  if (!n && block) {
    peek_at(p, d, d->blocks[block - 1].start, d->blocks[block - 1].end);
    n = p->whole ? p->len : 0;
  }
  if (n >= 3 && n <= NAME_LONGEST && !strstr(p->lower, "commission file"))
    metadata_set(m, METADATA_COMPANY, trimmed(p->text, n));
}

static int month_of(const char *s) {
  static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";
  for (int i = 0; i < 12; i++)
    if (strncmp(s, months + 3 * i, 3) == 0)
      return i + 1;
  return 0;
}

/* "december 31, 2015" or "december 31 2015" at s: YYYY-MM-DD into out; 0 where it is no date. */
static int read_date(const char *s, char out[11]) {
  int month = month_of(s);
  size_t n = 0;
  while (isalpha((unsigned char)s[n]))
    n++;
  if (!month || n < 3)
    return 0;
  n += strspn(s + n, " .");
  int day = atoi(s + n);
  n += strspn(s + n, "0123456789");
  n += strspn(s + n, " ,");
  if (day < 1 || day > 31 || strspn(s + n, "0123456789") != 4)
    return 0;
  snprintf(out, 11, "%.4s-%02u-%02u", s + n, (unsigned)month % 100u, (unsigned)day % 100u);
  return 1;
}

static void read_period(const struct peek *p, struct metadata *m) {
  static const char *const leads[] = {"fiscal year ended", "quarterly period ended", "year ended",
                                      "quarter ended",     "period ended",           NULL};
  char date[11];
  for (int i = 0; leads[i]; i++) {
    const char *at = strstr(p->lower, leads[i]);
    if (!at)
      continue;
    at += strlen(leads[i]);
    at += strspn(at, " :");
    if (read_date(at, date)) {
      metadata_set_date(m, METADATA_REPORT_DATE, slice_str(date));
      return;
    }
  }
}

void cover_read(const struct doc *d, struct metadata *m, int periodic) {
  struct peek *p = xmalloc(sizeof *p);
  for (size_t b = 0; b < d->block_count && d->blocks[b].start < COVER; b++) {
    int dated = !periodic || *metadata_get(m, METADATA_REPORT_DATE);
    if (dated && *metadata_get(m, METADATA_COMPANY))
      break;
    peek_at(p, d, d->blocks[b].start, d->blocks[b].end);
    if (!dated)
      read_period(p, m);
    if (!*metadata_get(m, METADATA_COMPANY))
      read_company(d, b, p, m);
  }
  free(p);
}

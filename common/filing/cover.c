#include "filing/cover.h"

#include "document/block_view.h"
#include "filing/form.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define COVER 8000       /* bytes of text that may be the cover page */
#define NAME_LONGEST 120 /* limit of a company's name in bytes */

static struct slice cover_trimmed(const char *s, size_t n) {
  while (n && strchr(" ,-.", s[n - 1]) && s[n - 1] != '.')
    n--;
  while (n && *s == ' ')
    s++, n--;
  return slice_of(s, n);
}

/* Reads the name before "(exact name of": in the same block or the previous one. */
static void read_company(const struct doc *d, size_t block, struct block_view *p, struct metadata *m) {
  const char *at = strstr(p->lower, "exact name of");
  if (!at)
    return;
  size_t n = (size_t)(at - p->lower);
  while (n && strchr(" ([_", p->lower[n - 1]))
    n--;
  if (!n && block) {
    block_view_at(p, d, d->blocks[block - 1].start, d->blocks[block - 1].end);
    n = p->whole ? p->len : 0;
  }
  if (n >= 3 && n <= NAME_LONGEST && !strstr(p->lower, "commission file"))
    metadata_set(m, METADATA_COMPANY, cover_trimmed(p->text, n));
}

static void read_period(const struct block_view *p, struct metadata *m) {
  static const char *const leads[] = {"fiscal year ended", "quarterly period ended", "year ended",
                                      "quarter ended",     "period ended",           NULL};
  char date[11];
  for (int i = 0; leads[i]; i++) {
    const char *at = strstr(p->lower, leads[i]);
    if (!at)
      continue;
    at += strlen(leads[i]);
    at += strspn(at, " :");
    if (cover_month_first(at, date)) {
      metadata_set_date(m, METADATA_REPORT_DATE, slice_str(date));
      return;
    }
  }
}

/* ---- by lines, where blocks don't help: lines of a PDF may be joined or in columns ---- */

/* The start of the text as lines, white space collapsed, without empty lines and Markdown marks. */
struct front {
  char text[COVER + 1];
  char lower[COVER + 1];
  size_t len;
};

static void front_read(struct front *f, const struct doc *d) {
  size_t end = d->text.len < COVER ? d->text.len : COVER;
  f->len = 0;
  for (size_t i = 0; i < end; i++) {
    char c = d->text.data[i];
    if (c == '\0' || c == '\t' || c == '|' || c == '`' || c == '_' || c == '*' || c == '\\' || c == '#')
      c = ' ';
    char last = f->len ? f->text[f->len - 1] : '\n';
    if ((c == ' ' || c == '\n') && last == '\n')
      continue;
    if (c == '\n' && last == ' ')
      f->len--;
    if (c == ' ' && last == ' ')
      continue;
    f->text[f->len] = c;
    f->lower[f->len++] = (char)tolower((unsigned char)c);
  }
  f->text[f->len] = f->lower[f->len] = '\0';
}

/* Skips "commission file number 1-6075 " or "1-2360 (commission file number) " in [start, end); returns the rest. */
static size_t behind_file_number(const struct front *f, size_t start, size_t end) {
  static const char *const leads[] = {"commission file number", "commission file no", NULL};
  for (int i = 0; leads[i]; i++) {
    const char *at = strstr(f->lower + start, leads[i]);
    if (!at || at >= f->lower + end)
      continue;
    at += strlen(leads[i]);
    at += strspn(at, ".:) ");
    if (isdigit((unsigned char)*at))
      at += strcspn(at, " \n");
    at += strspn(at, " ");
    return at < f->lower + end ? (size_t)(at - f->lower) : end;
  }
  return start;
}

/* Reads the name before "(exact name of registrant", or what proxy statements and foreign issuers write instead: on the
 * same line or the previous one. */
static void company_by_line(const struct front *f, struct metadata *m) {
  static const char *const leads[] = {"name of registrant as",
                                      "(registrant name",
                                      "(registrant's name",
                                      "(registrant)",
                                      "(translation of registrant",
                                      "(name of registrant",
                                      NULL};
  const char *at = NULL;
  for (int i = 0; leads[i] && !at; i++)
    at = strstr(f->lower, leads[i]);
  if (!at)
    return;
  size_t end = (size_t)(at - f->lower);
  end -= end > 6 && strncmp(at - 6, "exact ", 6) == 0 ? 6 : 0;
  while (end && strchr(" \n([", f->text[end - 1]))
    end--;
  size_t start = end;
  while (start && f->text[start - 1] != '\n')
    start--;
  start = behind_file_number(f, start, end);
  if (end - start >= 3 && end - start <= NAME_LONGEST)
    metadata_set(m, METADATA_COMPANY, cover_trimmed(f->text + start, end - start));
}

static void period_by_line(const struct front *f, struct metadata *m) {
  static const char *const leads[] = {"year ended", "quarterly period ended", "quarter ended", "period ended",
                                      NULL};
  char date[11];
  for (int i = 0; leads[i]; i++)
    for (const char *at = strstr(f->lower, leads[i]); at; at = strstr(at, leads[i])) {
      at += strlen(leads[i]);
      if (cover_month_first(at + strspn(at, " :\n"), date)) {
        metadata_set_date(m, METADATA_REPORT_DATE, slice_str(date));
        return;
      }
    }
}

/* Reads the capitals before the first exchange: "par value $.01 per share AAPL The Nasdaq Stock Market". */
static void ticker_by_line(const struct front *f, struct metadata *m) {
  static const char *const exchanges[] = {"the nasdaq", "nasdaq", "new york stock exchange", "nyse", NULL};
  const char *from = strstr(f->lower, "trading symbol");
  for (int i = 0; from && exchanges[i]; i++) {
    const char *at = strstr(from, exchanges[i]);
    if (!at || at[-1] != ' ')
      continue;
    const char *end = f->text + (at - f->lower) - 1, *s = end;
    while (end - s < 6 && isupper((unsigned char)s[-1]))
      s--;
    if (end - s >= 1 && end - s <= 5 && s[-1] == ' ') {
      metadata_set(m, METADATA_TICKER, slice_of(s, (size_t)(end - s)));
      return;
    }
  }
}

/* Whether text may follow a form's title on a cover page. */
static int announces(const char *lower) {
  static const char *const signs[] = {"report pursuant",        "report under",    "(mark one)",
                                      "registration statement", "statement under", NULL};
  char near[200];
  snprintf(near, sizeof near, "%s", lower);
  for (int i = 0; signs[i]; i++)
    if (strstr(near, signs[i]))
      return 1;
  return 0;
}

void cover_form(const struct doc *d, struct metadata *m) {
  struct front *f = xmalloc(sizeof *f);
  char form[16];
  front_read(f, d);
  for (const char *at = f->lower; at && !*metadata_get(m, METADATA_FORM); at = strchr(at, '\n')) {
    at += *at == '\n';
    if (strncmp(at, "schedule 14a", 12) == 0)
      metadata_set(m, METADATA_FORM, slice_str("DEF 14A"));
    if (strncmp(at, "form ", 5) != 0 || !announces(at))
      continue;
    for (int i = 0; form_titles[i]; i++) {
      size_t n = strlen(form_titles[i]);
      if (strncasecmp(at + 5, form_titles[i], n) != 0 || isalnum((unsigned char)at[5 + n]) ||
          at[5 + n] == '-')
        continue;
      snprintf(form, sizeof form, "%s%s", form_titles[i], strncmp(at + 5 + n, "/a", 2) == 0 ? "/A" : "");
      metadata_set(m, METADATA_FORM, slice_str(form));
    }
  }
  free(f);
}

static void cover_read_lines(const struct doc *d, struct metadata *m, int periodic) {
  int company = !*metadata_get(m, METADATA_COMPANY), ticker = !*metadata_get(m, METADATA_TICKER);
  int period = periodic && !*metadata_get(m, METADATA_REPORT_DATE);
  if (!company && !ticker && !period)
    return;
  struct front *f = xmalloc(sizeof *f);
  front_read(f, d);
  if (company)
    company_by_line(f, m);
  if (period)
    period_by_line(f, m);
  if (ticker)
    ticker_by_line(f, m);
  free(f);
}

void cover_read(const struct doc *d, struct metadata *m, int periodic) {
  struct block_view *p = xmalloc(sizeof *p);
  for (size_t b = 0; b < d->block_count && d->blocks[b].start < COVER; b++) {
    int dated = !periodic || *metadata_get(m, METADATA_REPORT_DATE);
    if (dated && *metadata_get(m, METADATA_COMPANY))
      break;
    block_view_at(p, d, d->blocks[b].start, d->blocks[b].end);
    if (!dated)
      read_period(p, m);
    if (!*metadata_get(m, METADATA_COMPANY))
      read_company(d, b, p, m);
  }
  free(p);
  cover_read_lines(d, m, periodic);
}

/* cover.c: what a document's first page says of it: company, form, ticker, the end of its period, its day.
 *
 * Days come first in this file: of the first lines, of signatures, of the name of a file. */
#include "filing/cover.h"
#include "base/clock.h"
#include "base/day.h"
#include "document/doc.h"
#include "filing/form.h"
#include "tables/page_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define DATED 1500                /* bytes of text that are searched */
#define SIGNED ((size_t)24 << 10) /* bytes at the end of a text in which the signatures are */
#define EVENT_NEAR 120            /* bytes between "date of report" and the day, before or behind it */
#define LEAD 70                   /* bytes of a sender or place before the document's day */
#define SIGNED_NEAR 12            /* bytes between "date" and the day: "Date signed: ", "Dated: **" */

/* Writes a day whose year's four digits, behind blanks and commas, are at s. */
static int day_with_year(const char *s, int month, int day, char out[11]) {
  s += strspn(s, " ,");
  if (day < 1 || day > 31 || strspn(s, "0123456789") != 4)
    return 0;
  snprintf(out, 11, "%.4s-%02u-%02u", s, (unsigned)month % 100u, (unsigned)day % 100u);
  return 1;
}

/* "december 31, 2015" or "december 31 2015" in small letters as YYYY-MM-DD; 1, or 0 where it is no date. */
static int cover_month_first(const char *s, char out[11]) {
  int month = day_month_named(s, 3); /* the rest may be misspelt */
  size_t n = 0;
  while (isalpha((unsigned char)s[n]))
    n++;
  if (!month || n < 3)
    return 0;
  n += strspn(s + n, " .");
  int day = atoi(s + n);
  n += strspn(s + n, "0123456789");
  return day_with_year(s + n, month, day, out);
}

/* Parses "2026-03-05", "2026_03_05" or "20260305" at s, not inside a longer number. */
static int plain_day(const char *s, char out[11]) {
  size_t n = strspn(s, "0123456789");
  int year = 0, month = 0, day = 0, used = 0;
  if (n == 8 && sscanf(s, "%4d%2d%2d", &year, &month, &day) != 3)
    return 0;
  if (n == 4 && (sscanf(s, "%4d%*1[-_.]%2d%*1[-_.]%2d%n", &year, &month, &day, &used) != 3 ||
                 isdigit((unsigned char)s[used])))
    return 0;
  if (year < 1970 || year > 2100 || month < 1 || month > 12 || day < 1 || day > 31)
    return 0;
  snprintf(out, 11, "%04u-%02u-%02u", (unsigned)year % 10000u, (unsigned)month % 100u, (unsigned)day % 100u);
  return 1;
}

/* "5 march 2026" */
static int day_first(const char *s, char out[11]) {
  int day = atoi(s), month;
  size_t n = strspn(s, "0123456789");
  if (n < 1 || n > 2 || s[n] != ' ' || (month = day_month_named(s + n + 1, 3)) == 0)
    return 0;
  for (n++; isalpha((unsigned char)s[n]); n++)
    ;
  return day_with_year(s + n, month, day, out);
}

/* A day in small letters, in any of these ways. */
static int cover_day_at(const char *s, char out[11]) {
  return plain_day(s, out) || day_first(s, out) || cover_month_first(s, out);
}

/* Whether the text before `at` ends with a word that leads to the end of a period: "the year ended ", "six months to ". */
static int ends_period(const char *text, const char *at) {
  static const char *const spans[] = {"year", "half", "quarter", "months", "weeks", "period", NULL};
  static const char *const links[] = {"ended", "ending", "to", NULL};
  const char *word[2], *end = at;
  size_t length[2];
  for (int i = 0; i < 2; i++) {
    while (end > text && !isalnum((unsigned char)end[-1]))
      end--;
    const char *start = end;
    while (start > text && isalnum((unsigned char)start[-1]))
      start--;
    word[i] = start, length[i] = (size_t)(end - start), end = start;
  }
  return slice_among_nocase(slice_of(word[0], length[0]), links) &&
         slice_among_nocase(slice_of(word[1], length[1]), spans);
}

/* The first day in a text that is the end of a period, or that is none and comes after one. */
static int any_day(const char *text, int of_period, const char *after, char out[11]) {
  char before = ' ';
  for (const char *s = text; *s; before = *s++)
    if (!isalnum((unsigned char)before) && isalnum((unsigned char)*s) && cover_day_at(s, out) &&
        ends_period(text, s) == of_period && strcmp(out, after) > 0)
      return 1;
  return 0;
}

/* The first lines in small letters, a blank for each line's end. */
static void first_lines(const struct doc *d, char text[DATED + 1]) {
  size_t n = d->text.len < DATED ? d->text.len : DATED;
  for (size_t i = 0; i < n; i++) {
    char c = d->text.data[i];
    text[i] = c == '\n' || c == '*' || c == '\0' ? ' ' : (char)tolower((unsigned char)c);
  }
  text[n] = '\0';
}

int cover_is_past(const char day[11]) {
  char now[CLOCK_TEXT];
  clock_format(clock_now(), now);
  return strncmp(day, now, 10) <= 0;
}

/* The length of the day at s, which cover_day_at() has read: up to its year, or to its end where the year comes first. */
static size_t day_length(const char *s) {
  size_t digits = strspn(s, "0123456789"), n = 0;
  if (digits == 8)
    return 8;
  if (digits == 4)
    return strspn(s, "0123456789-_.") < 10 ? 4 : 10;
  while (s[n] && strspn(s + n, "0123456789") != 4)
    n++;
  return s[n] ? n + 4 : n;
}

/* Whether all words begin with a capital, as a sender's do: "Larkspur Street Research". */
static int is_capitalised(struct slice text) {
  char before = ' ';
  for (size_t i = 0; i < text.len; before = text.data[i++])
    if (before == ' ' && islower((unsigned char)text.data[i]))
      return 0;
  return 1;
}

/* Whether the text in front of a day, from its line's start on, makes it the document's: nothing, a word such as "dated", a
 * name, or a place or a title that a comma or a bar sets apart.  `written`: the line in its own letters. */
static int leads_day(const char *line, const char *s, const char *written) {
  const char *start = line;
  static const char *const labels[] = {"date",   "dated",    "published", "updated",
                                       "issued", "released", "release",   NULL};
  while (line < s && strchr("#*|>- ", *line))
    line++;
  const char *end = s;
  while (end > line && strchr(" :*(|\t", end[-1]))
    end--;
  if (end == line)
    return 1;
  const char *word = end, *first = line + strcspn(line, " :");
  while (word > line && isalpha((unsigned char)word[-1]))
    word--;
  if (slice_among_nocase(slice_of(word, (size_t)(end - word)), labels) ||
      (first <= s && slice_among_nocase(slice_of(line, (size_t)(first - line)), labels)))
    return 1;
  int apart =
      end[-1] == ',' || (end < s && strchr("(|", *end)) || end[-1] == '-' || (unsigned char)end[-1] >= 0x80;
  return end - line <= LEAD && (apart || strncmp(word, "of ", 3) == 0 ||
                                is_capitalised(slice_of(written + (line - start), (size_t)(end - line))));
}

/* The document's own day among the first lines: labelled, or alone but for who or where, at the end of a line or sentence. */
static int stated_day(const struct doc *d, const char *text, const char *after, char out[11]) {
  const char *line = text;
  char before = ' ';
  for (const char *s = text; *s; before = *s++) {
    line = s > text && d->text.data[s - text - 1] == '\n' ? s : line;
    if (isalnum((unsigned char)before) || !isalnum((unsigned char)*s) || !cover_day_at(s, out) ||
        ends_period(text, s))
      continue;
    const char *end = s + day_length(s);
    int ends = !*end || d->text.data[end - text] == '\n' || strchr(".|)*", *end);
    if (ends && leads_day(line, s, d->text.data + (line - text)) && strcmp(out, after) > 0 &&
        cover_is_past(out))
      return 1;
  }
  return 0;
}

void cover_date(const struct doc *d, struct metadata *m) {
  char text[DATED + 1], day[11];
  const char *after = metadata_get(m, METADATA_REPORT_DATE);
  first_lines(d, text);
  if (*metadata_get(m, METADATA_FORM) ? any_day(text, 0, after, day) : stated_day(d, text, after, day))
    metadata_set_date(m, METADATA_FILING_DATE, slice_str(day));
}

void cover_period(const struct doc *d, struct metadata *m) {
  char text[DATED + 1], day[11];
  first_lines(d, text);
  if (any_day(text, 1, "", day))
    metadata_set_date(m, METADATA_REPORT_DATE, slice_str(day));
}

void cover_event(const struct doc *d, struct metadata *m) {
  static const char lead[] = "date of report";
  char text[DATED + 1], day[11];
  first_lines(d, text);
  const char *at = strstr(text, lead);
  if (!at || strncmp(metadata_get(m, METADATA_FORM), "8-K", 3) != 0)
    return;
  const char *behind = at + strlen(lead);
  text[behind - text + (strlen(behind) < EVENT_NEAR ? (ptrdiff_t)strlen(behind) : EVENT_NEAR)] = '\0';
  if (any_day(behind, 0, "", day) || any_day(at - text > EVENT_NEAR ? at - EVENT_NEAR : text, 0, "", day))
    metadata_set_date(m, METADATA_REPORT_DATE, slice_str(day));
}

/* "2025-09", "2025_09", "september 2025", "sep-2025" as the month's last day. */
static int cover_month_at(const char *s, char out[11]) {
  size_t letters = 0, digits = strspn(s, "0123456789");
  while (isalpha((unsigned char)s[letters]))
    letters++;
  int year = digits == 4 ? atoi(s) : 0, month = 0;
  if (digits == 4 && s[4] && strchr("-_. ", s[4]) && strspn(s + 5, "0123456789") == 2)
    month = atoi(s + 5);
  if (letters >= 3 && s[letters] && strchr("-_. ", s[letters]) && strspn(s + letters + 1, "0123456789") == 4)
    month = day_month_named(s, letters), year = atoi(s + letters + 1);
  if (year < 1970 || year > 2100 || month < 1 || month > 12)
    return 0;
  char last[DAY_TEXT];
  memcpy(out, day_write(day_month_end(year, month, 0), last), 11);
  return 1;
}

/* The day in a file's name, in small letters. */
static int day_of_name(const char *name, char day[11]) {
  char text[DATED + 1], before = ' ';
  size_t n = 0;
  for (; n < DATED && name[n]; n++)
    text[n] = (char)tolower((unsigned char)name[n]);
  text[n] = '\0';
  for (const char *s = text; *s; before = *s++)
    if (!isalnum((unsigned char)before) && cover_day_at(s, day))
      return 1;
  return 0;
}

/* "05/06/2026": month first, as in EDGAR's forms */
static int slashed_day(const char *s, char out[11]) {
  if (strspn(s, "0123456789") != 2 || s[2] != '/' || strspn(s + 3, "0123456789") != 2 || s[5] != '/' ||
      strspn(s + 6, "0123456789") != 4)
    return 0;
  snprintf(out, 11, "%.4s-%.2s-%.2s", s + 6, s, s + 3);
  return 1;
}

/* The day shortly behind a line's first word "date" at s, or behind "date:", which isn't the date of an event; or 0. */
static int day_behind_date(const char *text, const char *s, char day[11]) {
  const char *p = s + strlen("date"), *end = p + SIGNED_NEAR;
  int lead = s == text || s[-1] == '\n';
  for (; *p && p < end; p++) {
    lead |= *p == ':';
    if (lead && isalnum((unsigned char)*p) && !isalnum((unsigned char)p[-1]) &&
        (slashed_day(p, day) || cover_day_at(p, day)))
      return strncmp(p + strcspn(p, "\n("), "(date of event", 14) != 0;
  }
  return 0;
}

/* The last day behind "date" in the text's end. */
static int day_of_signature(const struct doc *d, char day[11]) {
  size_t n = d->text.len < SIGNED ? d->text.len : SIGNED;
  char *text = xstrndup(d->text.data + d->text.len - n, n), found[11];
  int some = 0;
  for (size_t i = 0; i < n; i++)
    text[i] = (char)tolower((unsigned char)text[i]);
  for (const char *s = strstr(text, "date"); s; s = strstr(s + 1, "date"))
    if ((s == text || !isalnum((unsigned char)s[-1])) && day_behind_date(text, s, found)) {
      memcpy(day, found, sizeof found);
      some = 1;
    }
  free(text);
  return some;
}

void cover_signed(const struct doc *d, const char *name, struct metadata *m) {
  const char *period = metadata_get(m, METADATA_REPORT_DATE);
  char day[11];
  if (!(day_of_name(name, day) && strcmp(day, period) > 0) &&
      !(day_of_signature(d, day) && strcmp(day, period) >= 0))
    return;
  metadata_set_date(m, METADATA_FILING_DATE, slice_str(day));
}

void cover_name_date(const char *name, struct metadata *m) {
  char day[11], text[DATED + 1], before = ' ';
  if (day_of_name(name, day) && cover_is_past(day)) {
    metadata_set_date(m, METADATA_FILING_DATE, slice_str(day));
    return;
  }
  snprintf(text, sizeof text, "%s", name);
  for (char *s = text; *s; s++)
    *s = (char)tolower((unsigned char)*s);
  for (const char *s = text; *s; before = *s++)
    if (!isalnum((unsigned char)before) && cover_month_at(s, day) && cover_is_past(day)) {
      metadata_set_date(m, METADATA_REPORT_DATE, slice_str(day));
      return;
    }
}

/* ---- the cover of a periodic report ---- */

#define COVER 8000       /* bytes of text that may be the cover page */
#define NAME_LONGEST 120 /* limit of a company's name in bytes */

static struct slice cover_trimmed(const char *s, size_t n) {
  while (n && strchr(" ,-.", s[n - 1]) && s[n - 1] != '.')
    n--;
  while (n && *s == ' ')
    s++, n--;
  return slice_of(s, n);
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
  static const char *const leads[] = {PAGE_WORDS_REGISTRANT, NULL};
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

void cover_read(const struct doc *d, struct metadata *m, int periodic) {
  int company = !*metadata_get(m, METADATA_COMPANY), ticker = !*metadata_get(m, METADATA_TICKER),
      period = periodic && !*metadata_get(m, METADATA_REPORT_DATE);
  struct front *f = company || ticker || period ? xmalloc(sizeof *f) : NULL;
  if (!f)
    return;
  front_read(f, d);
  if (company)
    company_by_line(f, m);
  if (period)
    period_by_line(f, m);
  if (ticker)
    ticker_by_line(f, m);
  free(f);
}

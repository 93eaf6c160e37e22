/* title_parser.c */
#include "filing/title_parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WORDS 12

struct words {
  struct slice word[WORDS];
  size_t count;
};

/* The last part of a path, without its extension. */
static struct slice base_of(struct slice name) {
  for (size_t i = name.len; i-- > 0;)
    if (name.data[i] == '/' || name.data[i] == ':')
      return slice_of(name.data + i + 1, name.len - i - 1);
  return name;
}

static void title_parser_split(struct slice name, struct words *w) {
  w->count = 0;
  for (size_t i = 0, start = 0; i <= name.len && w->count < WORDS; i++) {
    if (i < name.len && (isalnum((unsigned char)name.data[i]) || name.data[i] == '-' || name.data[i] == '&'))
      continue;
    if (i > start)
      w->word[w->count++] = slice_of(name.data + start, i - start);
    start = i + 1;
  }
}

/* "10K", "10-k", "8K": the form's own name, or "". */
static const char *title_parser_form_of(struct slice s) {
  static const char *const forms[] = {"10-K", "10-Q", "8-K", "20-F", "40-F", "6-K"};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    size_t n = strlen(forms[i]), dash = n - 2;
    if (s.len == n && strncasecmp(s.data, forms[i], n) == 0)
      return forms[i];
    if (s.len == n - 1 && strncasecmp(s.data, forms[i], dash) == 0 &&
        (s.data[dash] | 32) == (forms[i][n - 1] | 32))
      return forms[i];
  }
  return s.len >= 8 && strncasecmp(s.data, "earnings", 8) == 0 ? "8-K" : "";
}

/* "2018", "FY2018", "2023Q1": the year; the quarter where there is one. */
static int year_of(struct slice s, int *quarter) {
  if (s.len == 6 && strncasecmp(s.data, "FY", 2) == 0)
    s = slice_of(s.data + 2, 4);
  if (s.len == 6 && (s.data[4] | 32) == 'q' && s.data[5] >= '1' && s.data[5] <= '4')
    *quarter = s.data[5] - '0', s.len = 4;
  for (size_t i = 0; i < s.len; i++)
    if (!isdigit((unsigned char)s.data[i]))
      return 0;
  int year = s.len == 4 ? atoi((char[5]){s.data[0], s.data[1], s.data[2], s.data[3], 0}) : 0;
  return year >= 1980 && year <= 2079 ? year : 0;
}

static void put_company(struct title_hints *g, const struct words *w, size_t count) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    if (n + w->word[i].len + 2 > sizeof g->company)
      return;
    if (i > 0)
      g->company[n++] = ' ';
    memcpy(g->company + n, w->word[i].data, w->word[i].len);
    n += w->word[i].len;
  }
  g->company[n] = '\0';
}

int title_parser_read(struct slice name, struct title_hints *g) {
  struct words w;
  memset(g, 0, sizeof *g);
  title_parser_split(base_of(name), &w);
  for (size_t i = 1; i + 1 < w.count; i++) {
    int quarter = 0, year = year_of(w.word[i], &quarter);
    const char *form = title_parser_form_of(w.word[i + 1]);
    if (year == 0 || *form == '\0')
      continue;
    g->year = year;
    g->quarter = quarter;
    memcpy(g->form, form, strlen(form) + 1);
    put_company(g, &w, i);
    return 1;
  }
  return 0;
}

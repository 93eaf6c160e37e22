#include "peek.h"

#include <ctype.h>

struct scan {
  struct peek *p;
  int blank; /* white space is owed before the next character */
};

static void put(struct scan *s, const char *bytes, size_t n, size_t at, char lower) {
  struct peek *p = s->p;
  if (s->blank && p->len) {
    p->at[p->len] = at;
    p->text[p->len] = p->lower[p->len] = ' ';
    p->len++;
  }
  s->blank = 0;
  for (size_t i = 0; i < n; i++, p->len++) {
    p->at[p->len] = at;
    p->text[p->len] = bytes[i];
    p->lower[p->len] = lower ? lower : (char)tolower((unsigned char)bytes[i]);
  }
}

/* U+2018 2019 201A 201B as ', 2010 to 2015 and 2212 as -, 201C to 201F as "; 0: any other character. */
static char plain_form(const unsigned char *c) {
  if (c[0] != 0xE2)
    return 0;
  if (c[1] == 0x88 && c[2] == 0x92)
    return '-';
  if (c[1] != 0x80)
    return 0;
  if (c[2] >= 0x90 && c[2] <= 0x95)
    return '-';
  if (c[2] >= 0x98 && c[2] <= 0x9B)
    return '\'';
  return c[2] >= 0x9C && c[2] <= 0x9F ? '"' : 0;
}

static size_t char_length(unsigned char c) {
  return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

/* Marks of emphasis, headings, tables and escapes; a '#' counts only at the front. */
static int is_mark(char c, size_t so_far) {
  return c == '*' || c == '_' || c == '|' || c == '\\' || c == '`' || (c == '#' && !so_far);
}

void peek_at(struct peek *p, const struct doc *d, size_t start, size_t end) {
  struct scan s = {p, 0};
  const char *t = d->text.data;
  p->len = 0;
  size_t i = start;
  while (i < end && p->len + 6 < PEEK_MAX) {
    unsigned char c = (unsigned char)t[i];
    if (isspace(c) || (c == 0xC2 && i + 1 < end && (unsigned char)t[i + 1] == 0xA0)) {
      s.blank = 1;
      i += c == 0xC2 ? 2 : 1;
      continue;
    }
    if (is_mark((char)c, p->len)) {
      s.blank |= c == '|';
      i++;
      continue;
    }
    size_t n = char_length(c);
    if (n > end - i)
      n = end - i;
    if (n == 3) {
      char plain = plain_form((const unsigned char *)t + i);
      put(&s, t + i, n, i, plain);
    } else {
      put(&s, t + i, n, i, 0);
    }
    i += n;
  }
  p->whole = i >= end;
  p->text[p->len] = p->lower[p->len] = '\0';
  p->at[p->len] = i;
}

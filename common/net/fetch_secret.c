/* fetch_secret.c: finds API keys in every form in which addresses, JSON and HTML write them. */
#include "net/fetch_secret.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void fetch_secret_escape(struct buf *out, const char *text) {
  for (; *text; text++)
    if (isalnum((unsigned char)*text) || strchr("-._~", *text))
      buf_add_char(out, *text);
    else
      buf_printf(out, "%%%02X", (unsigned char)*text);
}

#define SECRET_LEAST 3
#define ENTITY_MAX 8 /* bytes of a character as HTML escapes it */

/* Whether n digits are the number of c, in either case where c is a letter. */
static int is_number_of(const char *digits, size_t n, int base, unsigned char c) {
  int value = 0;
  for (size_t i = 0; i < n && value < 256; i++) {
    int d = tolower((unsigned char)digits[i]);
    if (!(base == 16 ? isxdigit(d) : isdigit(d)))
      return 0;
    value = value * base + (isdigit(d) ? d - '0' : d - 'a' + 10);
  }
  return n > 0 && value < 256 && tolower(value) == tolower(c);
}

/* As HTML has it: by a name, or by its number, decimal or hexadecimal. */
static size_t entity_length(struct slice text, unsigned char c) {
  static const char *const names[] = {"&amp;", "<lt;", ">gt;", "\"quot;", "'apos;"};
  const char *end = memchr(text.data, ';', text.len < ENTITY_MAX ? text.len : ENTITY_MAX);
  size_t n = end ? (size_t)(end - text.data) + 1 : 0;
  if (n > 3 && text.data[1] == '#') {
    int hex = text.data[2] == 'x' || text.data[2] == 'X';
    return (hex ? is_number_of(text.data + 3, n - 4, 16, c) : is_number_of(text.data + 2, n - 3, 10, c)) ? n
                                                                                                         : 0;
  }
  for (size_t i = 0; n && i < sizeof names / sizeof *names; i++)
    if (names[i][0] == (char)c && strlen(names[i]) == n &&
        strncasecmp(text.data + 1, names[i] + 1, n - 1) == 0)
      return n;
  return 0;
}

/* The bytes at the beginning of text that stand for c, or 0: c itself in either case, as hosts are written; or as
 * addresses, forms, JSON or HTML escape it. */
static size_t form_length(struct slice text, unsigned char c) {
  const char *t = text.data;
  if (text.len >= 3 && t[0] == '%' && is_number_of(t + 1, 2, 16, c))
    return 3;
  if (text.len >= 6 && memcmp(t, "\\u", 2) == 0 && is_number_of(t + 2, 4, 16, c))
    return 6;
  if (text.len >= 2 && t[0] == '\\' && t[1] == (char)c && ispunct(c))
    return 2;
  size_t entity = text.len && t[0] == '&' ? entity_length(text, c) : 0;
  if (entity)
    return entity;
  return text.len && (tolower((unsigned char)t[0]) == tolower(c) || (t[0] == '+' && c == ' '));
}

/* The length of the secret at the beginning of text, or 0.  With is_cut, the text was truncated and may end within it. */
static size_t secret_length(struct slice text, const char *secret, int is_cut) {
  size_t at = 0;
  for (const char *s = secret; *s; s++) {
    struct slice rest = slice_of(text.data + at, text.len - at);
    size_t n = form_length(rest, (unsigned char)*s);
    if (n == 0) {
      int ends = rest.len == 0 || (rest.len < 6 && strchr("%\\&", rest.data[0]));
      return is_cut && ends && s - secret >= SECRET_LEAST ? text.len : 0;
    }
    at += n;
  }
  return at;
}

/* Whether a form of c may begin with that byte: most of a long text needs no closer look. */
static int may_begin(char byte, unsigned char c) {
  return tolower((unsigned char)byte) == tolower(c) || byte == '%' || byte == '\\' || byte == '&' ||
         (byte == '+' && c == ' ');
}

/* Where the secret is next, with its length; NULL where it is not. */
static const char *secret_find(struct slice text, const char *secret, int is_cut, size_t *len) {
  size_t plain = strlen(secret);
  for (const char *at = text.data, *end = at + text.len; at < end; at++) {
    size_t left = (size_t)(end - at);
    if (!may_begin(*at, (unsigned char)*secret))
      continue;
    *len = secret_length(slice_of(at, left), secret, is_cut);
    if (*len == 0 && left >= plain && memcmp(at, secret, plain) == 0) /* one that looks escaped */
      *len = plain;
    if (*len)
      return at;
  }
  return NULL;
}

static int is_secret(const char *secret) {
  return secret && strlen(secret) >= SECRET_LEAST;
}

int fetch_secret_is_in(const char *text, const char *secret) {
  size_t len;
  return is_secret(secret) && secret_find(slice_str(text), secret, 0, &len) != NULL;
}

/* Whether the byte at `at` is escaped: behind a backslash that is none itself. */
static int is_escaped(struct slice text, const char *at) {
  size_t n = 0;
  while (at - n > text.data && at[-(ptrdiff_t)n - 1] == '\\')
    n++;
  return n % 2 == 1;
}

static void redact(struct buf *b, const char *secret, int is_cut) {
  struct buf clean;
  struct slice rest = buf_slice(b);
  const char *at;
  size_t len;
  if (!is_secret(secret) || !secret_find(rest, secret, is_cut, &len))
    return;
  buf_init(&clean, SIZE_MAX / 2); /* "REDACTED" may be longer than what it replaces */
  while ((at = secret_find(rest, secret, is_cut, &len))) {
    buf_add(&clean, rest.data, (size_t)(at - rest.data));
    buf_add_str(&clean,
                is_escaped(rest, at) ? "\\REDACTED" : "REDACTED"); /* in JSON, \R is an error, and \\R none */
    rest = slice_of(at + len, (size_t)(rest.data + rest.len - (at + len)));
  }
  buf_add_slice(&clean, rest);
  buf_release(b);
  *b = clean;
}

void fetch_redact(struct buf *b, const char *secret) {
  redact(b, secret, 0);
}

void fetch_redact_cut(struct buf *b, const char *secret) {
  redact(b, secret, 1);
}

void fetch_redact_text(char *text, size_t room, const char *secret) {
  struct buf b;
  buf_init(&b, 2 * room + 64);
  buf_add_str(&b, text);
  fetch_redact(&b, secret);
  snprintf(text, room, "%s", b.data ? b.data : "");
  buf_release(&b);
}

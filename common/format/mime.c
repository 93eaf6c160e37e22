/* mime.c: parses mail: header fields, encoded words, parts, attachments, mailboxes. */
#include "format/mime.h"

#include "base/base64.h"
#include "format/charset.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

#define FIELD_MAX 65536 /* bytes of a field that are read */

/* Length of the line at s including its end. */
static size_t line_length(struct slice s) {
  const char *end = s.len ? memchr(s.data, '\n', s.len) : NULL;
  return end ? (size_t)(end + 1 - s.data) : s.len;
}

static struct slice mime_rest(struct slice s, size_t from) {
  return slice_of(s.data + from, s.len - from);
}

/* Length of the field name at the start of a line, or 0 where it is not a field. */
static size_t name_length(struct slice line) {
  size_t n = 0;
  while (n < line.len && n < 80 && line.data[n] > ' ' && line.data[n] < 127 && line.data[n] != ':')
    n++;
  return n && n < line.len && line.data[n] == ':' ? n : 0;
}

int mime_is_message(struct slice bytes, int declared) {
  static const char *const common[] = {"From", "To", "Subject", "Date", NULL};
  static const char *const machine[] = {"Received",    "Message-ID",   "MIME-Version",
                                        "Return-Path", "Delivered-To", NULL};
  int fields = 0, known = 0, machines = 0;
  for (size_t lines = 0; bytes.len && lines < 200; lines++) {
    size_t n = line_length(bytes), name = name_length(slice_of(bytes.data, n));
    if (bytes.data[0] == '\n' || bytes.data[0] == '\r')
      break;
    if (!name && (!fields || (bytes.data[0] != ' ' && bytes.data[0] != '\t')))
      return 0;
    fields += name > 0;
    known += slice_among_nocase(slice_of(bytes.data, name), common);
    machines += slice_among_nocase(slice_of(bytes.data, name), machine);
    bytes = mime_rest(bytes, n);
  }
  return (known >= 2 && (declared || machines)) || (known && machines && declared);
}

int mime_is_mailbox(struct slice bytes) {
  return bytes.len > 5 && memcmp(bytes.data, "From ", 5) == 0 &&
         mime_is_message(mime_rest(bytes, line_length(bytes)), 1);
}

int mime_next_message(struct slice mailbox, size_t *at, struct slice *message) {
  if (*at >= mailbox.len)
    return 0;
  size_t start = *at + line_length(mime_rest(mailbox, *at)), end = start;
  const char *next = mailbox.data + start;
  while ((next = memmem(next, (size_t)(mailbox.data + mailbox.len - next), "\nFrom ", 6)) != NULL) {
    end = (size_t)(next + 1 - mailbox.data);
    if (mime_is_message(mime_rest(mailbox, end + line_length(mime_rest(mailbox, end))), 1))
      break;
    next++;
  }
  end = next ? end : mailbox.len;
  *message = slice_of(mailbox.data + start, end - start);
  *at = end;
  return 1;
}

struct mime_entity mime_split(struct slice bytes) {
  size_t at = 0;
  while (at < bytes.len && bytes.data[at] != '\n' && bytes.data[at] != '\r')
    at += line_length(mime_rest(bytes, at));
  struct mime_entity e = {slice_of(bytes.data, at), mime_rest(bytes, at)};
  e.body = mime_rest(e.body, e.body.len ? line_length(e.body) : 0);
  return e;
}

/* ---- encodings ---- */

static int mime_hex(char c) {
  return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10 : -1;
}

static void add_quoted_printable(struct slice s, int word, struct buf *out) {
  for (size_t i = 0; i < s.len; i++) {
    char c = s.data[i];
    if (c == '_' && word) {
      buf_add_char(out, ' ');
    } else if (c != '=') {
      buf_add_char(out, c);
    } else if (i + 2 < s.len && mime_hex(s.data[i + 1]) >= 0 && mime_hex(s.data[i + 2]) >= 0) {
      buf_add_char(out, (char)(mime_hex(s.data[i + 1]) * 16 + mime_hex(s.data[i + 2])));
      i += 2;
    } else { /* a soft line break */
      while (i + 1 < s.len && s.data[i + 1] != '\n' && isspace((unsigned char)s.data[i + 1]))
        i++;
      i += i + 1 < s.len && s.data[i + 1] == '\n';
    }
  }
}

/* Skips blanks and drops an incomplete last group, since mail servers break long lines. */
static void add_base64(struct slice s, struct buf *out) {
  struct buf clean;
  buf_init(&clean, s.len + 4);
  for (size_t i = 0; i < s.len; i++)
    if (isalnum((unsigned char)s.data[i]) || s.data[i] == '+' || s.data[i] == '/')
      buf_add_char(&clean, s.data[i]);
  while (clean.len % 4 && clean.len % 4 != 1)
    buf_add_char(&clean, '=');
  clean.len -= clean.len % 4;
  base64_decode(buf_slice(&clean), out);
  buf_release(&clean);
}

void mime_decode(struct slice body, struct slice encoding, struct buf *out) {
  if (encoding.len >= 16 && strncasecmp(encoding.data, "quoted-printable", 16) == 0)
    add_quoted_printable(body, 0, out);
  else if (encoding.len >= 6 && strncasecmp(encoding.data, "base64", 6) == 0)
    add_base64(body, out);
  else
    buf_add_slice(out, body);
}

/* Decodes the encoded word "=?utf-8?Q?...?=" at s; its length, or 0. */
static size_t add_encoded_word(struct slice s, struct buf *out) {
  char charset[64];
  const char *end = s.data + s.len, *a = memchr(s.data + 2, '?', s.len - 2);
  const char *b = a && a + 2 < end && a[2] == '?' ? a + 3 : NULL;
  const char *close = b ? memmem(b, (size_t)(end - b), "?=", 2) : NULL;
  size_t n = a ? (size_t)(a - s.data - 2) : 0;
  if (!close || !n || n >= sizeof charset)
    return 0;
  memcpy(charset, s.data + 2, n);
  charset[n] = '\0';
  struct buf bytes, text;
  struct slice inside = slice_of(b, (size_t)(close - b));
  buf_init(&bytes, FIELD_MAX);
  buf_init(&text, 4 * FIELD_MAX);
  if ((a[1] | 32) == 'b')
    add_base64(inside, &bytes);
  else
    add_quoted_printable(inside, 1, &bytes);
  buf_add_slice(out, charset_to_utf8(buf_slice(&bytes), charset, &text));
  buf_release(&bytes);
  buf_release(&text);
  return (size_t)(close + 2 - s.data);
}

/* Decodes text with encoded words; blanks between two of them are dropped. */
static void mime_add_words(struct slice s, struct buf *out) {
  size_t after_word = (size_t)-1;
  for (size_t i = 0; i < s.len;) {
    size_t n = s.len - i > 8 && s.data[i] == '=' && s.data[i + 1] == '?' ? 1 : 0;
    size_t before = out->len;
    if (n && after_word != (size_t)-1) {
      out->len = after_word;
      if ((n = add_encoded_word(mime_rest(s, i), out)) == 0)
        out->len = before;
    } else if (n) {
      n = add_encoded_word(mime_rest(s, i), out);
    }
    if (n) {
      after_word = out->len;
      i += n;
      continue;
    }
    if (!isspace((unsigned char)s.data[i]))
      after_word = (size_t)-1;
    if (s.data[i] != '\r' && s.data[i] != '\n') /* folded line */
      buf_add_char(out, s.data[i] == '\t' ? ' ' : s.data[i]);
    i++;
  }
}

/* ---- fields ---- */

int mime_field(struct slice header, const char *name, struct buf *out) {
  size_t len = strlen(name);
  struct buf raw, text;
  for (; header.len; header = mime_rest(header, line_length(header))) {
    if (name_length(slice_of(header.data, line_length(header))) != len ||
        strncasecmp(header.data, name, len) != 0)
      continue;
    size_t end = line_length(header);
    while (end < header.len && end < FIELD_MAX && (header.data[end] == ' ' || header.data[end] == '\t'))
      end += line_length(mime_rest(header, end));
    struct slice value = slice_of(header.data + len + 1, end - len - 1);
    value = slice_trimmed(value);
    value.len = value.len < FIELD_MAX ? value.len : FIELD_MAX;
    buf_init(&raw, 4 * FIELD_MAX);
    buf_init(&text, 8 * FIELD_MAX);
    mime_add_words(value, &raw);
    buf_add_slice(out, charset_to_utf8(buf_slice(&raw), "utf-8", &text));
    buf_release(&raw);
    buf_release(&text);
    return 1;
  }
  return 0;
}

/* Decodes "utf-8'fr'm%C3%A9mo.docx" (RFC 2231); octets in other character sets are left as they are. */
static void add_extended(struct buf *out, struct slice v) {
  const char *first = v.len ? memchr(v.data, '\'', v.len) : NULL;
  const char *second = first ? memchr(first + 1, '\'', v.len - (size_t)(first + 1 - v.data)) : NULL;
  int known =
      second && (first - v.data == 0 || (first - v.data == 5 && strncasecmp(v.data, "utf-8", 5) == 0) ||
                 (first - v.data == 8 && strncasecmp(v.data, "us-ascii", 8) == 0));
  if (known)
    v = slice_of(second + 1, v.len - (size_t)(second + 1 - v.data));
  for (size_t i = 0; i < v.len; i++) {
    int high = known && v.data[i] == '%' && i + 2 < v.len ? mime_hex(v.data[i + 1]) : -1;
    int low = high >= 0 ? mime_hex(v.data[i + 2]) : -1;
    buf_add_char(out, low >= 0 ? (char)(high * 16 + low) : v.data[i]);
    i += low >= 0 ? 2 : 0;
  }
}

int mime_parameter(struct slice field, const char *name, struct buf *out) {
  size_t n = strlen(name);
  for (size_t i = 0; i + n + 1 < field.len; i++) {
    if (field.data[i] != ';')
      continue;
    while (i + 1 < field.len && isspace((unsigned char)field.data[i + 1]))
      i++;
    if (field.len - i <= n + 2 || strncasecmp(field.data + i + 1, name, n) != 0)
      continue;
    size_t at = i + 1 + n + (field.data[i + 1 + n] == '*');
    if (at >= field.len || field.data[at] != '=')
      continue;
    struct slice v = mime_rest(field, at + 1);
    size_t end = 0;
    if (v.len && v.data[0] == '"') {
      v = mime_rest(v, 1);
      while (end < v.len && v.data[end] != '"')
        end++;
    } else {
      while (end < v.len && v.data[end] != ';' && !isspace((unsigned char)v.data[end]))
        end++;
    }
    if (field.data[i + 1 + n] == '*')
      add_extended(out, slice_of(v.data, end));
    else
      buf_add(out, v.data, end);
    return 1;
  }
  return 0;
}

/* ---- parts ---- */

/* The next line "--boundary" at or after from; bytes.len where there is none. *behind: the start of the next line. */
static size_t boundary_line(struct slice body, struct slice boundary, size_t from, size_t *behind,
                            int *last) {
  const char *p = body.data + from, *end = body.data + body.len;
  while ((p = memmem(p, (size_t)(end - p), boundary.data, boundary.len)) != NULL) {
    size_t at = (size_t)(p - body.data), after = at + boundary.len;
    int dashes = at >= from + 2 && p[-1] == '-' && p[-2] == '-' && (at == 2 || p[-3] == '\n');
    if (dashes) {
      *last = after + 1 < body.len && body.data[after] == '-' && body.data[after + 1] == '-';
      *behind = after + line_length(mime_rest(body, after));
      return at - 2;
    }
    p += boundary.len;
  }
  *behind = body.len;
  *last = 1;
  return body.len;
}

int mime_next_part(struct slice body, struct slice boundary, size_t *at, struct slice *part) {
  size_t start, behind;
  int last;
  if (!boundary.len || *at >= body.len)
    return 0;
  if (*at == 0) { /* the preamble is not a part */
    boundary_line(body, boundary, 0, &behind, &last);
    if (last)
      return 0;
    *at = behind;
  }
  start = *at;
  size_t end = boundary_line(body, boundary, start, &behind, &last);
  *at = last ? body.len : behind;
  while (end > start && (body.data[end - 1] == '\n' || body.data[end - 1] == '\r') && end + 2 > start)
    end--;
  *part = slice_of(body.data + start, end - start);
  return 1;
}

#include "facts/fact_prose.h"

#include "page/block.h"

#include <ctype.h>

static int prose_is_control(char c) {
  return (unsigned char)c < ' ' || c == '\x7f';
}

void fact_prose_line(struct buf *out, struct slice text) {
  for (size_t i = 0; i < text.len; i++)
    buf_add_char(out, prose_is_control(text.data[i]) ? ' ' : text.data[i]);
}

/* Whether a link without markup, "http://…", "www.…" or "someone@…", would begin or go on with the character at i. */
static int prose_is_link(struct slice text, size_t i) {
  return text.data[i] == '@' || slice_at_nocase(text, i, "://") ||
         (text.data[i] == '.' && i >= 3 && slice_at_nocase(text, i - 3, "www"));
}

static void prose_escape(struct buf *out, struct slice text, const char *marks, int links) {
  for (size_t i = 0; i < text.len; i++) {
    char c = prose_is_control(text.data[i]) ? ' ' : text.data[i];
    if (strchr(marks, c) || (!links && prose_is_link(text, i)))
      buf_add_char(out, '\\');
    buf_add_char(out, c);
  }
}

void fact_prose_markdown(struct buf *out, struct slice text) {
  prose_escape(out, text, "\\`*_[]<>|~&", 0);
}

void fact_prose_notes(struct buf *out, struct slice lines, enum fact_format format) {
  if (format != FACT_MARKDOWN) {
    buf_add_slice(out, lines);
    return;
  }
  for (size_t at = 0; at < lines.len;) {
    struct slice line = page_line(lines, at);
    at += line.len + 1;
    if (line.len > 0 && strchr("#+-=", line.data[0])) /* a heading or list */
      buf_add_char(out, '\\');
    if (slice_at_nocase(line, 0, "Source: "))
      prose_escape(out, line, "\\`[]<>|", 1);
    else
      fact_prose_markdown(out, line);
    buf_add_str(out, at <= lines.len ? "\n" : "");
  }
}

static int prose_is_number(struct slice s) {
  size_t i = s.len > 0 && (s.data[0] == '-' || s.data[0] == '+'), digits = 0;
  for (; i < s.len && (strchr("0123456789.,eE%", s.data[i]) || (i > 0 && tolower(s.data[i - 1]) == 'e')); i++)
    digits += isdigit((unsigned char)s.data[i]) != 0;
  return i == s.len && digits > 0;
}

void fact_prose_csv(struct buf *out, struct slice text, int last) {
  int runs = text.len > 0 && strchr("=+-@\t\r\n", text.data[0]) && !prose_is_number(text), quoted = runs;
  for (size_t i = 0; i < text.len; i++)
    quoted |= text.data[i] == ',' || text.data[i] == '"' || prose_is_control(text.data[i]);
  buf_add_str(out, quoted ? "\"" : "");
  buf_add_str(out, runs ? "'" : "");
  for (size_t i = 0; i < text.len; i++) {
    if (text.data[i] == '"')
      buf_add_char(out, '"');
    buf_add_char(out, text.data[i]);
  }
  buf_add_str(out, quoted ? "\"" : "");
  buf_add_str(out, last ? "\r\n" : ",");
}

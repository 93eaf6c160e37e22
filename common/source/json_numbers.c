/* json_numbers.c: numbers marked before libjq, and restored behind it. */
#include "source/json_numbers.h"

#include "record/json_validate.h"

#define MARK "\xef\xb7\x90" /* U+FDD0 */
#define MARK_LEN 3

/* Whether libjq would print the number unchanged: at most 15 significant digits, no exponent, no trailing zero in the
 * fraction, and not so small that it would be printed with an exponent. */
static int survives(struct slice n) {
  size_t i = n.len > 0 && n.data[0] == '-', digits = 0, zeros = 0;
  int fraction = 0, started = 0;
  if (i && n.len == 2 && n.data[1] == '0')
    return 0;
  for (; i < n.len; i++) {
    char c = n.data[i];
    if (c == 'e' || c == 'E')
      return 0;
    if (c == '.') {
      fraction = 1;
      continue;
    }
    started |= c != '0';
    digits += (size_t)started;
    zeros += (size_t)(fraction && !started);
  }
  return digits <= 15 && zeros < 4 && (!fraction || n.data[n.len - 1] != '0');
}

static void add_marked(struct slice n, struct buf *out) {
  if (survives(n)) {
    buf_add_slice(out, n);
    return;
  }
  buf_add_str(out, "\"" MARK);
  buf_add_slice(out, n);
  buf_add_char(out, '"');
}

/* The position after the string that begins at p. */
static const char *string_end(const char *p, const char *end) {
  for (p++; p < end && *p != '"'; p++)
    p += *p == '\\';
  return p < end ? p + 1 : end;
}

static int number_byte(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

void json_numbers_mark(struct slice json, struct buf *out) {
  const char *p = json.data, *end = p + json.len, *from = p;
  while (p < end) {
    if (*p == '"') {
      p = string_end(p, end);
    } else if (*p == '-' || (*p >= '0' && *p <= '9')) {
      const char *start = p;
      while (p < end && number_byte(*p))
        p++;
      if (survives(slice_of(start, (size_t)(p - start))))
        continue;
      buf_add(out, from, (size_t)(start - from));
      add_marked(slice_of(start, (size_t)(p - start)), out);
      from = p;
    } else {
      p++;
    }
  }
  if (from < end)
    buf_add(out, from, (size_t)(end - from));
}

/* Length of the JSON number at p, or 0. */
static size_t number_length(const char *p, const char *end) {
  const char *q = p;
  size_t at;
  const char *why;
  while (q < end && number_byte(*q))
    q++;
  size_t len = (size_t)(q - p);
  return len && len < 4096 && json_validate(p, len, &at, &why) == 0 ? len : 0;
}

void json_numbers_restore(struct slice json, struct buf *out) {
  const char *p = json.data, *end = p + json.len;
  while (p < end) {
    const char *mark = memmem(p, (size_t)(end - p), MARK, MARK_LEN);
    if (!mark) {
      buf_add(out, p, (size_t)(end - p));
      return;
    }
    size_t len = number_length(mark + MARK_LEN, end);
    const char *behind = mark + MARK_LEN + len;
    int quoted = len && mark > p && mark[-1] == '"' && behind < end && *behind == '"' &&
                 !(mark - 1 > p && mark[-2] == '\\');
    buf_add(out, p, (size_t)(mark - p) - (size_t)quoted);
    buf_add(out, mark + (len ? MARK_LEN : 0), len ? len : MARK_LEN);
    p = behind + quoted;
  }
}

#include "facts/inline_reader.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DASH_MOST = 4 }; /* bytes of a dash */

void inline_fact_start(struct inline_reader *r, const struct html_token *t) {
  struct inline_document *d = r->d;
  if (r->open_count == OPEN_FACTS) {
    r->too_deep++;
    inline_facts_unreadable(r);
    return;
  }
  if (inline_is_full(d->fact_count)) {
    size_t cap = d->fact_count ? 2 * d->fact_count : 1;
    d->facts = xreallocarray(d->facts, cap, sizeof *d->facts);
    r->context_refs = xreallocarray(r->context_refs, cap, sizeof *r->context_refs);
    r->unit_refs = xreallocarray(r->unit_refs, cap, sizeof *r->unit_refs);
    r->formats = xreallocarray(r->formats, cap, sizeof *r->formats);
    r->scales = xreallocarray(r->scales, cap, sizeof *r->scales);
    r->places = xreallocarray(r->places, cap, sizeof *r->places);
  }
  struct inline_fact *f = &d->facts[d->fact_count];
  *f = (struct inline_fact){.name = inline_keep(d, inline_attribute(t, "name")), .hidden = r->hidden > 0};
  f->row = r->in_row ? r->row : INLINE_NO_ROW;
  f->shown_negative = r->before == '(' || r->before == '-';
  struct slice sign = inline_attribute(t, "sign");
  f->number.units = slice_is(sign, "-") ? -1 : sign.len == 0; /* 0: no number that can be read */
  if (inline_attribute(t, "target").len || slice_is(inline_attribute(t, "xsi:nil"), "true"))
    f->number.units = 0;
  r->context_refs[d->fact_count] = inline_attribute(t, "contextRef");
  r->unit_refs[d->fact_count] = inline_attribute(t, "unitRef");
  r->scales[d->fact_count] = inline_attribute(t, "scale");
  r->formats[d->fact_count] = inline_attribute(t, "format");
  r->open[r->open_count++] = d->fact_count++;
  if (r->open_count == 1)
    buf_clear(&r->decoded);
  else if (inline_trimmed(&r->decoded).len) /* the whole of another tag's number, or none */
    f->number.units = 0;
}

void inline_facts_unreadable(struct inline_reader *r) {
  for (size_t i = 0; i < r->open_count; i++)
    r->d->facts[r->open[i]].number.units = 0;
}

/* The name of a format without its prefix and hyphens, in out of `room` bytes; its length. */
static size_t inline_format_name(struct slice format, char *out, size_t room) {
  const char *colon = format.len ? memchr(format.data, ':', format.len) : NULL;
  size_t n = 0;
  for (const char *p = colon ? colon + 1 : format.data; p < format.data + format.len && n < room; p++)
    if (*p != '-')
      out[n++] = *p;
  return n;
}

/* Whether the format of a tag (the transformation registries of XBRL International, versions 1 to 5) makes a comma the decimal
 * point: 1, 0, or -1 where none says. */
static int inline_comma_decimal(struct slice format) {
  static const char *const comma[] = {"numcomma", "numcommadecimal", "numdotcomma", "numspacecomma", NULL};
  char name[24];
  size_t n = inline_format_name(format, name, sizeof name - 1);
  if (n < 4 || memcmp(name, "num", 3) != 0)
    return -1;
  return slice_among_nocase(slice_of(name, n), comma);
}

/* Without a format a comma is the decimal point where it comes after a point, as in "1.234,56". */
static int inline_comma_last(struct slice printed) {
  const char *comma = printed.len ? memrchr(printed.data, ',', printed.len) : NULL;
  const char *point = printed.len ? memrchr(printed.data, '.', printed.len) : NULL;
  return point && comma && comma > point;
}

/* A dash, or a word for none; other words are numbers that are not read. */
static int inline_is_nought(struct slice printed) {
  static const char *const words[] = {"no", "nil", "none", "zero", NULL};
  int letters = 0;
  for (size_t i = 0; i < printed.len; i++)
    letters |= isalpha((unsigned char)printed.data[i]) != 0;
  return letters ? slice_among_nocase(printed, words) : printed.len && printed.len <= DASH_MOST;
}

/* Whether c may stand between digits: a blank, an apostrophe, a comma or a point, in the forms of the registries. */
static int inline_is_between(uint32_t c) {
  return c == ' ' || c == '\'' || c == '`' || c == ',' || c == '.' || c == 0xA0 || c == 0xB4 || c == 0x2032 ||
         c == 0x2019 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F;
}

/* Parses a printed number.  0, or -1 where it is not one that its format allows: neither a minus, parentheses nor words
 * belong to it. */
static int inline_number(struct slice printed, struct slice format, struct decimal *number) {
  char digits[DECIMAL_TEXT];
  size_t n = 0;
  int odd = 0, comma = inline_comma_decimal(format);
  char point = (comma < 0 ? inline_comma_last(printed) : comma) ? ',' : '.';
  for (size_t i = 0, step; i < printed.len && n + 1 < sizeof digits; i += step) {
    uint32_t c = (unsigned char)printed.data[i]; /* of Latin-1, where it is no UTF-8 */
    size_t known = utf8_decode(printed.data + i, printed.len - i, &c);
    step = known ? known : 1;
    if (c >= '0' && c <= '9')
      digits[n++] = (char)c;
    else if (c == (uint32_t)point)
      digits[n++] = '.';
    else
      odd |= !inline_is_between(c);
  }
  if (n == 0 && inline_is_nought(printed))
    return decimal_parse(slice_str("0"), number);
  if (odd || n + 1 == sizeof digits || (format.len && comma < 0))
    return -1;
  return decimal_parse(slice_of(digits, n), number);
}

/* Reads a scale: a power of ten, 0 where none is said.  0, or -1 where it is not one. */
static int inline_scale(struct slice text, int *power) {
  char digits[24], *end;
  if (text.len >= sizeof digits)
    return -1;
  memcpy(digits, text.len ? text.data : "", text.len);
  digits[text.len] = '\0';
  long n = strtol(digits, &end, 10);
  if (end[strspn(end, " \t\r\n")] || n < -DECIMAL_TEXT || n > DECIMAL_TEXT)
    return -1;
  *power = (int)n;
  return 0;
}

void inline_fact_end(struct inline_reader *r) {
  struct inline_document *d = r->d;
  if (r->too_deep || r->open_count == 0) {
    r->too_deep -= r->too_deep > 0;
    return;
  }
  size_t i = r->open[--r->open_count];
  struct inline_fact *f = &d->facts[i];
  struct decimal number;
  int64_t sign = f->number.units;
  f->printed = inline_keep(d, inline_trimmed(&r->decoded));
  int power = 0;
  int is_number = sign != 0 && inline_number(f->printed, r->formats[i], &number) == 0 &&
                  inline_scale(r->scales[i], &power) == 0;
  r->places[i] = is_number ? power - number.scale : 0;
  if (!is_number || decimal_shift(number, power, &number)) {
    f->name = slice_of(NULL, 0);
    return;
  }
  number.units *= sign;
  f->number = number;
  r->before = '0';
}

#include "facts/inline_reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { DASH_MOST = 4 }; /* bytes of a dash */

void inline_fact_start(struct inline_reader *r, const struct html_token *t) {
  struct inline_document *d = r->d;
  if (r->open_count == OPEN_FACTS || slice_is(inline_attribute(t, "xsi:nil"), "true"))
    return;
  if (inline_is_full(d->fact_count)) {
    size_t cap = d->fact_count ? 2 * d->fact_count : 1;
    d->facts = xreallocarray(d->facts, cap, sizeof *d->facts);
    r->context_refs = xreallocarray(r->context_refs, cap, sizeof *r->context_refs);
    r->unit_refs = xreallocarray(r->unit_refs, cap, sizeof *r->unit_refs);
    r->formats = xreallocarray(r->formats, cap, sizeof *r->formats);
    r->scales = xreallocarray(r->scales, cap, sizeof *r->scales);
  }
  struct inline_fact *f = &d->facts[d->fact_count];
  *f = (struct inline_fact){.name = inline_keep(d, inline_attribute(t, "name")), .hidden = r->hidden > 0};
  f->row = r->in_row ? r->row : INLINE_NO_ROW;
  f->shown_negative = r->before == '(' || r->before == '-';
  f->number.units = slice_is(inline_attribute(t, "sign"), "-") ? -1 : 1;
  r->context_refs[d->fact_count] = inline_attribute(t, "contextRef");
  r->unit_refs[d->fact_count] = inline_attribute(t, "unitRef");
  r->scales[d->fact_count] = inline_attribute(t, "scale");
  r->formats[d->fact_count] = inline_attribute(t, "format");
  r->open[r->open_count++] = d->fact_count++;
  if (r->open_count == 1)
    buf_clear(&r->decoded);
}

/* Whether the format of a tag (the transformation registries of XBRL International, versions 1 to 5) makes a comma the decimal
 * point: 1, 0, or -1 where none says. */
static int inline_comma_decimal(struct slice format) {
  static const char *const comma[] = {"numcomma", "numcommadecimal", "numdotcomma", "numspacecomma", NULL};
  const char *colon = format.len ? memchr(format.data, ':', format.len) : NULL;
  char name[24];
  size_t n = 0;
  for (const char *p = colon ? colon + 1 : format.data; p < format.data + format.len && n + 1 < sizeof name;
       p++)
    if (*p != '-')
      name[n++] = *p;
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

/* Parses a printed number. */
static int inline_number(struct slice printed, struct slice format, struct decimal *number) {
  char digits[DECIMAL_TEXT];
  size_t n = 0;
  int comma = inline_comma_decimal(format);
  char point = (comma < 0 ? inline_comma_last(printed) : comma) ? ',' : '.';
  for (size_t i = 0; i < printed.len && n + 1 < sizeof digits; i++) {
    char c = printed.data[i];
    if (c >= '0' && c <= '9')
      digits[n++] = c;
    else if (c == point)
      digits[n++] = '.';
  }
  if (n == 0 && inline_is_nought(printed))
    digits[n++] = '0';
  return decimal_parse(slice_of(digits, n), number);
}

void inline_fact_end(struct inline_reader *r) {
  struct inline_document *d = r->d;
  if (r->open_count == 0)
    return;
  size_t i = r->open[--r->open_count];
  struct inline_fact *f = &d->facts[i];
  struct decimal number;
  int negative = f->number.units < 0;
  f->printed = inline_keep(d, inline_trimmed(&r->decoded));
  char scale[8] = "0";
  if (r->scales[i].len && r->scales[i].len < sizeof scale)
    snprintf(scale, sizeof scale, "%.*s", (int)r->scales[i].len, r->scales[i].data);
  if (inline_number(f->printed, r->formats[i], &number) || decimal_shift(number, atoi(scale), &number)) {
    f->name = slice_of(NULL, 0);
    return;
  }
  number.units = negative ? -number.units : number.units;
  f->number = number;
  r->before = '0';
}

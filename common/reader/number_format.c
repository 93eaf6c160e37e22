/* number_format.c: a number as a sheet or a chart shows it, by its format's code: sections for positive, negative and zero, places
 * of digits, literals, fractions, days and times. */
#include "reader/number_format.h"
#include "base/clock.h"
#include "base/day.h"
#include "tables/number_formats.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *number_format_builtin(unsigned long id) {
  static const struct {
    unsigned long id;
    const char *code;
  } codes[] = {NUMBER_FORMATS_BUILTIN};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    if (codes[i].id == id)
      return codes[i].code;
  return "General";
}

char number_format_list_kind(struct slice name) {
  static const struct {
    const char *begin;
    char kind;
  } kinds[] = {NUMBER_FORMATS_LIST};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (slice_begins_nocase(name, kinds[i].begin))
      return kinds[i].kind;
  return '1';
}

/* The next element of a format's code: one placeholder or letter, a literal, or nothing that is shown. */
struct code_part {
  char
      kind; /* '0' '#' '?' '.' ',' '%' '/' '@'; 'E': exponent; y m d h s: time; 'A': AM/PM; '"': literal; 0: not shown */
  struct slice text; /* what is shown of a literal; the whole run of a letter */
  int elapsed;       /* [h]: not only the rest of a day */
};

static size_t read_bracket(struct slice code, struct code_part *p) {
  const char *close = memchr(code.data, ']', code.len);
  size_t n = close ? (size_t)(close - code.data) + 1 : code.len;
  struct slice inside = slice_of(code.data + 1, n > 1 ? n - 1 - (close != NULL) : 0);
  if (inside.len && strchr("hHmMsS", *inside.data) && inside.len == strspn(inside.data, "hHmMsS")) {
    *p = (struct code_part){(char)tolower((unsigned char)*inside.data), inside, 1};
  } else if (inside.len && *inside.data == '$') { /* [$EUR-407]: a currency and a language */
    const char *dash = memchr(inside.data, '-', inside.len);
    *p = (struct code_part){
        '"', slice_of(inside.data + 1, (size_t)((dash ? dash : inside.data + inside.len) - inside.data - 1)),
        0};
  } else {
    *p = (struct code_part){0, inside, 0}; /* a colour, a condition */
  }
  return n;
}

/* Reads the part at the start of a section; its length. */
static size_t read_part(struct slice code, struct code_part *p) {
  char c = *code.data;
  *p = (struct code_part){'"', slice_of(code.data, 1), 0};
  if (c == '"') {
    const char *close = memchr(code.data + 1, '"', code.len - 1);
    size_t n = close ? (size_t)(close - code.data) + 1 : code.len;
    p->text = slice_of(code.data + 1, n - 1 - (close != NULL));
    return n;
  }
  if (c == '[')
    return read_bracket(code, p);
  if (code.len > 1 && (c == '\\' || c == '_' || c == '*')) {
    size_t n = 2;
    while (n < code.len && ((unsigned char)code.data[n] & 0xC0) == 0x80)
      n++;
    *p = (struct code_part){c == '\\' ? '"' : 0, slice_of(code.data + 1, n - 1), 0};
    return n;
  }
  if (slice_begins_nocase(code, "General")) {
    p->kind = 'G';
    return 7;
  }
  if (slice_begins_nocase(code, "AM/PM") || slice_begins_nocase(code, "A/P")) {
    p->kind = 'A';
    return tolower((unsigned char)code.data[1]) == 'm' ? 5 : 3;
  }
  if ((c == 'E' || c == 'e') && code.len > 1 && strchr("+-", code.data[1])) {
    p->kind = 'E';
    return 2 + strspn(code.data + 2, "0#?");
  }
  size_t n = 1;
  if (strchr("yYmMdDhHsS", c)) {
    while (n < code.len && code.data[n] == c)
      n++;
    *p = (struct code_part){(char)tolower((unsigned char)c), slice_of(code.data, n), 0};
  } else if (c == 'e' || c == 'g') { /* the year of an era, and the era's name */
    *p = (struct code_part){c == 'e' ? 'y' : 0, slice_str("yyyy"), 0};
  } else if (strchr("0#?.,%/@", c)) {
    p->kind = c;
  }
  return n;
}

/* What a section of a code has. */
struct code_shape {
  int year, month, day, hour, second, am, general, fraction, exponent, text;
  int places, zeros, decimals, least, grouped, thousands,
      percents; /* least: decimals that are always shown */
};

static struct code_shape shape_of(struct slice code) {
  struct code_shape s = {0};
  struct code_part p;
  int point = 0, commas = 0, minute = 0; /* minute: the last month is one if seconds follow */
  char time = 0;
  for (size_t i = 0; i < code.len;) {
    i += read_part(slice_of(code.data + i, code.len - i), &p);
    int place = p.kind == '0' || p.kind == '#' || p.kind == '?';
    s.grouped |= place && commas && !point;
    commas = place ? 0 : commas + (p.kind == ',' && s.places);
    if (p.kind == '.')
      s.thousands += commas, commas = 0;
    s.places += place && !point;
    s.zeros += p.kind == '0' && !point;
    s.decimals += place && point;
    s.least = p.kind == '0' && point ? s.decimals : s.least;
    point |= p.kind == '.' && s.exponent == 0;
    s.percents += p.kind == '%';
    s.fraction |= p.kind == '/' && s.places;
    s.exponent |= p.kind == 'E';
    s.general |= p.kind == 'G';
    s.text |= p.kind == '@';
    s.year |= p.kind == 'y';
    s.day |= p.kind == 'd';
    s.hour |= p.kind == 'h' || p.elapsed;
    s.second |= p.kind == 's';
    s.am |= p.kind == 'A';
    s.month -= p.kind == 's' && minute;
    minute = p.kind == 'm' ? time != 'h' && !p.elapsed : minute && !strchr("ydhs", p.kind ? p.kind : '-');
    s.month += p.kind == 'm' && minute;
    time = strchr("ymdhs", p.kind ? p.kind : '-') ? p.kind : time;
  }
  s.thousands += commas;
  return s;
}

/* Which section of "positive;negative;zero" a number takes. */
static struct slice section_of(struct slice code, double n, int *negative) {
  struct slice part[3] = {0};
  size_t count = 0, from = 0;
  struct code_part p;
  for (size_t i = 0; i <= code.len && count < 3;) {
    if (i == code.len || code.data[i] == ';') {
      part[count++] = slice_of(code.data + from, i - from);
      from = ++i;
    } else {
      i += read_part(slice_of(code.data + i, code.len - i), &p);
    }
  }
  *negative = n < 0 && count < 2;
  return n < 0 && count > 1 ? part[1] : n == 0 && count > 2 ? part[2] : part[0];
}

/* Days since 31 December 1899, with a 29 February 1900 that did not exist; since 1904 in old files. */
static void add_time(struct buf *out, double days, struct slice code, const struct code_shape *s,
                     int from_1904) {
  static const char *const weekdays[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                         "Friday", "Saturday", "Sunday"};
  char text[CLOCK_TEXT];
  int64_t seconds = (int64_t)floor(days * 86400 + (s->decimals ? 1e-6 : 0.5)), whole = seconds / 86400;
  double rest = days * 86400 - (double)seconds;
  if (days < 0 || days > 2958466) {
    buf_printf(out, "%.15g", days);
    return;
  }
  clock_format(seconds + ((from_1904    ? 1462
                           : whole < 60 ? 1
                                        : 0) -
                          25569) *
                             (int64_t)86400,
               text); /* 2026-03-05T14:30:00Z */
  if (s->year && s->month && s->day) {
    buf_add(out, text, 10);
    if (s->hour)
      buf_printf(out, " %.*s", s->second ? 8 : 5, text + 11);
    return;
  }
  int month = atoi(text + 5), hour = atoi(text + 11);
  struct code_part p;
  char before = 0;
  for (size_t i = 0; i < code.len;) {
    i += read_part(slice_of(code.data + i, code.len - i), &p);
    int wide = p.text.len > 1,
        next_second = i < code.len && memchr(code.data + i, 's', code.len - i) && !s->month;
    if (p.kind == 'm' && !p.elapsed && (before == 'h' || next_second || !s->month))
      buf_printf(out, "%.2s", text + 14);
    else if (((p.kind == 'm' && !p.elapsed) || p.kind == 'd') && p.text.len > 2) {
      const char *name = p.kind == 'm' ? day_month_name(month)
                                       : weekdays[day_weekday(day_of(atoi(text), month, atoi(text + 8)))];
      buf_add(out, name, p.text.len == 3 ? 3 : strlen(name));
    } else if (p.elapsed)
      buf_printf(out, "%0*lld", (int)p.text.len,
                 (long long)(seconds / (p.kind == 'h'   ? 3600
                                        : p.kind == 'm' ? 60
                                                        : 1)));
    else if (p.kind == 'h')
      buf_printf(out, "%0*d", wide ? 2 : 1, s->am ? (hour + 11) % 12 + 1 : hour);
    else if (p.kind == 'y')
      buf_add(out, text + (p.text.len < 3 ? 2 : 0), p.text.len < 3 ? 2 : 4);
    else if (p.kind == 'm' || p.kind == 'd')
      buf_printf(out, "%0*d", wide ? 2 : 1, p.kind == 'm' ? month : atoi(text + 8));
    else if (p.kind == 's')
      buf_add(out, text + 17, 2);
    else if (p.kind == '0')
      rest *= 10, buf_printf(out, "%d", (int)(rest + 1e-4) % 10);
    else if (p.kind == 'A')
      buf_add_str(out, hour < 12 ? "AM" : "PM");
    else if (p.kind == '"' || p.kind == '.' || p.kind == ',' || p.kind == '/')
      buf_add_slice(out, p.text);
    before = p.kind == '"' || p.kind == '.' ? before : p.kind;
  }
}

/* "2 1/4": the nearest fraction with a denominator of one digit, or of two. */
static void add_fraction(struct buf *out, double n, struct slice code) {
  const char *slash = memchr(code.data, '/', code.len);
  int fixed = atoi(slash + 1), limit = fixed                                                        ? fixed
                                       : slash + 2 < code.data + code.len && strchr("?#", slash[2]) ? 99
                                                                                                    : 9;
  double whole = floor(n), rest = n - whole, best = 2;
  long above = 0, below = 1;
  for (long d = fixed ? fixed : 1; d <= limit; d++) {
    double off = fabs(rest - floor(rest * (double)d + 0.5) / (double)d);
    if (off < best - 1e-9)
      best = off, below = d, above = (long)floor(rest * (double)d + 0.5);
  }
  whole += above == below;
  above = above == below ? 0 : above;
  if (whole > 0 || !above)
    buf_printf(out, "%.0f%s", whole, above ? " " : "");
  if (above)
    buf_printf(out, "%ld/%ld", above, below);
}

/* The digits of n in the code's places: the first place takes all that have no place of their own. */
static void add_placed(struct buf *out, double n, struct slice code, const struct code_shape *s) {
  char digits[400];
  struct code_part p;
  n += n < 1e10 ? n * 4e-16 : 0; /* 12.25 is 12.3 in one decimal, as in a sheet */
  int total = snprintf(digits, sizeof digits, "%.*f", s->decimals, n);
  char *point = strchr(digits, '.'), *fraction = point ? point + 1 : digits + total;
  int length = (int)(point ? point - digits : total), keep = s->decimals, place = s->places, behind = 0;
  while (keep > s->least && fraction[keep - 1] == '0')
    keep--;
  if (length == 1 && *digits == '0' && !s->zeros)
    length = 0;
  for (size_t i = 0, at = 0; i < code.len;) {
    i += read_part(slice_of(code.data + i, code.len - i), &p);
    if (p.kind == '"' || p.kind == '%' || p.kind == '/')
      buf_add_slice(out, p.text);
    else if (p.kind == '.' && (keep || !s->decimals))
      buf_add_char(out, '.'), behind = 1;
    else if (p.kind == '.')
      behind = 1;
    else if (behind && strchr("0#?", p.kind ? p.kind : '-') && keep > 0)
      buf_add_char(out, *fraction++), keep--;
    else if (!behind && strchr("0#?", p.kind ? p.kind : '-')) {
      if (place > length && p.kind == '0')
        buf_add_char(out, '0');
      for (; length - (int)at >= place && (int)at < length; at++) {
        buf_add_char(out, digits[at]);
        if (s->grouped && (length - (int)at) % 3 == 1 && length - (int)at > 1)
          buf_add_char(out, ',');
      }
      place--;
    }
  }
}

/* Stored numbers have up to 17 digits, the last of which are rounding noise. */
static void add_general(struct buf *out, struct slice text, double n) {
  if (text.len <= 16 && !memchr(text.data, 'e', text.len) && !memchr(text.data, 'E', text.len))
    buf_add_slice(out, text);
  else
    buf_printf(out, "%.15g", n);
}

void number_format_add(struct buf *out, struct slice text, struct slice code, int from_1904) {
  char *end, number[64];
  int negative;
  snprintf(number, sizeof number, "%.*s", (int)(text.len < 60 ? text.len : 60), text.data);
  double n = strtod(number, &end);
  if (end == number || *end || !isfinite(n)) {
    buf_add_slice(out, text);
    return;
  }
  struct slice section = section_of(code, n, &negative);
  struct code_shape s = shape_of(section);
  if (s.text || s.decimals > 30 || s.places > 60) {
    add_general(out, text, n);
  } else if (s.general) {
    struct code_part p;
    for (size_t i = 0; i < section.len;) {
      i += read_part(slice_of(section.data + i, section.len - i), &p);
      if (p.kind == 'G')
        add_general(out, text, n);
      else if (p.kind == '"')
        buf_add_slice(out, p.text);
    }
  } else if (s.year || s.month || s.day || s.hour || s.second) {
    add_time(out, n, section, &s, from_1904);
  } else {
    for (int i = 0; i < s.percents; i++)
      n *= 100;
    for (int i = 0; i < s.thousands; i++)
      n /= 1000;
    if (negative)
      buf_add_char(out, '-');
    if (s.exponent)
      buf_printf(out, "%.*E", s.decimals, fabs(n));
    else if (s.fraction)
      add_fraction(out, fabs(n), section);
    else
      add_placed(out, fabs(n), section, &s);
  }
}

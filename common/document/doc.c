/* doc.c: a document's text, blocks, page breaks and outline, and the view of one block that filing/ reads. */
#include "document/doc.h"
#include "tables/number_formats.h"
#include "tables/symbols.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

void doc_init(struct doc *d, size_t max) {
  memset(d, 0, sizeof *d);
  buf_init(&d->text, max);
}

static void free_titles(struct doc *d) {
  for (size_t i = 0; i < d->outline_count; i++)
    free(d->outline[i].title);
  d->outline_count = 0;
}

void doc_release(struct doc *d) {
  free_titles(d);
  free(d->blocks);
  free(d->breaks);
  free(d->outline);
  buf_release(&d->text);
  doc_init(d, d->text.max);
}

void doc_clear(struct doc *d) {
  free_titles(d);
  d->block_count = d->break_count = 0;
  d->sheets = 0;
  d->lost.text[0] = '\0';
  memset(d->omitted, 0, sizeof d->omitted);
  buf_clear(&d->text);
}

void *doc_grow(void *items, size_t count, size_t *cap, size_t size) {
  if (count < *cap)
    return items;
  *cap = *cap ? *cap * 2 : 64;
  return xreallocarray(items, *cap, size);
}

struct doc_block *doc_add_block(struct doc *d) {
  d->blocks = doc_grow(d->blocks, d->block_count, &d->block_cap, sizeof *d->blocks);
  return memset(&d->blocks[d->block_count++], 0, sizeof *d->blocks);
}

struct doc_break *doc_add_break(struct doc *d) {
  d->breaks = doc_grow(d->breaks, d->break_count, &d->break_cap, sizeof *d->breaks);
  return memset(&d->breaks[d->break_count++], 0, sizeof *d->breaks);
}

struct doc_outline *doc_add_outline(struct doc *d) {
  d->outline = doc_grow(d->outline, d->outline_count, &d->outline_cap, sizeof *d->outline);
  return memset(&d->outline[d->outline_count++], 0, sizeof *d->outline);
}

/* Text before the first break is on the page before it, at least page 1. */
int doc_page_at(const struct doc *d, size_t offset) {
  size_t low = 0, high = d->break_count;
  if (high == 0)
    return 0;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (d->breaks[middle].offset <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  if (low > 0)
    return d->breaks[low - 1].page;
  return d->breaks[0].page > 1 ? d->breaks[0].page - 1 : 1;
}

const char *doc_letters(const char *p, size_t len, size_t *n) {
  static const char *const ligatures[] = {"ff", "fi", "fl", "ffi", "ffl", "st", "st"};
  const unsigned char *c = (const unsigned char *)p;
  *n = c[0] == 0xC2 ? 2 : 3;
  if (len > 1 && c[0] == 0xC2 && (c[1] == 0xAD || c[1] < 0xA0)) /* a control character has no shape */
    return "";
  if (len > 2 && c[0] == 0xE2 && c[1] == 0x80 && c[2] == 0x90)
    return "-";
  if (len > 2 && c[0] == 0xE2 &&
      ((c[1] == 0x80 && (c[2] == 0x8E || c[2] == 0x8F || (c[2] >= 0xAA && c[2] <= 0xAE))) ||
       (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9)))
    return "";
  return len > 2 && c[0] == 0xEF && c[1] == 0xAC && c[2] >= 0x80 && c[2] <= 0x86 ? ligatures[c[2] - 0x80]
                                                                                 : NULL;
}

const char *doc_ordinal(char out[DOC_ORDINAL], char kind, long n) {
  static const struct {
    const char *digits;
    int value;
  } romans[] = {NUMBER_FORMATS_ROMAN};
  int letters = kind == 'a' || kind == 'A', at = 0;
  if (kind == '1' || n < 1 || n > (letters ? 26 * 20 : 3999))
    at = snprintf(out, DOC_ORDINAL, "%ld", n % 1000000);
  else if (letters)
    for (long i = (n + 25) / 26; i > 0; i--)
      out[at++] = (char)('a' + (n - 1) % 26);
  else
    for (size_t i = 0; n > 0; i++)
      for (; n >= romans[i].value; n -= romans[i].value)
        at += snprintf(out + at, DOC_ORDINAL - (size_t)at, "%s", romans[i].digits);
  out[at] = '\0';
  for (char *c = out; kind < 'a' && *c; c++)
    *c = (char)toupper((unsigned char)*c);
  return out;
}

/* Symbol fonts also have their codes from U+F000. */
uint32_t doc_symbol(uint32_t c) {
  uint32_t code = c >= 0xF000 && c <= 0xF0FF ? c - 0xF000 : c;
  static const struct { uint16_t letter, drawing; } symbols[] = {SYMBOLS_WINGDINGS};
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
    if (symbols[i].letter == code)
      return symbols[i].drawing;
  return c;
}

/* ---- raised and struck-out text ---- */

static int doc_is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* A letter, a digit or a character beyond ASCII; not a sign that is raised by custom: degree, ordinals, (R), (TM), (SM). */
static int doc_is_word(const char *p, size_t len) {
  static const char *const signs[] = {"\xC2\xAE",     "\xC2\xB0",     "\xC2\xAA", "\xC2\xBA",
                                      "\xE2\x84\xA2", "\xE2\x84\xA0", NULL};
  for (size_t i = 0; signs[i]; i++)
    if (len >= strlen(signs[i]) && memcmp(p, signs[i], strlen(signs[i])) == 0)
      return 0;
  return doc_is_digit(*p) || ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z') || *p & 0x80;
}

/* "st", "nd", "rd", "th" after a digit stay joined to it. */
static int is_ordinal(char before, const char *p, size_t len) {
  static const char ends[] = "stndrdth";
  if (!doc_is_digit(before) || len < 2 || (len > 2 && doc_is_word(p + 2, len - 2)))
    return 0;
  for (size_t i = 0; i < 8; i += 2)
    if ((p[0] | 0x20) == ends[i] && (p[1] | 0x20) == ends[i + 1])
      return 1;
  return 0;
}

/* Whether the text ends with '^' and digits, of which a slash makes a numerator; its '^' becomes a blank. */
static void make_numerator(struct buf *t) {
  size_t i = t->len;
  while (i && doc_is_digit(t->data[i - 1]))
    i--;
  if (i > 1 && i < t->len && t->data[i - 1] == '^' && doc_is_digit(t->data[i - 2]))
    t->data[i - 1] = ' ';
}

static void separate_raised(struct buf *t, int raised, const char *p, size_t len) {
  char before = t->data[t->len - 1];
  size_t sign = *p == '-' || *p == '+' ? 1 : len > 3 && memcmp(p, "\xE2\x88\x92", 3) == 0 ? 3 : 0;
  if (!raised && (*p == '/' || (len > 2 && memcmp(p, "\xE2\x81\x84", 3) == 0))) {
    make_numerator(t);
    return;
  }
  if (raised && (before == '%' || before == ')') && doc_is_digit(*p)) {
    buf_add_char(t, '^');
    return;
  }
  if (!doc_is_word(&before, 1) || is_ordinal(before, p, len) ||
      !(doc_is_word(p, len) || (raised && sign && sign < len && doc_is_word(p + sign, len - sign))))
    return;
  buf_add_char(t, raised ? '^' : ' ');
}

/* Blanks stay outside of the marks. */
static void end_struck(struct buf *t) {
  size_t end = t->len;
  while (end && t->data[end - 1] == ' ')
    end--;
  size_t blanks = t->len - end;
  int empty = end >= 2 && memcmp(t->data + end - 2, "~~", 2) == 0;
  t->data[t->len = empty ? end - 2 : end] = '\0';
  if (!empty)
    buf_add_str(t, "~~");
  while (blanks-- > 0)
    buf_add_char(t, ' ');
}

void doc_change_marks(struct buf *t, unsigned before, unsigned now, const char *p, size_t len) {
  if (before & ~now & DOC_STRUCK)
    end_struck(t);
  if ((before ^ now) & DOC_RAISED && t->len && len)
    separate_raised(t, (now & DOC_RAISED) != 0, p, len);
  if (now & ~before & DOC_STRUCK)
    buf_add_str(t, "~~");
}

/* ---- the view of a block ---- */

/* The class of a byte: its own lower-case form, or one of these. */
enum { SPACE = 1, MARK = 2, MORE = 3 };
static unsigned char kinds[256];

/* Marks of emphasis, tables and escapes are dropped; '|' separates cells. */
static void fill_kinds(void) {
  for (int c = 0; c < 256; c++)
    kinds[c] = (unsigned char)(c >= 0x80 ? MORE : isspace(c) ? SPACE : tolower(c));
  for (const char *p = "*_\\`"; *p; p++)
    kinds[(unsigned char)*p] = MARK;
  kinds['|'] = SPACE;
  kinds[0] = kinds[SPACE] = kinds[MARK] = kinds[MORE] = MARK;
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

/* Appends one multi-byte character at t[i]; returns its length.  A no-break space counts as white space. */
static size_t put_more(struct doc_view *p, const char *t, size_t i, size_t end, int *blank) {
  const unsigned char *c = (const unsigned char *)t + i;
  size_t n = c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
  n = n < end - i ? n : end - i;
  if (n == 2 && c[0] == 0xC2 && c[1] == 0xA0) {
    *blank = 1;
    return n;
  }
  char plain = n == 3 ? plain_form(c) : 0;
  for (size_t k = 0; k < n; k++, p->len++) {
    p->at[p->len] = i;
    p->text[p->len] = t[i + k];
    p->lower[p->len] = plain ? plain : t[i + k];
  }
  return n;
}

static void put_blank(struct doc_view *p, size_t at) {
  p->at[p->len] = at;
  p->text[p->len] = p->lower[p->len] = ' ';
  p->len++;
}

/* Appends the run of plain bytes that starts at t[i]; returns the position after it. */
static size_t put_plain(struct doc_view *p, const char *t, size_t i, size_t end) {
  size_t n = p->len, room = DOC_VIEW_MAX - 6 - n;
  end = end - i < room ? end : i + room;
  do {
    p->at[n] = i;
    p->text[n] = t[i];
    p->lower[n++] = (char)kinds[(unsigned char)t[i++]];
  } while (i < end && kinds[(unsigned char)t[i]] > MORE);
  p->len = n;
  return i;
}

void doc_view_at(struct doc_view *p, const struct doc *d, size_t start, size_t end) {
  const char *t = d->text.data;
  int blank = 0;
  size_t i = start;
  if (!kinds['a'])
    fill_kinds();
  p->len = 0;
  while (i < end && p->len + 6 < DOC_VIEW_MAX) {
    unsigned char kind = kinds[(unsigned char)t[i]];
    if (kind == SPACE || kind == MARK || (t[i] == '#' && !p->len)) {
      blank |= kind == SPACE;
      i++;
      continue;
    }
    if (blank && p->len &&
        !(kind == MORE && (unsigned char)t[i] == 0xC2 && i + 1 < end && (unsigned char)t[i + 1] == 0xA0))
      put_blank(p, i), blank = 0;
    if (kind == MORE) {
      i += put_more(p, t, i, end, &blank);
      continue;
    }
    blank = 0;
    i = put_plain(p, t, i, end);
  }
  p->whole = i >= end;
  p->text[p->len] = p->lower[p->len] = '\0';
  p->at[p->len] = i;
}

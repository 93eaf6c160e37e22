/* entities.c: decodes character references as the WHATWG standard defines them. */
#include "html/entities.h"

#include "base/utf8.h"
#include "tables/entities.h"

#include <string.h>

#define NAME_MAX_LEN 31 /* of names in the table */
#define BARE_MAX_LEN 6  /* of names that are valid without a semicolon */

/* Meanings of the numbers 0x80 to 0x9F, which pages use as windows-1252 codes; 0: the C1 control itself. */
static const uint16_t c1_codes[32] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                      0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

static int entities_is_alnum(unsigned char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static int digit_value(unsigned char c, int base) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return base == 16 && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static uint32_t code_meant(uint32_t c) {
  if (c >= 0x80 && c < 0xA0 && c1_codes[c - 0x80])
    return c1_codes[c - 0x80];
  if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
    return 0xFFFD;
  return c;
}

/* text[0..1] is "&#". */
static size_t decode_number(const char *text, size_t len, char *out, size_t *out_len) {
  size_t at = 2;
  int base = 10;
  if (at < len && (text[at] | 0x20) == 'x') {
    base = 16;
    at++;
  }
  size_t first = at;
  uint32_t c = 0;
  for (; at < len; at++) {
    int d = digit_value((unsigned char)text[at], base);
    if (d < 0)
      break;
    if (c <= 0x10FFFF)
      c = c * (uint32_t)base + (uint32_t)d;
  }
  if (at == first)
    return 0;
  *out_len = utf8_encode(code_meant(c), out);
  return at < len && text[at] == ';' ? at + 1 : at;
}

/* Sorted by name in byte order. */
static const struct entity_name {
  const char *name; /* without '&' and ';' */
  uint8_t name_len;
  uint8_t bare; /* also valid without its semicolon */
  char text[6];
  uint8_t text_len;
} entity_names[] = {ENTITIES_NAME};

static const struct entity_name *entities_find(const char *name, size_t len) {
  size_t low = 0, high = sizeof entity_names / sizeof *entity_names;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const struct entity_name *e = &entity_names[middle];
    size_t n = len < e->name_len ? len : e->name_len;
    int order = memcmp(name, e->name, n);
    if (order == 0 && len == e->name_len)
      return e;
    if (order > 0 || (order == 0 && len > e->name_len))
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static size_t entities_take(const struct entity_name *e, size_t used, char *out, size_t *out_len) {
  memcpy(out, e->text, e->text_len);
  *out_len = e->text_len;
  return used;
}

/* A name without a semicolon is the longest one in the table: "&notit" is "¬it". */
static size_t decode_bare(const char *text, size_t len, size_t run, int in_attribute, char *out,
                          size_t *out_len) {
  for (size_t n = run < BARE_MAX_LEN ? run : BARE_MAX_LEN; n >= 2; n--) {
    const struct entity_name *e = entities_find(text + 1, n);
    if (!e || !e->bare)
      continue;
    char next = 1 + n < len ? text[1 + n] : '\0';
    if (in_attribute && (next == '=' || entities_is_alnum((unsigned char)next)))
      return 0;
    return entities_take(e, 1 + n, out, out_len);
  }
  return 0;
}

size_t entity_decode(const char *text, size_t len, int in_attribute, char out[ENTITY_MAX], size_t *out_len) {
  *out_len = 0;
  if (len > 1 && text[1] == '#')
    return decode_number(text, len, out, out_len);
  size_t run = 0;
  while (1 + run < len && run <= NAME_MAX_LEN && entities_is_alnum((unsigned char)text[1 + run]))
    run++;
  if (run >= 2 && 1 + run < len && text[1 + run] == ';') {
    const struct entity_name *e = entities_find(text + 1, run);
    if (e)
      return entities_take(e, run + 2, out, out_len);
  }
  return decode_bare(text, len, run, in_attribute, out, out_len);
}

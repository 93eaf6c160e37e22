/* charset.c: encodings, charset.h.
 *
 * Encoding labels follow the WHATWG Encoding standard: "iso-8859-1" and "us-ascii" mean windows-1252.  One extension:
 * text labelled as one of these that is valid UTF-8 with non-ASCII characters is read as UTF-8, since filings often
 * declare "ASCII" or a wrong encoding, and windows-1252 prose is never valid UTF-8 by chance.
 */
#include "format/charset.h"

#include "base/utf8.h"
#include "tables/charsets.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <strings.h>
#include <uchardet/uchardet.h>

#define SNIFFED 1024
#define UTF16_ASCII 64 /* one of so many characters of a text must be ASCII */
#define GUESSED 8192   /* the first bytes, from which an encoding is guessed */

static const uint16_t windows_1252[32] = {0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                          0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
                                          0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                          0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};

static const char *const latin_labels[] = {CHARSETS_LATIN, NULL};
static const char *const other_scripts[] = {CHARSETS_OTHER_SCRIPTS, NULL};

/* Labels of East Asian encodings, and the encoding that includes them all. */
static const char *const gb18030_labels[] = {CHARSETS_GB18030, NULL};
static const char *const shift_jis_labels[] = {CHARSETS_SHIFT_JIS, NULL};
static const char *const uhc_labels[] = {CHARSETS_UHC, NULL};
static const char *const big5_labels[] = {CHARSETS_BIG5, NULL};
static const struct {
  const char *name;
  const char *const *labels;
} families[] = {
    {"GB18030", gb18030_labels}, {"SHIFT-JIS", shift_jis_labels}, {"UHC", uhc_labels}, {"BIG5", big5_labels}};

/* Whether a label is one of the list, in which '-' stands for '_' too. */
static int charset_among(const char *label, const char *const *list) {
  char bare[CHARSET_NAME];
  size_t n = 0;
  for (; label[n] && n + 1 < sizeof bare; n++)
    bare[n] = label[n] == '_' ? '-' : label[n];
  bare[n] = '\0';
  for (size_t i = 0; list[i]; i++)
    if (strcasecmp(bare, list[i]) == 0)
      return 1;
  return 0;
}

static int is_latin(const char *label) {
  return charset_among(label, latin_labels);
}

/* Maps a label to the East Asian encoding that includes it; any other label is returned as it is. */
static const char *family_of(const char *label) {
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    if (charset_among(label, families[i].labels))
      return families[i].name;
  return label;
}

static int is_utf8_label(const char *label) {
  return strcasecmp(label, "utf-8") == 0 || strcasecmp(label, "utf8") == 0;
}

/* Copies a label, up to a quote, blank, ';' or '>'. */
static int take_label(const char *p, const char *end, char name[CHARSET_NAME]) {
  size_t n = 0;
  while (p < end && (*p == ' ' || *p == '"' || *p == '\''))
    p++;
  while (p < end && n < CHARSET_NAME - 1 && (unsigned char)*p > ' ' && !strchr("\"';>/?", *p))
    name[n++] = *p++;
  name[n] = '\0';
  return n > 0;
}

static const char *charset_byte_search_word(const char *p, const char *end, const char *word) {
  size_t len = strlen(word);
  for (; end - p >= (ptrdiff_t)len; p++)
    if (strncasecmp(p, word, len) == 0)
      return p;
  return NULL;
}

/* Finds "charset=" or "encoding=" in a meta tag or an XML declaration. */
static int declared_inside(struct slice bytes, char name[CHARSET_NAME]) {
  const char *end = bytes.data + (bytes.len < SNIFFED ? bytes.len : SNIFFED);
  const char *p = charset_byte_search_word(bytes.data, end, "<?xml"), *close;
  if (p && (close = memchr(p, '>', (size_t)(end - p))) &&
      (p = charset_byte_search_word(p, close, "encoding=")))
    return take_label(p + 9, close, name);
  for (p = bytes.data; (p = charset_byte_search_word(p, end, "<meta")) != NULL; p += 5) {
    const char *at = charset_byte_search_word(p, end, "charset=");
    close = memchr(p, '>', (size_t)(end - p));
    if (at && (!close || at < close))
      return take_label(at + 8, end, name);
  }
  return 0;
}

static void charset_add_code(struct buf *out, uint32_t c) {
  char bytes[4];
  buf_add(out, bytes, utf8_encode(c, bytes));
}

/* Decodes any other encoding with iconv; bytes that it can't decode become U+FFFD one by one. */
static int by_iconv(struct slice in, const char *charset, struct buf *out) {
  iconv_t cd = iconv_open("UTF-8", family_of(charset));
  if (cd == (iconv_t)-1)
    return -1;
  char *from = (char *)(uintptr_t)in.data, block[8192];
  size_t left = in.len;
  while (left && !out->overflow) {
    char *to = block;
    size_t room = sizeof block;
    size_t result = iconv(cd, &from, &left, &to, &room);
    buf_add(out, block, (size_t)(to - block));
    if (result == (size_t)-1 && errno != E2BIG) {
      charset_add_code(out, 0xFFFD);
      from++;
      left--;
    }
  }
  iconv_close(cd);
  return 0;
}

/* The number of ASCII characters among the first units of UTF-16 text; 0 if the bytes can't be such text because
 * of control characters or lone surrogates. */
static size_t utf16_ascii(struct slice bytes, int big) {
  size_t ascii = 0, n = bytes.len < 512 ? bytes.len / 2 : 256;
  for (size_t i = 0; i < n; i++) {
    const unsigned char *at = (const unsigned char *)bytes.data + 2 * i;
    unsigned unit = big ? at[0] * 256U + at[1] : at[1] * 256U + at[0];
    unsigned next = i + 1 == n ? 0xDC00 : big ? at[2] * 256U + at[3] : at[3] * 256U + at[2];
    if ((unit < 0x20 && unit != '\t' && unit != '\n' && unit != '\r' && unit != '\f') || unit >= 0xFFFE)
      return 0;
    if ((unit & 0xFC00) == 0xDC00 || ((unit & 0xFC00) == 0xD800 && (next & 0xFC00) != 0xDC00))
      return 0;
    i += (unit & 0xFC00) == 0xD800;
    ascii += unit < 0x7F;
  }
  return ascii * UTF16_ASCII >= n ? ascii : 0;
}

/* ASCII with a few NUL bytes, which pairs of bytes would turn into ideographs: UTF-16 of Latin letters has a NUL in each, of
 * other scripts many bytes beyond ASCII. */
static int is_spoilt_ascii(const char *p, size_t n) {
  size_t nuls = 0, high = 0;
  for (size_t i = 0; i < n; i++) {
    nuls += p[i] == '\0';
    high += (p[i] & 0x80) != 0;
  }
  return nuls * 8 < n && high * 8 < n;
}

/* UTF-16 text without a byte order mark: blanks, line ends and digits are ASCII only in the right byte order. */
static const char *looks_utf16(struct slice bytes) {
  size_t n = bytes.len < 512 ? bytes.len : 512;
  if (n < 8 || !memchr(bytes.data, '\0', n) || is_spoilt_ascii(bytes.data, n))
    return NULL;
  size_t little = utf16_ascii(bytes, 0), big = utf16_ascii(bytes, 1);
  return little > big ? "UTF-16LE" : big ? "UTF-16BE" : NULL;
}

static const char *by_mark(struct slice b) {
  if (b.len >= 3 && memcmp(b.data, "\xEF\xBB\xBF", 3) == 0)
    return "UTF-8";
  if (b.len >= 2 && memcmp(b.data, "\xFF\xFE", 2) == 0)
    return "UTF-16LE";
  return b.len >= 2 && memcmp(b.data, "\xFE\xFF", 2) == 0 ? "UTF-16BE" : NULL;
}

const char *charset_utf16(struct slice bytes) {
  const char *mark = by_mark(bytes);
  return !mark ? looks_utf16(bytes) : strcmp(mark, "UTF-8") != 0 ? mark : NULL;
}

/* Whether text is in a script other than Latin: most of its non-ASCII bytes are next to another one, whereas in
 * windows-1252 prose they are single accents and quotation marks.  Non-breaking blanks and box-drawing bytes
 * don't count. */
static int is_other_script(struct slice bytes) {
  size_t high = 0, beside = 0;
  for (size_t i = 0; i < bytes.len; i++) {
    unsigned char c = (unsigned char)bytes.data[i];
    unsigned char before = i > 0 ? (unsigned char)bytes.data[i - 1] : 0;
    unsigned char after = i + 1 < bytes.len ? (unsigned char)bytes.data[i + 1] : 0;
    if (c < 0x80 || c == 0xA0)
      continue;
    high++;
    beside +=
        (before >= 0x80 && before != 0xA0 && before != c) || (after >= 0x80 && after != 0xA0 && after != c);
  }
  return high > 0 && beside * 2 > high;
}

/* Whether nearly all bytes are characters of this encoding. */
static int reads_as(struct slice bytes, const char *charset) {
  struct buf text;
  size_t invalid = 0, foreign = 0;
  buf_init(&text, 4 * GUESSED);
  int unknown = by_iconv(bytes, charset, &text);
  for (size_t i = 0; i < text.len;) {
    uint32_t c;
    i += utf8_decode(text.data + i, text.len - i, &c);
    foreign += c >= 0x80;
    invalid += c == 0xFFFD;
  }
  buf_release(&text);
  return !unknown && invalid * 100 <= foreign + 99;
}

/* Detects the encoding of bytes that aren't UTF-8 and declare none, with libuchardet, which uses the character
 * frequencies of each language; windows-1252 for Latin script, since libuchardet often reports rarer encodings
 * for it. */
static const char *guess(struct slice bytes, char name[CHARSET_NAME]) {
  size_t plain = 0;
  while (plain < bytes.len && !(bytes.data[plain] & 0x80))
    plain++;
  bytes = slice_of(bytes.data + plain, bytes.len - plain < GUESSED ? bytes.len - plain : GUESSED);
  if (!is_other_script(bytes))
    return "windows-1252";
  uchardet_t detector = uchardet_new();
  int failed = uchardet_handle_data(detector, bytes.data, bytes.len);
  uchardet_data_end(detector);
  snprintf(name, CHARSET_NAME, "%s", failed ? "" : uchardet_get_charset(detector));
  uchardet_delete(detector);
  return charset_among(name, other_scripts) && reads_as(bytes, name) ? name : "windows-1252";
}

/* *valid: whether the bytes are known to be UTF-8. */
static const char *detect(struct slice bytes, const char *declared, int markup, char name[CHARSET_NAME],
                          int *valid) {
  const char *label = by_mark(bytes);
  *valid = 0;
  if (label || (label = looks_utf16(bytes)))
    return label;
  if (declared && take_label(declared, declared + strlen(declared), name))
    label = name;
  else if (markup && declared_inside(bytes, name))
    label = strncasecmp(name, "utf-16", 6) == 0 ? "UTF-8" : name; /* UTF-16 could not have been parsed this
                                                                     far */
  if (label && !is_latin(label) && !is_utf8_label(label))
    return label;
  *valid = utf8_valid_prefix(bytes.data, bytes.len) == bytes.len;
  return *valid || (label && is_utf8_label(label)) ? "UTF-8" : label ? "windows-1252" : guess(bytes, name);
}

static void latin_to_utf8(struct slice in, struct buf *out) {
  for (size_t i = 0; i < in.len;) {
    size_t from = i;
    while (i < in.len && !(in.data[i] & 0x80))
      i++;
    buf_add(out, in.data + from, i - from);
    for (; i < in.len && (in.data[i] & 0x80); i++) {
      uint8_t c = (uint8_t)in.data[i];
      charset_add_code(out, c < 0xA0 ? windows_1252[c - 0x80] : c);
    }
  }
}

/* Invalid bytes become U+FFFD.  Filings that declare UTF-8 may contain single windows-1252 characters (pasted
 * quotes): these are decoded. */
static void repair_utf8(struct slice in, struct buf *out) {
  while (in.len) {
    size_t good = utf8_valid_prefix(in.data, in.len);
    buf_add(out, in.data, good);
    in = slice_of(in.data + good, in.len - good);
    if (!in.len)
      break;
    uint8_t c = (uint8_t)*in.data;
    charset_add_code(out, c < 0xA0 ? windows_1252[c & 0x1F] : c);
    in = slice_of(in.data + 1, in.len - 1);
  }
}

/* The C library loads most encoding tables from files on first use, which the sandbox forbids later; an open
 * descriptor keeps them loaded. */
void charset_prepare(void) {
  static const char *const names[] = {"UTF-16LE",     "ISO-2022-JP", "ISO-2022-KR", "WINDOWS-1250",
                                      "WINDOWS-1254", "ISO-8859-2",  "ISO-8859-15", CHARSETS_OTHER_SCRIPTS};
  static iconv_t kept[sizeof names / sizeof *names];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!kept[i])
      kept[i] = iconv_open("UTF-8", names[i]);
}

static struct slice without_mark(struct slice b) {
  return by_mark(b) && b.data[0] == '\xEF' ? slice_of(b.data + 3, b.len - 3) : b;
}

struct slice charset_to_utf8(struct slice bytes, const char *charset, struct buf *out) {
  buf_clear(out);
  if (is_utf8_label(charset)) {
    bytes = without_mark(bytes);
    if (utf8_valid_prefix(bytes.data, bytes.len) == bytes.len)
      return bytes;
    repair_utf8(bytes, out);
  } else if (is_latin(charset) || by_iconv(bytes, charset, out))
    latin_to_utf8(bytes, out);
  return without_mark(buf_slice(out));
}

struct slice charset_read(struct slice bytes, const char *declared, int markup, struct buf *out) {
  if (bytes.len == 0)
    return slice_of("", 0);
  char name[CHARSET_NAME];
  int valid;
  const char *charset = detect(bytes, declared, markup, name, &valid);
  return valid ? without_mark(bytes) : charset_to_utf8(bytes, charset, out);
}

void charset_clean(struct buf *out, struct slice bytes) {
  size_t start = out->len;
  if (bytes.len >= 3 && memcmp(bytes.data, "\xEF\xBB\xBF", 3) == 0)
    bytes.data += 3, bytes.len -= 3;
  if (utf8_valid_prefix(bytes.data, bytes.len) == bytes.len)
    buf_add_slice(out, bytes);
  else
    latin_to_utf8(bytes, out);
  size_t to = start;
  int typed = out->len > start && (memchr(out->data + start, '\0', out->len - start) ||
                                   memchr(out->data + start, '\b', out->len - start) ||
                                   memchr(out->data + start, 0x1B, out->len - start));
  for (size_t i = start; typed && i < out->len;
       i++) { /* NUL bytes, a terminal's colours and overstruck letters go */
    unsigned char c = (unsigned char)out->data[i];
    if (c == 0x1B && i + 1 < out->len && out->data[i + 1] == '[') {
      i += 1 + strspn(out->data + i + 1, "[0123456789;?");
      continue;
    }
    for (int more = c == '\b' && to > start; more;
         more = to > start && ((unsigned char)out->data[to] & 0xC0) == 0x80)
      to--;
    if (c && c != '\b')
      out->data[to++] = out->data[i];
  }
  if (typed)
    out->data[out->len = to] = '\0';
  for (size_t i = start; i < out->len; i++) {
    unsigned char c = (unsigned char)out->data[i];
    if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f') || c == 0x7F)
      out->data[i] = ' ';
  }
}

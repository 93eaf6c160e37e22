/* json.c: validates JSON strictly, by RFC 8259 section 7 for strings and section 6 for numbers; walks through JSON that was
 * validated before, without a tree and without copies; and writes it.
 *
 * Nearly all bytes of a record are inside one long string, so only the loop over plain string bytes is optimised for
 * speed.  simdjson's bitmap of the whole line was rejected: with a handful of tokens per line it costs more than it
 * saves. */
#include "record/json.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "record/json_scan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- the ends of strings ---- */

#ifdef __SSE2__
/* Bit i is set where json_plain_end() would stop at byte i of v. */
static inline unsigned json_plain_odd(__m128i v) {
  /* The comparison is signed: bytes above 0x7f count as below 0x20 as well. */
  __m128i low = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20)), quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
          slash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
  return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, slash), low));
}
#endif

/* The first byte of [p, end) that is not plain: '"', '\\', a control character or a byte above 0x7f. */
static inline const char *json_plain_end(const char *p, const char *end) {
#ifdef __SSE2__
  for (; end - p >= 16; p += 16) {
    unsigned odd = json_plain_odd(_mm_loadu_si128((const __m128i *)(const void *)p));
    if (odd)
      return p + __builtin_ctz(odd);
  }
#endif
  while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80)
    p++;
  return p;
}

/* ---- reading ---- */

static unsigned json_hex4(const char *p) {
  unsigned v = 0;
  for (int i = 0; i < 4; i++)
    v = v << 4 | (unsigned)(p[i] <= '9' ? p[i] - '0' : (p[i] | 32) - 'a' + 10);
  return v;
}

/* *p is after "\u" and moves past the escape, or past both escapes of a surrogate pair. */
static char *decode_unicode(const char **p, char *to) {
  uint32_t c = json_hex4(*p);
  *p += 4;
  if (c >= 0xd800 && c <= 0xdbff) {
    c = 0x10000 + ((c - 0xd800) << 10) + (json_hex4(*p + 2) - 0xdc00);
    *p += 6;
  }
  return to + utf8_encode(c, to);
}

/* Copies up to the next backslash or the end, and leaves *p there.  May write whole blocks where they can't overwrite
 * unread input: `to` is at least a block behind, or in another buffer. */
static char *copy_to_slash(const char **p, const char *end, char *to) {
#ifdef __SSE2__
  const __m128i slash = _mm_set1_epi8('\\');
  while (end - *p >= 16 && (uintptr_t)*p - (uintptr_t)to >= 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)*p);
    unsigned hits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, slash));
    _mm_storeu_si128((__m128i *)(void *)to, v);
    size_t n = hits ? (size_t)__builtin_ctz(hits) : 16;
    *p += n;
    to += n;
    if (hits)
      return to;
  }
#endif
  const char *from = *p, *found = from < end ? memchr(from, '\\', (size_t)(end - from)) : NULL;
  *p = found ? found : end;
  size_t run = (size_t)(*p - from);
  return (to == from ? to : (char *)memmove(to, from, run)) + run;
}

/* Decodes valid JSON; `to` may be p itself, since no escape is shorter than its character.  Returns the end of the
 * text. */
static char *decode(const char *p, const char *end, char *to) {
  static const char meant[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                  ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
  for (;;) {
    to = copy_to_slash(&p, end, to);
    if (p >= end)
      return to;
    char c = meant[(unsigned char)p[1]];
    p += 2;
    if (c)
      *to++ = c;
    else
      to = decode_unicode(&p, to);
  }
}

int json_decode(struct slice value, struct buf *out) {
  if (value.len < 2 || value.data[0] != '"')
    return -1;
  if (buf_reserve(out, value.len))
    return -1;
  out->len = (size_t)(decode(value.data + 1, value.data + value.len - 1, out->data + out->len) - out->data);
  out->data[out->len] = '\0';
  return 0;
}

struct slice json_text_in_place(struct slice value, char *bytes) {
  if (value.len < 2 || value.data[0] != '"')
    return slice_of(NULL, 0);
  return slice_of(bytes + 1, (size_t)(decode(bytes + 1, bytes + value.len - 1, bytes + 1) - (bytes + 1)));
}

struct slice json_text(struct slice value, struct buf *scratch) {
  if (value.len < 2 || value.data[0] != '"')
    return slice_of(NULL, 0);
  if (!memchr(value.data, '\\', value.len))
    return slice_of(value.data + 1, value.len - 2);
  buf_clear(scratch);
  json_decode(value, scratch);
  return buf_slice(scratch);
}

char *json_text_copy(struct slice value) {
  if (value.len < 2 || value.data[0] != '"')
    return NULL;
  char *copy = xmalloc(value.len);
  *decode(value.data + 1, value.data + value.len - 1, copy) = '\0';
  return copy;
}

char json_kind(struct slice value) {
  if (!value.data || !value.len)
    return 0;
  char c = value.data[0];
  return c == '-' || (c >= '0' && c <= '9') ? '0' : c;
}

/* Copies a number's text and terminates it, for strtod and strtoll. */
static int number_text(struct slice value, char *out, size_t size) {
  if (json_kind(value) != '0' || value.len >= size)
    return -1;
  memcpy(out, value.data, value.len);
  out[value.len] = '\0';
  return 0;
}

long long json_to_int(struct slice value, long long otherwise) {
  char text[64], *end;
  if (number_text(value, text, sizeof text))
    return otherwise;
  errno = 0;
  long long v = strtoll(text, &end, 10);
  return errno || *end ? otherwise : v;
}

double json_to_double(struct slice value, double otherwise) {
  char text[400], *end;
  if (number_text(value, text, sizeof text))
    return otherwise;
  double v = strtod(text, &end);
  return *end || !isfinite(v) ? otherwise : v;
}

/* Traversal of valid JSON: only the ends are checked. */

static const char *json_skip_space(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
    p++;
  return p;
}

static const char *json_skip_string(const char *p, const char *end) {
  for (p++; p < end;) {
    p = json_plain_end(p, end);
    if (p >= end)
      return end;
    if (*p == '"')
      return p + 1;
    p += *p == '\\' ? 2 : 1;
  }
  return end;
}

static const char *skip_container(const char *p, const char *end) {
  int depth = 0;
  while (p < end) {
    char c = *p;
    if (c == '"') {
      p = json_skip_string(p, end);
      continue;
    }
    if (c == '{' || c == '[')
      depth++;
    else if ((c == '}' || c == ']') && --depth == 0)
      return p + 1;
    p++;
  }
  return end;
}

static const char *skip_value(const char *p, const char *end) {
  if (p >= end)
    return end;
  if (*p == '"')
    return json_skip_string(p, end);
  if (*p == '{' || *p == '[')
    return skip_container(p, end);
  while (p < end && *p != ',' && *p != '}' && *p != ']' && (unsigned char)*p > ' ')
    p++;
  return p;
}

/* The position of the next member or element, or NULL after the last. */
static const char *next_place(struct slice container, struct json_cursor *c, char open) {
  const char *end = container.data ? container.data + container.len : NULL;
  if (!c->at) {
    if (container.len < 2 || container.data[0] != open)
      return NULL;
    c->at = container.data + 1;
  }
  const char *p = json_skip_space(c->at, end);
  if (p < end && *p == ',')
    p = json_skip_space(p + 1, end);
  return p >= end || *p == '}' || *p == ']' ? NULL : p;
}

int json_next_member(struct slice object, struct json_cursor *c, struct slice *key, struct slice *value) {
  const char *p = next_place(object, c, '{'), *end = object.data + object.len;
  if (!p)
    return 0;
  const char *behind = json_skip_string(p, end);
  *key = slice_of(p + 1, (size_t)(behind - p) - 2);
  p = json_skip_space(behind, end);
  p = json_skip_space(p + (p < end), end);
  behind = skip_value(p, end);
  *value = slice_of(p, (size_t)(behind - p));
  c->at = behind;
  return 1;
}

int json_next_element(struct slice array, struct json_cursor *c, struct slice *value) {
  const char *p = next_place(array, c, '[');
  if (!p)
    return 0;
  const char *behind = skip_value(p, array.data + array.len);
  *value = slice_of(p, (size_t)(behind - p));
  c->at = behind;
  return 1;
}

int json_key_is(struct slice key, struct slice name) {
  if (!memchr(key.data, '\\', key.len))
    return slice_eq(key, name);
  struct buf decoded;
  buf_init(&decoded, key.len + 2);
  json_decode(slice_of(key.data - 1, key.len + 2), &decoded);
  int same = slice_eq(buf_slice(&decoded), name);
  buf_release(&decoded);
  return same;
}

int json_is_text(struct slice value, struct slice text) {
  return json_kind(value) == '"' && json_key_is(slice_of(value.data + 1, value.len - 2), text);
}

struct slice json_member(struct slice object, struct slice key) {
  struct json_cursor c = {0};
  struct slice k, v;
  while (json_next_member(object, &c, &k, &v))
    if (json_key_is(k, key))
      return v;
  return slice_of(NULL, 0);
}

int json_is_true(struct slice object, const char *key) {
  return json_kind(json_get(object, key)) == 't';
}

struct slice json_get(struct slice object, const char *key) {
  return json_member(object, slice_str(key));
}

/* ---- validating ---- */

enum { LINEAR_KEYS = 24 }; /* up to this many keys, each new one is compared with all others */

void json_scan_init(struct json_scan *s) {
  memset(s, 0, sizeof *s);
  buf_init(&s->arena, RECORD_MAX);
}

void json_scan_release(struct json_scan *s) {
  free(s->keys);
  buf_release(&s->arena);
  json_scan_init(s);
}

static void scan_start(struct json_scan *s, const char *end) {
  s->end = end;
  s->why = NULL;
  s->where = NULL;
  s->key_count = 0;
  buf_clear(&s->arena);
}

static const char *json_scan_fail(struct json_scan *s, const char *where, const char *why) {
  s->why = why;
  s->where = where < s->end ? where : s->end;
  return NULL;
}

static const char *scan_space(const struct json_scan *s, const char *p) {
  return json_skip_space(p, s->end);
}

static int scan_hex4(const char *p, const char *end, unsigned *value) {
  if (end - p < 4)
    return -1;
  unsigned v = 0;
  for (int i = 0; i < 4; i++) {
    char c = p[i];
    int d = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
    if (d < 0)
      return -1;
    v = v << 4 | (unsigned)d;
  }
  *value = v;
  return 0;
}

/* p is after "\u". */
static const char *scan_unicode(struct json_scan *s, const char *p) {
  unsigned high, low;
  if (scan_hex4(p, s->end, &high))
    return json_scan_fail(s, p - 2, "bad \\u escape");
  if (high < 0xd800 || high > 0xdfff)
    return p + 4;
  if (high > 0xdbff || s->end - p < 10 || p[4] != '\\' || p[5] != 'u' || scan_hex4(p + 6, s->end, &low) ||
      low < 0xdc00 || low > 0xdfff)
    return json_scan_fail(s, p - 2, "lone surrogate");
  return p + 10;
}

static const char *scan_escape(struct json_scan *s, const char *p) {
  if (p + 1 >= s->end)
    return json_scan_fail(s, p, "string without end");
  switch (p[1]) {
  case '"':
  case '\\':
  case '/':
  case 'b':
  case 'f':
  case 'n':
  case 'r':
  case 't':
    return p + 2;
  case 'u':
    return scan_unicode(s, p + 2);
  default:
    return json_scan_fail(s, p, "bad escape");
  }
}

/* Skips characters beyond ASCII; usually several are adjacent or a few bytes apart. */
static const char *scan_utf8(struct json_scan *s, const char *p) {
  uint32_t c;
  size_t n = utf8_decode(p, (size_t)(s->end - p), &c);
  return n ? p + n : json_scan_fail(s, p, "bad UTF-8");
}

#ifdef __SSE2__
enum { WIDE = 64 };

static inline __m128i scan_part_of(const char *p, int at) {
  return _mm_loadu_si128((const __m128i *)(const void *)(p + at));
}

static inline uint64_t mask_of(__m128i v, char c) {
  return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
}

/* Bitmaps of WIDE bytes: where json_plain_end() would stop, and the backslashes among these. */
static inline uint64_t odd_of(const char *p, uint64_t *slashes) {
  uint64_t odd = 0;
  *slashes = 0;
  for (int at = 0; at < WIDE; at += 16) {
    odd |= (uint64_t)json_plain_odd(scan_part_of(p, at)) << at;
    *slashes |= mask_of(scan_part_of(p, at), '\\') << at;
  }
  return odd;
}

/* A bitmap of the letters of the common one-letter escapes. */
static inline uint64_t letters_of(const char *p) {
  uint64_t letters = 0;
  for (int at = 0; at < WIDE; at += 16) {
    __m128i v = scan_part_of(p, at);
    letters |= (mask_of(v, '"') | mask_of(v, 'n') | mask_of(v, 't') | mask_of(v, 'r') | mask_of(v, '/'))
               << at;
  }
  return letters;
}

/* Skips whole blocks that contain only such escapes.  Returns where it stopped: at a byte that needs inspection or
 * for lack of bytes.  HTML in a string has an escape every few bytes, which defeats branch prediction. */
static const char *scan_escaped(const char *p, const char *end) {
  uint64_t carry = 0; /* 1: the first byte of the block is escaped */
  for (; end - p > WIDE; p += WIDE) {
    uint64_t slashes, stops = odd_of(p, &slashes);
    if (slashes | carry) {
      uint64_t escaped = slashes << 1 | carry, no_escape = escaped & ~letters_of(p);
      if (no_escape & carry)
        return p - 1;
      stops = (stops & ~slashes & ~escaped) | no_escape >> 1; /* only the first of several backslashes */
    }
    if (stops)
      return p + __builtin_ctzll(stops);
    carry = slashes >> (WIDE - 1);
  }
  return p - carry;
}
#else
static const char *scan_escaped(const char *p, const char *end) {
  (void)end;
  return p;
}
#endif

static const char *scan_string(struct json_scan *s, const char *p) {
  for (p++;;) {
    p = json_plain_end(p, s->end);
    if (p >= s->end)
      return json_scan_fail(s, p, "string without end");
    if (*p == '"')
      return p + 1;
    if (*p == '\\') {
      p = scan_escape(s, p);
      p = p ? scan_escaped(p, s->end) : NULL;
    } else if ((unsigned char)*p >= 0x80)
      p = scan_utf8(s, p);
    else
      return json_scan_fail(s, p, "control character in a string");
    if (!p)
      return NULL;
  }
}

static const char *scan_digits(const struct json_scan *s, const char *p) {
  while (p < s->end && *p >= '0' && *p <= '9')
    p++;
  return p;
}

static const char *scan_number(struct json_scan *s, const char *from) {
  const char *p = from;
  if (*p == '-')
    p++;
  const char *digits = p;
  p = scan_digits(s, p);
  if (p == digits || (*digits == '0' && p > digits + 1))
    return json_scan_fail(s, from, "bad number");
  if (p < s->end && *p == '.') {
    digits = ++p;
    p = scan_digits(s, p);
    if (p == digits)
      return json_scan_fail(s, from, "bad number");
  }
  if (p < s->end && (*p == 'e' || *p == 'E')) {
    p++;
    if (p < s->end && (*p == '+' || *p == '-'))
      p++;
    digits = p;
    p = scan_digits(s, p);
    if (p == digits)
      return json_scan_fail(s, from, "bad number");
  }
  return p;
}

static const char *scan_word(struct json_scan *s, const char *p, const char *word) {
  size_t n = strlen(word);
  if ((size_t)(s->end - p) < n || memcmp(p, word, n) != 0)
    return json_scan_fail(s, p, "not a JSON value");
  return p + n;
}

static const char *key_text(const struct json_scan *s, const struct json_scan_key *k) {
  return k->text ? k->text : s->arena.data + k->offset;
}

static int same_key(const struct json_scan *s, const struct json_scan_key *a, const struct json_scan_key *b) {
  return a->hash == b->hash && a->len == b->len && memcmp(key_text(s, a), key_text(s, b), a->len) == 0;
}

/* Records a key (with its quotes) of the object whose keys start at `base`.  -1 where it is a duplicate. */
static int scan_add_key(struct json_scan *s, size_t base, const char *from, const char *to) {
  struct json_scan_key k = {0, from + 1, 0, (size_t)(to - from) - 2, from};
  if (memchr(k.text, '\\', k.len)) {
    k.offset = s->arena.len;
    json_decode(slice_of(from, (size_t)(to - from)), &s->arena);
    k.len = s->arena.len - k.offset;
    k.text = NULL;
  }
  k.hash = hash_bytes(key_text(s, &k), k.len);
  size_t count = s->key_count - base;
  for (size_t i = base; count <= LINEAR_KEYS && i < s->key_count; i++)
    if (same_key(s, &s->keys[i], &k)) {
      json_scan_fail(s, from, "duplicate key");
      return -1;
    }
  if (s->key_count == s->key_cap) {
    s->key_cap = s->key_cap ? s->key_cap * 2 : 64;
    s->keys = xreallocarray(s->keys, s->key_cap, sizeof *s->keys);
  }
  s->keys[s->key_count++] = k;
  return 0;
}

static int scan_key_order(const void *a, const void *b) {
  const struct json_scan_key *x = a, *y = b;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

/* The keys of a large object are sorted by hash once, at its end: too rare for a hash table to pay off. */
static int scan_end_keys(struct json_scan *s, size_t base) {
  size_t count = s->key_count - base;
  struct json_scan_key *k = s->keys + base;
  s->key_count = base;
  if (count <= LINEAR_KEYS)
    return 0;
  qsort(k, count, sizeof *k, scan_key_order);
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && k[j - 1].hash == k[i].hash; j--)
      if (same_key(s, &k[j - 1], &k[i])) {
        json_scan_fail(s, k[i].at, "duplicate key");
        return -1;
      }
  return 0;
}

static const char *scan_value(struct json_scan *s, const char *p, int depth);

static const char *scan_member(struct json_scan *s, const char *p, size_t base, int depth) {
  if (p >= s->end || *p != '"')
    return json_scan_fail(s, p, p >= s->end ? JSON_SCAN_OPEN : "key expected");
  const char *from = p;
  p = scan_string(s, p);
  if (!p || scan_add_key(s, base, from, p))
    return NULL;
  const char *key_end = p;
  size_t key = s->key_count - 1;
  p = scan_space(s, p);
  if (p >= s->end || *p != ':')
    return json_scan_fail(s, p, "':' expected");
  p = scan_space(s, p + 1);
  const char *behind = scan_value(s, p, depth);
  if (!behind || depth > 1 || !s->member)
    return behind;
  struct slice name = slice_of(key_text(s, &s->keys[key]), s->keys[key].len);
  const char *why =
      s->member(s->arg, name, slice_of(from, (size_t)(key_end - from)), slice_of(p, (size_t)(behind - p)));
  return why ? json_scan_fail(s, from, why) : behind;
}

static const char *scan_object(struct json_scan *s, const char *p, int depth) {
  size_t base = s->key_count;
  p = scan_space(s, p + 1);
  if (p < s->end && *p == '}')
    return p + 1;
  for (;;) {
    p = scan_member(s, p, base, depth + 1);
    if (!p)
      return NULL;
    p = scan_space(s, p);
    if (p >= s->end)
      return json_scan_fail(s, p, JSON_SCAN_OPEN);
    if (*p == '}')
      return scan_end_keys(s, base) ? NULL : p + 1;
    if (*p != ',')
      return json_scan_fail(s, p, "',' or '}' expected");
    p = scan_space(s, p + 1);
  }
}

static const char *scan_array(struct json_scan *s, const char *p, int depth) {
  p = scan_space(s, p + 1);
  if (p < s->end && *p == ']')
    return p + 1;
  for (;;) {
    p = scan_value(s, p, depth + 1);
    if (!p)
      return NULL;
    p = scan_space(s, p);
    if (p >= s->end)
      return json_scan_fail(s, p, "array without end");
    if (*p == ']')
      return p + 1;
    if (*p != ',')
      return json_scan_fail(s, p, "',' or ']' expected");
    p++;
  }
}

static const char *scan_value(struct json_scan *s, const char *p, int depth) {
  p = scan_space(s, p);
  if (p >= s->end)
    return json_scan_fail(s, p, "value expected");
  if ((*p == '{' || *p == '[') && depth >= RECORD_DEPTH)
    return json_scan_fail(s, p, "nested too deeply");
  switch (*p) {
  case '{':
    return scan_object(s, p, depth);
  case '[':
    return scan_array(s, p, depth);
  case '"':
    return scan_string(s, p);
  case 't':
    return scan_word(s, p, "true");
  case 'f':
    return scan_word(s, p, "false");
  case 'n':
    return scan_word(s, p, "null");
  default:
    if (*p == '-' || (*p >= '0' && *p <= '9'))
      return scan_number(s, p);
    return json_scan_fail(s, p, "not a JSON value");
  }
}

/* ---- whole texts ---- */

int json_scan(struct json_scan *s, struct slice text) {
  const char *begin = text.len ? text.data : "";
  scan_start(s, begin + text.len);
  const char *p = scan_value(s, begin, 0);
  if (p && (p = scan_space(s, p)) < s->end)
    p = json_scan_fail(s, p, "text behind the value");
  return p ? 0 : -1;
}

int json_validate(const char *text, size_t len, size_t *at, const char **why) {
  struct json_scan s;
  json_scan_init(&s);
  int bad = json_scan(&s, slice_of(text, len));
  if (bad) {
    *at = (size_t)(s.where - (s.end - len));
    *why = s.why;
  }
  json_scan_release(&s);
  return bad;
}

int json_is_valid(struct slice text) {
  size_t at;
  const char *why;
  return json_validate(text.data, text.len, &at, &why) == 0;
}

/* ---- writing ---- */

/* Bytes with a two-character escape. */
static const char short_escapes[256] = {
    ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't', ['"'] = '"', ['\\'] = '\\'};

static void json_add_escaped(struct buf *out, unsigned char c) {
  if (short_escapes[c]) {
    buf_add_char(out, '\\');
    buf_add_char(out, short_escapes[c]);
    return;
  }
  buf_printf(out, "\\u%04x", c);
}

/* Appends a plain run and the short escape after it without a function call where the buffer has room: table rows in
 * a string are full of quotes.  1 where it was done. */
static int add_run_and_escape(struct buf *out, const char *run, size_t len, unsigned char c) {
  if (out->cap - out->len < len + 3 || !short_escapes[c] || out->max - out->len < len + 2)
    return 0;
  char *to = out->data + out->len;
  memcpy(to, run, len);
  to[len] = '\\';
  to[len + 1] = short_escapes[c];
  to[len + 2] = '\0';
  out->len += len + 2;
  return 1;
}

/* Copies plain bytes in blocks while there is room for whole ones.  Returns where it stopped: at a byte that needs
 * inspection or for lack of room. */
static const char *copy_clean(struct buf *out, const char *p, const char *end) {
#ifdef __SSE2__
  size_t room = out->cap - out->len, left = out->max - out->len;
  char *to = out->data + out->len;
  for (size_t n = 16; n == 16 && end - p >= 16 && room > 16 && left >= 16; room -= n, left -= n) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    unsigned odd = json_plain_odd(v);
    _mm_storeu_si128((__m128i *)(void *)to, v);
    n = odd ? (size_t)__builtin_ctz(odd) : 16;
    p += n;
    to += n;
  }
  out->len = (size_t)(to - out->data);
  *to = '\0';
#endif
  (void)out, (void)end;
  return p;
}

/* The end of the longest run that needs no change. */
static const char *clean_run(const char *p, const char *end) {
  for (;;) {
    p = json_plain_end(p, end);
    if (p >= end || (unsigned char)*p < 0x80)
      return p;
    uint32_t c;
    size_t n = utf8_decode(p, (size_t)(end - p), &c);
    if (!n)
      return p;
    p += n;
  }
}

void json_add_string(struct buf *out, const char *text, size_t len) {
  const char *p = len ? text : "", *end = p + len;
  if (buf_reserve(out, len + 2))
    return;
  buf_add_char(out, '"');
  while (p < end) {
    p = copy_clean(out, p, end);
    const char *clean = clean_run(p, end);
    if (clean < end && add_run_and_escape(out, p, (size_t)(clean - p), (unsigned char)*clean)) {
      p = clean + 1;
      continue;
    }
    buf_add(out, p, (size_t)(clean - p));
    p = clean;
    if (p >= end)
      break;
    if ((unsigned char)*p >= 0x80)
      buf_add(out, "\xef\xbf\xbd", 3);
    else
      json_add_escaped(out, (unsigned char)*p);
    p++;
  }
  buf_add_char(out, '"');
}

int json_is_plain(const char *text, size_t len) {
  return json_plain_end(text, text + len) == text + len;
}

void json_key(struct buf *out, const char *name) {
  char last = out->len ? out->data[out->len - 1] : '{';
  size_t n = strlen(name);
  if (buf_reserve(out, n + 4))
    return;
  char *to = out->data + out->len;
  if (last != '{' && last != '[')
    *to++ = ',';
  *to++ = '"';
  to = (char *)memcpy(to, name, n) + n;
  memcpy(to, "\":", 3);
  out->len = (size_t)(to + 2 - out->data);
}

void json_str(struct buf *out, const char *name, struct slice value) {
  json_key(out, name);
  json_add_slice(out, value);
}

void json_cstr(struct buf *out, const char *name, const char *value) {
  json_str(out, name, slice_str(value));
}

void json_cstr_list(struct buf *out, const char *name, const char *const *items, size_t count) {
  json_key(out, name);
  buf_add_char(out, '[');
  for (size_t i = 0; i < count; i++) {
    buf_add_str(out, i ? "," : "");
    json_add_cstr(out, items[i]);
  }
  buf_add_char(out, ']');
}

static void add_digits(struct buf *out, unsigned long long value) {
  char text[24], *p = text + sizeof text;
  do
    *--p = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  buf_add(out, p, (size_t)(text + sizeof text - p));
}

void json_int(struct buf *out, const char *name, long long value) {
  json_key(out, name);
  if (value < 0)
    buf_add_char(out, '-');
  add_digits(out, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value);
}

void json_uint(struct buf *out, const char *name, unsigned long long value) {
  json_key(out, name);
  add_digits(out, value);
}

void json_double(struct buf *out, const char *name, double value) {
  json_key(out, name);
  if (isfinite(value))
    buf_printf(out, "%.9g", value);
  else
    buf_add_str(out, "null");
}

void json_hundredths(struct buf *out, const char *name, float value) {
  json_key(out, name);
  buf_printf(out, "%.2f", (double)value);
}

void json_bool(struct buf *out, const char *name, int value) {
  json_key(out, name);
  buf_add_str(out, value ? "true" : "false");
}

void json_add_floats(struct buf *out, const float *x, size_t count) {
  for (size_t i = 0; i < count; i++)
    buf_printf(out, "%c%.9g", i ? ',' : '[', (double)x[i]);
  buf_add_str(out, count ? "]" : "[]");
}

void json_raw(struct buf *out, const char *name, struct slice json) {
  json_key(out, name);
  buf_add_slice(out, json);
}

void json_add_member(struct buf *out, struct slice key, struct slice json) {
  if (out->len && out->data[out->len - 1] != '{')
    buf_add_char(out, ',');
  buf_add_char(out, '"');
  buf_add_slice(out, key);
  buf_add(out, "\":", 2);
  buf_add_slice(out, json);
}

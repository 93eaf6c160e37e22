/* json_scan.c: the strict scanner, by RFC 8259 section 7 for strings and section 6 for numbers.
 *
 * Nearly all bytes of a record are inside one long string, so only the loop over plain string bytes is optimised for
 * speed.  simdjson's bitmap of the whole line was rejected: with a handful of tokens per line it costs more than it
 * saves.
 */
#include "record/json_scan.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "record/json.h"
#include "record/json_plain.h"

#include <stdlib.h>

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

void json_scan_start(struct json_scan *s, const char *end) {
  s->end = end;
  s->why = NULL;
  s->where = NULL;
  s->key_count = 0;
  buf_clear(&s->arena);
}

const char *json_scan_fail(struct json_scan *s, const char *where, const char *why) {
  s->why = why;
  s->where = where < s->end ? where : s->end;
  return NULL;
}

const char *json_scan_space(const struct json_scan *s, const char *p) {
  while (p < s->end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
    p++;
  return p;
}

static int json_scan_hex4(const char *p, const char *end, unsigned *value) {
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
  if (json_scan_hex4(p, s->end, &high))
    return json_scan_fail(s, p - 2, "bad \\u escape");
  if (high < 0xd800 || high > 0xdfff)
    return p + 4;
  if (high > 0xdbff || s->end - p < 10 || p[4] != '\\' || p[5] != 'u' ||
      json_scan_hex4(p + 6, s->end, &low) || low < 0xdc00 || low > 0xdfff)
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

static inline __m128i json_scan_part_of(const char *p, int at) {
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
    odd |= (uint64_t)json_plain_odd(json_scan_part_of(p, at)) << at;
    *slashes |= mask_of(json_scan_part_of(p, at), '\\') << at;
  }
  return odd;
}

/* A bitmap of the letters of the common one-letter escapes. */
static inline uint64_t letters_of(const char *p) {
  uint64_t letters = 0;
  for (int at = 0; at < WIDE; at += 16) {
    __m128i v = json_scan_part_of(p, at);
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

const char *json_scan_string(struct json_scan *s, const char *p) {
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

int json_scan_add_key(struct json_scan *s, size_t base, const char *from, const char *to) {
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

static int json_scan_by_hash(const void *a, const void *b) {
  const struct json_scan_key *x = a, *y = b;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

/* The keys of a large object are sorted by hash once, at its end: too rare for a hash table to pay off. */
int json_scan_end_keys(struct json_scan *s, size_t base) {
  size_t count = s->key_count - base;
  struct json_scan_key *k = s->keys + base;
  s->key_count = base;
  if (count <= LINEAR_KEYS)
    return 0;
  qsort(k, count, sizeof *k, json_scan_by_hash);
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && k[j - 1].hash == k[i].hash; j--)
      if (same_key(s, &k[j - 1], &k[i])) {
        json_scan_fail(s, k[i].at, "duplicate key");
        return -1;
      }
  return 0;
}

static const char *scan_member(struct json_scan *s, const char *p, size_t base, int depth) {
  if (p >= s->end || *p != '"')
    return json_scan_fail(s, p, p >= s->end ? "object without end" : "key expected");
  const char *from = p;
  p = json_scan_string(s, p);
  if (!p || json_scan_add_key(s, base, from, p))
    return NULL;
  p = json_scan_space(s, p);
  if (p >= s->end || *p != ':')
    return json_scan_fail(s, p, "':' expected");
  return json_scan_value(s, p + 1, depth);
}

static const char *scan_object(struct json_scan *s, const char *p, int depth) {
  size_t base = s->key_count;
  p = json_scan_space(s, p + 1);
  if (p < s->end && *p == '}')
    return p + 1;
  for (;;) {
    p = scan_member(s, p, base, depth + 1);
    if (!p)
      return NULL;
    p = json_scan_space(s, p);
    if (p >= s->end)
      return json_scan_fail(s, p, "object without end");
    if (*p == '}')
      return json_scan_end_keys(s, base) ? NULL : p + 1;
    if (*p != ',')
      return json_scan_fail(s, p, "',' or '}' expected");
    p = json_scan_space(s, p + 1);
  }
}

static const char *scan_array(struct json_scan *s, const char *p, int depth) {
  p = json_scan_space(s, p + 1);
  if (p < s->end && *p == ']')
    return p + 1;
  for (;;) {
    p = json_scan_value(s, p, depth + 1);
    if (!p)
      return NULL;
    p = json_scan_space(s, p);
    if (p >= s->end)
      return json_scan_fail(s, p, "array without end");
    if (*p == ']')
      return p + 1;
    if (*p != ',')
      return json_scan_fail(s, p, "',' or ']' expected");
    p++;
  }
}

const char *json_scan_value(struct json_scan *s, const char *p, int depth) {
  p = json_scan_space(s, p);
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
    return json_scan_string(s, p);
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

int json_validate(const char *text, size_t len, size_t *at, const char **why) {
  struct json_scan s;
  if (!text)
    text = "";
  json_scan_init(&s);
  json_scan_start(&s, text + len);
  const char *p = json_scan_value(&s, text, 0);
  if (p) {
    p = json_scan_space(&s, p);
    if (p < s.end)
      p = json_scan_fail(&s, p, "text behind the value");
  }
  if (!p) {
    *at = (size_t)(s.where - text);
    *why = s.why;
  }
  json_scan_release(&s);
  return p ? 0 : -1;
}

int json_is_valid(struct slice text) {
  size_t at;
  const char *why;
  return json_validate(text.data, text.len, &at, &why) == 0;
}

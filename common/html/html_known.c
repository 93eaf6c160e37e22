/* html_known.c: the hash of html_known.h: folded 128-bit products, two chains of 16 bytes beside each other,
 * since one chain would wait for its multiplications. */
#include "html/html_known.h"

static const uint64_t k1 = 0x9E3779B97F4A7C15u, k2 = 0xD6E8FEB86659FD93u;

static uint64_t html_known_load(const char *p) {
  uint64_t x;
  memcpy(&x, p, 8);
  return x;
}

static uint64_t html_known_mix(uint64_t a, uint64_t b) {
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Up to 16 bytes. */
static uint64_t hash_short(const char *p, size_t len, uint64_t h) {
  uint64_t a = 0, b = 0;
  if (len >= 8) {
    a = html_known_load(p);
    b = html_known_load(p + len - 8);
  } else
    memcpy(&a, p, len);
  return html_known_mix(a ^ k1 ^ h, b ^ k2);
}

uint64_t known_hash(struct slice s) {
  const char *p = s.data, *last = s.data + s.len - 16; /* the last 16 bytes may be some read before */
  uint64_t h = s.len * k1, g = k2;
  if (s.len <= 16)
    return hash_short(p, s.len, h);
  for (; last - p >= 16; p += 32) {
    h = html_known_mix(html_known_load(p) ^ k1 ^ h, html_known_load(p + 8) ^ k2);
    g = html_known_mix(html_known_load(p + 16) ^ k2 ^ g, html_known_load(p + 24) ^ k1);
  }
  if (p < last)
    h = html_known_mix(html_known_load(p) ^ k1 ^ h, html_known_load(p + 8) ^ k2);
  return html_known_mix(html_known_load(last) ^ h ^ k1, html_known_load(last + 8) ^ g);
}

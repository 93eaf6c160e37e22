/* mask.c: removing characters from untrusted text that could control a terminal or deceive its reader. */
#include "base/mask.h"

#include "base/utf8.h"

#include <string.h>

struct mask_range {
  uint32_t first, last;
};

static int mask_is_in(const struct mask_range *ranges, size_t count, uint32_t c) {
  for (size_t i = 0; i < count; i++)
    if (c >= ranges[i].first && c <= ranges[i].last)
      return 1;
  return 0;
}

int mask_hides(uint32_t c) {
  static const struct mask_range hidden[] = {{0x061c, 0x061c}, {0x200e, 0x200f}, {0x2028, 0x202e},
                                             {0x2066, 0x2069}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
  if (c < 0x7f)
    return c < 0x20;
  if (c < 0x061c)
    return c < 0xa0;
  return mask_is_in(hidden, sizeof hidden / sizeof *hidden, c);
}

size_t mask_decode(const char *text, size_t len, uint32_t *c) {
  size_t n = utf8_decode(text, len, c);
  if (n == 0 || mask_hides(*c))
    *c = '?';
  return n ? n : 1;
}

size_t mask_in_place(char *text, size_t len) {
  size_t out = 0;
  for (size_t i = 0; i < len;) {
    uint32_t c;
    size_t n = mask_decode(text + i, len - i, &c);
    if (c == '?') {
      text[out++] = '?';
    } else {
      memmove(text + out, text + i, n);
      out += n;
    }
    i += n;
  }
  return out;
}

int mask_columns(uint32_t c) {
  static const struct mask_range none[] = {
      {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a},  {0x064b, 0x065f},
      {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x2060, 0x2064},  {0x20d0, 0x20f0},
      {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef}};
  static const struct mask_range wide[] = {
      {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},
      {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},
      {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
      {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
  if (c < 0x0300)
    return 1;
  if (mask_is_in(none, sizeof none / sizeof *none, c))
    return 0;
  return mask_is_in(wide, sizeof wide / sizeof *wide, c) ? 2 : 1;
}

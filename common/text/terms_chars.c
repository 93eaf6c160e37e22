#include "text/terms_chars.h"

uint8_t terms_chars_class[256];
char terms_chars_lower[256];

__attribute__((constructor)) static void make_classes(void) {
  for (int c = 0; c < 256; c++) {
    int upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
    terms_chars_class[c] = (uint8_t)(upper || lower ? TERMS_LETTER
                                     : digit        ? TERMS_DIGIT
                                     : c >= 128     ? TERMS_HIGH
                                                    : TERMS_SEP);
    terms_chars_lower[c] = (char)(upper ? c + 32 : c);
  }
}

/* Base letters of U+00C0 to U+017F, one character each; the few that become two are handled separately. */
static const char latin[] = "aaaaaaaceeeeiiiidnooooo*ouuuuypsaaaaaaaceeeeiiiidnooooo/ouuuuypy"
                            "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
                            "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

int terms_chars_is_cjk(uint32_t c) {
  return (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

int terms_chars_is_separator(uint32_t c) {
  return c < 0xaa || (c > 0xaa && c < 0xc0 && c != 0xb5 && c != 0xba && c != 0xad) || c == 0xd7 ||
         c == 0xf7 || (c >= 0x2000 && c <= 0x2bff) || (c >= 0x3000 && c <= 0x303f) ||
         (c >= 0xe000 && c <= 0xf8ff) || (c >= 0xfe10 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff0f) ||
         c >= 0xfff0;
}

uint32_t terms_chars_fold(uint32_t c) {
  if (c >= 0xff10 && c <= 0xff5e) /* full-width forms */
    c -= 0xfee0;
  if (c >= 'A' && c <= 'Z')
    return c + 32;
  if (c >= 0xc0 && c <= 0x17f)
    return (uint8_t)latin[c - 0xc0];
  if ((c >= 0x391 && c <= 0x3a9) || (c >= 0x410 && c <= 0x42f))
    return c + 32;
  return c >= 0x400 && c <= 0x40f ? c + 80 : c;
}

/* mask.h: removing characters from untrusted text that could control a terminal or deceive its reader.
 *
 * Each of these characters is masked as one '?': C0 and C1 controls, DEL, bytes that are not UTF-8, bidirectional
 * controls (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), line and paragraph separators (U+2028,
 * U+2029), interlinear annotation (U+FFF9 to U+FFFB) and invisible tag characters (U+E0000 to U+E007F).
 * buf_add_masked() appends masked text.
 */
#ifndef BID_MASK_H
#define BID_MASK_H

#include <stddef.h>
#include <stdint.h>

/* Whether a character is masked; newline and tab count as masked. */
int mask_hides(uint32_t c);

/* Decodes the character at text (len > 0) into *c, '?' where it is masked.  Returns the bytes consumed, at least 1. */
size_t mask_decode(const char *text, size_t len, uint32_t *c);

/* Masks in place; the text never grows.  Returns its new length. */
size_t mask_in_place(char *text, size_t len);

/* The number of terminal columns that a character takes: 0 for combining marks and joiners, 2 for East Asian wide
 * characters and emoji, otherwise 1 (Unicode 15, EastAsianWidth.txt, by blocks). */
int mask_columns(uint32_t c);

#endif

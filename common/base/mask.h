/* mask.h: what text from outside must not do to the terminal, or to the eyes, of whoever reads it.
 *
 * Masked are, each character as one '?': C0 and C1 controls, DEL, bytes that are not UTF-8, marks that turn the
 * direction of what follows (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), line and paragraph
 * separators (U+2028, U+2029), interlinear annotation (U+FFF9 to U+FFFB) and tag characters (U+E0000 to U+E007F),
 * which show nothing and say something.  buf_add_masked() appends masked text.
 */
#ifndef BID_MASK_H
#define BID_MASK_H

#include <stddef.h>
#include <stdint.h>

/* Whether a character is masked; newline and tab are, too. */
int mask_hides(uint32_t c);

/* Decodes the character at text (len > 0) into *c, '?' where it is masked.  Bytes taken: at least 1. */
size_t mask_decode(const char *text, size_t len, uint32_t *c);

/* Masks in place; the text never grows.  Its new length. */
size_t mask_in_place(char *text, size_t len);

/* Columns that a character takes on a terminal: 0 for combining marks and joiners, 2 for East Asian wide ones
 * and emoji, otherwise 1 (Unicode 15, EastAsianWidth.txt, by blocks). */
int mask_columns(uint32_t c);

#endif

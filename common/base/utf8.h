/* utf8.h: UTF-8 as defined by RFC 3629 (no surrogates, nothing past U+10FFFF, shortest forms only). */
#ifndef BID_UTF8_H
#define BID_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length of the valid prefix of text[0..len). */
size_t utf8_valid_prefix(const char *text, size_t len);

/* Decodes the character at text (len > 0) into *c.  Returns its length in bytes, or 0 where it is invalid. */
size_t utf8_decode(const char *text, size_t len, uint32_t *c);

/* Encodes c (valid) into out, which has room for 4 bytes.  Returns the length. */
size_t utf8_encode(uint32_t c, char *out);

/* The largest n <= len where text[0..n) does not end within a character (text is valid). */
size_t utf8_floor(const char *text, size_t len);

/* The number of characters (text is valid). */
size_t utf8_characters(const char *text, size_t len);

#endif

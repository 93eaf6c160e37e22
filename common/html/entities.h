/* entities.h: character references, as defined by the WHATWG HTML standard, "Character reference state" and
 * following. */
#ifndef BID_ENTITIES_H
#define BID_ENTITIES_H

#include <stddef.h>
#include <stdint.h>

#define ENTITY_MAX 8 /* bytes that one reference can decode to, rounded up */

/* Decodes the reference at text, which starts with '&', into out (UTF-8, *out_len bytes).  Returns the bytes
 * consumed, or 0 where it is not a reference and '&' is literal.  in_attribute: applies the rule that leaves
 * "&copy=1" in a URL unchanged.  Numbers of the C1 range are read as windows-1252; 0, surrogates and numbers above
 * U+10FFFF become U+FFFD. */
size_t entity_decode(const char *text, size_t len, int in_attribute, char out[ENTITY_MAX], size_t *out_len);

#endif

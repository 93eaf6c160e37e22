/* digest.h: SHA-256 (FIPS 180-4), by nettle. */
#ifndef BID_DIGEST_H
#define BID_DIGEST_H

#include "base/buf.h"

#include <nettle/sha2.h>
#include <stdint.h>

#define DIGEST_SIZE 32
#define DIGEST_HEX 65 /* bytes of its lower-case hexadecimal text with the '\0' */

/* A digest over bytes that come in parts: start, add as often as needed, end (which starts anew). */
struct digest {
  struct sha256_ctx ctx;
};
void digest_start(struct digest *d);
void digest_add(struct digest *d, const void *data, size_t len);
void digest_end(struct digest *d, uint8_t out[DIGEST_SIZE]);

/* The digest of bytes at hand. */
void digest_of(const void *data, size_t len, uint8_t out[DIGEST_SIZE]);

/* The same as text; and the first `bytes` bytes of a digest as 2 * bytes digits and a '\0'. */
void digest_hex_of(const void *data, size_t len, char out[DIGEST_HEX]);
void digest_hex(const uint8_t *digest, size_t bytes, char *out);

#endif

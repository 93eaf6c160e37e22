/* digest.h: SHA-256 (FIPS 180-4), computed by nettle. */
#ifndef BID_DIGEST_H
#define BID_DIGEST_H

#include "base/buf.h"

#include <nettle/sha2.h>
#include <stdint.h>

#define DIGEST_SIZE 32
#define DIGEST_HEX 65 /* bytes of the lower-case hexadecimal form with its '\0' */

/* An incremental digest: start, add any number of times, end. digest_end() also starts the next one. */
struct digest {
  struct sha256_ctx ctx;
};
void digest_start(struct digest *d);
void digest_add(struct digest *d, const void *data, size_t len);
void digest_end(struct digest *d, uint8_t out[DIGEST_SIZE]);

/* The same as lower-case hexadecimal; and the first `bytes` bytes of a digest as 2 * bytes digits and a '\0'. */
void digest_hex_of(const void *data, size_t len, char out[DIGEST_HEX]);
void digest_hex(const uint8_t *digest, size_t bytes, char *out);

#endif

/* digest.c: SHA-256, computed by nettle. */
#include "base/digest.h"

void digest_start(struct digest *d) {
  sha256_init(&d->ctx);
}

void digest_add(struct digest *d, const void *data, size_t len) {
  sha256_update(&d->ctx, len, data);
}

void digest_end(struct digest *d, uint8_t out[DIGEST_SIZE]) {
  sha256_digest(&d->ctx, DIGEST_SIZE, out);
}

/* The digest of bytes in memory. */
static void digest_of(const void *data, size_t len, uint8_t out[DIGEST_SIZE]) {
  struct digest d;
  digest_start(&d);
  digest_add(&d, data, len);
  digest_end(&d, out);
}

void digest_hex(const uint8_t *digest, size_t bytes, char *out) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < bytes; i++) {
    out[2 * i] = digits[digest[i] >> 4];
    out[2 * i + 1] = digits[digest[i] & 15];
  }
  out[2 * bytes] = '\0';
}

void digest_hex_of(const void *data, size_t len, char out[DIGEST_HEX]) {
  uint8_t digest[DIGEST_SIZE];
  digest_of(data, len, digest);
  digest_hex(digest, DIGEST_SIZE, out);
}

#include "net/http_address.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Private and special-purpose IPv4 networks (RFC 6890), as first address and prefix length. */
static int is_private4(uint32_t a) {
  static const struct {
    uint32_t net, bits;
  } nets[] = {{0x00000000, 8},  {0x0a000000, 8},  {0x64400000, 10}, {0x7f000000, 8},  {0xa9fe0000, 16},
              {0xac100000, 12}, {0xc0000000, 24}, {0xc0a80000, 16}, {0xc6120000, 15}, {0xe0000000, 3}};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
    if ((a ^ nets[i].net) >> (32 - nets[i].bits) == 0)
      return 1;
  return 0;
}

/* Loopback, unspecified, link-local, unique local, multicast, a site's own translation (64:ff9b:1::/48, RFC 8215), and
 * embedded IPv4 addresses (mapped, translated, NAT64, 6to4). */
static int is_private6(const uint8_t a[16]) {
  static const uint8_t zeros[12], mapped[12] = {[10] = 0xff, [11] = 0xff},
                                  translated[12] = {[8] = 0xff, [9] = 0xff},
                                  local_nat64[6] = {0x00, 0x64, 0xff, 0x9b, 0x00, 0x01};
  if (a[0] == 0x20 && a[1] == 0x02)
    return is_private4((uint32_t)a[2] << 24 | (uint32_t)a[3] << 16 | (uint32_t)a[4] << 8 | a[5]);
  if (memcmp(a, local_nat64, sizeof local_nat64) == 0)
    return 1;
  if (memcmp(a, mapped, 12) == 0 || memcmp(a, zeros, 12) == 0 || memcmp(a, translated, 12) == 0 ||
      (a[0] == 0x00 && a[1] == 0x64 && a[2] == 0xff))
    return is_private4((uint32_t)a[12] << 24 | (uint32_t)a[13] << 16 | (uint32_t)a[14] << 8 | a[15]);
  return (a[0] & 0xfe) == 0xfc || (a[0] == 0xfe && (a[1] & 0x80) == 0x80) || a[0] == 0xff;
}

int http_address_is_private(const struct sockaddr *address) {
  if (address->sa_family == AF_INET)
    return is_private4(ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr));
  if (address->sa_family == AF_INET6)
    return is_private6(((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr);
  return 1;
}

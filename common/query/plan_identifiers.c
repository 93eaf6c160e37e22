#include "query/plan_identifiers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define IDENTIFIER_MAX 20
#define CIK_LARGEST 9999999 /* distinguishes an all-digit CUSIP from a CIK, which has seven digits today */

/* The value of a character: 0 to 9 for digits, 10 to 35 for letters. */
static int sign_value(char c) {
  return isdigit((unsigned char)c) ? c - '0' : c - 'A' + 10;
}

/* Luhn's algorithm over digits, with letters as two digits. */
static int is_isin(const char *id, size_t len) {
  int sum = 0, twice = 0;
  if (len != 12 || !isalpha((unsigned char)id[0]) || !isalpha((unsigned char)id[1]) ||
      !isdigit((unsigned char)id[11]))
    return 0;
  for (size_t i = len; i-- > 0;)
    for (int value = sign_value(id[i]), first = 1; first || value > 0; value /= 10, first = 0) {
      int digit = (value % 10) << twice;
      sum += digit / 10 + digit % 10;
      twice = !twice;
    }
  return sum % 10 == 0;
}

static int is_cusip(const char *id, size_t len) {
  int sum = 0;
  if (len != 9 || !isdigit((unsigned char)id[8]) ||
      (strspn(id, "0123456789") == len && strtoul(id, NULL, 10) <= CIK_LARGEST))
    return 0;
  for (size_t i = 0; i < 8; i++) {
    int value = sign_value(id[i]) << (i % 2);
    sum += value / 10 + value % 10;
  }
  return (sum + id[8] - '0') % 10 == 0;
}

static int is_lei(const char *id, size_t len) {
  int rest = 0;
  if (len != 20 || !isdigit((unsigned char)id[18]) || !isdigit((unsigned char)id[19]))
    return 0;
  for (size_t i = 0; i < len; i++)
    rest = (rest * (sign_value(id[i]) > 9 ? 100 : 10) + sign_value(id[i])) % 97;
  return rest == 1;
}

const char *plan_identifier_kind(struct slice text) {
  static const char *const kinds[] = {"isin", "cusip", "lei", "figi"};
  char id[IDENTIFIER_MAX + 1];
  size_t len = 0, digits = 0, dashes = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    size_t n = strlen(kinds[k]);
    if (text.len > n + 1 && strncasecmp(text.data, kinds[k], n) == 0 && strchr(": #", text.data[n]) != NULL)
      text = slice_of(text.data + n, text.len - n);
  }
  for (size_t i = 0; i < text.len; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (isalnum(c) && len < IDENTIFIER_MAX)
      id[len++] = (char)toupper(c);
    else if (c == '-' && (len == 10 || len == 12))
      dashes++;
    else if (strchr(" :#", c) == NULL || len > 0)
      return NULL;
    digits += isdigit(c) != 0;
  }
  id[len] = '\0';
  if (len == 18 && digits == 18 && (dashes == 0 || dashes == 2))
    return "an accession number";
  if (dashes > 0 || digits == 0)
    return NULL;
  if (len == 12 && strncmp(id, "BBG", 3) == 0)
    return "a FIGI";
  return is_isin(id, len) ? "an ISIN" : is_cusip(id, len) ? "a CUSIP" : is_lei(id, len) ? "an LEI" : NULL;
}

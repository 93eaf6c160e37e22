/* decimal.c: decimal numbers of 64 bits with a scale; every operation says when it overflows. */
#include "facts/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DECIMAL_SCALE_MAX = 18 };

static int decimal_scale_up(struct decimal *d, int by) {
  for (; by > 0; by--, d->scale++)
    if (d->scale == DECIMAL_SCALE_MAX || __builtin_mul_overflow(d->units, 10, &d->units))
      return -1;
  return 0;
}

static int decimal_digits(const char **at, const char *end, struct decimal *d, int fraction) {
  int seen = 0;
  for (; *at < end && **at >= '0' && **at <= '9'; (*at)++, seen++) {
    if (__builtin_mul_overflow(d->units, 10, &d->units) ||
        __builtin_add_overflow(d->units, **at - '0', &d->units) ||
        (fraction && ++d->scale > DECIMAL_SCALE_MAX))
      return -1;
  }
  return seen;
}

/* Parses the exponent after 'e'; -1 where it is missing or out of range. */
static int decimal_power(const char *at, const char *end, int *power) {
  int negative = at < end && *at == '-', value = 0;
  if (at < end && (*at == '-' || *at == '+'))
    at++;
  if (at == end || end - at > 2)
    return -1;
  for (; at < end; at++) {
    if (*at < '0' || *at > '9')
      return -1;
    value = value * 10 + (*at - '0');
  }
  *power = negative ? -value : value;
  return 0;
}

int decimal_parse(struct slice text, struct decimal *d) {
  const char *at = text.data, *end = text.data + text.len;
  int negative = text.len && *at == '-', power = 0;
  *d = (struct decimal){0, 0};
  at += text.len && (*at == '-' || *at == '+');
  int whole = decimal_digits(&at, end, d, 0), fraction = 0;
  if (whole >= 0 && at < end && *at == '.') {
    at++;
    fraction = decimal_digits(&at, end, d, 1);
  }
  if (whole < 0 || fraction < 0 || whole + fraction == 0)
    return -1;
  if (at < end && ((*at | 32) != 'e' || decimal_power(at + 1, end, &power)))
    return -1;
  if (negative)
    d->units = -d->units;
  return power ? decimal_shift(*d, power, d) : 0;
}

static int decimal_align(struct decimal *a, struct decimal *b) {
  return decimal_scale_up(a, b->scale - a->scale) || decimal_scale_up(b, a->scale - b->scale) ? -1 : 0;
}

int decimal_add(struct decimal a, struct decimal b, struct decimal *sum) {
  if (decimal_align(&a, &b) || __builtin_add_overflow(a.units, b.units, &a.units))
    return -1;
  *sum = a;
  return 0;
}

int decimal_subtract(struct decimal a, struct decimal b, struct decimal *difference) {
  if (decimal_align(&a, &b) || __builtin_sub_overflow(a.units, b.units, &a.units))
    return -1;
  *difference = a;
  return 0;
}

int decimal_shift(struct decimal d, int power, struct decimal *shifted) {
  for (; power > 0; power--)
    if (d.scale > 0)
      d.scale--;
    else if (__builtin_mul_overflow(d.units, 10, &d.units))
      return -1;
  for (; power < 0; power++)
    if (++d.scale > DECIMAL_SCALE_MAX)
      return -1;
  *shifted = d;
  return 0;
}

int decimal_compare(struct decimal a, struct decimal b) {
  if (decimal_align(&a, &b)) {
    double x = decimal_to_double(a), y = decimal_to_double(b);
    return (x > y) - (x < y);
  }
  return (a.units > b.units) - (a.units < b.units);
}

int decimal_from_double(double x, int scale, struct decimal *d) {
  double units = x * pow(10, scale);
  if (!isfinite(units) || fabs(units) > 9e18)
    return -1;
  *d = (struct decimal){llround(units), scale};
  return 0;
}

double decimal_to_double(struct decimal d) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                  1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
  return (double)d.units / powers[d.scale];
}

char *decimal_write(struct decimal d, char out[DECIMAL_TEXT]) {
  char digits[32];
  unsigned long long size = d.units < 0 ? 0ULL - (unsigned long long)d.units : (unsigned long long)d.units;
  int n = snprintf(digits, sizeof digits, "%0*llu", d.scale + 1, size);
  int whole = n - d.scale;
  snprintf(out, DECIMAL_TEXT, "%s%.*s%s%s", d.units < 0 ? "-" : "", whole, digits, d.scale ? "." : "",
           digits + whole);
  return out;
}

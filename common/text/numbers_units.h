/* numbers_units.h: what stands beside the digits of a number: its scale, per cent, currency and unit. */
#ifndef BID_NUMBERS_UNITS_H
#define BID_NUMBERS_UNITS_H

#include "text/numbers.h"

/* The word that ends directly before `i`, apart from blanks; empty where there is none. */
struct slice number_word_before(struct slice t, size_t i);

/* Whether it is "about", "more than" and the like. */
int number_is_hedge(struct slice t, size_t i);

int number_is_month(struct slice word);

/* These read what follows a number that ends at i, and return the number's new end; `i` where nothing follows.
 * number_scale(): "million"; number_percent(): "%", "points"; number_unit(): "cents", "shares", "times". */
size_t number_scale(struct slice t, size_t i, double *scale);
size_t number_percent(struct slice t, size_t i, struct stated_number *n, double *scale);
size_t number_unit(struct slice t, size_t i, struct stated_number *n, double *scale);

/* The start of a currency before a number, and its code; `i` where there is none. */
size_t number_currency(struct slice t, size_t i, int *currency);

/* The one currency that a heading names, "High (Cdn$)"; 0 where it names none, or several. */
int number_currency_of(struct slice heading);

#endif

/* claim_operands.h: the figures from which a number may be computed, and whether the sentence names them. */
#ifndef BID_CLAIM_OPERANDS_H
#define BID_CLAIM_OPERANDS_H

#include "verify/claim_view.h"

/* A figure's value with the factor of its caption. */
double claim_value(const struct evidence_item *item);

/* Notes what the number was computed from; returns 1. */
int claim_took(const struct claim_view *v, const char *relation, const struct evidence_item *const *list,
               size_t count);
int claim_took_two(const struct claim_view *v, const char *relation, const struct evidence_item *a,
                   const struct evidence_item *b);

/* Whether the number is a value; an amount computed from figures that may be in thousands or millions. */
int claim_is(const struct claim_view *v, double value);
int claim_is_amount(const struct claim_view *v, const struct evidence_item *of, double value);

/* The total of a column: "Total", "Consolidated". */
int claim_is_total(const struct evidence_item *item);

/* Whether the sentence names a figure's line; whether it may refer to it, by one of the line's rare words or by a known
 * synonym. */
int claim_is_named(const struct claim_view *v, const struct evidence_item *item);
int claim_is_meant(const struct claim_view *v, const struct evidence_item *item);

/* "70% of": a share, whatever the other words. */
int claim_is_share(const struct claim_view *v);

/* Whether the sentence has one of a number's own words, or one of those before the first number of its sentence. */
int claim_is_told(const struct claim_view *v, const struct evidence_item *item);

#endif

/* claim_pairs.h: numbers computed from two figures: of one line at two dates, or of two lines. */
#ifndef BID_CLAIM_PAIRS_H
#define BID_CLAIM_PAIRS_H

#include "verify/claim_view.h"

/* Whether two figures are of one line: of a row, or of rows of one name, each of a year, in one column. */
int claim_is_one_line(const struct evidence_item *a, const struct evidence_item *b);

/* A change, in percent or as an amount; for two losses or payments also a change of their size. */
int claim_is_change(const struct claim_view *v, const struct evidence_item *a, const struct evidence_item *b);

/* "Gained 178% over cost": what one column of a row is more than another one, which the sentence names. */
int claim_is_change_of_row(const struct claim_view *v, const struct evidence_item *a,
                           const struct evidence_item *b);

/* Whether two lines are in one column, or in columns of one date. */
int claim_is_beside(const struct claim_view *v, const struct evidence_item *a, const struct evidence_item *b);

/* Whether the number is a's share in b, or their difference; claim_is_part_of_total(): whether b is a total that need
 * not be named. */
int claim_is_part(const struct claim_view *v, const struct evidence_item *a, const struct evidence_item *b);
int claim_is_part_of_total(const struct claim_view *v, const struct evidence_item *a,
                           const struct evidence_item *b);
int claim_is_part_of_row(const struct claim_view *v, const struct evidence_item *a,
                         const struct evidence_item *b);
int claim_is_difference(const struct claim_view *v, const struct evidence_item *a,
                        const struct evidence_item *b);

#endif

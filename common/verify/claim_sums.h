/* claim_sums.h: sums and averages of figures. */
#ifndef BID_CLAIM_SUMS_H
#define BID_CLAIM_SUMS_H

#include "verify/claim_view.h"

/* Whether the sentence asks for a sum. */
int claim_has_sum(const struct claim_view *v);

/* Whether the number is a sum that begins with the figure: of amounts that the cited sentences tell in words of this one, of
 * lines of one name in a column, of columns of a row, of lines in one column, of a line over all dates; of two amounts in a sentence. */
int claim_is_sum_of_told(const struct claim_view *v, const struct evidence_item *first);
int claim_is_sum_of_namesakes(const struct claim_view *v, const struct evidence_item *first);
int claim_is_sum_of_row(const struct claim_view *v, const struct evidence_item *first);
int claim_is_sum(const struct claim_view *v, const struct evidence_item *first);
int claim_is_over_time(const struct claim_view *v, const struct evidence_item *first);
int claim_is_of_two(const struct claim_view *v, const struct evidence_item *a, const struct evidence_item *b);

#endif

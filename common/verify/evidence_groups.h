/* evidence_groups.h: whose a row is, where rows of one name repeat in a table: "Gross margin" below "Software", below
 * "Consulting" and so on.
 *
 * The rows of the name that stand below different other rows, one below each, belong to these.
 */
#ifndef BID_EVIDENCE_GROUPS_H
#define BID_EVIDENCE_GROUPS_H

#include "verify/evidence.h"

/* Sets `group` of a table's items, which begin at `first` and go to the last one, and adds its words to `place`. */
void evidence_groups_find(struct evidence *e, size_t first);

#endif

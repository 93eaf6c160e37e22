/* evidence_rows.h: the figures of a table's rows as items of the evidence. */
#ifndef BID_EVIDENCE_ROWS_H
#define BID_EVIDENCE_ROWS_H

#include "verify/evidence_heads.h"

/* Appends the figures of a row, a line without its leading bar, or takes it as the heading of the rows below it. */
void evidence_table_row(struct evidence *e, struct evidence_table *t, int mark, struct slice line);

/* Whether a line consists of dashes and bars. */
int evidence_is_rule(struct slice line);

#endif

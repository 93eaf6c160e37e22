/* plan_json.h: a plan as the record's `plan` object (data/schema/plan.json), and for people. */
#ifndef BID_PLAN_JSON_H
#define BID_PLAN_JSON_H

#include "query/plan.h"

/* Appends {"companies":[...],...}; a refusal's candidates too. */
void plan_add_json(const struct plan *plan, struct buf *out);

/* Reads such an object back; its texts are slices of `json`, or copies in `scratch` where they had escapes.
 * 0, or -1 where it is no plan. */
int plan_read_json(struct slice json, struct plan *plan, struct buf *scratch);

/* Appends a few lines for people. */
void plan_explain(const struct plan *plan, struct buf *out);

#endif

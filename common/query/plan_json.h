/* plan_json.h: a plan as the record's `plan` object (data/schema/plan.json), and for display. */
#ifndef BID_PLAN_JSON_H
#define BID_PLAN_JSON_H

#include "base/buf.h"
#include "query/plan.h"

/* Appends {"companies":[...],...}, including a rejected request's candidates. */
void plan_add_json(const struct plan *plan, struct buf *out);

/* Parses such an object; texts are slices of `json`, or copies in `scratch` where they had escapes.  0, or -1 where
 * it is not a plan. */
int plan_read_json(struct slice json, struct plan *plan, struct buf *scratch);

/* Appends an explanation of a few lines, masked (mask.h). */
void plan_explain(const struct plan *plan, struct buf *out);

/* ---- jobs ---- */

/* What is wrong with a job's members, "periods" for "period", a limit of -1; NULL where nothing is.  Static. */
const char *plan_job_fault(struct slice job);

#endif

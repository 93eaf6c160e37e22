/* plan_slip.h: finds a company by a name with one typing error. */
#ifndef BID_PLAN_SLIP_H
#define BID_PLAN_SLIP_H

#include "query/mentions.h"

/* The company whose name differs by one typing error from tokens [0, to) of t, the words without legal forms.  1 with *found; 0; -1
 * where it may be another name, or several differ so: *found has them as rivals. */
int plan_slip_resolve(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                      size_t to, struct mention *found);

#endif

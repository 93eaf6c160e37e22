/* store_report.h: reports the contents of the store, as records or for display. */
#ifndef BID_STORE_REPORT_H
#define BID_STORE_REPORT_H

#include "record/program.h"
#include "store/store_subset.h"

/* Prints a line per selected collection; returns their number. */
size_t store_report_collections(struct program *p, const struct store_snapshot *snap,
                                const struct store_subset *sel);

/* Prints sizes of the whole store, and the number of passages per model. */
enum store_status store_report_sizes(struct program *p, const struct store *s, struct store_snapshot *snap,
                                     struct error_text *e);

#endif

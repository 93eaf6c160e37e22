/* store_report.h: what the store holds, as records or for people. */
#ifndef BID_STORE_REPORT_H
#define BID_STORE_REPORT_H

#include "record/program.h"
#include "store/store_subset.h"

/* A line a collection that is in it; returns their number. */
size_t store_report_collections(struct program *p, const struct store_snapshot *snap,
                                const struct store_subset *sel);

/* Sizes of the whole store, and how many passages each model embedded. */
void store_report_sizes(struct program *p, const struct store *s, struct store_snapshot *snap,
                        struct error_text *e);

#endif

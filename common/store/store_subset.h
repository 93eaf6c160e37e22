/* store_subset.h: the documents selected on the command line. */
#ifndef BID_STORE_SUBSET_H
#define BID_STORE_SUBSET_H

#include "record/program.h"
#include "store/store.h"

struct store_subset {
  struct option_list collections; /* globs; none: all */
  struct option_list companies;   /* tickers, CIKs or names; none: all */
  struct option_list urls;        /* sourceUrls; none: all */
};

int store_subset_has(const struct store_subset *sel, const char *collection);

/* The ids of the selected collections: returns their number; the caller frees *ids. */
size_t store_subset_ids(const struct store_subset *sel, const struct store_snapshot *snap, uint32_t **ids);

/* Removes the selected documents in one transaction; counts them and their passages. */
enum store_status store_subset_remove(struct store *s, const struct store_subset *sel, uint64_t *documents,
                                      uint64_t *passages, struct error_text *e);

/* ---- removes documents by age, by a rule "[GLOB:]WHEN", where GLOB selects collections and WHEN is a
date or a time span ("2years", "*_8-K:2020-01-01") ---- */

/* Checks the syntax of a rule: 0 or -1. */
int store_expiry_check(const char *rule);

/* Removes documents filed before WHEN (captured, where they have no filing date), prints a record with their number
 * if there are any, and reports errors.  rule must have passed store_expiry_check(). */
void store_expiry_run(struct program *p, struct store *s, const char *rule);

#endif

/* store_subset.h: the documents of the store that a call names. */
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

/* The ids of the collections that are in it: their number; *ids is the caller's to free. */
size_t store_subset_ids(const struct store_subset *sel, const struct store_snapshot *snap, uint32_t **ids);

/* Removes the documents in one transaction, and counts them and their passages. */
enum store_status store_subset_remove(struct store *s, const struct store_subset *sel, uint64_t *documents,
                                      uint64_t *passages, struct error_text *e);

#endif

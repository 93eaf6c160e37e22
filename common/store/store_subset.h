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

/* Whether a company has this ticker, name or CIK. */
int store_subset_is_company(const struct store_company *c, const char *want);

/* The ids of the selected collections: returns their number; the caller frees *ids. */
size_t store_subset_ids(const struct store_subset *sel, const struct store_snapshot *snap, uint32_t **ids);

/* Removes the selected documents in one transaction; counts them and their passages. */
enum store_status store_subset_remove(struct store *s, const struct store_subset *sel, uint64_t *documents,
                                      uint64_t *passages, struct error_text *e);

#endif

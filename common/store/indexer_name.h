/* indexer_name.h: names the collection of a document after its metadata: DOMAIN_CORPUS_COMPANY_FORM. */
#ifndef BID_INDEXER_NAME_H
#define BID_INDEXER_NAME_H

#include "store/indexer.h"

struct
    indexer_names; /* remembers tickers: only the first document of a filing states one, the others just its CIK */

struct indexer_names *indexer_names_new(void);
void indexer_names_free(struct indexer_names *n);

/* Whether a name has letters, digits, '.', '-' and '_' alone, and one at least. */
int indexer_name_is_plain(struct slice name);

/* The collection of the record's document (indexer_fields.h), also where the options or a dump's "store" object give it.
 * NULL, or why it has no name. */
const char *indexer_name(struct indexer_names *n, const struct indexer_options *o, const struct record *rec,
                         char out[STORE_NAME_MAX + 1]);

#endif

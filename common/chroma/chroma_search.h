/* chroma_search.h: bid-search --from: answers questions from a Chroma server.
 *
 * At the start, a store in a temporary folder is filled with every document of the server, each with one empty
 * passage.  Questions are planned and filtered on it exactly as on a local store.  For each question, the server
 * returns the passages nearest to its vector among the documents that pass the filter.  Passages that contain the
 * question's words come from the postings of a local store, where it has the same passages, or, without a vector,
 * from Chroma's full-text filter.  These passages are written to the temporary store, which is then searched like any
 * other.  So the ranking is the same, except that statistics over all passages (inverse document frequencies) are
 * computed over these candidates.
 */
#ifndef BID_CHROMA_SEARCH_H
#define BID_CHROMA_SEARCH_H

#include "search/search.h"

struct chroma_search;

/* local: local stores for finding words; none: BID_STORE; they need not exist.  NULL with *f. */
struct chroma_search *chroma_search_open(const char *address, const struct search_list *local,
                                         struct search_fault *f);
void chroma_search_close(struct chroma_search *c); /* c may be NULL */

/* For struct search_options: the store to search, and the callback that supplies candidates. */
const char *chroma_search_store(const struct chroma_search *c);
const struct search_remote *chroma_search_remote(struct chroma_search *c);

#endif

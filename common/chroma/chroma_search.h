/* chroma_search.h: bid-search --from: questions answered out of a Chroma server.
 *
 * A store in a temporary folder has every document of the server, each with one empty passage, read at the start: that
 * is what a question is planned and filtered by, exactly as with a store of one's own.  For each question the server is
 * asked for the passages of the documents that pass which are nearest to its vector; those that hold its words are
 * taken by the postings of a store of this machine, where it has the same passages, else, where there is no vector, by
 * Chroma's own full-text filter.  They are put into the temporary store, which is then searched as any other: so the
 * ranking is the same, but for what it counts over all passages (inverse document frequencies), which is counted over
 * these.
 */
#ifndef BID_CHROMA_SEARCH_H
#define BID_CHROMA_SEARCH_H

#include "search/search.h"

struct chroma_search;

/* local: stores of this machine to find words in; none: BID_STORE; they need not exist.  NULL with *f. */
struct chroma_search *chroma_search_open(const char *address, const struct search_list *local,
                                         struct search_fault *f);
void chroma_search_close(struct chroma_search *c); /* NULL allowed */

/* For struct search_options: what is searched, and who brings it. */
const char *chroma_search_store(const struct chroma_search *c);
const struct search_remote *chroma_search_remote(struct chroma_search *c);

#endif

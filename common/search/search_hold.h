/* search_hold.h: what bid-search gives up before it opens a store, which may be anybody's. */
#ifndef BID_SEARCH_HOLD_H
#define BID_SEARCH_HOLD_H

#include "search/search_call.h"

/* Enters the sandbox: shipped tables and models are read, files are changed only in the folders of the stores, where
 * LMDB's lock files are, and of the reranker's vectors.  With call->remote, the network and all files that are read stay,
 * and `local` names stores that are used beside it, else it is NULL.  A helper starts the pager, --where and
 * bid-embed-http. */
void search_hold(const struct search_call *call, const struct option_list *local);

#endif

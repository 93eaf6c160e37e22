/* chroma_candidates.h: a search of a Chroma server in progress; private to chroma_search.c, chroma_candidates.c and
 * chroma_fill.c.
 *
 * For each question: chroma_candidates_allow(), chroma_candidates_ask(), chroma_candidates_add_local() and
 * chroma_candidates_fetch() find and fetch passages, chroma_fill() puts them into the temporary store.
 */
#ifndef BID_CHROMA_CANDIDATES_H
#define BID_CHROMA_CANDIDATES_H

#include "chroma/chroma_catalog.h"
#include "chroma/chroma_search.h"

struct chroma_wish { /* a candidate to be fetched */
  size_t collection;
  float distance;
  char id[33];
};

struct chroma_search {
  struct chroma *chroma;
  struct chroma_catalog known;
  struct search_remote remote;
  char *folder;
  struct search *local; /* or NULL */
  struct searcher *words;
  struct chroma_wish *wishes; /* for the question */
  size_t wish_count, wish_cap;
  const struct chroma_known **allowed; /* [known.count] allowed documents, by collection */
  size_t *first;                       /* [collections + 1] index in allowed of each collection's first */
  struct chroma_call *answers;         /* fetched answers, until they are stored */
  size_t *answer_of, answer_count;
  const struct chroma_known **touched; /* documents with more than the empty passage */
  size_t touched_count, touched_cap;
  char **kept; /* texts, kept until the commit */
  size_t kept_count, kept_cap;
};

/* Sets allowed and first: the documents of the snapshot that pass the filter. */
void chroma_candidates_allow(struct chroma_search *c, const struct store_snapshot *snap,
                             const struct store_filter *filter);

/* Adds the nearest passages over all collections to the wishes: first only ids, so that many collections cost little.  A
 * status with *e where the server fails. */
enum store_status chroma_candidates_ask(struct chroma_search *c, const struct search_wanted *w,
                                        struct error_text *e);

/* Adds what a local store finds by words, in collections that Chroma has. */
void chroma_candidates_add_local(struct chroma_search *c, const struct search_request *request);

/* Fetches all wishes into answers, one call per collection. */
enum store_status chroma_candidates_fetch(struct chroma_search *c, struct error_text *e);

/* ---- chroma_fill.c: the temporary store; statuses with *e ---- */

/* Stores every known document with one empty passage, which is what planning needs. */
enum store_status chroma_fill_catalog(struct chroma_search *c, struct error_text *e);

/* Stores the fetched passages in their documents, and empties those of the previous question. */
enum store_status chroma_fill(struct chroma_search *c, struct error_text *e);

#endif

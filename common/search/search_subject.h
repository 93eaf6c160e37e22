/* search_subject.h: the company whose documents are about a word. */
#ifndef BID_SEARCH_SUBJECT_H
#define BID_SEARCH_SUBJECT_H

#include "store/store.h"
#include "text/terms.h"

/* The company (a number as in store_doc) with a document that mentions the word throughout, while hardly any
 * document of another company does: a product, a person, a subsidiary, a part of the name.  A word that is known
 * to be a name may occur in most passages of the store. 0: none. */
size_t search_subject_of(const struct store_segment *segs, size_t seg_count, struct terms *terms,
                         struct slice word, int name);

/* Whether hardly any passage of another company holds the word, in its text or in the line above it. */
int search_subject_alone(const struct store_segment *segs, size_t seg_count, struct terms *terms,
                         struct slice word, size_t company);

#endif

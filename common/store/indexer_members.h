/* indexer_members.h: the members of a document's records.  Those that are equal in all passages, usually almost all, are
 * stored once with the document, the rest with each passage. */
#ifndef BID_INDEXER_MEMBERS_H
#define BID_INDEXER_MEMBERS_H

#include "base/buf.h"

/* Appends the object of the members that are equal in all of objects[count], count > 0. */
void indexer_members_shared(const struct slice *objects, size_t count, struct buf *shared);

/* Appends the members of an object that are not in `shared`, without braces; returns the number of bytes. */
size_t indexer_members_extra(struct slice object, struct slice shared, struct buf *out);

#endif

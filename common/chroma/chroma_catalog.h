/* chroma_catalog.h: the documents on a Chroma server, read once. */
#ifndef BID_CHROMA_CATALOG_H
#define BID_CHROMA_CATALOG_H

#include "chroma/chroma.h"

struct chroma_known {
  char *url, *json; /* as of store_get_document() */
  char id[33];      /* of its first passage */
  uint64_t url_hash;
  size_t collection; /* index in the list */
};

struct chroma_catalog {
  struct chroma_collections collections;
  struct chroma_known *list; /* ordered by url_hash, then collection */
  size_t count, cap;
};

/* Reads the documents that BID wrote, in all collections with a known model. */
enum store_status chroma_catalog_read(struct chroma *c, struct chroma_catalog *all, struct error_text *e);
void chroma_catalog_release(struct chroma_catalog *all);

/* Finds the document with this URL in a collection; NULL: none. */
const struct chroma_known *chroma_catalog_find(const struct chroma_catalog *all, struct slice url,
                                               const char *collection);

#endif
